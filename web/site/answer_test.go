package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

var htmx = http.Header{"Hx-Request": {"true"}}

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
	for _, header := range []http.Header{nil, htmx} {
		s := newSite(t, app.Local)
		path := s.startOf("azure-devops")
		for _, test := range tests {
			got := s.do("POST", path+"/rounds", test.form, header)
			if test.sent && header != nil {
				got.has(t, `[data-field="duplicateOfId"]`)
				continue // a fragment, without a redirect
			}
			if got.status != http.StatusSeeOther || !strings.HasPrefix(got.header.Get("Location"), path) {
				t.Errorf("%s: %d to %s", test.name, got.status, got.header.Get("Location"))
			}
			page := s.do("GET", got.header.Get("Location"), "", header)
			page.has(t, `[data-status="waiting"]`, `[data-field="duplicateOfId"]`)
			page.hasNot(t, `[data-round="3"]`)
			if test.sent {
				page.hasNot(t, `[data-error="stale"]`)
			} else {
				page.has(t, `[data-error="stale"]`, `"Nothing was sent."`)
			}
		}
		s.do("GET", path+"?stale=1", "", header).has(t, `"Round 1 was no longer open"`)
		s.do("GET", path+"?stale=9", "", header).has(t, `"The form was out of date."`)
		s.do("GET", path, "", header).hasNot(t, "[data-error]")
		s.noErrors()
	}
}

// TestAnswer_OutdatedInALesson stays in the lesson.
func TestAnswer_OutdatedInALesson(t *testing.T) {
	t.Parallel()
	c := newCrawler(t, app.Local)
	c.post("/learn/one-round", map[string][]string{"do": {"start"}})
	page := c.page("/learn/one-round")
	path := liveExchange(t, page)
	c.send(path+"/rounds", "round=7&back=%2Flearn%2Fone-round%23live", "/learn/one-round?stale=7#live")
	c.send(path+"/rounds", "round=1&do=resend&back=%2Flearn%2Fone-round%23live",
		"/learn/one-round?stale=1#live")
	if page := c.page("/learn/one-round?stale=1"); !htmltest.Parse(page).Has(`[data-error="stale"]`) {
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
		s := newSite(t, app.Local)
		path := s.startOf("azure-devops")
		s.post(path+"/rounds", "round=1&a0.action=accept&a0.f0=Duplicate&"+test.how)
		x, err := s.store.Exchange(t.Context(), "local", strings.TrimPrefix(path, "/x/"))
		check(t, err)
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
	t.Run("fragment", func(t *testing.T) { retriesAutomatically(t, htmx) })
}

func retriesAutomatically(t *testing.T, header http.Header) {
	t.Parallel() // the retries wait
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct{ ID json.RawMessage }
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required",`+
			`"requestState":"s"}}`, m.ID)
	}))
	t.Cleanup(server.Close)
	s := newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Settle = 50 * time.Millisecond
	})
	x := playground.Exchange{
		ID: "x", Session: "s", Created: time.Now(), Target: playground.Target{ID: "t", Name: "shedding",
			URL: server.URL},
		Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"work"}`)},
	}
	check(t, s.store.AddExchange(t.Context(), "local", "work", x))
	_, err := s.runner.Decide(t.Context(), x, playground.Decision{Action: playground.ActionStart, Round: 1})
	check(t, err)
	s.runner.Wait(t.Context(), "x")
	page := s.do("GET", "/x/x", "", header)
	page.has(t, `[data-do="send"]`, `"Retry now"`, `[data-do="auto"]`, `"Retry automatically"`,
		`"Nothing to answer. Just retry."`)
	page.hasNot(t, "[data-auto]")

	s.do("POST", "/x/x/rounds", "round=1&do=auto", header)
	page = s.whileRetrying("x", 3, header)
	page.has(t, `[data-status="running"]`, `[data-do="cancel"]`, `"Stop retrying"`)
	if header == nil {
		page.has(t, `[http-equiv="refresh"]`)
	}
	if got := s.do("POST", "/x/x/cancel", "", header); got.status != http.StatusSeeOther {
		t.Errorf("stop: %d", got.status)
	}
	page = s.do("GET", "/x/x", "", header)
	page.has(t, `[data-status="waiting"]`, `[data-do="auto"]`)
	page.hasNot(t, `"Stop retrying"`, "[data-until]")
	s.noErrors()
}

// whileRetrying returns the page while the retry after Round n or a later one
// is awaited. It fails if the page does not say when that is sent.
func (s *testSite) whileRetrying(id string, n int, header http.Header) answer {
	s.t.Helper()
	awaited := func(f playground.Transcript) bool {
		return f.Last().N >= n && f.Last().Kind == playground.OutcomeRetry
	}
	for {
		f := s.until(id, awaited)
		page := s.do("GET", "/x/"+id, "", header)
		if s.until(id, awaited).Last().N != f.Last().N {
			continue // a retry was sent in between
		}
		_, wait, ok := playground.NextRetry(f)
		if !ok {
			s.t.Fatalf("no automatic retry follows: %s", f.Status)
		}
		page.has(s.t, fmt.Sprintf(`[data-until="%d"]`, f.Last().Ended.Add(wait).UnixMilli()))
		return page
	}
}

// until waits until an exchange is as it should be.
func (s *testSite) until(id string, done func(playground.Transcript) bool) playground.Transcript {
	s.t.Helper()
	for {
		x, err := s.store.Exchange(s.t.Context(), "local", id)
		check(s.t, err)
		if f := x.Fold(); done(f) {
			return f
		}
		changed, running := s.runner.Watch(s.t.Context(), id, len(x.Log))
		if !running {
			s.t.Fatal("the exchange ended before")
		}
		select {
		case <-changed:
		case <-s.t.Context().Done():
			s.t.Fatal("the test ended before")
		}
	}
}
