package server_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// A page of this program is not an MCP server. The report says so and suggests
// samples instead of further guesses.
func TestConnect_OwnPage(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, path := range []string{"/learn", "/mcp/nope", "/mcp", "/"} {
		got := s.ConnectTo(sitetest.Base + path)
		for _, want := range []string{
			`data-error="own_page"`, "This is the playground itself, which does not call itself.",
			`data-guess="` + sitetest.Base + `/mcp/azure-devops"`, `href="/test#samples"`,
		} {
			if !strings.Contains(got.Body, want) {
				t.Errorf("%s: the page lacks %q\n%s", path, want, sitetest.Excerpt(got.Body))
			}
		}
		for _, guess := range []string{sitetest.Base + "/mcp", sitetest.Base + path + "/mcp", sitetest.Base +
			"/"} {
			if got.HTML().Has(`[data-guess="` + guess + `"]`) {
				t.Errorf("%s: the page suggests %s", path, guess)
			}
		}
	}
}

// The address of the server for agents names its purpose instead.
func TestConnect_ServerForAgents(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	got := s.ConnectTo(sitetest.Base + web.AgentPath)
	got.Has(t, `[data-error="own_agents"]`, `a[href="/learn/reference/agents"] "How to connect an agent"`,
		`[data-guess="`+sitetest.Base+`/mcp/azure-devops"]`)
	got.Contains(t, "Coding agents connect to this address. To check a server of yours, enter its URL.")
	s.Page("/test").Has(t, `a[href="/learn/reference/agents"] "Connect it"`)
}

// The page of a server that is a sample of this program opens with the tool
// that the sample starts with. Other servers do not say which tool asks.
func TestConnect_SampleOpensWhatAsks(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	got := s.ConnectTo(sitetest.Base + "/mcp/azure-devops")
	if !got.HTML().Has(`[data-form="call"][data-name="update_work_item"]`) {
		t.Error(sitetest.Excerpt(got.Body))
	}
}

// Another server's page and a sample that fails are not pages of this program.
func TestConnect_NotOwnPage(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, address := range []string{failures(t)["http_404"], sitetest.Base + "/mcp/naughty?fault=http-404"} {
		if got := s.ConnectTo(address); strings.Contains(got.Body, "own_page") {
			t.Errorf("%s: %s", address, sitetest.Excerpt(got.Body))
		}
	}
}
