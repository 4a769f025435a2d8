package code

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// FuzzLiterals: a text as a literal is the text again, in quotes that nothing in it
// closes.
func FuzzLiterals(f *testing.F) {
	for _, s := range []string{
		"", "a", "'`\"", `\ \n \x`, "${a} $", "\n\r\t\x00", "\u2028\u202e😀\ufeff", "*/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		if got := unescaped(t, jsText(s), `'`); got != s {
			t.Errorf("%s is %q, want %q", jsText(s), got, s)
		}
		if template := "`" + jsEscaped(s, '`') + "`"; unescaped(t, template, "`") != s {
			t.Errorf("%s is not %q", template, s)
		}
		var got string
		quoted := quoteJSON(s)
		err := json.Unmarshal([]byte(quoted), &got)
		if err != nil || got != s || strings.Contains(quoted, "`") {
			t.Errorf("%s is %q, want %q", quoted, got, s)
		}
		if got, err := strconv.Unquote(pyText(s)); err != nil || got != s {
			t.Errorf("%s is %q, want %q", pyText(s), got, s)
		}
	})
}

// unescaped reads a literal of JavaScript.
func unescaped(t *testing.T, literal, quote string) string {
	t.Helper()
	inner := strings.TrimSuffix(strings.TrimPrefix(literal, quote), quote)
	var b strings.Builder
	for inner != "" {
		switch {
		case strings.HasPrefix(inner, `\u{`):
			code, rest, _ := strings.Cut(inner[3:], "}")
			r, err := strconv.ParseInt(code, 16, 32)
			if err != nil {
				t.Fatalf("%s: %v", literal, err)
			}
			b.WriteRune(rune(r))
			inner = rest
		case strings.HasPrefix(inner, `\n`), strings.HasPrefix(inner, `\t`):
			b.WriteByte(map[byte]byte{'n': '\n', 't': '\t'}[inner[1]])
			inner = inner[2:]
		case strings.HasPrefix(inner, `\`):
			b.WriteByte(inner[1])
			inner = inner[2:]
		case strings.HasPrefix(inner, quote), quote == "`" && strings.HasPrefix(inner, "${"),
			strings.ContainsAny(inner[:1], "\n\r"):
			t.Fatalf("%s ends at %q", literal, inner)
		default:
			b.WriteByte(inner[0])
			inner = inner[1:]
		}
	}
	return b.String()
}
