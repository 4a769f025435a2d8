package text_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// TestExpand: a variable is replaced, one without a value is an error with its name, and what
// is escaped stays as it was.
func TestExpand(t *testing.T) {
	lookup := func(name string) string { return map[string]string{"A": "1", "B_2": "${A}"}[name] }
	for s, want := range map[string]string{
		"":                "",
		"Bearer ${A}":     "Bearer 1",
		"${A}${A}":        "11",
		"${B_2}":          "${A}", // a value is not read again
		"$A $ {A} $":      "$A $ {A} $",
		"$${A} is ${A}":   "${A} is 1",
		"${NONE}":         "error: NONE",
		"${}":             "error: not a variable",
		"${a-b} and ${A}": "error: not a variable",
		"${A":             "${A",
	} {
		got, err := text.Expand(s, lookup)
		if reason, wantsErr := strings.CutPrefix(want, "error: "); wantsErr {
			if err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: %q, %v", s, got, err)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", s, got, err)
		}
		if again, err := text.Expand(text.EscapeVariables(s), lookup); err != nil || again != s {
			t.Errorf("%s is escaped to what gives %q, %v", s, again, err)
		}
	}
}
