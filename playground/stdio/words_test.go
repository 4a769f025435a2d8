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
		words, err := Words(test.command)
		if err != nil || !slices.Equal(words, test.words) {
			t.Errorf("%q: %q, %v", test.command, words, err)
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
		if words, err := Words(command); err == nil || !strings.Contains(err.Error(), says) {
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
		words, err := Words(s)
		if err != nil {
			return
		}
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		again, err := Words(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q: %q, then %q, %v", s, words, again, err)
		}
	})
}
