package site_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// newFlow makes a flow with a text and returns its path.
func (s *testSite) newFlow(source string) string {
	s.t.Helper()
	path := s.post("/flows", "").header.Get("Location")
	got := s.post(path, url.Values{"do": {"save"}, "source": {source}}.Encode())
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("save: %d %s", got.status, excerpt(got.body))
	}
	return path
}

// A link to a flow shows its text and its picture, redacted, and becomes a flow of
// its reader. Its exchange was not recorded, so there is no recording of it.
func TestShare_OfAFlow(t *testing.T) {
	t.Parallel()
	const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	s := newSite(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := s.newFlow(strings.Replace(refund.Source, "Goodwill", secret, 1))
	id := strings.TrimPrefix(path, "/flows/")
	preview := s.get("/sessions/" + id + "/share")
	preview.has(t, `"Share this flow"`)
	token := s.shareAs("/sessions/" + id + "/share")
	page := s.get("/s/" + token)
	page.has(t, `[data-shared="flow"]`, `[data-flow-text] "refund_order"`)
	saved, err := s.store.Flow(t.Context(), "local", id)
	check(t, err)
	for _, file := range []string{"", ".yaml", ".svg", ".mmd", ".png", ".qr.svg"} {
		got := s.get("/s/" + token + file)
		if got.status != http.StatusOK {
			t.Errorf("%q: %d", file, got.status)
		}
		got.lacks(t, secret, saved.Token)
	}
	for _, file := range []string{".json", ".har", ".md", ".txt"} {
		if got := s.get("/s/" + token + file); got.status != http.StatusNotFound {
			t.Errorf("%q: %d", file, got.status)
		}
	}
	s.get("/s/"+token+"?x=1").has(t, `[data-shared="flow"]`)
	s.get("/embed/"+token).has(t, "[data-embed]")
	fork := s.post("/s/"+token+"/fork", "").header.Get("Location")
	if !strings.HasPrefix(fork, "/flows/") || fork == path {
		t.Errorf("the fork is %s", fork)
	}
	s.get(fork).has(t, `#flow-source "refund_order"`)
	s.noErrors()
}

// Whatever a flow says is text on its pages (fault 123).
func TestFlow_TextsAreText(t *testing.T) {
	t.Parallel()
	const markup = `<script>alert(1)</script><img src=x onerror=alert(2)></textarea><b hx-get="/x">`
	s := newSite(t, app.Local)
	source, err := document.YAML(
		[]byte(`{"flow":1,"name":"a","title":` + quoteJSON(markup) + `,"description":` +
			quoteJSON(
				markup,
			) + `,"arguments":{"x":{"type":"string","title":` + quoteJSON(markup) + `,"example":` +
			quoteJSON(markup) + `}},"steps":[{"form":"q","message":` + quoteJSON(markup+" {{args.x}}") +
			`,"fields":{"f":{"enum":[` + quoteJSON(markup) + `],"title":` + quoteJSON(markup) +
			`}}},{"url":"u","message":` +
			quoteJSON(
				markup,
			) + `,"page":{"title":` + quoteJSON(markup) + `,"text":` + quoteJSON(markup) + `}}],"result":` +
			quoteJSON(markup+"{{answers.q.f}}") + `}`),
	)
	check(t, err)
	path := s.newFlow(string(source))
	token := s.shareAs("/sessions/" + strings.TrimPrefix(path, "/flows/") + "/share")
	for _, page := range []string{"/flows", path, path + "?version=v1", "/history", "/s/" + token,
		"/embed/" + token, "/s/" + token + ".svg"} {
		got := s.get(page)
		if got.status != http.StatusOK {
			t.Errorf("%s: %d", page, got.status)
		}
		got.lacks(t, "<script>alert", "<img src=x", "<b hx-get")
	}
	s.noErrors()
}

func quoteJSON(s string) string {
	return string((&document.Node{Kind: document.Text, Text: s}).JSON())
}

// Another visitor's flow, its files and its share page look like one that is not
// there.
func TestFlow_OfAnotherVisitor(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	refund, _ := flow.FindExample("refund")
	s.stranger()
	path := s.follow("/flows", url.Values{"example": {"refund"}})
	path.has(t, `#flow-source "refund_order"`)
	id := strings.TrimPrefix(s.last, "/flows/")
	other := s.visitor(t)
	other.stranger()
	for _, page := range []string{s.last, s.last + ".yaml", "/sessions/" + id + "/share"} {
		if got := other.page(page); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", page, got.status)
		}
	}
	for _, do := range []string{"save", "follow", "end", "renew", "restore 1", "run"} {
		got := other.do("POST", s.last, url.Values{"do": {do}, "source": {refund.Source}}.Encode(),
			http.Header{"Cookie": {other.cookies}})
		if got.status != http.StatusNotFound {
			t.Errorf("%s: %d", do, got.status)
		}
	}
}

// A workspace has so many flows in public mode, and each text so many bytes.
func TestFlow_Limits(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Public, wire.Config{Resolver: names{}}, func(c *site.Config) {
		c.App.Limits = app.DefaultLimits()
		c.App.Limits.Flows = 2
	})
	s.stranger()
	for range 2 {
		s.follow("/flows", url.Values{"example": {"refund"}})
	}
	path := s.last
	got := s.do("POST", "/flows", "example=refund", http.Header{"Cookie": {s.cookies}})
	if got.status != http.StatusTooManyRequests {
		t.Errorf("a third flow: %d", got.status)
	}
	long := url.Values{"do": {"follow"}, "source": {strings.Repeat("#", document.MaxBytes+1)}}.Encode()
	got = s.do("POST", path, long, http.Header{"Cookie": {s.cookies}})
	if got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long text: %d", got.status)
	}
}

// Who types while a response is on its way loses nothing: the text counts only if it is
// not the one that was rendered.
func TestFlow_TypedBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := s.newFlow(refund.Source)
	page := s.get(path)
	title := value(t, page.body, "[name][value=\"Refund an order\"]", "name")
	form := url.Values{
		"do": {"follow"}, "source": {refund.Source}, "base": {value(t, page.body, "#flow-base", "value")},
	}
	for _, typed := range []string{"Refund a", "Refund a book"} { // both of one page
		form.Set(title, typed)
		s.post(path, form.Encode())
	}
	s.get(path).has(t, `#flow-source "title: Refund a book"`)
	// Who goes from a control to the text may type before the answer to the control comes.
	form.Set(title, "Refund an order")
	for text, want := range map[string]bool{refund.Source: false, "flow: 1\n": true} {
		form.Set("source", text)
		form.Set("base", views.FlowBase(text)) // what the page has
		got := s.do("POST", path, form.Encode(), htmx)
		if has := got.html().Has("#flow-source"); has != want {
			t.Errorf("the answer to a page with the text %.20q has a text: %v", text, has)
		}
	}
	form.Set("base", views.FlowBase(refund.Source))
	form.Set("source", refund.Source+"# more\n")
	s.post(path, form.Encode())
	got := s.get(path)
	got.has(t, `#flow-source "# more"`)
	got.lacks(t, "Refund a book")
	s.noErrors()
}

// What is entered can be stored, whatever it is, and an empty text is a draft, too.
func TestFlow_KeepsWhatIsEntered(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := s.newFlow(refund.Source)
	for entered, want := range map[string]string{
		"": "\n", "a\x00b\xff": "a\ufffdb\ufffd", "a\r\nb\rc": "a\nb\nc",
	} {
		got := s.post(path, url.Values{"do": {"follow"}, "source": {entered}}.Encode())
		if got.status != http.StatusSeeOther {
			t.Errorf("%q: %d %s", entered, got.status, excerpt(got.body))
		}
		saved, err := s.store.Flow(t.Context(), "local", strings.TrimPrefix(path, "/flows/"))
		check(t, err)
		if saved.Edited() != want {
			t.Errorf("%q is kept as %q", entered, saved.Edited())
		}
	}
	s.noErrors()
}

// Who has the address of a flow can call it, so no reader of a link gets it.
func TestShare_HasNoAddressOfAFlow(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := s.newFlow(refund.Source)
	const token = "Q7ZK3M5PWX2VJ4RT6YB8ND9CFH"
	check(t, s.store.RenewFlow(t.Context(), "local", strings.TrimPrefix(path, "/flows/"), token, time.Now()))
	source := refund.Source + "state: {protection: plain}\n"
	s.follow(path, url.Values{"do": {"run"}, "source": {source}}).has(t, `[data-status="waiting"]`)
	got := s.follow(s.last+"/rounds", url.Values{
		"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Late"}, "do": {"send"},
	})
	got.has(t, `[data-newest="2"]`)
	links := []string{s.shareAs(find(t, s.page("/history").body, `(/sessions/\w+/share)`))}
	s.follow("/stories", url.Values{"kind": {"flow"}, "id": {strings.TrimPrefix(path, "/flows/")}})
	s.follow("/demos/"+strings.TrimPrefix(s.last, "/stories/"), nil)
	stage, _, _ := strings.Cut(s.last, "?")
	links = append(links, s.shareAs("/sessions/"+stage[strings.LastIndexByte(stage, '/')+1:]+"/share"))
	for _, link := range links {
		for _, file := range []string{"", ".json", ".har", ".md", ".svg", "?view=exact", "?panel=state"} {
			got := s.get("/s/" + link + file)
			if got.status != http.StatusOK {
				t.Errorf("%q: %d", file, got.status)
			}
			got.lacks(t, token)
		}
	}
	s.noErrors()
}
