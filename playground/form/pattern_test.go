package form

import (
	"io"
	"regexp"
	"strings"
	"testing"
)

// counted reads a text and counts its runes.
type counted struct {
	*strings.Reader
	read int
}

func (c *counted) ReadRune() (rune, int, error) {
	r, size, err := c.Reader.ReadRune()
	if err != io.EOF {
		c.read++
	}
	return r, size, err
}

// TestPattern_StepsAreLinear holds fault 43 without a clock: the pattern of a
// schema is matched by Go's regexp, which reads each character once, and its
// estimated cost, which limits the texts that are checked at all, doubles with
// the text.
func TestPattern_StepsAreLinear(t *testing.T) {
	for _, pattern := range []string{"(a+)+$", "^(a|a)*$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$"} {
		compiled, err := engine(pattern)
		if err != nil {
			t.Fatal(err)
		}
		re, ok := compiled.(*regexp.Regexp)
		if !ok {
			t.Fatalf("%s is matched by %T, not by Go's regexp", pattern, compiled)
		}
		for _, n := range []int{100, 10_000, 100_000} {
			text := &counted{Reader: strings.NewReader(strings.Repeat("a", n) + "!")}
			re.MatchReader(text)
			if text.read > n+1 {
				t.Errorf("%s read %d characters of %d", pattern, text.read, n+1)
			}
		}
		cost := func(n int) int { return program(pattern) * (n + 1) / 100 }
		if short, long := cost(10_000), cost(20_000); long > 2*short+1 {
			t.Errorf("%s costs %d, and %d for twice the text", pattern, short, long)
		}
	}
}
