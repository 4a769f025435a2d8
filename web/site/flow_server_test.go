package site_test

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	written "github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// markup is a flow with markup in every text.
const markup = `
flow: 1
name: markup
title: t MARKUP
description: d MARKUP
arguments: {a: {title: a MARKUP, description: b MARKUP, enum: [c MARKUP], default: c MARKUP}}
steps:
  - form: f
    message: m MARKUP
    fields: {x: {title: x MARKUP, oneOf: [{const: o MARKUP, title: p MARKUP}], required: true}}
  - url: u
    message: "{{args.a}} MARKUP"
    page: {title: g MARKUP, text: "{{args.a}} MARKUP", button: h MARKUP}
    decline: n MARKUP
result: r MARKUP
`

// TestFlow_MarkupIsText: no text of a flow becomes markup, neither on a page of this
// site nor on the flow's own.
func TestFlow_MarkupIsText(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	evil := `</title></textarea><b data-evil onclick=x>`
	s.flows = map[string]string{"markup": strings.ReplaceAll(markup, "MARKUP", evil)}
	plain := func(what string, got answer) answer {
		t.Helper()
		if got.status != http.StatusOK || got.html().Has("[data-evil]") || got.html().Has("[onclick]") {
			t.Errorf("%s: %d %s", what, got.status, excerpt(got.body))
		}
		return got
	}
	plain("server", s.get("/servers/flow-markup"))
	plain("question", s.follow("/exchanges", url.Values{"sample": {"flow-markup"}}))
	path := s.last
	got := plain("link", s.follow(path+"/rounds", url.Values{"round": {"1"}, "do": {"send"},
		"a0.action": {"accept"},
		"a0.f0":     {"o </title></textarea><b data-evil onclick=x>"}}))
	got.has(t, `[data-input-key="u"]`)
	for _, panel := range []string{"wire", "state", "rules", "lab"} {
		plain(panel, s.page(path+"?panel="+panel))
	}
	link := find(t, got.body, `(/samples/flow/markup/page\?ticket=[\w.-]+)`)
	plain("page", s.get(link)).has(t, `button "h </title></textarea><b data-evil onclick=x>"`)
	plain("end", s.follow(path+"/rounds", url.Values{"round": {"2"}, "do": {"send"},
		"a0.action": {"decline"}}))
	s.noErrors()
}

// TestFlow_IsAServerOfThisProgram calls a flow from its page. Instances can be chosen and
// killed, its state is opened, and experiments need no word of its owner, in public mode,
// too.
func TestFlow_IsAServerOfThisProgram(t *testing.T) {
	t.Parallel()
	for _, mode := range []app.Mode{app.Local, app.Public} {
		s := newSite(t, mode)
		s.follow("/exchanges", url.Values{"sample": {"flow-delete"}}).has(t, `[data-status="waiting"]`,
			`[data-input-key="confirm"]`,
			`"Delete a project (an example flow)"`, `select[name="instance"]`)
		path := s.last
		s.follow(path+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
			"a0.f0": {"atlas"}, "instance": {"b"}}).has(t, `[data-result] "atlas was deleted."`,
			`[data-do="kill"]`)
		s.follow(path+"/rerun", url.Values{"kill": {"last"}}).has(t, `[data-result] "atlas was deleted."`,
			`.pic-gone "killed"`)
		s.follow(path+"/branches", url.Values{"round": {"1"}, "experiment": {"extra-key"}}).has(t,
			"[data-expected]")
		s.follow("/exchanges", url.Values{"sample": {"flow-checkout"}})
		s.follow(s.last+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
			"a0.f0": {"2"}}).has(t, `[data-input-key="address"]`)
		s.page(s.last+"?panel=state").has(t, `"signed"`, `"flow-checkout"`)
		s.page("/servers/flow-checkout/check").has(t, `form`)
		s.noErrors()
	}
}

// TestFlow_BehindACapture: a foreign client calls a flow through an address that records
// it.
func TestFlow_BehindACapture(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	c := s.capture("flow-refund", "instances=a:v1")
	params := map[string]any{"name": "refund_order", "arguments": map[string]any{"orderId": "A-1",
		"amount": 20}}
	got := c.send(playground.ToolsCall, params)
	if got.status != http.StatusOK || !strings.Contains(got.body, "Why is order A-1 refunded?") {
		t.Fatalf("%d %s", got.status, got.body)
	}
	params["inputResponses"] = map[string]any{
		"reason": map[string]any{"action": "accept", "content": map[string]any{"reason": "Late"}}}
	if got = c.send(playground.ToolsCall, params); !strings.Contains(got.body,
		"Order A-1: 20 euros refunded (Late).") {
		t.Errorf("%d %s", got.status, got.body)
	}
	s.get(c.page).has(t, `"Refund an order (an example flow)"`)
}

// TestFlow_AddressIsInNoReport: the files of a capture do not have the address of the flow
// behind it, which anyone could call.
func TestFlow_AddressIsInNoReport(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) { cfg.App.NewID = rand.Text })
	s.follow("/flows", url.Values{"example": {"refund"}})
	s.follow(s.last, url.Values{"do": {"run"}})
	page := find(t, s.page(s.last).body, `(/flows/[\w-]+)`)
	address := find(t, s.page(page).body, `(/mcp/flow/[\w-]+)`)
	c := s.capture("flow-"+path.Base(address), "")
	c.send(playground.ToolsCall, map[string]any{"name": "refund_order", "arguments": map[string]any{}},
		"Mcp-Name", "another")
	for _, suffix := range []string{".json", ".xml", ".md"} {
		got := s.get(c.page + suffix)
		if !strings.Contains(got.body, "Mcp-Name") || strings.Contains(got.body, path.Base(address)) {
			t.Errorf("%s has the address: %s", suffix, excerpt(got.body))
		}
	}
}

// TestFlow_AddressIsInNoFile: no file of a call of a flow has the address of the flow.
func TestFlow_AddressIsInNoFile(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) { cfg.App.NewID = rand.Text })
	s.follow("/flows", url.Values{"example": {"refund"}})
	s.follow(s.last, url.Values{"do": {"run"}})
	call := s.last
	page := find(t, s.page(call).body, `(/flows/[\w-]+)`)
	address := find(t, s.page(page).body, `(/mcp/flow/[\w-]+)`)
	for _, suffix := range []string{".json", ".har", ".md", ".txt", ".svg", ".mmd"} {
		got := s.get(call + suffix)
		if got.status != http.StatusOK || strings.Contains(got.body, path.Base(address)) {
			t.Errorf("%s: %d, or it has the address: %s", suffix, got.status, excerpt(got.body))
		}
	}
}

// TestFlow_IsFoundByItsURL: a server of the user's list with the URL of a flow starts
// with the flow's own call, as one with the URL of a sample does.
func TestFlow_IsFoundByItsURL(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.connectTo(siteBase + "/mcp/flow/refund")
	s.get(s.last).has(t, `[data-status="connected"]`, `"refund_order"`, `[value="A-1001"]`)
}

// TestFlow_RunsAtItsAddress: a flow runs as soon as it is saved, changes with its text,
// and ends with its address.
func TestFlow_RunsAtItsAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	s.follow("/flows", url.Values{"example": {"refund"}})
	page := s.last
	s.follow(page, url.Values{"do": {"run"}}).has(t, `[data-status="waiting"]`,
		`"Why is order A-1001 refunded?"`, `"Refund an order (a visitor's flow)"`,
		`[data-menu="again"] [data-do="flow"][href="`+page+`"]`)
	exchange := s.last
	source := strings.ReplaceAll(mustFind(t, "refund"), "euros refunded (", "euros paid (")
	s.follow(page, url.Values{"source": {source}, "do": {"save"}})
	s.follow(exchange+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
		"a0.f0": {"Late"}})
	s.follow(exchange+"/rounds", url.Values{"round": {"2"}, "do": {"send"}, "a0.action": {"accept"},
		"a0.f0": {"all"}}).
		has(t, `[data-result] "Order A-1001: 120 euros paid (Late)."`)
	address := find(t, s.page(page).body, `(/mcp/flow/[\w-]+)`)
	if got := s.get(address); got.status == http.StatusNotFound {
		t.Errorf("open: %d %s", got.status, got.body)
	}
	s.follow(page, url.Values{"do": {"end"}})
	if got := s.get(address); got.status != http.StatusNotFound {
		t.Errorf("ended: %d %s", got.status, got.body)
	}
	s.get("/servers/flow-"+path.Base(address)).has(t, `main[data-error="flow_ended"]`)
	s.page(exchange).has(t, `[data-result] "Order A-1001: 120 euros paid (Late)."`)
	s.follow("/flows", url.Values{"example": {"checkout"}})
	if got := s.page(s.last).html().Texts("#flow-address"); len(got) != 1 || strings.Contains(got[0], "?") {
		t.Errorf("address %q", got)
	}
	s.noErrors()
}

func mustFind(t *testing.T, slug string) string {
	t.Helper()
	e, ok := written.FindExample(slug)
	if !ok {
		t.Fatal(slug)
	}
	return e.Source
}
