package server_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// refusedSignIn begins a sign-in that a fault ends, and returns the id of the server and the
// form that goes on.
func refusedSignIn(s *sitetest.Site, p *sitetest.Protected) (id string, form url.Values) {
	s.ConnectTo(p.URL + "/mcp")
	id = strings.TrimPrefix(s.Last, "/servers/")
	s.Runner.Wait(s.T.Context(), id)
	got := s.Follow("/servers/"+id+"/sign-in", url.Values{})
	if !strings.Contains(s.Last, "?id=") {
		s.T.Fatalf("at %s: %d %s", s.Last, got.Status, sitetest.Excerpt(got.Body))
	}
	_, query, _ := strings.Cut(s.Last, "?id=")
	return id, url.Values{"do": {"anyway"}, "id": {query}}
}

// The user goes on in spite of two faults, one after the other, and reads what each gives up.
// The record marks both, nothing of it is a failure, and the next sign-in begins anew.
func TestAnyway_OneStepAtATime(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Slash, p.NoPKCE = true, true
	id, form := refusedSignIn(s, p)
	s.Page(s.Last).Has(t, `[data-sign-in-stage="refused"]`,
		`[data-step="server_metadata"][data-verdict="fail"]`,
		`[data-do="anyway"]`, `[name="deviation"][value="issuer"]`, `[data-gives-up] "mix-up attack"`)

	form.Set("deviation", "pkce") // not what the page says
	if got := s.Post("/servers/"+id+"/sign-in", form.Encode()); got.Status != http.StatusConflict {
		t.Errorf("another deviation: %d", got.Status)
	}
	form.Set("deviation", "issuer")
	page := s.Follow("/servers/"+id+"/sign-in", form)
	page.Has(t, `[name="deviation"][value="pkce"]`, `[data-gives-up] "code challenge"`,
		`[data-deliberate]`, `[data-waived]`)
	form.Set("deviation", "pkce")
	page = s.Follow("/servers/"+id+"/sign-in", form)
	page.Has(t, `[data-sign-in-stage="ready"]`, `[data-purpose="anyway"] "deliberate deviation"`)
	page.HasNot(t, `[data-fault].bad`, `[data-tried]`)

	leave, err := url.Parse(sitetest.Value(t, page.Body, "[data-do=leave]", "href"))
	sitetest.Check(t, err)
	if got := s.Page(sitetest.Back(leave)); got.Status != http.StatusSeeOther {
		t.Fatalf("after the return: %d", got.Status)
	}
	s.Page("/servers/"+id).Has(t, `[data-signed-in] [data-deliberate] "another issuer"`)

	p.Forget()
	s.ConnectTo(p.URL + "/mcp")
	s.Follow("/servers/"+id+"/sign-in", url.Values{}).Has(t,
		`[data-sign-in-stage="refused"]`, `[name="deviation"][value="issuer"]`)
	s.NoErrors()
}

// Where several people use the program there is no button, and the request is refused.
func TestAnyway_LocalOnly(t *testing.T) {
	t.Parallel()
	p := sitetest.NewProtected(t)
	p.NoPKCE = true
	here := wire.Network{Prefix: netip.MustParsePrefix("127.0.0.1/32"), Plain: true}
	s := sitetest.NewWith(t, app.Public, wire.Config{
		Reach: wire.Reach{Limited: true, Networks: []wire.Network{here}},
	})
	id, form := refusedSignIn(s, p)
	page := s.Page(s.Last)
	page.Has(t, `[data-sign-in-stage="refused"]`, `[data-tried]`)
	page.HasNot(t, `[data-do="anyway"]`)
	form.Set("deviation", "pkce")
	if got := s.Follow("/servers/"+id+"/sign-in", form); got.Status != http.StatusForbidden {
		t.Errorf("%d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	s.Page("/servers/"+id+"/sign-in").HasNot(t, `[data-sign-in-stage="ready"]`)
}

// A page and the terminal have the same list: the page of a server that answers with 421 has
// its body and what to do.
func TestTried_OnThePageOfAServer(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	address := "http://" + sitetest.Listener(t,
		sitetest.HTTP1("421 Misdirected Request", "text/plain", "Invalid Host header")) + "/mcp"
	s.ConnectTo(address).Has(t, `[data-step="status"][data-verdict="fail"] "Invalid Host header"`,
		`[data-remedy] "allowed hosts"`, `[data-step="connect"][data-verdict="pass"]`,
		`[data-tried] [data-verdict="unreached"] "MCP version"`)
}

// A server that was reached in an unusual way is connected, and its page says what was
// surprising.
func TestTried_Surprising(t *testing.T) {
	t.Parallel()
	legacy := mcptest.Legacy(mcptest.Text("x"))
	url := mcptest.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if mcptest.Read(r).Method == "server/discover" {
			http.Error(w, "no such method here", http.StatusInternalServerError)
			return
		}
		legacy.ServeHTTP(w, r)
	}))
	s := sitetest.New(t, app.Local)
	s.ConnectTo(url).Has(t, `[data-status="connected"]`,
		`[data-step="version"][data-verdict="hint"] "no such method here"`, `[data-remedy] "JSON-RPC error"`)
	s.ConnectTo(mcptest.Start(t, legacy)).HasNot(t, `[data-tried]`)
}
