package site_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// A page of this program is not an MCP server. The report says so and suggests
// samples instead of further guesses.
func TestConnect_OwnPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, path := range []string{"/learn", "/mcp/nope", "/mcp", "/"} {
		got := s.connectTo(siteBase + path)
		for _, want := range []string{
			`data-error="own_page"`, "This is the playground itself, which does not call itself.",
			`data-guess="` + siteBase + `/mcp/azure-devops"`, `href="/servers#samples"`,
		} {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s: the page lacks %q\n%s", path, want, excerpt(got.body))
			}
		}
		for _, guess := range []string{siteBase + "/mcp", siteBase + path + "/mcp", siteBase + "/"} {
			if got.html().Has(`[data-guess="` + guess + `"]`) {
				t.Errorf("%s: the page suggests %s", path, guess)
			}
		}
	}
}

// The address of the server for agents says what it is for instead.
func TestConnect_ServerForAgents(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	got := s.connectTo(siteBase + web.AgentPath)
	got.has(t, `[data-error="own_agents"]`, `a[href="/learn/reference/agents"] "How to connect an agent"`,
		`[data-guess="`+siteBase+`/mcp/azure-devops"]`)
	got.contains(t, "Coding agents connect to this address. To check a server of yours, enter its URL.")
	s.page("/servers").has(t, `a[href="/learn/reference/agents"] "connect yours"`)
}

// The page of a server that is a sample of this program opens with the tool
// that the sample starts with. Other servers do not say which tool asks.
func TestConnect_SampleOpensWhatAsks(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	got := s.connectTo(siteBase + "/mcp/azure-devops")
	if !got.html().Has(`[data-form="call"][data-name="update_work_item"]`) {
		t.Error(excerpt(got.body))
	}
}

// Another server's page and a sample that fails are not pages of this program.
func TestConnect_NotOwnPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, address := range []string{failures(t)["http_404"], siteBase + "/mcp/naughty?fault=http-404"} {
		if got := s.connectTo(address); strings.Contains(got.body, "own_page") {
			t.Errorf("%s: %s", address, excerpt(got.body))
		}
	}
}
