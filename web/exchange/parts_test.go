package exchange_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAnswer_RowsAreAddedWithoutSending adds and removes rows of a question
// outside of the form subset, then answers it.
func TestAnswer_RowsAreAddedWithoutSending(t *testing.T) {
	t.Parallel()
	h := &hostileServer{calls: map[string]hostileCall{"tool": asks(0, ask("k", `{"type":"object",`+
		`"required":["n"],"properties":{"n":{"type":"array","items":{"type":"object","required":["a"],`+
		`"properties":{"a":{"type":"integer"}}}}}}`))}}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(server.URL+"/mcp", "declares", "shown", "declare", "elicitation.form")
	page := s.Follow("/exchanges", url.Values{
		"target": {strings.TrimPrefix(s.Last, "/servers/")}, "kind": {"tool"}, "tool": {"tool"},
		"raw": {"true"}, "json": {"{}"},
	})
	page.Has(t, `[data-status="waiting"]`, `[name="edit"][value="add a0.f0"]`)
	path := s.Last
	filled := url.Values{
		"round": {"1"}, "a0.action": {"accept"}, "a0.f0.rows": {"0"}, "a0.f0.0.0": {"4"},
		"edit": {"add a0.f0"},
	}
	for _, header := range []http.Header{nil, sitetest.HTMX} {
		got := s.Do("POST", path+"/rounds", filled.Encode(), header)
		got.Has(t, `[data-status="waiting"]`, `[value="4"]`, `#a0-f0-1-0`, "[autofocus]",
			`"{"action":"accept","content":{"n":[{"a":4}]}}"`)
		if got.Status != http.StatusOK || got.HTML().Has(`.problem`) {
			t.Errorf("%d, or a problem before anything was sent", got.Status)
		}
	}
	filled.Set("edit", "remove a0.f0.0")
	got := s.Do("POST", path+"/rounds", filled.Encode(), sitetest.HTMX)
	if got.Has(t, `#a0-f0-add`); got.HTML().Has(`[value="4"]`) {
		t.Error("the row is still there")
	}
	if len(h.keys) > 0 {
		t.Fatal("an answer was sent")
	}
	filled.Del("edit")
	filled.Set("do", "send")
	filled.Set("a0.f0.0.0", "x")
	got = s.Do("POST", path+"/rounds", filled.Encode(), sitetest.HTMX)
	if got.Has(t, `#a0-f0-0-0-problem`, `"Enter a whole number."`); got.Status != 422 {
		t.Errorf("status %d", got.Status)
	}
	filled.Set("a0.f0.0.0", "5")
	s.Do("POST", path+"/rounds", filled.Encode(), sitetest.HTMX).Has(t, `"the end"`)
	s.NoErrors()
}
