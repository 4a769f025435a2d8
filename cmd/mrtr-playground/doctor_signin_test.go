package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// guarded is a protected MCP server and its authorization server, on one port. A test changes
// what it does wrong.
type guarded struct {
	url       string
	resource  map[string]any // metadata of the MCP server
	server    map[string]any // metadata of the authorization server
	registers http.HandlerFunc
	returns   url.Values // parameters of the return in place of a code; nil for a code
	tokens    http.HandlerFunc
	accepts   bool // the MCP server accepts the token
	refusal   string

	mu    sync.Mutex
	asked []url.Values // what the authorization endpoint and the token endpoint got
}

// newGuarded starts a server at which a sign-in works.
func newGuarded(t *testing.T) *guarded {
	g := &guarded{accepts: true}
	g.url = startPlain(t, g)
	g.resource = map[string]any{"resource": g.url + "/mcp", "authorization_servers": []string{g.url}}
	g.server = map[string]any{
		"issuer": g.url, "authorization_endpoint": g.url + "/authorize", "token_endpoint": g.url + "/token",
		"registration_endpoint": g.url + "/register", "code_challenge_methods_supported": []string{"S256"},
	}
	g.registers = answers(201, "application/json", `{"client_id":"client-1"}`)
	g.tokens = answers(200, "application/json", `{"access_token":"accepted-0001","token_type":"Bearer"}`)
	return g
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	document := func(m map[string]any) {
		if m == nil {
			answers(404, "text/plain", "not found")(w, r)
			return
		}
		text, _ := json.Marshal(m)
		answers(200, "application/json", string(text))(w, r)
	}
	switch {
	case strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource"):
		document(g.resource)
	case strings.HasPrefix(r.URL.Path, "/.well-known/"):
		document(g.server)
	case r.URL.Path == "/register":
		g.registers(w, r)
	case r.URL.Path == "/authorize":
		query := r.URL.Query()
		g.note(query)
		back := url.Values{"code": {"code-0001"}}
		if g.returns != nil {
			back = maps.Clone(g.returns)
		}
		back.Set("state", query.Get("state"))
		http.Redirect(w, r, query.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	case r.URL.Path == "/token":
		_ = r.ParseForm()
		g.note(r.PostForm)
		g.tokens(w, r)
	case r.Header.Get("Authorization") == "Bearer accepted-0001" && g.accepts:
		mcptest.Tools(func(mcptest.Message,
			*http.Request) mcptest.Answer {
			return mcptest.Complete(`"content":[]`)
		}).
			ServeHTTP(w, r)
	default:
		challenge := `Bearer resource_metadata="` + g.url + `/.well-known/oauth-protected-resource/mcp"`
		if g.refusal != "" && r.Header.Get("Authorization") != "" {
			challenge = g.refusal
		}
		answers(401, "", "", "WWW-Authenticate", challenge)(w, r)
	}
}

func (g *guarded) note(v url.Values) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, v)
}

// followingUser is the standard error of a command with a user who follows the address that it
// prints.
type followingUser struct {
	bytes.Buffer
	opened map[string]bool
}

func (b *followingUser) Write(p []byte) (int, error) {
	n, err := b.Buffer.Write(p)
	if b.opened == nil {
		b.opened = map[string]bool{}
	}
	for line := range strings.Lines(string(p)) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "/authorize?") && !b.opened[line] {
			b.opened[line] = true
			go func() {
				if response, err := http.Get(line); err == nil {
					_, _ = io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
			}()
		}
	}
	return n, err
}

// refuses returns an error response of OAuth.
func refuses(status int, code, description string) http.HandlerFunc {
	text, _ := json.Marshal(map[string]string{"error": code, "error_description": description})
	return answers(status, "application/json", string(text))
}

// brokenSignIns change a server at which a sign-in works, by name.
var brokenSignIns = map[string]func(*guarded){
	"metadata-404": func(g *guarded) {
		g.resource, g.server = nil,
			nil
		g.registers = answers(404, "", "")
	},
	"resource-differs":        func(g *guarded) { g.resource["resource"] = "https://other.example/mcp" },
	"no-authorization-server": func(g *guarded) { g.resource["authorization_servers"] = []string{} },
	"server-metadata-404":     func(g *guarded) { g.server = nil },
	"issuer-slash":            func(g *guarded) { g.server["issuer"] = g.url + "/" },
	"issuer-differs":          func(g *guarded) { g.server["issuer"] = "https://other.example" },
	"no-pkce":                 func(g *guarded) { delete(g.server, "code_challenge_methods_supported") },
	"pkce-plain": func(g *guarded) {
		g.server["code_challenge_methods_supported"] = []string{"plain"}
	},
	"no-registration": func(g *guarded) { delete(g.server, "registration_endpoint") },
	"registration-refused": func(g *guarded) {
		g.registers = refuses(403, "access_denied", "Only administrators register clients")
	},
	"redirect-refused": func(g *guarded) {
		g.registers = refuses(400, "invalid_redirect_uri", "Loopback addresses are not allowed")
	},
	"denied": func(g *guarded) { g.returns = url.Values{"error": {"access_denied"}} },
	"scope-unknown": func(g *guarded) {
		g.resource["scopes_supported"] = []string{"mcp"}
		g.returns = url.Values{"error": {"invalid_scope"}, "error_description": {"unknown scope: mcp"}}
	},
	"iss-missing": func(g *guarded) { g.server["authorization_response_iss_parameter_supported"] = true },
	"iss-differs": func(g *guarded) {
		g.returns = url.Values{"code": {"x"},
			"iss": {"https://other.example"}}
	},
	"token-refused":  func(g *guarded) { g.tokens = refuses(400, "invalid_grant", "The code has expired") },
	"client-refused": func(g *guarded) { g.tokens = refuses(401, "invalid_client", "Unknown client") },
	"resource-refused": func(g *guarded) {
		g.tokens = refuses(400, "invalid_target", "The resource is not registered")
	},
	"token-html": func(g *guarded) { g.tokens = answers(500, "text/html", "<h1>Internal Server Error</h1>") },
	"audience": func(g *guarded) {
		g.accepts = false
		g.refusal = `Bearer error="invalid_token", ` +
			`error_description="The audience of the token is another server"`
	},
	"metadata-http": func(g *guarded) {
		g.server["token_endpoint"] = "http://no-such-host." + strings.Repeat("x", 64) + ".example/token"
	},
}

// Each broken sign-in has a list that says where it ended, with the words of the server, and
// what to do.
func TestDoctor_SignIns(t *testing.T) {
	for name, breaks := range brokenSignIns {
		t.Run(name, func(t *testing.T) {
			g := newGuarded(t)
			breaks(g)
			var stderr followingUser
			sameAs(t, "signin-"+name, tried(t, &stderr, "-sign-in", g.url+"/mcp"))
		})
	}
}

// The user goes on in spite of a fault with -anyway, and the output says that the client
// deviates. Without the flag, or with another one, the fault ends the sign-in.
func TestDoctor_GoOnAnyway(t *testing.T) {
	for name, c := range map[string]struct {
		flags  []string
		breaks func(*guarded)
		says   string
	}{
		"issuer": {[]string{"issuer"}, brokenSignIns["issuer-slash"], "although the issuer differs"},
		"pkce":   {[]string{"pkce"}, brokenSignIns["no-pkce"], "supports PKCE"},
		"resource": {[]string{"resource"}, func(g *guarded) {
			good := g.tokens
			g.tokens = func(w http.ResponseWriter, r *http.Request) {
				if r.PostForm.Has("resource") {
					brokenSignIns["resource-refused"](g)
				} else {
					good(w, r)
				}
			}
		}, "leave out the parameter resource"},
		"both": {[]string{"issuer", "pkce"}, func(g *guarded) {
			brokenSignIns["issuer-differs"](g)
			brokenSignIns["no-pkce"](g)
		}, "although the issuer differs"},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(flags []string) (string, error) {
				g := newGuarded(t)
				c.breaks(g)
				args := []string{"-sign-in"}
				for _, f := range flags {
					args = append(args, "-anyway", f)
				}
				var stderr followingUser
				err := call(t.Context(), append(args, g.url+"/mcp"), patient, io.Discard, &stderr)
				if slices.Contains(flags, "resource") {
					for _, v := range g.asked {
						if v.Has("resource") {
							t.Errorf("resource is sent: %v", v)
						}
					}
				}
				return stderr.String(), err
			}
			if out, err := run(c.flags); err != nil || !strings.Contains(out, c.says) {
				t.Errorf("with %v: %v\n%s", c.flags, err, out)
			}
			others := map[string][]string{
				"issuer": {"pkce"}, "pkce": {"issuer"}, "resource": {"issuer", "pkce"}, "both": {"issuer"},
			}
			if out, err := run(others[name]); err == nil {
				t.Errorf("with %v it goes on:\n%s", others[name], out)
			}
		})
	}
}

// -anyway is for one's own machine, and for a sign-in.
func TestDoctor_AnywayIsLocal(t *testing.T) {
	for _, args := range [][]string{
		{"-sign-in", "-public", "-anyway", "pkce", "https://example.com/mcp"},
		{"-anyway", "pkce", "http://127.0.0.1:1/mcp"},
		{"-sign-in", "-anyway", "everything", "http://127.0.0.1:1/mcp"},
	} {
		if err := call(t.Context(), args, patient, io.Discard, io.Discard); exitCode(err,
			io.Discard) != exitUsage {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// A kept token says that its sign-in deviated, and the next sign-in does not.
func TestDoctor_KeptTokenSaysSo(t *testing.T) {
	g := newGuarded(t)
	brokenSignIns["no-pkce"](g)
	keep := filepath.Join(t.TempDir(), "keep.json")
	var first, second, third followingUser
	if err := call(t.Context(), []string{"-sign-in", "-keep", keep, "-anyway", "pkce", g.url + "/mcp"},
		patient, io.Discard, &first); err != nil {
		t.Fatal(err, first.String())
	}
	if err := call(t.Context(), []string{"-sign-in", "-keep", keep, g.url + "/mcp"}, patient, io.Discard,
		&second); err != nil || !strings.Contains(second.String(), "no proof of PKCE") {
		t.Errorf("%v: %s", err, second.String())
	}
	g.accepts = false
	if err := call(t.Context(), []string{"-sign-in", "-keep", keep, g.url + "/mcp"}, patient, io.Discard,
		&third); err == nil || !strings.Contains(third.String(), "signing in failed") {
		t.Errorf("the next sign-in: %v: %s", err, third.String())
	}
}
