package views

import (
	"html"
	"strings"
	"testing"
)

// TestExactBytesSurviveAnHTMLParser: what a parser makes of the text of a pre
// element is the bytes again, or they are marked as escaped.
func TestExactBytesSurviveAnHTMLParser(t *testing.T) {
	for _, text := range []string{
		"", "{}", "<script>alert(1)</script>", "&amp; &#13; &", "\nleading", "a\r\nb\rc\n", "\t \"quotes\" '", "é😀\u202e",
		"</pre><img src=x onerror=alert(1)>",
	} {
		escapedHTML, escaped := exact([]byte(text))
		if escaped || strings.ContainsAny(escapedHTML, "<>") {
			t.Errorf("%q: escaped %v, %q", text, escaped, escapedHTML)
		}
		if strings.ContainsAny(escapedHTML, "\r") || strings.HasPrefix(escapedHTML, "\n") {
			t.Errorf("%q: a parser would change %q", text, escapedHTML)
		}
		if got := html.UnescapeString(escapedHTML); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	for text, want := range map[string]string{"a\xffb": `a\xffb`, "\x00": `\x00`, "\x1b[0m": `\x1b[0m`} {
		if got, escaped := exact([]byte(text)); got != want || !escaped {
			t.Errorf("%q: got %q, %v", text, got, escaped)
		}
	}
}

func TestLinksOfAServerAreJudgedBeforeTheyAreOffered(t *testing.T) {
	tests := []struct {
		url  string
		safe bool
		warn string
	}{
		{"https://example.com/a?b", true, ""},
		{"http://example.com/", true, "not encrypted"},
		{"https://xn--80ak6aa92e.com/", true, "look like others"},
		{"https://аpple.com/", true, "look like others"},
		{"javascript:alert(1)", false, "no usable"},
		{"data:text/html,x", false, "no usable"},
		{"javascript://example.com/%0aalert(1)", false, "javascript"},
		{"https://user@example.com/", false, "user name"},
		{"//example.com", false, "Only web"},
		{"", false, "no usable"},
		{"https://example.com/\u202e", false, "no usable"},
		{"https://exa\nmple.com/", false, "no usable"},
	}
	for _, test := range tests {
		l := NewLink(test.url)
		if l.Safe != test.safe || !strings.Contains(l.Warning, test.warn) || (test.warn == "") != (l.Warning == "") {
			t.Errorf("%q: safe %v, %q", test.url, l.Safe, l.Warning)
		}
	}
}
