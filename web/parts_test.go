package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/web"
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
	s := newSite(t, web.Local)
	s.connectTo(server.URL+"/mcp", "declares", "shown", "declare", "elicitation.form")
	page := s.follow("/exchanges", url.Values{
		"target": {strings.TrimPrefix(s.last, "/servers/")}, "kind": {"tool"}, "tool": {"tool"},
		"raw": {"true"}, "json": {"{}"},
	})
	wants(t, page, `data-status="waiting"`, `name="edit" value="add a0.f0"`)
	path := s.last
	filled := url.Values{
		"round": {"1"}, "a0.action": {"accept"}, "a0.f0.rows": {"0"}, "a0.f0.0.0": {"4"},
		"edit": {"add a0.f0"},
	}
	for _, header := range []http.Header{nil, htmx} {
		got := s.do("POST", path+"/rounds", filled.Encode(), header)
		wants(t, got, `data-status="waiting"`, `value="4"`, `id="a0-f0-1-0"`, `autofocus`,
			`{&#34;action&#34;:&#34;accept&#34;,&#34;content&#34;:{&#34;n&#34;:[{&#34;a&#34;:4}]}}`)
		if got.status != http.StatusOK || strings.Contains(got.body, `class="problem"`) {
			t.Errorf("%d, or a problem before anything was sent", got.status)
		}
	}
	filled.Set("edit", "remove a0.f0.0")
	got := s.do("POST", path+"/rounds", filled.Encode(), htmx)
	if wants(t, got, `id="a0-f0-add"`); strings.Contains(got.body, `value="4"`) {
		t.Error("the row is still there")
	}
	if len(h.keys) > 0 {
		t.Fatal("an answer was sent")
	}
	filled.Del("edit")
	filled.Set("do", "send")
	filled.Set("a0.f0.0.0", "x")
	got = s.do("POST", path+"/rounds", filled.Encode(), htmx)
	if wants(t, got, `id="a0-f0-0-0-problem"`, "Enter a whole number."); got.status != 422 {
		t.Errorf("status %d", got.status)
	}
	filled.Set("a0.f0.0.0", "5")
	wants(t, s.do("POST", path+"/rounds", filled.Encode(), htmx), "the end")
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
	wants(t, fragment, `id="t0-fields"`, `name="t0.f3.1"`, `value="north"`, `id="t0-json"`,
		`{&#34;region&#34;:&#34;north&#34;,&#34;list&#34;:[{}]}`)
	if strings.Contains(fragment.body, "<main") {
		t.Error("a fragment is a whole page")
	}
	wants(t, s.do("POST", path, form.Encode(), nil), "<main", `name="t0.f3.1"`, `value="north"`)
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
