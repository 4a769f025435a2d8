package site_test

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// canary is a server of this machine that counts what connects to it. It answers with a redirect
// to another address, or else asks to sign in where its metadata says.
func canary(t *testing.T, leadsTo string) (url string, heard *atomic.Int64) {
	t.Helper()
	heard = new(atomic.Int64)
	address := "http://" + sitetest.Listener(t, func(conn net.Conn) {
		heard.Add(1)
		if leadsTo == "" {
			sitetest.HTTP1("404 Not Found", "text/plain", "no")(conn)
			return
		}
		sitetest.HTTP1("401 Unauthorized\r\nLocation: "+leadsTo+
			"\r\nWWW-Authenticate: Bearer resource_metadata=\""+leadsTo+"/meta\"", "text/plain", "no")(conn)
	})
	return address, heard
}

// TestReach_EveryWayOut: pages, captures, agents and sign-ins call a server inside that the
// operator has named, and no other (faults 114 and 145). What a named server leads to is
// called only if it is named, too.
func TestReach_EveryWayOut(t *testing.T) {
	t.Parallel()
	named := wire.Reach{Limited: true, Networks: []wire.Network{
		{Prefix: netip.MustParsePrefix("127.0.0.1/32"), Plain: true},
	}}
	other := wire.Reach{Limited: true, Networks: []wire.Network{
		{Prefix: netip.MustParsePrefix("127.0.0.0/8"), Plain: true}, // loopback must be named alone
		{Prefix: netip.MustParsePrefix("10.0.0.0/8"), Plain: true},
	}}
	for way, goes := range map[string]func(s *sitetest.Site, address string){
		"a page": func(s *sitetest.Site, address string) {
			s.ConnectTo(address + "/mcp")
		},
		"a name": func(s *sitetest.Site, address string) {
			_, port, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
			s.ConnectTo("http://inside.example:" + port + "/mcp")
		},
		"a capture": func(s *sitetest.Site, address string) {
			s.Stranger()
			workspace, err := s.Store.CaptureAt(s.T.Context(), captureOf(s, "azure-devops"))
			sitetest.Check(s.T, err)
			sitetest.Check(s.T, s.Store.AddTarget(s.T.Context(), workspace.Workspace, playground.Target{
				ID: "inside", Name: "inside", URL: address + "/mcp", Capabilities: []byte(`{}`),
			}, s.Config.App.Now()))
			c := &sitetest.Capture{Site: s, Path: "/c/" + captureOf(s, "inside")}
			c.Send(playground.ToolsList, map[string]any{})
		},
		"an agent's check": func(s *sitetest.Site, address string) {
			in := map[string]any{"url": address + "/mcp", "tool": "x"}
			asked := s.Agent().Call("check_server", in, sitetest.ToolResult{})
			if asked.Questions != nil {
				s.Agent().Call("check_server", in, asked, "mine", map[string]any{"mine": true})
			}
		},
		"an agent's call": func(s *sitetest.Site, address string) {
			in := map[string]any{"url": address + "/mcp", "tool": "x"}
			s.Agent().Call("call_tool", in, sitetest.ToolResult{})
		},
		"a sign-in": func(s *sitetest.Site, address string) {
			front, _ := canary(s.T, address)
			s.ConnectTo(front + "/mcp")
			s.Follow(s.Last+"/sign-in", url.Values{"do": {"begin"}})
		},
	} {
		for _, allowed := range []bool{true, false} {
			reach := named
			if !allowed {
				reach = other
			}
			address, heard := canary(t, "")
			s := sitetest.NewWith(t, app.Public, wire.Config{
				Reach: reach, Resolver: sitetest.Names{"inside.example": "127.0.0.1"},
			})
			goes(s, address)
			s.Runner.Wait(t.Context(), strings.TrimPrefix(s.Last, "/servers/"))
			if n := heard.Load(); (n > 0) != allowed {
				t.Errorf("%s to a network that is named, %t: %d connections", way, allowed, n)
			}
		}
	}
}

// captureOf makes an address in front of a server and returns its token.
func captureOf(s *sitetest.Site, server string) string {
	s.T.Helper()
	page := s.Follow("/clients", url.Values{"server": {server}})
	u, err := url.Parse(page.HTML().Texts("[data-address]")[0])
	sitetest.Check(s.T, err)
	return strings.TrimPrefix(u.Path, "/c/")
}

// TestReach_RedirectsAreShown: neither from inside to outside nor back is a redirect followed.
func TestReach_RedirectsAreShown(t *testing.T) {
	t.Parallel()
	inside, heard := canary(t, "")
	front := "http://" + sitetest.Listener(t,
		sitetest.HTTP1("307 Temporary Redirect\r\nLocation: "+inside+"/mcp", "text/plain", "no"))
	here := wire.Network{Prefix: netip.MustParsePrefix("127.0.0.1/32"), Plain: true}
	s := sitetest.NewWith(t, app.Public, wire.Config{
		Reach: wire.Reach{Limited: true, Networks: []wire.Network{here}},
	})
	s.ConnectTo(front + "/mcp")
	s.Runner.Wait(t.Context(), strings.TrimPrefix(s.Last, "/servers/"))
	if n := heard.Load(); n != 0 || !strings.Contains(s.Page(s.Last).Body, inside) {
		t.Errorf("%d connections where it leads to, or the page does not say where", n)
	}
}
