package playground

import (
	"strings"
	"testing"
)

func TestHTMLTitle(t *testing.T) {
	const begin, end = "<title>", "</title>"
	for name, test := range map[string]struct{ body, want string }{
		"title":     {"<!doctype html><html><head><title>Not  here</title>", "Not here"},
		"attribute": {"<TITLE lang=en>A &amp;\n B</TITLE>", "A & B"},
		"none":      {"<h1>Not here</h1>", ""},
		"no end":    {begin + "Not here", ""},
		"too long":  {begin + strings.Repeat("a", 1001) + end, ""},
		"first":     {begin + strings.Repeat("a", 1001) + end + begin + "Not here" + end, ""},
		"late":      {"<p>" + strings.Repeat("a", 64<<10) + begin + "Not here" + end, ""},
		// with a pattern that bounds the title, each begin costs a thousand steps a byte
		"many": {strings.Repeat(begin, 1<<20/len(begin)), ""},
	} {
		if got := htmlTitle([]byte(test.body)); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
