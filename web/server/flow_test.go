package server_test

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
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// newFlow makes a flow with a text and returns its path.
func newFlow(s *sitetest.Site, source string) string {
	s.T.Helper()
	path := s.Post("/flows", "").Header.Get("Location")
	got := s.Post(path, url.Values{"do": {"save"}, "source": {source}}.Encode())
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("save: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	return path
}

// A link to a flow shows its text and its picture, redacted, and becomes a flow of
// its reader. Its exchange was not recorded, so there is no recording of it.
func TestShare_OfAFlow(t *testing.T) {
	t.Parallel()
	const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	s := sitetest.New(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := newFlow(s, strings.Replace(refund.Source, "Goodwill", secret, 1))
	id := strings.TrimPrefix(path, "/flows/")
	preview := s.Get("/sessions/" + id + "/share")
	preview.Has(t, `"Share this flow"`)
	token := s.ShareAs("/sessions/" + id + "/share")
	page := s.Get("/s/" + token)
	page.Has(t, `[data-shared="flow"]`, `[data-flow-text] "refund_order"`)
	saved, err := s.Store.Flow(t.Context(), "local", id)
	sitetest.Check(t, err)
	for _, file := range []string{"", ".yaml", ".svg", ".mmd", ".png", ".qr.svg"} {
		got := s.Get("/s/" + token + file)
		if got.Status != http.StatusOK {
			t.Errorf("%q: %d", file, got.Status)
		}
		got.Lacks(t, secret, saved.Token)
	}
	for _, file := range []string{".json", ".har", ".md", ".txt"} {
		if got := s.Get("/s/" + token + file); got.Status != http.StatusNotFound {
			t.Errorf("%q: %d", file, got.Status)
		}
	}
	s.Get("/s/"+token+"?x=1").Has(t, `[data-shared="flow"]`)
	s.Get("/embed/"+token).Has(t, "[data-embed]")
	fork := s.Post("/s/"+token+"/fork", "").Header.Get("Location")
	if !strings.HasPrefix(fork, "/flows/") || fork == path {
		t.Errorf("the fork is %s", fork)
	}
	s.Get(fork).Has(t, `#flow-source "refund_order"`)
	s.NoErrors()
}

// Whatever a flow says is text on its pages (fault 123).
func TestFlow_TextsAreText(t *testing.T) {
	t.Parallel()
	const markup = `<script>alert(1)</script><img src=x onerror=alert(2)></textarea><b hx-get="/x">`
	s := sitetest.New(t, app.Local)
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
	sitetest.Check(t, err)
	path := newFlow(s, string(source))
	token := s.ShareAs("/sessions/" + strings.TrimPrefix(path, "/flows/") + "/share")
	for _, page := range []string{"/build", path, path + "?version=v1", "/history", "/s/" + token,
		"/embed/" + token, "/s/" + token + ".svg"} {
		got := s.Get(page)
		if got.Status != http.StatusOK {
			t.Errorf("%s: %d", page, got.Status)
		}
		got.Lacks(t, "<script>alert", "<img src=x", "<b hx-get")
	}
	s.NoErrors()
}

func quoteJSON(s string) string {
	return string((&document.Node{Kind: document.Text, Text: s}).JSON())
}

// Another visitor's flow, its files and its share page look like one that is not
// there.
func TestFlow_OfAnotherVisitor(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	refund, _ := flow.FindExample("refund")
	s.Stranger()
	path := s.Follow("/flows", url.Values{"example": {"refund"}})
	path.Has(t, `#flow-source "refund_order"`)
	id := strings.TrimPrefix(s.Last, "/flows/")
	other := s.Visitor(t)
	other.Stranger()
	for _, page := range []string{s.Last, s.Last + ".yaml", "/sessions/" + id + "/share"} {
		if got := other.Page(page); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", page, got.Status)
		}
	}
	for _, do := range []string{"save", "follow", "end", "renew", "restore 1", "run"} {
		got := other.Do("POST", s.Last, url.Values{"do": {do}, "source": {refund.Source}}.Encode(),
			http.Header{"Cookie": {other.Cookies}})
		if got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", do, got.Status)
		}
	}
}

// A workspace has so many flows in public mode, and each text so many bytes.
func TestFlow_Limits(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{Resolver: sitetest.Names{}}, func(c *site.Config) {
		c.App.Limits = app.DefaultLimits()
		c.App.Limits.Flows = 2
	})
	s.Stranger()
	for range 2 {
		s.Follow("/flows", url.Values{"example": {"refund"}})
	}
	path := s.Last
	got := s.Do("POST", "/flows", "example=refund", http.Header{"Cookie": {s.Cookies}})
	if got.Status != http.StatusTooManyRequests {
		t.Errorf("a third flow: %d", got.Status)
	}
	long := url.Values{"do": {"follow"}, "source": {strings.Repeat("#", document.MaxBytes+1)}}.Encode()
	got = s.Do("POST", path, long, http.Header{"Cookie": {s.Cookies}})
	if got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long text: %d", got.Status)
	}
}

// Who types while a response is on its way loses nothing: the text counts only if it is
// not the one that was rendered.
func TestFlow_TypedBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := newFlow(s, refund.Source)
	page := s.Get(path)
	title := sitetest.Value(t, page.Body, "[name][value=\"Refund an order\"]", "name")
	form := url.Values{
		"do": {"follow"}, "source": {refund.Source},
		"base": {sitetest.Value(t, page.Body, "#flow-base", "value")},
	}
	for _, typed := range []string{"Refund a", "Refund a book"} { // both of one page
		form.Set(title, typed)
		s.Post(path, form.Encode())
	}
	s.Get(path).Has(t, `#flow-source "title: Refund a book"`)
	// Who goes from a control to the text may type before the answer to the control comes.
	form.Set(title, "Refund an order")
	for text, want := range map[string]bool{refund.Source: false, "flow: 1\n": true} {
		form.Set("source", text)
		form.Set("base", flowview.Base(text)) // what the page has
		got := s.Do("POST", path, form.Encode(), sitetest.HTMX)
		if has := got.HTML().Has("#flow-source"); has != want {
			t.Errorf("the answer to a page with the text %.20q has a text: %v", text, has)
		}
	}
	form.Set("base", flowview.Base(refund.Source))
	form.Set("source", refund.Source+"# more\n")
	s.Post(path, form.Encode())
	got := s.Get(path)
	got.Has(t, `#flow-source "# more"`)
	got.Lacks(t, "Refund a book")
	s.NoErrors()
}

// What is entered can be stored, whatever it is, and an empty text is a draft, too.
func TestFlow_KeepsWhatIsEntered(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := newFlow(s, refund.Source)
	for entered, want := range map[string]string{
		"": "\n", "a\x00b\xff": "a\ufffdb\ufffd", "a\r\nb\rc": "a\nb\nc",
	} {
		got := s.Post(path, url.Values{"do": {"follow"}, "source": {entered}}.Encode())
		if got.Status != http.StatusSeeOther {
			t.Errorf("%q: %d %s", entered, got.Status, sitetest.Excerpt(got.Body))
		}
		saved, err := s.Store.Flow(t.Context(), "local", strings.TrimPrefix(path, "/flows/"))
		sitetest.Check(t, err)
		if saved.Edited() != want {
			t.Errorf("%q is kept as %q", entered, saved.Edited())
		}
	}
	s.NoErrors()
}

// Who has the address of a flow can call it, so no reader of a link gets it.
func TestShare_HasNoAddressOfAFlow(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	refund, _ := flow.FindExample("refund")
	path := newFlow(s, refund.Source)
	const token = "Q7ZK3M5PWX2VJ4RT6YB8ND9CFH"
	sitetest.Check(t, s.Store.RenewFlow(t.Context(), "local", strings.TrimPrefix(path, "/flows/"), token,
		time.Now()))
	source := refund.Source + "state: {protection: plain}\n"
	s.Follow(path, url.Values{"do": {"run"}, "source": {source}}).Has(t, `[data-status="waiting"]`)
	got := s.Follow(s.Last+"/rounds", url.Values{
		"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Late"}, "do": {"send"},
	})
	got.Has(t, `[data-newest="2"]`)
	links := []string{s.ShareAs(sitetest.Find(t, s.Page("/history").Body, `(/sessions/\w+/share)`))}
	s.Follow("/stories", url.Values{"kind": {"flow"}, "id": {strings.TrimPrefix(path, "/flows/")}})
	s.Follow("/demos/"+strings.TrimPrefix(s.Last, "/stories/"), nil)
	stage, _, _ := strings.Cut(s.Last, "?")
	links = append(links, s.ShareAs("/sessions/"+stage[strings.LastIndexByte(stage, '/')+1:]+"/share"))
	for _, link := range links {
		for _, file := range []string{"", ".json", ".har", ".md", ".svg", "?view=exact", "?panel=state"} {
			got := s.Get("/s/" + link + file)
			if got.Status != http.StatusOK {
				t.Errorf("%q: %d", file, got.Status)
			}
			got.Lacks(t, token)
		}
	}
	s.NoErrors()
}
