package agent_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// texts reads every resource.
func texts(a *sitetest.Agent) map[string]string {
	a.T.Helper()
	texts := map[string]string{}
	for _, r := range a.Ask("resources/list", map[string]any{}).Resources {
		got := a.Ask(playground.ResourcesRead, map[string]any{"uri": r.URI})
		if len(got.Contents) != 1 || got.Contents[0].Text == "" {
			a.T.Fatalf("%s: %+v", r.URI, got)
		}
		texts[r.URI] = got.Contents[0].Text
	}
	return texts
}

var (
	resourceLink = regexp.MustCompile(`mrtr://[a-z0-9/-]+[a-z0-9]`)
	seeName      = regexp.MustCompile(`(?m)^\s*(?://|#) .*\b[Ss]ee (\w+)`)
	quotedLesson = regexp.MustCompile(`the lesson "([^"]+)"`)
)

// TestAgent_PointersLeadSomewhere: what a text points to is a resource, or in the text.
func TestAgent_PointersLeadSomewhere(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	texts := texts(a)
	for uri, text := range texts {
		for _, link := range resourceLink.FindAllString(text, -1) {
			if texts[link] == "" {
				t.Errorf("%s points to %s", uri, link)
			}
		}
		for _, path := range []string{"/learn/rounds)", "/learn/reference/", "/glossary"} {
			if strings.Contains(text, sitetest.Base+path) {
				t.Errorf("%s has a link to a page that is a resource: %s", uri, path)
			}
		}
		for _, see := range seeName.FindAllStringSubmatch(text, -1) {
			if name := see[1]; name != "the" && !strings.Contains(text, name+"(") {
				t.Errorf("%s says to see %s, which it does not have", uri, name)
			}
		}
		for _, named := range quotedLesson.FindAllString(text, -1) {
			t.Errorf("%s names %s without its address", uri, named)
		}
	}
	for _, want := range []string{"### The helpers in Go", "func layer(", "### The helpers in TypeScript"} {
		if !strings.Contains(texts["mrtr://lessons/nothing-to-ask"], want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestAgent_RequirementsAreInParts: the index is short, and each part has its page.
func TestAgent_RequirementsAreInParts(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	texts := texts(a)
	index, whole := texts["mrtr://requirements"], 0
	for _, p := range spec.Pages() {
		part := texts["mrtr://requirements/"+p.Name]
		whole += strings.Count(part, "\n- ")
		if !strings.Contains(index, "mrtr://requirements/"+p.Name+": "+p.Title) ||
			!strings.Contains(part, p.Sentences[0].Text) {
			t.Errorf("%s:\n%s", p.Name, part)
		}
	}
	if whole != len(spec.Sentences()) || len(index) > 4<<10 {
		t.Errorf("%d requirements, the index has %d bytes", whole, len(index))
	}
	for _, page := range []string{"prompts", "resources", "tasks", "index"} {
		if part := texts["mrtr://requirements/"+page]; !strings.Contains(part, "names no status") {
			t.Errorf("%s: the status of -32602 is not said to be open", page)
		}
	}
	var found struct {
		Results []struct{ Kind, Resource string }
	}
	a.Call("search_lessons", map[string]any{"query": "demands subscriptions"}, sitetest.ToolResult{}).Read(t,
		&found)
	if !slices.ContainsFunc(found.Results, func(h struct{ Kind, Resource string }) bool {
		return h.Resource == "mrtr://requirements/subscriptions"
	}) {
		t.Errorf("%+v", found)
	}
}

// TestAgent_SearchSaysHowItMatches: without an entry that has every word, those with the
// most come first; and if there is none, the answer names what there is.
func TestAgent_SearchSaysHowItMatches(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	type results struct {
		Note    string
		Results []struct{ Title, Excerpt string }
	}
	search := func(query string) (r results, words string) {
		got := a.Call("search_lessons", map[string]any{"query": query}, sitetest.ToolResult{})
		got.Read(t, &r)
		return r, got.Words()
	}
	if r, _ := search("requestState"); r.Note != "" || len(r.Results) == 0 {
		t.Errorf("one word: %+v", r)
	}
	r, words := search("zeppelin key rotation nonce zebra")
	if !strings.HasPrefix(words, "No entry has all of these words.") || r.Note == "" ||
		len(r.Results) < 2 {
		t.Errorf("%+v", r)
	}
	r, _ = search("load balancer signed instances")
	if !strings.HasPrefix(r.Note, "The first have all of these words") || len(r.Results) < 4 {
		t.Errorf("few have every word: %+v", r)
	}
	r, words = search("zeppelin zebra")
	if len(r.Results) > 0 || !strings.Contains(words, "mrtr://lessons/nothing-to-ask: Nothing to ask\n") ||
		!strings.Contains(r.Note, "mrtr://requirements") {
		t.Errorf("%s", words)
	}
}

// TestAgent_SearchFindsCode: an API of an SDK is found where a lesson uses it, and the pages
// about files of the playground do not come first.
func TestAgent_SearchFindsCode(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	type hit struct{ Kind, Title, Resource, URL string }
	search := func(query string) (r struct{ Results []hit }) {
		a.Call("search_lessons", map[string]any{"query": query}, sitetest.ToolResult{}).Read(t, &r)
		return r
	}
	for query, want := range map[string]string{
		"CreateMessageParams": "Go", "inputRequired.createMessage": "TypeScript", "ListRootsResult": "Python",
	} {
		list := search(query).Results
		if i := slices.IndexFunc(list, func(h hit) bool {
			return h.Kind == "Code" && h.Resource == "mrtr://lessons/questions" &&
				h.Title == "Several questions at once, "+want
		}); i < 0 {
			t.Errorf("%s: %+v", query, list)
		}
	}
	if list := search("how long should a state live").Results; list[0].Title !=
		"Where a server keeps its memory: How long a state should live" ||
		list[0].Resource != "mrtr://reference/memory" {
		t.Errorf("%+v", list)
	}
	if list := search("enum").Results; list[0].Title == "The format of flows" {
		t.Errorf("%+v", list)
	}
	if list := search("format of flows").Results; list[0].Title != "The format of flows" {
		t.Errorf("%+v", list)
	}
}

// TestAgent_BuildPromptTakesAnyLanguage: names are read loosely, and without an example the
// task says where the messages are.
func TestAgent_BuildPromptTakesAnyLanguage(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	build := func(language string) string {
		return a.Ask(playground.PromptsGet, map[string]any{
			"name": "build", "arguments": map[string]any{"language": language},
		}).Words()
	}
	for language, want := range map[string]string{
		"Go": "```go", "JS": "```typescript", " node": "```typescript",
		"Python": "```python", "C#": "```csharp",
		"none": "book_table", "cobol": `There is no example in "cobol".`,
	} {
		got := build(language)
		if !strings.Contains(got, want) || language != "cobol" &&
			(language == "none") == strings.Contains(strings.ToLower(got), "example,") {
			t.Errorf("%s: %s", language, got)
		}
		if n := strings.Count(got, "mrtr://reference/http"); n != 1 && language != "cobol" {
			t.Errorf("%s: the messages are named %d times", language, n)
		}
	}
}

// TestAgent_TextsAreForAgents: no text has what only a reader of the pages can do, and the
// address of the server is its own.
func TestAgent_TextsAreForAgents(t *testing.T) {
	t.Parallel()
	elsewhere := func(c *site.Config) { c.App.BaseURL = "http://playground.test" }
	s := sitetest.NewWith(t, app.Local, wire.Config{}, elsewhere)
	for uri, text := range texts(s.Agent()) {
		for _, page := range []string{"[!TRY]", "/learn", lesson.WrittenURL} {
			if strings.Contains(text, page) {
				t.Errorf("%s has %s", uri, page)
			}
		}
	}
}

// TestAgent_ExplanationsAreShort: five requirements at most, those of the clause first, and
// no whole state.
func TestAgent_ExplanationsAreShort(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	for id, want := range map[string]string{
		"omit-capability": "A server relies only on capabilities that the client declared in the request.",
		"header-mismatch": "A server that reads the body rejects headers that differ from it.",
		"extra-key":       `…"`,
	} {
		got := a.Call("explain_finding", map[string]any{"id": id}, sitetest.ToolResult{})
		var r struct {
			Sentences []struct{ Text string }
			More      int
		}
		got.Read(t, &r)
		if n := len(r.Sentences); n > 5 || r.More > 0 != strings.Contains(got.Words(), " more are in ") {
			t.Errorf("%s: %d requirements, %d more", id, n, r.More)
		}
		if !strings.Contains(got.Words(), want) || longWord.MatchString(got.Words()) {
			t.Errorf("%s: %s", id, got.Words())
		}
	}
}

// longWord matches a state as it is sent.
var longWord = regexp.MustCompile(`[A-Za-z0-9_-]{80}`)
