package prose

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
		exact, escaped := Exact([]byte(text))
		html := rendered(t, ExactText(exact))
		if escaped || strings.ContainsAny(html, "<>\r") {
			t.Errorf("%q: escaped %v, %q", text, escaped, html)
		}
		if got := textOf(t, "<pre>"+rendered(t, ExactText(InPre(exact)))+"</pre>"); got != text {
			t.Errorf("in pre: got %q, want %q", got, text)
		}
		if got := textOf(t, "<p>"+html+"</p>"); got != text {
			t.Errorf("in p: got %q, want %q", got, text)
		}
	}
	for text, want := range map[string]string{"a\xffb": `a\xffb`, "\x00": `\x00`, "\x1b[0m": `\x1b[0m`} {
		if got, escaped := Exact([]byte(text)); got != want || !escaped {
			t.Errorf("%q: got %q, %v", text, got, escaped)
		}
	}
}

func TestInTextarea(t *testing.T) {
	for _, text := range []string{"", "{}", "\nleading", "\n", "a\n"} {
		if got := textOf(t, "<textarea>"+templ.EscapeString(InTextarea(text))+"</textarea>"); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func rendered(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
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

func TestByteCount(t *testing.T) {
	for n, want := range map[int]string{
		0: "0_B", 612: "612_B", 1093: "1_093_B", 99_007: "99_007_B", 700_000: "683.6 KiB",
	} {
		if got := strings.ReplaceAll(ByteCount(n), "\u00a0", "_"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
