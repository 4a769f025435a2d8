package client_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// atBase returns a client that reaches the site by its public URL.
func atBase(s *sitetest.Site) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(s.URL, "http://"))
		},
	}}
}

const comeBack = "http://127.0.0.1:49152/callback"

// allow is a user with a browser: it opens the page of the authorization server, allows
// what the page proposes, and returns where that leads.
func allow(t *testing.T, client *http.Client, address string) url.Values {
	t.Helper()
	jar, err := cookiejar.New(nil)
	sitetest.Check(t, err)
	browser := &http.Client{Transport: client.Transport, Jar: jar,
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			if strings.HasPrefix(r.URL.String(), comeBack) {
				return http.ErrUseLastResponse
			}
			return nil
		}}
	res, err := browser.Get(address)
	sitetest.Check(t, err)
	page, err := io.ReadAll(res.Body)
	sitetest.Check(t, err)
	_ = res.Body.Close()
	form := url.Values{"person": {"alice"}, "decision": {"allow"}}
	field := regexp.MustCompile(`<input type="(hidden|checkbox)" name="([^"]+)" value="([^"]*)"( checked)?`)
	for _, m := range field.FindAllStringSubmatch(string(page), -1) {
		if m[1] == "hidden" || m[4] != "" {
			form.Add(m[2], m[3])
		}
	}
	res, err = browser.PostForm(strings.Split(res.Request.URL.String(), "?")[0], form)
	sitetest.Check(t, err)
	_ = res.Body.Close()
	back, err := res.Location()
	sitetest.Check(t, err)
	return back.Query()
}

// TestCapture_SignIn drives the client of the official Go SDK, which knows the address of a
// capture and nothing else, from a 401 of the sample behind it to a finished call.
func TestCapture_SignIn(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) { cfg.App.NewID = rand.Text })
	c := s.Capture("protected", "instances=a,b")
	client, address := atBase(s), "http://localhost:2322"+c.Path
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName: "go", RedirectURIs: []string{comeBack}, TokenEndpointAuthMethod: "none",
				GrantTypes: []string{"authorization_code"},
			},
		},
		RedirectURL: comeBack, Client: client,
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (
			*auth.AuthorizationResult, error,
		) {
			u, err := url.Parse(args.URL)
			sitetest.Check(t, err)
			if got := u.Query().Get("resource"); got != address {
				t.Errorf("the token is asked for %s", got)
			}
			q := allow(t, client, args.URL)
			return &auth.AuthorizationResult{
				Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss"),
			}, nil
		},
	})
	sitetest.Check(t, err)
	sdk := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"to": "Carol"}}, nil
		},
	})
	conn, err := sdk.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: address, HTTPClient: client, OAuthHandler: handler,
	}, nil)
	sitetest.Check(t, err)
	result, err := conn.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "send_note", Arguments: map[string]any{"note": "shopping"},
	})
	sitetest.Check(t, err)
	if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "Alice sent") {
		t.Error(text)
	}
	sitetest.Check(t, conn.Close())

	source, err := handler.TokenSource(t.Context())
	sitetest.Check(t, err)
	access, err := source.Token()
	sitetest.Check(t, err)
	direct := c.Do(http.MethodPost, "/mcp/protected", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		http.Header{"Authorization": {"Bearer " + access.AccessToken}, "Content-Type": {"application/json"}})
	if direct.Status != http.StatusUnauthorized {
		t.Errorf("the token for the capture works without it: %d", direct.Status)
	}
	hasNoTrace(c, t, strings.TrimPrefix(c.Path, web.CapturePath), access.AccessToken)
	c.Get(c.Page).Contains(t, "names this address in its metadata")
}

// hasNoTrace reports secrets that the capture has recorded, exported or logged.
func hasNoTrace(c *sitetest.Capture, t *testing.T, secrets ...string) {
	t.Helper()
	n, log := c.Recorded()
	files := map[string]string{"the log": c.Logs.String()}
	for _, x := range n.Exchanges {
		log = append(log, x.Log...)
		for _, suffix := range []string{".json", ".har", ".md", ".txt"} {
			files[suffix] += c.Get("/x/" + x.ID + suffix).Body
		}
	}
	for _, e := range log {
		files["the record"] += string(e.Data)
	}
	if len(n.Exchanges) == 0 || files["the record"] == "" {
		t.Error("nothing is recorded")
	}
	for name, content := range files {
		for _, secret := range secrets {
			if strings.Contains(content, secret) ||
				strings.Contains(content, base64.RawURLEncoding.EncodeToString([]byte(secret))) {
				t.Errorf("%s has %s", name, secret)
			}
		}
	}
}

// TestCapture_Metadata: the metadata of a capture are those of the sample behind it, for the
// URL of the capture. What a client sends cannot change for which.
func TestCapture_Metadata(t *testing.T) {
	t.Parallel()
	s := behindHops(t)
	protected, open := s.Capture("protected", ""), s.Capture("azure-devops", "")
	foreign := sitetest.InFrontOf(t, s, nil)
	own := s.Get("/.well-known/oauth-protected-resource/mcp/protected")
	own.Contains(t, `"resource":"`+sitetest.Base+`/mcp/protected"`)
	of := func(path string) sitetest.Answer { return s.Get("/.well-known/oauth-protected-resource" + path) }
	got := of(protected.Path)
	if strings.ReplaceAll(got.Body, s.URL+protected.Path, sitetest.Base+"/mcp/protected") != own.Body ||
		got.Header.Get("Mcp-Recorded-By") == "" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	for _, path := range []string{"/c/unknown", open.Path, foreign.Path, protected.Path + "/x"} {
		if got := of(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	if foreign.Seen.Load() != 0 {
		t.Error("the foreign server was asked")
	}
	challenge := protected.Send(playground.ToolsList, map[string]any{}).Header.Get("WWW-Authenticate")
	if !strings.Contains(challenge, `"`+s.URL+"/.well-known/oauth-protected-resource"+protected.Path+`"`) {
		t.Error(challenge)
	}
	for _, name := range []string{"Forwarded", "X-Forwarded-Host", "X-Original-Url", "Mcp-Sample-User"} {
		got := s.Do(http.MethodPost, "/mcp/protected", "{}", http.Header{name: {"http://evil.example/c/x"}})
		if at := got.Header.Get("WWW-Authenticate"); strings.Contains(at, "evil") ||
			!strings.Contains(at, `resource_metadata="`+sitetest.Base+`/.well-known/`) {
			t.Errorf("%s: %s", name, at)
		}
	}
}
