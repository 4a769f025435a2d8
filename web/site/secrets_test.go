package site_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// credentials are secrets as users give them: how they stand in the form, and
// what of them must never be found anywhere.
func credentials() (token, headers, query string, secrets []string) {
	const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJlLXBsYW50ZWQ"
	basic := base64.StdEncoding.EncodeToString([]byte("planted-user:planted-pass-0001"))
	lines := []string{
		"X-Api-Key: planted-api-key-0002", "X-Secret: sk_live_planted0003abcdef",
		"X-Odd: pl\"ant\\ed/0004+&=?<>",
		"Cookie: sid=planted-cookie-0005; theme=dark-planted-0006",
		"X-Github: ghp_planted0007ABCDEFGHIJKLMNOPQRSTUVWX",
		"X-Aws: AKIAPLANTED00080000", "X-Slack: xoxb-planted-0009-abcdef",
		"X-Pem: -----BEGIN PLANTED KEY----- MIIplanted0010 -----END PLANTED KEY-----",
		"X-Basic: Basic " + basic, "X-Short: pl-0011", "X-Uuid: 6f9619ff-planted-0012-0242ac130003",
		"X-Hex: deadbeefplanted0013cafe",
		"X-Google: AIzaplanted0014-_abcdefghijklmnopqrst", "X-Stripe: rk_test_planted0015",
		"X-Npm: npm_planted0016abcdefghijkl",
		"X-Azure: planted0017+abc/def==", "X-Signature: v0=planted0018abcdef",
		"X-Session: s%3Aplanted0019.abc",
		"X-Tab: planted 0020 with spaces", "X-Latin: planted-0021-\u00e9\u00e8",
	}
	secrets = []string{
		jwt, "planted-pass-0001", "planted-user:planted-pass-0001", basic, "planted-query-0022",
		"planted/query+0023",
	}
	for _, line := range lines {
		_, value, _ := strings.Cut(line, ": ")
		secrets = append(secrets, value)
	}
	secrets = append(secrets, "planted-cookie-0005", "dark-planted-0006")
	return jwt, strings.Join(lines,
		"\n"), "?api_key=planted-query-0022&access_token=planted%2Fquery%2B0023&page=7", secrets
}

// echo is an MCP server that repeats everything that it received in every
// spelling, and wants its state back to the byte.
type echo struct {
	mu     sync.Mutex
	heads  []http.Header
	states []string // given
	echoed []string // got back
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heads = append(e.heads, r.Header.Clone())
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			RequestState *string
		}
	}
	_ = json.Unmarshal(body, &m)
	_, _, _, secrets := credentials()
	var said []string
	for _, s := range secrets {
		raw := []byte(s)
		if len(s) < 8 { // too short to be looked for outside its header
			continue
		}
		said = append(said, s, url.QueryEscape(s), url.PathEscape(s),
			base64.StdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
			base64.StdEncoding.EncodeToString([]byte("user:"+s+"!")),
			base64.StdEncoding.EncodeToString([]byte("ab"+s+"cd")))
	}
	everything := strings.Join(said, " | ")
	var result any
	switch {
	case m.Method == "server/discover":
		result = map[string]any{"resultType": "complete", "ttlMs": 0, "cacheScope": "private",
			"supportedVersions": []string{"2026-07-28"},
			"capabilities":      map[string]any{"tools": map[string]any{}}, "instructions": everything}
	case m.Method == "tools/list":
		result = map[string]any{"resultType": "complete", "ttlMs": 0, "cacheScope": "private",
			"tools": []any{map[string]any{"name": "echo", "description": everything,
				"inputSchema": map[string]any{
					"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}},
				}}}}
	case m.Params.RequestState == nil:
		state := everything
		e.states = append(e.states, state)
		result = map[string]any{"resultType": "input_required", "requestState": state,
			"inputRequests": map[string]any{"q": map[string]any{
				"method": "elicitation/create", "params": map[string]any{"message": everything,
					"requestedSchema": map[string]any{"type": "object",
						"properties": map[string]any{"a": map[string]any{"type": "string"}}}}}}}
	default:
		e.echoed = append(e.echoed, *m.Params.RequestState)
		result = map[string]any{
			"resultType": "complete",
			"content":    []any{map[string]any{"type": "text", "text": everything + string(body)}},
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Echo", strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, r.Header.Get("Authorization")))
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
}

func newEcho(t *testing.T) (*echo, string) {
	e := &echo{}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return e, server.URL + "/mcp"
}

// stored is everything that is in the database, and what was logged.
func (s *testSite) stored() map[string][]byte {
	s.t.Helper()
	all := map[string][]byte{"logs": s.logs.Bytes()}
	if os.Getenv(engine) == "postgres" {
		all["database"] = pgtest.Dump(s.t, s.data)
		return all
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if data, err := os.ReadFile(s.data + suffix); err == nil {
			all["database"+suffix] = data
		}
	}
	if len(all["database"])+len(all["database-wal"]) == 0 {
		s.t.Fatal("nothing is stored")
	}
	return all
}

// leaks names the secrets that can be read somewhere, in any spelling.
func leaks(where string, data []byte, secrets []string) []string {
	var found []string
	for _, secret := range secrets {
		quoted, _ := json.Marshal(secret)
		raw := []byte(secret)
		for _, spelling := range []string{secret, string(quoted[1 : len(quoted)-1]),
			url.QueryEscape(secret), url.PathEscape(secret),
			base64.StdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw)} {
			if bytes.Contains(data, []byte(strings.TrimRight(spelling, "="))) {
				found = append(found, fmt.Sprintf("%s: %s", where, spelling))
			}
		}
	}
	return found
}

func TestSecrets_AreNowhereInClearAndStillSent(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	token, headers, query, secrets := credentials()
	s := newSite(t, app.Local)
	page := s.connectTo(
		address+query, "token", token, "headers", headers, "declares", "shown", "declare",
		"elicitation.form",
	)
	if !page.html().Has(`[data-status="connected"]`) {
		t.Fatal(excerpt(page.body))
	}
	id := strings.TrimPrefix(s.last, "/servers/")
	pages := []answer{page}
	// a call whose argument is a secret too
	page = s.follow("/exchanges", url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"echo"}, "prefix": {"t0"}, "t0.f0": {"say " + token},
	})
	exchange := s.last
	if !page.html().Has(`[data-status="waiting"]`) {
		t.Fatal(excerpt(page.body))
	}
	pages = append(pages, page)
	page = s.follow(
		exchange+"/rounds",
		url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {token}, "do": {"send"}},
	)
	if !page.html().Has(`[data-status="complete"]`) {
		t.Fatal(excerpt(page.body))
	}
	bytes := s.page(exchange + "?round=2&view=exact")
	pages = append(pages, page, bytes, s.page(exchange+"?round=1"), s.page(exchange+"?round=1&view=exact"),
		s.page("/servers"), s.page("/history"), s.page("/servers/"+id))

	for where, data := range s.stored() {
		for _, leak := range leaks(where, data, secrets) {
			t.Error(leak)
		}
	}
	for _, p := range pages {
		for _, leak := range leaks("page", []byte(p.body), secrets) {
			t.Error(leak)
		}
	}
	if len(server.echoed) != 1 || server.echoed[0] != server.states[0] {
		t.Error("the state did not come back to the byte")
	}
	for _, h := range server.heads {
		if h.Get("Authorization") != "Bearer "+token || h.Get("X-Short") != "pl-0011" ||
			h.Get("X-Api-Key") != "planted-api-key-0002" {
			t.Errorf("a request lacked what was given: %q", h)
		}
	}
	if !strings.Contains(bytes.body, "$TOKEN") {
		t.Error("curl does not read the token from the shell")
	}
}

func TestSecrets_LostWithTheCookieButNotTheRecording(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "token", "planted-token-lost-1")
	id := strings.TrimPrefix(s.last, "/servers/")
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"echo"}})
	exchange := s.last
	sent := len(server.heads)
	kept := s.cookies
	s.cookies = ""
	if got := s.page("/servers/" + id); !slices.Contains(codes(got.body), "secret_lost") ||
		!got.html().Has(`[data-tool="echo"]`) {
		t.Error("the page of the server", excerpt(got.body))
	}
	if got := s.page(exchange); !got.html().Has(`[data-round="1"]`) {
		t.Error("the record is gone", excerpt(got.body))
	}
	answerForm := url.Values{"round": {"1"}, "a0.action": {"decline"}, "do": {"send"}}
	for _, got := range []answer{s.follow("/exchanges", url.Values{"target": {id}, "tool": {"echo"}}),
		s.follow(exchange+"/rounds", answerForm)} {
		if got.status != http.StatusConflict || !slices.Equal(codes(got.body), []string{"secret_lost"}) {
			t.Errorf("%d %q", got.status, codes(got.body))
		}
	}
	if len(server.heads) != sent {
		t.Error("something was sent without the token")
	}
	s.cookies = kept
	if got := s.follow(exchange+"/rounds", answerForm); got.status != http.StatusOK ||
		len(codes(got.body)) > 0 {
		t.Errorf("with the cookie back: %d %q", got.status, codes(got.body))
	}
}

func TestSecrets_ForgottenEverywhere(t *testing.T) {
	t.Parallel()
	_, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "token", "planted-token-forget")
	id := strings.TrimPrefix(s.last, "/servers/")
	s.follow("/exchanges", url.Values{"target": {id}, "tool": {"echo"}})
	exchange := s.last
	s.follow("/servers/"+id+"/forget", url.Values{"what": {"secrets"}})
	if got := s.page("/servers/" + id); got.html().Has("[data-given]") ||
		len(codes(got.body)) > 0 {
		t.Error("something is still kept", excerpt(got.body))
	}
	got := s.follow(exchange+"/rounds", url.Values{"round": {"1"}, "a0.action": {"decline"}, "do": {"send"}})
	if !slices.Equal(codes(got.body), []string{"secret_lost"}) {
		t.Errorf("the exchange could go on: %q", codes(got.body))
	}
}

func TestSecrets_TokenIsNeverSentToAnotherServer(t *testing.T) {
	t.Parallel()
	_, first := newEcho(t)
	other, second := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(first, "token", "planted-token-first")
	id := strings.TrimPrefix(s.last, "/servers/")
	s.connectTo(second, "id", id)
	for _, h := range other.heads {
		if h.Get("Authorization") != "" {
			t.Error("the token of one server was sent to another")
		}
	}
	if len(other.heads) == 0 {
		t.Error("the other server was not asked")
	}
}

func TestSecrets_KeptWhenConnectingAgain(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address+"?api_key=planted-key-in-url", "token", "planted-token-kept")
	id := strings.TrimPrefix(s.last, "/servers/")
	shown := address + "?api_key=" + strings.Repeat("*", len("planted-key-in-url"))
	page := s.connectTo(shown, "id", id)
	if !strings.Contains(page.body, shown) || strings.Contains(page.body, "planted-key-in-url") {
		t.Error("the address is not masked")
	}
	if last := server.heads[len(server.heads)-1]; last.Get("Authorization") != "Bearer planted-token-kept" {
		t.Errorf("the second time: %q", last)
	}
}
