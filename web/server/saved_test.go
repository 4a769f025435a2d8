package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// save saves a call of a form and returns its id.
func save(s *sitetest.Site, form url.Values) string {
	s.T.Helper()
	if got := s.Follow("/saved", form); got.Status != http.StatusOK {
		s.T.Fatalf("not saved: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	return sitetest.Find(s.T, s.Last, `added=(\w+)`)
}

func TestSaved_RunsAgain(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	for name, c := range map[string]struct {
		form   url.Values
		method string
		want   string
	}{
		"tool": {
			url.Values{"tool": {"route"}, "raw": {"true"}, "json": {`{"region": "north"}`},
				"level": {"info"}},
			"tools/call", `"arguments":{"region": "north"}`,
		},
		"prompt": {url.Values{"kind": {"prompt"}, "tool": {"greet"}, "prefix": {"p0"}, "p0.f0": {"Ada"}},
			"prompts/get", `"arguments":{"who":"Ada"}`},
		"resource": {
			url.Values{"kind": {"resource"}, "tool": {"note://1"}}, "resources/read", `"uri":"note://1"`,
		},
		"template": {
			url.Values{
				"kind": {"template"}, "tool": {"note://{id}{?q}"}, "prefix": {"u0"}, "u0.f0": {"7"},
			},
			"resources/read", `"uri":"note://7"`,
		},
	} {
		c.form.Set("target", id)
		saved := save(s, c.form)
		if got := s.Follow("/saved/"+saved+"/run", nil); !strings.HasPrefix(s.Last, "/x/") ||
			!got.HTML().Has(`[data-status="complete"]`) {
			t.Errorf("%s: %s %s", name, s.Last, sitetest.Excerpt(got.Body))
		}
		sent := string(o.last[c.method])
		if !strings.Contains(sent, c.want) || name == "tool" && !strings.Contains(sent, `logLevel":"info"`) {
			t.Errorf("%s: sent %s", name, sent)
		}
		from := strings.TrimPrefix(s.Last, "/x/")
		again := save(s, url.Values{"exchange": {from}, "title": {"From an exchange"}})
		if s.Follow("/saved/"+again+"/run", nil); string(o.last[c.method]) == "" ||
			!strings.Contains(string(o.last[c.method]), c.want) {
			t.Errorf("%s from an exchange: sent %s", name, o.last[c.method])
		}
	}
}

func TestSaved_IsListedRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	_, s, id := newOffering(t)
	saved := save(s, url.Values{
		"target": {id}, "tool": {"route"}, "raw": {"true"}, "json": {`{"region":"north"}`},
	})
	s.Page(s.Last).Has(t,
		`[data-added="`+saved+`"]`, `[value="route · region: north"]`, `"{"region":"north"}"`)
	run := "/saved/" + saved + "/run"
	for _, path := range []string{"/servers/" + id, "/history", paths.SavedCalls, "/saved/" + saved} {
		s.Page(path).Has(t, `[data-saved="`+saved+`"]`, `[action="`+run+`"], [formaction="`+run+`"]`)
	}
	if got := s.Get("/saved"); got.Header.Get("Location") != paths.SavedCalls {
		t.Errorf("the list of its own leads to %q", got.Header.Get("Location"))
	}
	got := s.Follow("/saved/"+saved, url.Values{"title": {"North"}, "back": {"server"}})
	if !got.HTML().Has(`a "North"`) || !strings.HasPrefix(s.Last, "/servers/") {
		t.Error(s.Last, sitetest.Excerpt(got.Body))
	}
	got = s.Follow("/saved/"+saved, url.Values{"title": {" "}})
	if got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without a name: %d", got.Status)
	}
	s.Follow("/saved/"+saved+"/delete", nil)
	if got := s.Page("/history"); s.Last != paths.SavedCalls || strings.Contains(got.Body, saved) {
		t.Error("deleted, and still listed")
	}
}

// TestSaved_HoldsNoSecret: an argument with a secret is left out of the saved
// call, and running the call asks for it.
func TestSaved_HoldsNoSecret(t *testing.T) {
	t.Parallel()
	const token, password = "planted-token-saved", "planted-password"
	o := &offering{last: map[string]json.RawMessage{}, heads: map[string]http.Header{}}
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(server.URL+"/mcp", "token", token)
	id := strings.TrimPrefix(s.Last, "/servers/")
	form := url.Values{"target": {id}, "tool": {"route"}, "raw": {"true"},
		"json": {`{"region":"north","password":"` + password + `","note":"x ` + token + `"}`}}
	check := func(how, saved string) {
		t.Helper()
		got := s.Page(paths.SavedCalls)
		form := strings.Join(s.Page(s.Last).HTML().Texts("#t0-json"), "")
		for _, secret := range []string{token, password} {
			if strings.Contains(got.Body, secret) || strings.Contains(form, secret) {
				t.Errorf("%s: %s is shown", how, secret)
			}
		}
		before := len(o.last["tools/call"])
		if s.Follow("/saved/"+saved+"/run", nil); !strings.HasPrefix(s.Last, "/servers/") ||
			len(o.last["tools/call"]) != before {
			t.Errorf("%s: it ran without what was left out: %s", how, s.Last)
		}
	}
	saved := save(s, form)
	s.Page(s.Last).Has(t,
		`"password, note"`)
	check("from the form", saved)
	s.Follow("/exchanges", form)
	exchange := s.Last
	got := s.Page("/saved?exchange=" + strings.TrimPrefix(exchange, "/x/"))
	if strings.Contains(got.Body, password) ||
		!got.HTML().Has(`[name="title"][value^="route · region: north"]`) {
		t.Error("the name that is suggested", sitetest.Excerpt(got.Body))
	}
	check("from the exchange", save(s, url.Values{"exchange": {strings.TrimPrefix(exchange, "/x/")}}))
}

func TestSaved_HasLimits(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, func(l *app.Limits) { l.Saved = 2 })
	form := url.Values{"target": {"azure-devops"}, "tool": {"update_work_item"}, "raw": {"true"},
		"json": {`{"workItemId":4522}`}}
	save(s, form)
	first := save(s, form)
	got := s.Follow("/saved", form)
	sitetest.IsRefusal(t, "one too many", got, http.StatusUnprocessableEntity, "too_many_saved")
	s.Follow("/saved/"+first+"/delete", nil)
	save(s, form)
	s.Follow("/saved/"+s.Last[strings.LastIndex(s.Last, "=")+1:]+"/delete", nil)
	form.Set("json", `{"a":"`+strings.Repeat("x", 64<<10)+`"}`)
	sitetest.IsRefusal(t, "too large", s.Follow("/saved", form), http.StatusUnprocessableEntity,
		"saved_too_large")
	full, _ := sitetest.Strict(t, func(l *app.Limits) { l.StorageWorkspace = 100 })
	form.Set("json", `{}`)
	sitetest.IsRefusal(t, "no room", full.Follow("/saved", form), http.StatusInsufficientStorage,
		"storage_workspace")
}

// many is a server with many tools, the last of which has a name of its own.
func many(t *testing.T, n int) string {
	t.Helper()
	var tools []string
	for i := range n {
		name := fmt.Sprintf("tool_number_%d", i)
		if i == n-1 {
			name = "zebra_" + strings.Repeat("z", 400)
		}
		tools = append(tools, fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`,
			name, strings.Repeat("d", 100)))
	}
	return mcptest.Start(t, mcptest.Tools(nil, tools...)) + "/mcp"
}

// TestServer_ListsManyTools: the page has an end, and the filter finds tools
// that are not on it.
func TestServer_ListsManyTools(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.ConnectTo(many(t, 500))
	id := strings.TrimPrefix(s.Last, "/servers/")
	page := s.Page("/servers/" + id)
	if n := len(page.HTML().Find(`[data-entry="tool"]`)); n != 300 || len(page.Body) > 256<<10 {
		t.Errorf("%d tools on a page of %d bytes", n, len(page.Body))
	}
	page.Has(t,
		`"Only the first 300 are listed here."`, `[placeholder="Filter 500 entries"]`, "[data-remote]")
	page = s.Page("/servers/" + id + "?q=ZE")
	if n := len(page.HTML().Find(`[data-entry="tool"]`)); n != 1 {
		t.Errorf("%d tools match", n)
	}
	page.Has(t,
		`"1 match of 500"`, `[data-name^="zebra_zz"]`, "[data-best]", `[value="ZE"]`)
	path := sitetest.Value(t, page.Body, `[href$="?entry=t499"]`,
		"href") // its name is too long for an address
	s.Page(path).Has(t,
		`[data-name^="zebra_zz"]`)
	if got := s.Page("/servers/" + id + "?q=nothing"); got.HTML().Has(`[data-form="call"]`) {
		t.Error("a form without a match")
	}
}

// TestServer_AddressHasTheArguments but no secrets, and an end.
func TestServer_AddressHasTheArguments(t *testing.T) {
	t.Parallel()
	_, s, id := newOffering(t)
	s.Page("/servers/"+id+"?prompt=greet&args="+url.QueryEscape(`{"who":"Ada"}`)).Has(t,
		`[data-name="greet"]`, `[value="Ada"]`)
	for name, c := range map[string]struct{ json, args string }{
		"arguments": {`{ "region": "north" }`, `{"region":"north"}`},
		"none":      {`{}`, ""},
		"secret":    {`{"region":"north","api_key":"abcdef"}`, `{"region":"north"}`},
		"long":      {`{"region":"` + strings.Repeat("x", 2000) + `"}`, ""},
	} {
		form := url.Values{"tool": {"route"}, "raw": {"true"}, "json": {c.json}}
		got := s.Do("POST", "/servers/"+id+"/arguments", form.Encode(),
			http.Header{"Hx-Request": {"true"}, "Cookie": {s.Cookies}})
		to, err := url.Parse(got.Header.Get("HX-Replace-Url"))
		if err != nil || to.Path != "/servers/"+id || to.Query().Get("tool") != "route" ||
			to.Query().Get("args") != c.args {
			t.Errorf("%s: %q", name, got.Header.Get("HX-Replace-Url"))
		}
	}
}

// TestServer_ShowsTheLastResult of the tool that is chosen.
func TestServer_ShowsTheLastResult(t *testing.T) {
	t.Parallel()
	_, s, id := newOffering(t)
	if got := s.Page("/servers/" + id); got.HTML().Has("[data-last]") {
		t.Error("there was no call yet")
	}
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"route"}, "raw": {"true"},
		"json": {`{"region":"north"}`}})
	exchange := s.Last
	s.Page("/servers/"+id+"?tool=route").Has(t,
		"[data-last]", `[href="`+exchange+`"]`, `"routed"`, `"region: north"`)
	if got := s.Page("/servers/" + id + "?prompt=greet"); got.HTML().Has("[data-last]") {
		t.Error("the result of a tool stands beside a prompt")
	}
	s.Follow("/exchanges", url.Values{"target": {id}, "kind": {"template"}, "tool": {"note://{id}{?q}"},
		"prefix": {"u0"}, "u0.f0": {"7"}})
	template := "/servers/" + id + "?template=" + url.QueryEscape("note://{id}{?q}") + "&args="
	s.Page(template+url.QueryEscape(`{"id":"7"}`)).Has(t,
		"[data-last]", `"noted"`)
	if got := s.Page(template + url.QueryEscape(`{"id":"8"}`)); got.HTML().Has("[data-last]") {
		t.Error("the result of another URI of the template")
	}
}

// TestServer_SaysHowOldItsListsAre and that they must not be cached.
func TestServer_SaysHowOldItsListsAre(t *testing.T) {
	t.Parallel()
	_, s, id := newOffering(t)
	page := s.Page("/servers/" + id)
	words := strings.Join(page.HTML().Texts("[data-fresh]"), "")
	if words != "Listed just now. The server asks clients not to cache the list (ttlMs: 0)." {
		t.Error(words)
	}
	s.Follow("/servers", page.HTML().Form("form.fresh"))
	if s.Last != "/servers/"+id {
		t.Errorf("connecting again leads to %s", s.Last)
	}
}
