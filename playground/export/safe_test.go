package export

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// everywhere is a session in which a stranger has a say in every word.
func everywhere(word string) Session {
	s := sessionWith(word)
	s.Title, s.Note = word, word
	s.Exchanges[0].Target.Name = word
	return s
}

// TestMarkdown_EscapesForeignText renders with all that Markdown can do
// (goldmark is what the lessons use; here it plays the reader).
func TestMarkdown_EscapesForeignText(t *testing.T) {
	reader := goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(html.WithUnsafe()))
	for _, word := range hostile() {
		var page bytes.Buffer
		if err := reader.Convert(Markdown(everywhere(word)), &page); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<a ", "<img", "<script", "<table", "<hr", "<ol", "<blockquote", "<em",
			"<strong", "<input"} {
			if strings.Contains(page.String(), bad) {
				t.Errorf("%q becomes %s", word, bad)
			}
		}
		if n := strings.Count(page.String(), "<h1"); n != 1 {
			t.Errorf("%q: %d headings of the first rank", word, n)
		}
	}
}

func TestText_IsHarmless(t *testing.T) {
	for _, word := range hostile() {
		for line := range strings.Lines(string(Text(everywhere(word)))) {
			if line != "\n" && !strings.ContainsRune("#<>", rune(line[0])) {
				t.Errorf("%q: the line %q", word, line)
			}
			for _, r := range strings.TrimSuffix(line, "\n") {
				if r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf) {
					t.Errorf("%q: %U in %q", word, r, line)
				}
			}
		}
	}
}

func TestMarkdown_CommandsAreComplete(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell to check with")
	}
	for _, word := range hostile() {
		text := string(Markdown(everywhere(word)))
		_, rest, _ := strings.Cut(text, "sh\n")
		command, _, _ := strings.Cut(rest, "\n```")
		check := exec.Command("sh", "-n")
		check.Stdin = strings.NewReader(command)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%q: %v %s\n%s", word, err, out, command)
		}
	}
}

// TestHAR_RequiredMembers checks the members that HAR 1.2 requires.
func TestHAR_RequiredMembers(t *testing.T) {
	for _, word := range hostile() {
		data, err := HAR(everywhere(word), playground.Client{Name: "n", Version: "v"})
		if err != nil {
			t.Fatal(err)
		}
		var har struct {
			Log struct {
				Version string
				Creator map[string]string
				Entries []map[string]json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &har); err != nil {
			t.Fatal(err)
		}
		if har.Log.Version != "1.2" || har.Log.Creator["name"] == "" || len(har.Log.Entries) != 2 {
			t.Fatalf("log: %.200s", data)
		}
		for _, e := range har.Log.Entries {
			members(t, e, "startedDateTime", "time", "request", "response", "cache", "timings")
			members(t, object(t, e["request"]), "method", "url", "httpVersion", "cookies", "headers",
				"queryString", "headersSize", "bodySize")
			members(t, object(t, e["response"]), "status", "statusText", "httpVersion", "cookies",
				"headers", "content", "redirectURL", "headersSize", "bodySize")
			members(t, object(t, e["timings"]), "send", "wait", "receive")
		}
	}
}

func object(t *testing.T, raw json.RawMessage) map[string]json.RawMessage {
	t.Helper()
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func members(t *testing.T, o map[string]json.RawMessage, names ...string) {
	t.Helper()
	for _, name := range names {
		if raw, ok := o[name]; !ok || string(raw) == "null" {
			t.Errorf("no %s", name)
		}
	}
}
