package server_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
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
	s := sitetest.New(t, app.Local)
	evil := `</title></textarea><b data-evil onclick=x>`
	s.Flows = map[string]string{"markup": strings.ReplaceAll(markup, "MARKUP", evil)}
	plain := func(what string, got sitetest.Answer) sitetest.Answer {
		t.Helper()
		if got.Status != http.StatusOK || got.HTML().Has("[data-evil]") || got.HTML().Has("[onclick]") {
			t.Errorf("%s: %d %s", what, got.Status, sitetest.Excerpt(got.Body))
		}
		return got
	}
	plain("server", s.Get("/servers/flow-markup"))
	plain("question", s.Follow("/exchanges", url.Values{"sample": {"flow-markup"}}))
	path := s.Last
	got := plain("link", s.Follow(path+"/rounds", url.Values{"round": {"1"}, "do": {"send"},
		"a0.action": {"accept"},
		"a0.f0":     {"o </title></textarea><b data-evil onclick=x>"}}))
	got.Has(t, `[data-input-key="u"]`)
	for _, panel := range []string{"wire", "state", "rules", "lab"} {
		plain(panel, s.Page(path+"?panel="+panel))
	}
	link := sitetest.Find(t, got.Body, `(/samples/flow/markup/page\?ticket=[\w.-]+)`)
	plain("page", s.Get(link)).Has(t, `button "h </title></textarea><b data-evil onclick=x>"`)
	plain("end", s.Follow(path+"/rounds", url.Values{"round": {"2"}, "do": {"send"},
		"a0.action": {"decline"}}))
	s.NoErrors()
}

// TestFlow_IsAServerOfThisProgram calls a flow from its page. Instances can be chosen and
// killed, its state is opened, and experiments need no word of its owner, in public mode,
// too.
func TestFlow_IsAServerOfThisProgram(t *testing.T) {
	t.Parallel()
	for _, mode := range []app.Mode{app.Local, app.Public} {
		s := sitetest.New(t, mode)
		s.Follow("/exchanges", url.Values{"sample": {"flow-delete"}}).Has(t, `[data-status="waiting"]`,
			`[data-input-key="confirm"]`,
			`"Delete a project (an example flow)"`, `select[name="instance"]`)
		path := s.Last
		s.Follow(path+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
			"a0.f0": {"atlas"}, "instance": {"b"}}).Has(t, `[data-result] "atlas was deleted."`,
			`[data-do="kill"]`)
		s.Follow(path+"/rerun", url.Values{"kill": {"last"}}).Has(t, `[data-result] "atlas was deleted."`,
			`.pic-gone "killed"`)
		s.Follow(path+"/branches", url.Values{"round": {"1"}, "experiment": {"extra-key"}}).Has(t,
			"[data-expected]")
		s.Follow("/exchanges", url.Values{"sample": {"flow-checkout"}})
		s.Follow(s.Last+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
			"a0.f0": {"2"}}).Has(t, `[data-input-key="address"]`)
		s.Page(s.Last+"?panel=state").Has(t, `"signed"`, `"flow-checkout"`)
		s.Page("/servers/flow-checkout/check").Has(t, `form`)
		s.NoErrors()
	}
}

// TestFlow_BehindACapture: a foreign client calls a flow through an address that records
// it.
func TestFlow_BehindACapture(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	c := s.Capture("flow-refund", "instances=a:v1")
	params := map[string]any{"name": "refund_order", "arguments": map[string]any{"orderId": "A-1",
		"amount": 20}}
	got := c.Send(playground.ToolsCall, params)
	if got.Status != http.StatusOK || !strings.Contains(got.Body, "Why is order A-1 refunded?") {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	params["inputResponses"] = map[string]any{
		"reason": map[string]any{"action": "accept", "content": map[string]any{"reason": "Late"}}}
	if got = c.Send(playground.ToolsCall, params); !strings.Contains(got.Body,
		"Order A-1: 20 euros refunded (Late).") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	s.Get(c.Page).Has(t, `"Refund an order (an example flow)"`)
}

// TestFlow_AddressIsInNoReport: the files of a capture do not have the address of the flow
// behind it, which anyone could call.
func TestFlow_AddressIsInNoReport(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) { cfg.App.NewID = rand.Text })
	s.Follow("/flows", url.Values{"example": {"refund"}})
	s.Follow(s.Last, url.Values{"do": {"run"}})
	page := sitetest.Find(t, s.Page(s.Last).Body, `(/flows/[\w-]+)`)
	address := sitetest.Find(t, s.Page(page).Body, `(/mcp/flow/[\w-]+)`)
	c := s.Capture("flow-"+path.Base(address), "")
	c.Send(playground.ToolsCall, map[string]any{"name": "refund_order", "arguments": map[string]any{}},
		"Mcp-Name", "another")
	for _, suffix := range []string{".json", ".xml", ".md"} {
		got := s.Get(c.Page + suffix)
		if !strings.Contains(got.Body, "Mcp-Name") || strings.Contains(got.Body, path.Base(address)) {
			t.Errorf("%s has the address: %s", suffix, sitetest.Excerpt(got.Body))
		}
	}
}

// TestFlow_AddressIsInNoFile: no file of a call of a flow has the address of the flow.
func TestFlow_AddressIsInNoFile(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) { cfg.App.NewID = rand.Text })
	s.Follow("/flows", url.Values{"example": {"refund"}})
	s.Follow(s.Last, url.Values{"do": {"run"}})
	call := s.Last
	page := sitetest.Find(t, s.Page(call).Body, `(/flows/[\w-]+)`)
	address := sitetest.Find(t, s.Page(page).Body, `(/mcp/flow/[\w-]+)`)
	for _, suffix := range []string{".json", ".har", ".md", ".txt", ".svg", ".mmd"} {
		got := s.Get(call + suffix)
		if got.Status != http.StatusOK || strings.Contains(got.Body, path.Base(address)) {
			t.Errorf("%s: %d, or it has the address: %s", suffix, got.Status, sitetest.Excerpt(got.Body))
		}
	}
}

// TestFlow_IsFoundByItsURL: a server of the user's list with the URL of a flow starts
// with the flow's own call, as one with the URL of a sample does.
func TestFlow_IsFoundByItsURL(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.ConnectTo(sitetest.Base + "/mcp/flow/refund")
	s.Get(s.Last).Has(t, `[data-status="connected"]`, `"refund_order"`, `[value="A-1001"]`)
}

// TestFlow_RunsAtItsAddress: a flow runs as soon as it is saved, changes with its text,
// and ends with its address.
func TestFlow_RunsAtItsAddress(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	s.Follow("/flows", url.Values{"example": {"refund"}})
	page := s.Last
	s.Follow(page, url.Values{"do": {"run"}}).Has(t, `[data-status="waiting"]`,
		`"Why is order A-1001 refunded?"`, `"Refund an order (a visitor's flow)"`,
		`[data-menu="again"] [data-do="flow"][href="`+page+`"]`)
	exchange := s.Last
	source := strings.ReplaceAll(mustFind(t, "refund"), "euros refunded (", "euros paid (")
	s.Follow(page, url.Values{"source": {source}, "do": {"save"}})
	s.Follow(exchange+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
		"a0.f0": {"Late"}})
	s.Follow(exchange+"/rounds", url.Values{"round": {"2"}, "do": {"send"}, "a0.action": {"accept"},
		"a0.f0": {"all"}}).
		Has(t, `[data-result] "Order A-1001: 120 euros paid (Late)."`)
	address := sitetest.Find(t, s.Page(page).Body, `(/mcp/flow/[\w-]+)`)
	if got := s.Get(address); got.Status == http.StatusNotFound {
		t.Errorf("open: %d %s", got.Status, got.Body)
	}
	s.Follow(page, url.Values{"do": {"end"}})
	if got := s.Get(address); got.Status != http.StatusNotFound {
		t.Errorf("ended: %d %s", got.Status, got.Body)
	}
	s.Get("/servers/flow-"+path.Base(address)).Has(t, `main[data-error="flow_ended"]`)
	s.Page(exchange).Has(t, `[data-result] "Order A-1001: 120 euros paid (Late)."`)
	s.Follow("/flows", url.Values{"example": {"checkout"}})
	if got := s.Page(s.Last).HTML().Texts("#flow-address"); len(got) != 1 || strings.Contains(got[0], "?") {
		t.Errorf("address %q", got)
	}
	s.NoErrors()
}

func mustFind(t *testing.T, slug string) string {
	t.Helper()
	e, ok := written.FindExample(slug)
	if !ok {
		t.Fatal(slug)
	}
	return e.Source
}
