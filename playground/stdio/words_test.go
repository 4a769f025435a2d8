package stdio

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	tests := []struct {
		command string
		words   []string
	}{
		{"node server.js", []string{"node", "server.js"}},
		{"  a\t b\nc  ", []string{"a", "b", "c"}},
		{`'my server' "--name=a b" c\ d`, []string{"my server", "--name=a b", "c d"}},
		{`a'b'"c"d`, []string{"abcd"}},
		{`a '' ""`, []string{"a", "", ""}},
		{`'$HOME | ls' "\$x \"y\" \n"`, []string{"$HOME | ls", `$x "y" \n`}},
		{`a \| \; '\'`, []string{"a", "|", ";", `\`}},
		{"a\\\nb # c * ~ {d}", []string{"ab", "#", "c", "*", "~", "{d}"}},
		{"näh ☃", []string{"näh", "☃"}},
	}
	for _, test := range tests {
		words, err := split(test.command, false)
		if err != nil || !slices.Equal(words, test.words) {
			t.Errorf("%q: %q, %v", test.command, words, err)
		}
	}
}

// TestWords_OnWindows: paths are typed as they are.
func TestWords_OnWindows(t *testing.T) {
	for _, test := range []struct {
		command string
		words   []string
	}{
		{`"C:\Program Files\x\y.exe" --flag`, []string{`C:\Program Files\x\y.exe`, "--flag"}},
		{`'C:\Program Files (x86)\y.exe' 'a\'`, []string{`C:\Program Files (x86)\y.exe`, `a\`}},
		{`node C:\new\server.js`, []string{"node", `C:\new\server.js`}},
		{`\\host\share\y.exe "\\host\my share"`, []string{`\\host\share\y.exe`, `\\host\my share`}},
		{`y.exe "C:\my dir\\" b`, []string{"y.exe", `C:\my dir\`, "b"}},
		{`y.exe "{\"a\":1}" '{"b":2}' a\"b`, []string{"y.exe", `{"a":1}`, `{"b":2}`, `a"b`}},
		{`y.exe '' "" \`, []string{"y.exe", "", "", `\`}},
	} {
		words, err := split(test.command, true)
		if err != nil || !slices.Equal(words, test.words) {
			t.Errorf("%s: %q, %v", test.command, words, err)
		}
	}
	for command, says := range map[string]string{
		"dir | more": "use cmd /c '…'",
		"A=1 y.exe":  "before you start this program",
		`y "a\"`:     "is not closed",
	} {
		if words, err := split(command, true); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %q, %v; want %q", command, words, err, says)
		}
	}
}

func TestWords_Refuses(t *testing.T) {
	for command, says := range map[string]string{
		"":                 "empty",
		" \t":              "empty",
		"'' a":             "empty",
		"a 'b":             "is not closed",
		`a "b`:             "is not closed",
		`a \`:              "backslash",
		"a | tee log":      "no shell runs the command, so | has no effect",
		"A=1 b; c":         "so ; has no effect",
		"FOO=bar node a":   "use env FOO=bar",
		"a $HOME":          "so $ has no effect",
		"a \"`id`\"":       "so ` has no effect",
		"a > f":            "so > has no effect",
		"a (b)":            "so ( has no effect",
		"a \\\x00":         "NUL",
		"a 2>&1":           "so > has no effect",
		"server && client": "so & has no effect",
	} {
		if words, err := split(command, false); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %q, %v; want %q", command, words, err, says)
		}
	}
}

// FuzzWords: words that are quoted are the same words again.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"a b", `'a' "b"`, `\`, "a\\\n", "'|'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, windows := range []bool{false, true} {
			words, err := split(s, windows)
			if err != nil {
				continue
			}
			again, err := split(join(words, windows), windows)
			if err != nil || !slices.Equal(again, words) {
				t.Errorf("%q: %q, then %q, %v", s, words, again, err)
			}
		}
	})
}
