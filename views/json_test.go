package views

import "testing"

func TestDifferingMarksTheChangedPart(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{`"abcdef"`, `"abXdef"`, `&#34;ab<mark>X</mark>def&#34;`},
		{`"abcdef"`, `"abcdefgh"`, `&#34;abcdef<mark>gh</mark>&#34;`},
		{`"one thing"`, `"<b>quite another</b>"`, `&#34;&lt;b&gt;quite another&lt;/b&gt;&#34;`},
		{`"aaaa"`, `"aaa"`, `&#34;aaa<mark></mark>&#34;`},
		{`"é漢x"`, `"é漢y"`, `&#34;é漢<mark>y</mark>&#34;`},
	} {
		if got := differing(c.was, c.is); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.was, c.is, got, c.want)
		}
	}
}
