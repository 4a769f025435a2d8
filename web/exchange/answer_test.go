package exchange_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAnswer_OutdatedFormIsTold sends forms whose Round is no longer open. The
// page that follows says that nothing was sent.
func TestAnswer_OutdatedFormIsTold(t *testing.T) {
	t.Parallel()
	const first = "round=1&a0.action=accept&a0.f0=Duplicate&do=send"
	tests := []struct {
		name, form string
		sent       bool
	}{
		{"first", first, true},
		{"of an earlier round", first, false},
		{"with an answer that the schema refuses", "round=1&a0.action=accept&a0.f0=&do=send", false},
		{"refuse", "round=1&do=refuse", false},
		{"resend what is open", "round=2&do=resend", false},
		{"of no round", "round=7", false},
		{"without a round", "do=send", false},
	}
	for _, header := range []http.Header{nil, sitetest.HTMX} {
		s := sitetest.New(t, app.Local)
		path := s.StartOf("azure-devops")
		for _, test := range tests {
			got := s.Do("POST", path+"/rounds", test.form, header)
			if test.sent && header != nil {
				got.Has(t, `[data-field="duplicateOfId"]`)
				continue // a fragment, without a redirect
			}
			if got.Status != http.StatusSeeOther || !strings.HasPrefix(got.Header.Get("Location"), path) {
				t.Errorf("%s: %d to %s", test.name, got.Status, got.Header.Get("Location"))
			}
			page := s.Do("GET", got.Header.Get("Location"), "", header)
			page.Has(t, `[data-status="waiting"]`, `[data-field="duplicateOfId"]`)
			page.HasNot(t, `[data-round="3"]`)
			if test.sent {
				page.HasNot(t, `[data-error="stale"]`)
			} else {
				page.Has(t, `[data-error="stale"]`, `"Nothing was sent."`)
			}
		}
		s.Do("GET", path+"?stale=1", "", header).Has(t, `"Round 1 was no longer open"`)
		s.Do("GET", path+"?stale=9", "", header).Has(t, `"The form was out of date."`)
		s.Do("GET", path, "", header).HasNot(t, "[data-error]")
		s.NoErrors()
	}
}

// TestAnswer_OutdatedInALesson stays in the lesson.
func TestAnswer_OutdatedInALesson(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Post("/learn/one-round", map[string][]string{"do": {"start"}})
	page := c.Page("/learn/one-round")
	path := sitetest.LiveExchange(t, page)
	c.Send(path+"/rounds", "round=7&back=%2Flearn%2Fone-round%23live", "/learn/one-round?stale=7#live")
	c.Send(path+"/rounds", "round=1&do=resend&back=%2Flearn%2Fone-round%23live",
		"/learn/one-round?stale=1#live")
	if page := c.Page("/learn/one-round?stale=1"); !htmltest.Parse(page).Has(`[data-error="stale"]`) {
		t.Error("the lesson does not say that nothing was sent")
	}
}

// TestAnswer_ChoosesAnInstance sends to an instance of the topology only.
func TestAnswer_ChoosesAnInstance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ how, want string }{
		{"do=send&instance=b", "b"}, {"do=send&instance=z", ""}, {"do=send&instance=", ""},
		{"do=send+to+b&instance=a", "b"}, {"do=send+to+z", ""},
	} {
		s := sitetest.New(t, app.Local)
		path := s.StartOf("azure-devops")
		s.Post(path+"/rounds", "round=1&a0.action=accept&a0.f0=Duplicate&"+test.how)
		x, err := s.Store.Exchange(t.Context(), "local", strings.TrimPrefix(path, "/x/"))
		sitetest.Check(t, err)
		if d := x.Fold().Last().Decision; d.Action != playground.ActionAnswer || d.Instance != test.want {
			t.Errorf("%s: %+v", test.how, d)
		}
	}
}

// TestAnswer_AutomaticRetries starts them on the page, shows when the next one
// is sent, and stops them.
func TestAnswer_AutomaticRetries(t *testing.T) {
	t.Parallel()
	t.Run("page", func(t *testing.T) { retriesAutomatically(t, nil) })
	t.Run("fragment", func(t *testing.T) { retriesAutomatically(t, sitetest.HTMX) })
}

func retriesAutomatically(t *testing.T, header http.Header) {
	t.Parallel() // the retries wait
	address := mcptest.Start(t, mcptest.Script(func(mcptest.Message, *http.Request) mcptest.Answer {
		return mcptest.Ask("", "s")
	}))
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Settle = 50 * time.Millisecond
	})
	x := playground.Exchange{
		ID: "x", Session: "s", Created: time.Now(), Target: playground.Target{ID: "t", Name: "shedding",
			URL: address},
		Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"work"}`)},
	}
	sitetest.Check(t, s.Store.AddExchange(t.Context(), "local", "work", x))
	_, err := s.Runner.Decide(t.Context(), x, playground.Decision{Action: playground.ActionStart, Round: 1})
	sitetest.Check(t, err)
	s.Runner.Wait(t.Context(), "x")
	page := s.Do("GET", "/x/x", "", header)
	page.Has(t, `[data-do="send"]`, `"Retry now"`, `[data-do="auto"]`, `"Retry automatically"`,
		`"Nothing to answer. Just retry."`)
	page.HasNot(t, "[data-auto]")

	s.Do("POST", "/x/x/rounds", "round=1&do=auto", header)
	page = whileRetrying(s, "x", 3, header)
	page.Has(t, `[data-status="running"]`, `[data-do="cancel"]`, `"Stop retrying"`)
	if header == nil {
		page.Has(t, `[http-equiv="refresh"]`)
	}
	if got := s.Do("POST", "/x/x/cancel", "", header); got.Status != http.StatusSeeOther {
		t.Errorf("stop: %d", got.Status)
	}
	page = s.Do("GET", "/x/x", "", header)
	page.Has(t, `[data-status="waiting"]`, `[data-do="auto"]`)
	page.HasNot(t, `"Stop retrying"`, "[data-until]")
	s.NoErrors()
}

// whileRetrying returns the page while the retry after Round n or a later one
// is awaited. It fails if the page does not say when that is sent.
func whileRetrying(s *sitetest.Site, id string, n int, header http.Header) sitetest.Answer {
	s.T.Helper()
	awaited := func(f playground.Transcript) bool {
		return f.Last().N >= n && f.Last().Kind == playground.OutcomeRetry
	}
	for {
		f := s.Until(id, awaited)
		page := s.Do("GET", "/x/"+id, "", header)
		if s.Until(id, awaited).Last().N != f.Last().N {
			continue // a retry was sent in between
		}
		_, wait, ok := playground.NextRetry(f)
		if !ok {
			s.T.Fatalf("no automatic retry follows: %s", f.Status)
		}
		page.Has(s.T, fmt.Sprintf(`[data-until="%d"]`, f.Last().Ended.Add(wait).UnixMilli()))
		return page
	}
}
