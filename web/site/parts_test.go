package site_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
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
	s := newSite(t, app.Local)
	s.connectTo(server.URL+"/mcp", "declares", "shown", "declare", "elicitation.form")
	page := s.follow("/exchanges", url.Values{
		"target": {strings.TrimPrefix(s.last, "/servers/")}, "kind": {"tool"}, "tool": {"tool"},
		"raw": {"true"}, "json": {"{}"},
	})
	page.has(t, `[data-status="waiting"]`, `[name="edit"][value="add a0.f0"]`)
	path := s.last
	filled := url.Values{
		"round": {"1"}, "a0.action": {"accept"}, "a0.f0.rows": {"0"}, "a0.f0.0.0": {"4"},
		"edit": {"add a0.f0"},
	}
	for _, header := range []http.Header{nil, htmx} {
		got := s.do("POST", path+"/rounds", filled.Encode(), header)
		got.has(t, `[data-status="waiting"]`, `[value="4"]`, `#a0-f0-1-0`, "[autofocus]",
			`"{"action":"accept","content":{"n":[{"a":4}]}}"`)
		if got.status != http.StatusOK || got.html().Has(`.problem`) {
			t.Errorf("%d, or a problem before anything was sent", got.status)
		}
	}
	filled.Set("edit", "remove a0.f0.0")
	got := s.do("POST", path+"/rounds", filled.Encode(), htmx)
	if got.has(t, `#a0-f0-add`); got.html().Has(`[value="4"]`) {
		t.Error("the row is still there")
	}
	if len(h.keys) > 0 {
		t.Fatal("an answer was sent")
	}
	filled.Del("edit")
	filled.Set("do", "send")
	filled.Set("a0.f0.0.0", "x")
	got = s.do("POST", path+"/rounds", filled.Encode(), htmx)
	if got.has(t, `#a0-f0-0-0-problem`, `"Enter a whole number."`); got.status != 422 {
		t.Errorf("status %d", got.status)
	}
	filled.Set("a0.f0.0.0", "5")
	s.do("POST", path+"/rounds", filled.Encode(), htmx).has(t, `"the end"`)
	s.noErrors()
}
