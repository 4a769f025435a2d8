package views

import (
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// TestExact_SurvivesAnHTMLParser reads the text of a pre element back: it is
// the bytes, or they are marked as escaped.
func TestExact_SurvivesAnHTMLParser(t *testing.T) {
	for _, text := range []string{
		"", "{}", "<script>alert(1)</script>", "&amp; &#13; &", "\nleading", "\n", "\n\n{}", "\r\nleading",
		"\rleading", "\r",
		"a\r\nb\rc\n", "\t \"quotes\" '", "é😀\u202e", "</pre><img src=x onerror=alert(1)>",
	} {
		escapedHTML, escaped := exact([]byte(text))
		if escaped || strings.ContainsAny(escapedHTML, "<>\r") {
			t.Errorf("%q: escaped %v, %q", text, escaped, escapedHTML)
		}
		if got := textOf(t, "<pre>"+inPre(escapedHTML)+"</pre>"); got != text {
			t.Errorf("in pre: got %q, want %q", got, text)
		}
		if got := textOf(t, "<p>"+escapedHTML+"</p>"); got != text {
			t.Errorf("in p: got %q, want %q", got, text)
		}
	}
	for text, want := range map[string]string{"a\xffb": `a\xffb`, "\x00": `\x00`, "\x1b[0m": `\x1b[0m`} {
		if got, escaped := exact([]byte(text)); got != want || !escaped {
			t.Errorf("%q: got %q, %v", text, got, escaped)
		}
	}
}

func TestInTextarea(t *testing.T) {
	for _, text := range []string{"", "{}", "\nleading", "\n", "a\n"} {
		if got := textOf(t, "<textarea>"+templ.EscapeString(inTextarea(text))+"</textarea>"); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

// textOf returns the text of a document as a parser reads it.
func textOf(t *testing.T, document string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
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
		if l.Safe != test.safe || !strings.Contains(l.Warning, test.warn) ||
			(test.warn == "") != (l.Warning == "") {
			t.Errorf("%q: safe %v, %q", test.url, l.Safe, l.Warning)
		}
	}
}

func TestLink_HostIsFoundWhereItIs(t *testing.T) {
	for url, want := range map[string][3]string{
		"https://s/a":                          {"https://", "s", "/a"},
		"https://bank.example:8443?a=//b":      {"https://", "bank.example:8443", "?a=//b"},
		"https://bank.example#x":               {"https://", "bank.example", "#x"},
		"https://bank.example":                 {"https://", "bank.example", ""},
		"https://bank.example.evil.example/":   {"https://", "bank.example.evil.example", "/"},
		"javascript://bank.example/":           {"javascript://bank.example/", "", ""},
		"https://bank.example@evil.example/in": {"https://bank.example@evil.example/in", "", ""},
	} {
		before, host, after := NewLink(url).parts()
		if got := [3]string{before, host, after}; got != want {
			t.Errorf("%s: %q", url, got)
		}
	}
	if l := NewLink("https://%62ank.example/"); l.Safe && l.Warning == "" {
		t.Errorf("a host that is spelled in another way has no warning: %+v", l)
	}
}
