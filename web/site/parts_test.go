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

// TestArguments_Edits adds rows to the arguments of a tool, whole and as a
// fragment. What is no edit of this form is refused.
func TestArguments_Edits(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	form := url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"north"},
		"edit": {"add t0.f3"}, "t0.f3.rows": {"0"}, "t0.f3.0": {"{}"},
	}
	path := "/servers/" + id + "/arguments"
	fragment := s.do("POST", path, form.Encode(), htmx)
	fragment.has(t, `#t0-fields`, `[name="t0.f3.1"]`, `[value="north"]`, `#t0-json`,
		`"{"region":"north","list":[{}]}"`)
	if fragment.html().Has("main") {
		t.Error("a fragment is a whole page")
	}
	s.do("POST", path, form.Encode(), nil).has(t, "main", `[name="t0.f3.1"]`, `[value="north"]`)
	for _, edit := range []string{"add t0.f0", "add t9.f3", "remove t0.f3.7", "x"} {
		form.Set("edit", edit)
		if got := s.do("POST", path, form.Encode(), htmx); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", edit, got.status)
		}
	}
	if o.last["tools/call"] != nil {
		t.Error("something was called")
	}
}
