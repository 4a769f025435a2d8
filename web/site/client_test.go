package site_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// capture is an address in front of a server, and a client that talks to it.
type capture struct {
	*testSite
	page string // path
	path string // of the address
	next int    // JSON-RPC id
}

// capture makes an address in front of a sample, or of one of the user's servers.
func (s *testSite) capture(server, query string) *capture {
	s.t.Helper()
	made := s.post("/clients", url.Values{"server": {server}, "query": {query}}.Encode())
	if made.status != http.StatusSeeOther {
		s.t.Fatalf("%d %s", made.status, excerpt(made.body))
	}
	c := &capture{testSite: s, page: s.last}
	address := s.get(c.page).html().Texts("[data-address]")
	if len(address) != 1 {
		s.t.Fatal("no address")
	}
	u, err := url.Parse(address[0])
	check(s.t, err)
	c.path = u.Path
	return c
}

// send sends a message as a client of MCP 2026-07-28 does.
func (c *capture) send(method string, params map[string]any, header ...string) answer {
	c.t.Helper()
	c.next++
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion": wire.ProtocolVersion,
		"io.modelcontextprotocol/clientInfo":      map[string]any{"name": "tester", "version": "3"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{
			"elicitation": map[string]any{"form": map[string]any{}},
			"extensions":  map[string]any{"io.modelcontextprotocol/tasks": map[string]any{}},
		},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method,
		"params": params})
	check(c.t, err)
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {wire.ProtocolVersion}, "Mcp-Method": {method},
	}
	if name, ok := params[wire.NameMember(method)].(string); ok {
		h.Set("Mcp-Name", name)
	}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return c.do(http.MethodPost, c.path, string(body), h)
}

// resolve calls the tool of the sample Azure DevOps, with what a retry adds.
func (c *capture) resolve(state string, answers map[string]any, header ...string) answer {
	c.t.Helper()
	params := map[string]any{"name": "update_work_item", "arguments": map[string]any{
		"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
	}}
	if answers != nil {
		params["inputResponses"] = answers
	}
	if state != "" {
		params["requestState"] = state
	}
	return c.send(playground.ToolsCall, params, header...)
}

func accept(key, field string, value any) map[string]any {
	return map[string]any{key: map[string]any{"action": "accept", "content": map[string]any{field: value}}}
}

// stateIn returns the requestState of a result.
func stateIn(t *testing.T, a answer) string {
	t.Helper()
	var message struct {
		Result struct {
			RequestState string `json:"requestState"`
		} `json:"result"`
	}
	check(t, json.Unmarshal([]byte(a.body), &message))
	if message.Result.RequestState == "" {
		t.Fatalf("no requestState in %s", a.body)
	}
	return message.Result.RequestState
}

// recorded returns what the capture has recorded.
func (c *capture) recorded() (session.Session, []playground.Event) {
	c.t.Helper()
	id := strings.TrimPrefix(c.page, "/clients/")
	n, err := c.store.Session(c.t.Context(), "local", id)
	check(c.t, err)
	log, err := c.store.Log(c.t.Context(), id)
	check(c.t, err)
	return n, log
}

func TestCapture_JoinsTheRoundsOfACall(t *testing.T) {
	c := newSite(t, web.Local).capture("azure-devops", "")
	c.send(playground.Discover, map[string]any{})
	c.send(playground.ToolsList, map[string]any{})
	c.resolve("", nil)
	second := c.resolve("", accept("resolution", "resolution", "Duplicate"))
	third := c.resolve(stateIn(t, second), accept("duplicate_of", "duplicateOfId", 4301))
	third.contains(t, "Bug #4522 resolved as Duplicate of Bug #4301.")

	page := c.get(c.page)
	page.has(t, `main[data-requests="5"]`, `h1 "tester 3"`, `[data-call]`,
		`.client-words "No violation by this client in 5 requests."`, `td[data-side="client"] .outcome-pass`)
	n, log := c.recorded()
	if len(n.Exchanges) != 1 || len(playground.Connections(log)) != 2 || n.Kind != session.KindCapture {
		t.Fatalf("%d exchanges, %d other requests, kind %s", len(n.Exchanges),
			len(playground.Connections(log)),
			n.Kind)
	}
	x := n.Exchanges[0]
	f := x.Fold()
	if len(f.Rounds) != 3 || f.Status != playground.StatusComplete || !f.Foreign() ||
		f.Rounds[1].Decision.Join != playground.JoinCertain ||
		f.Rounds[2].Decision.Join != playground.JoinCertain {
		t.Errorf("%d rounds, %s, %v", len(f.Rounds), f.Status, f.Rounds)
	}
	if len(x.Call.Tool) == 0 {
		t.Error("the tool is not known although the client listed it")
	}
	whole := c.get("/x/" + x.ID)
	whole.has(t, `main[data-status="complete"]`, `[data-round="3"][data-outcome="complete"]`,
		fmt.Sprintf(`a[href="%s"]`, c.page))
	whole.hasNot(t, `form[data-form="answers"]`, `[data-do="send"]`, `form[action$="/rerun"]`)
	c.get("/x/"+x.ID+"?round=2").has(t, `.note.client`)
	// the copy serves as any other
	c.get("/x/"+x.ID+".md").contains(t, "4301")
	c.get("/sessions/"+n.ID+"/share").has(t, `form`)
	c.noErrors()
}

func TestCapture_WaitsForItsClient(t *testing.T) {
	c := newSite(t, web.Local).capture("azure-devops", "")
	c.resolve("", nil)
	n, _ := c.recorded()
	id := n.Exchanges[0].ID
	c.get("/x/"+id).has(t, `main[data-status="waiting"]`, `[data-waits]`,
		`.status "◐ waiting for the client"`)
	if a := c.post("/x/"+id+"/rounds",
		"round=1&a0.action=accept&a0.f0=Fixed"); a.status != http.StatusConflict {
		t.Errorf("an answer of ours: %d %s", a.status, excerpt(a.body))
	}
	if got := c.calls.Load(); got != 1 {
		t.Errorf("%d calls reached the sample", got)
	}
}

func TestCapture_NamesWhatTheClientDoesWrong(t *testing.T) {
	for name, f := range map[string]struct {
		rule string
		do   func(t *testing.T, c *capture)
	}{
		"state altered": {"C2", func(t *testing.T, c *capture) {
			c.resolve("", nil)
			state := stateIn(t, c.resolve("", accept("resolution", "resolution", "Duplicate")))
			c.resolve(strings.Replace(state, "sealed.", "sealed.0", 1), accept("duplicate_of",
				"duplicateOfId",
				4301))
		}},
		"no version in _meta": {"client-meta", func(_ *testing.T, c *capture) {
			c.do(http.MethodPost, c.path, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`,
				http.Header{
					"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
					"Mcp-Protocol-Version": {wire.ProtocolVersion}, "Mcp-Method": {"tools/list"},
				})
		}},
		"wrong Mcp-Name": {"client-headers", func(_ *testing.T, c *capture) {
			c.resolve("", nil, "Mcp-Name", "another")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newSite(t, web.Local).capture("azure-devops", "")
			f.do(t, c)
			failed := c.get(c.page).html().Values(`[data-side="client"] [data-verdict="fail"]`, "data-rule")
			if !slices.Equal(failed, []string{f.rule}) {
				t.Errorf("failed %v, want %s", failed, f.rule)
			}
		})
	}
}

// front is a server on a socket whose every byte a test decides, behind a capture.
type front struct {
	*capture
	requests chan []byte // as they came
	answer   func(conn net.Conn)
	seen     atomic.Int64
}

// inFrontOf returns a capture in front of a server that answers as it is told.
func inFrontOf(t *testing.T, s *testSite, answer func(conn net.Conn)) *front {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	f := &front{requests: make(chan []byte, 64), answer: answer}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			f.seen.Add(1)
			go f.serve(conn)
		}
	}()
	target := playground.Target{
		ID: "server", Name: "raw", URL: "http://" + listener.Addr().String() + "/mcp",
		Capabilities: json.RawMessage(`{}`),
	}
	check(t, s.store.AddTarget(t.Context(), "local", target, s.config.Now()))
	f.capture = s.capture("server", "")
	return f
}

func (f *front) serve(conn net.Conn) {
	defer conn.Close()
	var whole bytes.Buffer
	reader := bufio.NewReader(io.TeeReader(conn, &whole))
	request, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, request.Body)
	f.requests <- bytes.Clone(whole.Bytes())
	f.answer(conn)
}

func TestCapture_BytesAreEqual(t *testing.T) {
	request := "{\"jsonrpc\":\"2.0\", \"id\" " +
		":1.0e0,\r\n\t\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\u202e\",\"a\":1e400,\"a\":2}}  "
	response := "{\"jsonrpc\":\"2.0\",\"id\":1,  " +
		"\"result\":{\"resultType\":\"complete\",\"content\":[],\"x\":\"\x00\xfe\"}}\n\n"
	f := inFrontOf(t, newSite(t, web.Local), func(conn net.Conn) {
		fmt.Fprintf(conn, "HTTP/1.1 200 Fine\r\nContent-Type: application/json\r\nX-Own: a\r\nX-Own: b\r\n"+
			"Set-Cookie: s=1\r\nRefresh: 0;url=/\r\nClear-Site-Data: \"*\"\r\nAccess-Control-Allow-Origin: "+
			"*\r\n"+
			"Location: https://elsewhere.example/\r\nContent-Length: %d\r\n\r\n%s", len(response), response)
	})
	got := f.do(http.MethodPost, f.path, request, http.Header{
		"Content-Type": {"application/json"}, "Mcp-Method": {"tools/call"}, "X-Client": {"one", "two"},
		"Cookie": {"mrtr=ours"}, "Origin": {"http://localhost:1"}, "Te": {"trailers"},
	})
	sent := wire.Split(<-f.requests)
	if string(sent.Body) != request || got.body != response {
		t.Errorf("sent %q\ncame %q", sent.Body, got.body)
	}
	head, err := wire.ParseHead(sent.Head)
	check(t, err)
	if !slices.Equal(head.Values("X-Client"), []string{"one", "two"}) || head.Get("Via") == "" {
		t.Errorf("%s", sent.Head)
	}
	for _, name := range []string{"Cookie", "Origin", "Te", "X-Forwarded-For"} {
		if head.Get(name) != "" {
			t.Errorf("%s went upstream", name)
		}
	}
	if !slices.Equal(got.header["X-Own"], []string{"a", "b"}) || got.header.Get("Mcp-Recorded-By") == "" {
		t.Errorf("%v", got.header)
	}
	for _, name := range []string{"Set-Cookie", "Refresh", "Clear-Site-Data", "Location"} {
		if got.header.Get(name) != "" {
			t.Errorf("%s came back", name)
		}
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "http://localhost:1", "X-Content-Type-Options": "nosniff",
		"Content-Disposition":     "attachment",
		"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: %q", name, got.header.Get(name))
		}
	}
	n, log := f.recorded()
	for _, x := range n.Exchanges {
		log = append(log, x.Log...)
	}
	rounds := playground.Connections(log)
	if len(rounds) != 1 || string(rounds[0].Request.Body) != request ||
		string(rounds[0].Response.Body) != response {
		t.Errorf("recorded %d", len(rounds))
	}
}

// TestCapture_StreamsAsTheyCome: the server sends on only after the client has what was
// sent before.
func TestCapture_StreamsAsTheyCome(t *testing.T) {
	parts := []string{
		": a comment\n\n", `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}` + "\n",
		"\n", `data: {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`, `"content":[]}}` + "\n\n",
	}
	next := make(chan struct{})
	f := inFrontOf(t, newSite(t, web.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn,
			"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
		for _, p := range parts {
			<-next
			_, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(p), p)
		}
		_, _ = io.WriteString(conn, "0\r\n\r\n")
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.url+f.path,
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
	check(t, err)
	res, err := f.client.Do(req) // returns with the head, before any part
	check(t, err)
	defer res.Body.Close()
	for _, p := range parts {
		next <- struct{}{}
		got := make([]byte, len(p))
		if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != p {
			t.Fatalf("%q %v, want %q", got, err, p)
		}
	}
	if rest, err := io.ReadAll(res.Body); err != nil || len(rest) > 0 {
		t.Errorf("%q %v", rest, err)
	}
	await(t, func() string {
		n, _ := f.recorded()
		if len(n.Exchanges) != 1 || n.Exchanges[0].Fold().Status != playground.StatusComplete {
			return "not complete"
		}
		return ""
	})
}

// TestCapture_CutOff: what is cut off on one side is cut off on the other.
func TestCapture_CutOff(t *testing.T) {
	for name, answer := range map[string]string{
		"in a stream": "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n" +
			"5\r\n: hi\n\r\n",
		"in a body": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
			"99\r\n\r\n{\"jsonrpc\"",
	} {
		t.Run("the server ends "+name, func(t *testing.T) {
			f := inFrontOf(t, newSite(t, web.Local), func(conn net.Conn) {
				_, _ = io.WriteString(conn,
					answer)
			})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.url+f.path,
				strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
			check(t, err)
			res, err := f.client.Do(req)
			if err == nil {
				_, err = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
			if err == nil {
				t.Error("the client got a whole response")
			}
			n, _ := f.recorded()
			if r := n.Exchanges[0].Fold().Last(); r.Kind != playground.OutcomeTransportError {
				t.Error(r.Kind, r.Detail)
			}
		})
	}
	t.Run("the client ends", func(t *testing.T) {
		gone := make(chan struct{})
		f := inFrontOf(t, newSite(t, web.Local), func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hi\n\n")
			_, _ = io.Copy(io.Discard, conn) // returns when the capture has closed it
			close(gone)
		})
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url+f.path,
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
		check(t, err)
		res, err := f.client.Do(req)
		check(t, err)
		leave()
		_ = res.Body.Close()
		<-gone
		await(t, func() string {
			n, _ := f.recorded()
			if s := n.Exchanges[0].Fold().Status; s != playground.StatusCancelled {
				return string(s)
			}
			return ""
		})
	})
	t.Run("there is no server", func(t *testing.T) {
		s := newSite(t, web.Local)
		f := inFrontOf(t, s, nil)
		check(t, s.store.SetTarget(t.Context(), "local", playground.Target{
			ID: "server", Name: "none", URL: "http://127.0.0.1:1/mcp", Capabilities: json.RawMessage(`{}`),
		}))
		c := s.capture("server", "")
		got := c.send(playground.ToolsList, map[string]any{})
		if got.status != http.StatusBadGateway || got.header.Get("Mcp-Capture-Error") != "refused" {
			t.Errorf("%d %v %s", got.status, got.header, got.body)
		}
		if f.seen.Load() != 0 {
			t.Error("the old server was asked")
		}
	})
}

func TestCapture_MasksCredentials(t *testing.T) {
	const secret = "tok3n-of-the-client-9000"
	s := newSiteWith(t, web.Local, wire.Config{}, func(cfg *site.Config) { cfg.NewID = rand.Text })
	f := inFrontOf(t, s, func(conn net.Conn) {
		body := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"` + secret + `"}]}}`
		fmt.Fprintf(conn,
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Echo: %s\r\n"+
				"Set-Cookie: id=cookie-of-the-server-5; Path=/\r\nContent-Length: %d\r\n\r\n%s",
			secret, len(body), body)
	})
	token := strings.TrimPrefix(f.path, "/c/")
	got := f.send(playground.ToolsCall, map[string]any{"name": "t", "arguments": map[string]any{
		"key": secret, "address": f.path,
	}}, "Authorization", "Bearer "+secret, "X-Api-Key", "key-of-the-client-77")
	got.contains(t, secret) // the client gets what the server sent
	if sent := string(<-f.requests); !strings.Contains(sent, "Bearer "+secret) ||
		!strings.Contains(sent, "key-of-the-client-77") {
		t.Errorf("the server did not get the credentials: %s", sent)
	}
	for name, content := range s.stored() {
		for _, hidden := range []string{secret, "key-of-the-client-77", "cookie-of-the-server-5"} {
			if bytes.Contains(content, []byte(hidden)) {
				t.Errorf("%s is in %s", hidden, name)
			}
		}
	}
	// the server repeats it although the client has another one by now
	f.send(playground.ToolsCall, map[string]any{"name": "t"}, "Authorization", "Bearer another-token-of-it")
	if content := s.stored(); bytes.Contains(content["database"], []byte(secret)) ||
		bytes.Contains(content["database-wal"], []byte(secret)) {
		t.Error("an earlier credential is stored")
	}
	n, log := f.recorded()
	for _, e := range slices.Concat(log, n.Exchanges[0].Log) {
		if bytes.Contains(e.Data, []byte(token)) {
			t.Error("the token of the capture is recorded")
		}
	}
	if strings.Contains(s.logs.String(), token) || strings.Contains(s.logs.String(), secret) {
		t.Error("a secret is in the log")
	}
}

func TestCapture_IsNoOpenProxy(t *testing.T) {
	f := inFrontOf(t, newSite(t, web.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
	})
	for name, c := range map[string]struct {
		method, path string
		header       http.Header
		status       int
		code         string
	}{
		"a longer path":    {"POST", f.path + "/more", nil, 404, "capture_not_found"},
		"a query":          {"POST", f.path + "?a=b", nil, 400, "capture_query"},
		"another method":   {"PUT", f.path, nil, 405, "capture_method"},
		"a browser":        {"GET", f.path, http.Header{"Accept": {"text/html"}}, 405, "capture_method"},
		"an unknown token": {"POST", "/c/unknown", nil, 404, "capture_not_found"},
		"from itself": {"POST", f.path, http.Header{"Via": {"1.1 a, 1.1 mrtr-playground"}}, 508,
			"capture_loop"},
		"another site":       {"POST", f.path, http.Header{"Origin": {"https://evil.example"}}, 403, ""},
		"DNS rebinding":      {"POST", f.path, http.Header{"Host": {"evil.example"}}, 403, ""},
		"a null origin":      {"POST", f.path, http.Header{"Origin": {"null"}}, 403, ""},
		"a trailing slash":   {"POST", f.path + "/", nil, 404, "capture_not_found"},
		"an encoded segment": {"POST", f.path + "%2f..%2fx", nil, 404, "capture_not_found"},
	} {
		got := f.do(c.method, c.path, "", c.header)
		if got.status != c.status || got.header.Get("Mcp-Capture-Error") != c.code {
			t.Errorf("%s: %d %q %s", name, got.status, got.header.Get("Mcp-Capture-Error"), excerpt(got.body))
		}
	}
	if n := f.seen.Load(); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
	if got := f.do(http.MethodPost, f.path, "", nil); got.status != http.StatusAccepted {
		t.Errorf("%d", got.status)
	}
	f.post(f.page+"/end", "")
	ended := f.do(http.MethodPost, f.path, "", nil)
	unknown := f.do(http.MethodPost, "/c/unknown", "", nil)
	if ended.status != http.StatusNotFound || ended.body != unknown.body {
		t.Errorf("%d %s, unknown %s", ended.status, ended.body, unknown.body)
	}
	f.get(f.page).has(t, `.outcome "– ended"`)
}

// TestCapture_IsPrivate: another visitor sees nothing of a capture, and guessing ends.
func TestCapture_IsPrivate(t *testing.T) {
	s := newSite(t, web.Public)
	mine, other := s.visitor(t), s.visitor(t)
	page := mine.follow("/clients", url.Values{"server": {"azure-devops"}})
	id := page.html().Values("main[data-capture]", "data-capture")[0]
	for _, path := range []string{"/clients/" + id, "/clients/" + id + "/events", "/clients/" + id +
		"/frames/1",
		"/sessions/" + id} {
		if got := other.page(path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := other.follow("/clients/"+id+"/end", url.Values{}); got.status != http.StatusNotFound {
		t.Errorf("ended by another visitor: %d", got.status)
	}
	if strings.Contains(other.page("/clients").body, id) {
		t.Error("it is in another visitor's list")
	}
	address, err := url.Parse(page.html().Texts("[data-address]")[0])
	check(t, err)
	var last answer
	for i := range 40 {
		last = s.post(fmt.Sprintf("/c/GUESS%d", i), "")
		if last.status != http.StatusNotFound {
			break
		}
	}
	if last.status != http.StatusTooManyRequests || last.header.Get("Retry-After") == "" {
		t.Errorf("after many guesses: %d", last.status)
	}
	if got := s.post(address.Path, ""); got.status == http.StatusTooManyRequests {
		t.Error("the right address does not work any more")
	}
}

// TestCapture_Floods: one capture has a rate and places of its own.
func TestCapture_Floods(t *testing.T) {
	s := newSiteWith(t, web.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.Limits = web.DefaultLimits()
		cfg.Limits.Captured.Burst, cfg.Limits.Captured.N = 3, 1
		cfg.Limits.CapturedOpen = 1
	})
	addressOf := func() string {
		page := s.visitor(t).follow("/clients", url.Values{"server": {"azure-devops"}})
		u, err := url.Parse(page.html().Texts("[data-address]")[0])
		check(t, err)
		return u.Path
	}
	flooded, other := &capture{testSite: s, path: addressOf()}, &capture{testSite: s, path: addressOf()}
	refused := 0
	for range 6 {
		if got := flooded.send(playground.ToolsList,
			map[string]any{}); got.status == http.StatusTooManyRequests &&
			got.header.Get("Mcp-Capture-Error") == "too_many_captured" {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d refused", refused)
	}
	if got := other.send(playground.ToolsList, map[string]any{}); got.status != http.StatusOK {
		t.Errorf("another capture: %d", got.status)
	}
	letGo := s.hold()
	done := make(chan answer)
	go func() { done <- other.send(playground.ToolsList, map[string]any{}) }()
	k, err := s.store.CaptureAt(t.Context(), strings.TrimPrefix(other.path, "/c/"))
	check(t, err)
	await(t, func() string { // the first request has the one place
		log, err := s.store.Log(t.Context(), k.ID)
		if len(playground.Unanswered(log)) == 1 {
			return ""
		}
		return fmt.Sprint("no request is held: ", err)
	})
	second := &capture{testSite: s, path: other.path, next: 100}
	await(t, func() string {
		got := second.send(playground.ToolsList, map[string]any{})
		if got.header.Get("Mcp-Capture-Error") == "capture_open" || got.status == http.StatusTooManyRequests {
			return ""
		}
		return fmt.Sprint(got.status)
	})
	letGo()
	<-done
}

func TestCapture_FullRecordEndsIt(t *testing.T) {
	s := newSiteWith(t, web.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.Limits = web.DefaultLimits()
		cfg.Limits.Session = 4000
	})
	c := s.capture("azure-devops", "")
	var got answer
	for range 20 {
		if got = c.resolve("", nil); got.status != http.StatusOK {
			break
		}
	}
	if got.status != http.StatusInsufficientStorage || got.header.Get("Mcp-Capture-Error") != "capture_full" {
		t.Fatalf("%d %s", got.status, got.body)
	}
	page := c.get(c.page)
	page.has(t, `.outcome "– ended"`)
	page.hasNot(t, `[data-side="server"] [data-verdict="fail"]`)
	if got := c.resolve("", nil); got.status != http.StatusNotFound {
		t.Errorf("after its end: %d", got.status)
	}
}

// TestCapture_ReachesNoInsideAddress: the guard of calls holds for captures.
func TestCapture_ReachesNoInsideAddress(t *testing.T) {
	var seen atomic.Int64
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			seen.Add(1)
			_ = conn.Close()
		}
	}()
	s := newSiteWith(t, web.Public, wire.Config{
		Resolver: names{"inside.example": "127.0.0.1", "meta.example": "169.254.169.254"},
	})
	v := s.visitor(t)
	first, err := url.Parse(v.follow("/clients",
		url.Values{"server": {"azure-devops"}}).html().Texts("[data-address]")[0])
	check(t, err)
	k, err := s.store.CaptureAt(t.Context(), strings.TrimPrefix(first.Path, "/c/"))
	check(t, err)
	workspace := k.Workspace
	for i, address := range []string{
		"https://inside.example/mcp", "https://meta.example/mcp", "https://127.0.0.1/mcp",
		"https://[::1]:8443/mcp",
	} {
		id := fmt.Sprint("inside", i)
		check(t, s.store.AddTarget(t.Context(), workspace, playground.Target{
			ID: id, Name: "inside", URL: address, Capabilities: json.RawMessage(`{}`),
		}, s.config.Now()))
		page := v.follow("/clients", url.Values{"server": {id}})
		u, err := url.Parse(page.html().Texts("[data-address]")[0])
		check(t, err)
		c := &capture{testSite: s, path: u.Path}
		got := c.send(playground.ToolsList, map[string]any{})
		if got.status != http.StatusBadGateway || got.header.Get("Mcp-Capture-Error") != "blocked_address" {
			t.Errorf("%s: %d %s", address, got.status, got.body)
		}
	}
	if n := seen.Load(); n != 0 {
		t.Errorf("%d connections inside", n)
	}
}

// TestCapture_ClientsStayApart: calls at once, with states and keys of each other.
func TestCapture_ClientsStayApart(t *testing.T) {
	c := newSite(t, web.Local).capture("azure-devops", "")
	var wg sync.WaitGroup
	for i := range 4 {
		one := &capture{testSite: c.testSite, path: c.path, next: 1000 * i}
		wg.Go(func() {
			call := func(state string, answers map[string]any) answer {
				params := map[string]any{"name": "update_work_item", "arguments": map[string]any{
					"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved",
						"System.Title": fmt.Sprint("Title ", i)},
				}}
				if answers != nil {
					params["inputResponses"] = answers
				}
				if state != "" {
					params["requestState"] = state
				}
				return one.send(playground.ToolsCall, params)
			}
			call("", nil)
			second := call("", accept("resolution", "resolution", "Duplicate"))
			call(stateIn(t, second), accept("duplicate_of", "duplicateOfId", 4301))
		})
	}
	wg.Wait()
	n, _ := c.recorded()
	if len(n.Exchanges) != 4 {
		t.Errorf("%d exchanges", len(n.Exchanges))
	}
	for _, x := range n.Exchanges {
		f := x.Fold()
		want := string(x.Call.Params)
		for _, r := range f.Rounds {
			if got, _ := json.Marshal(json.RawMessage(r.Sent.At("params",
				"arguments").Raw())); !strings.Contains(want, string(got)) {
				t.Errorf("round %d of %s has %s", r.N, want, got)
			}
		}
		if len(f.Rounds) != 3 || f.Status != playground.StatusComplete {
			t.Errorf("%d rounds, %s", len(f.Rounds), f.Status)
		}
	}
}

// TestCapture_LegacySession drives the client of the official Go SDK through a session of
// an earlier revision.
func TestCapture_LegacySession(t *testing.T) {
	c := newSite(t, web.Local).capture("before-mrtr", "")
	asked := 0
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
	})
	conn, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: c.url + c.path}, nil)
	check(t, err)
	tools, err := conn.ListTools(t.Context(), nil)
	check(t, err)
	if len(tools.Tools) == 0 {
		t.Fatal("no tools")
	}
	_, err = conn.CallTool(t.Context(), &mcp.CallToolParams{Name: "update_work_item",
		Arguments: map[string]any{
			"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
		}})
	check(t, err)
	check(t, conn.Close())
	if asked == 0 {
		t.Error("nothing was asked")
	}
	page := c.get(c.page)
	page.hasNot(t, `[data-side="client"] [data-verdict="fail"]`, `[data-side="server"] [data-verdict="fail"]`)
	n, log := c.recorded()
	if len(n.Exchanges) != 0 || len(playground.Connections(log)) < 4 {
		t.Errorf("%d exchanges, %d requests", len(n.Exchanges), len(playground.Connections(log)))
	}
}

func TestCapture_PageIsLive(t *testing.T) {
	c := newSite(t, web.Local).capture("azure-devops", "")
	page := c.get(c.page)
	page.has(t, `main[data-live]`, `details#snippets[open]`, `noscript meta[http-equiv="refresh"]`)
	events := htmltest.Parse(page.body).Values("main[data-live]", "data-live")[0]
	done := make(chan answer)
	go func() { done <- c.get(events) }()
	c.resolve("", nil)
	if got := <-done; !strings.Contains(got.body, "event: changed") {
		t.Errorf("%q", got.body)
	}
}

// TestCapture_HugeRequests: what no request may be is refused before anything is sent.
func TestCapture_HugeRequests(t *testing.T) {
	f := inFrontOf(t, newSite(t, web.Local), nil)
	got := f.do(http.MethodPost, f.path, strings.Repeat(" ", 512<<10+1), nil)
	if got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", got.status, excerpt(got.body))
	}
	n, log := f.recorded()
	if f.seen.Load() != 0 || len(n.Exchanges) > 0 || len(log) > 0 {
		t.Errorf("%d connections, %d exchanges, %d events", f.seen.Load(), len(n.Exchanges), len(log))
	}
}

// TestCapture_EmptySession: the pages of any session work for a capture without calls.
func TestCapture_EmptySession(t *testing.T) {
	c := newSite(t, web.Local).capture("azure-devops", "")
	id := strings.TrimPrefix(c.page, "/clients/")
	for _, path := range []string{
		"/history", "/sessions/" + id, "/sessions/" + id + "/share", "/search?q=azure", "/clients",
	} {
		if got := c.get(path); got.status != http.StatusOK && got.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, got.status, excerpt(got.body))
		}
	}
	c.get("/history").has(t, `a[href="`+c.page+`"]`)
	if got := c.post("/sessions/"+id+"/delete", ""); got.status != http.StatusSeeOther {
		t.Errorf("deleted: %d", got.status)
	}
	if got := c.get(c.page); got.status != http.StatusNotFound {
		t.Errorf("after it was deleted: %d", got.status)
	}
	c.noErrors()
}

// TestCapture_TooManyCredentials: more than can be remembered and masked is refused.
func TestCapture_TooManyCredentials(t *testing.T) {
	f := inFrontOf(t, newSite(t, web.Local), nil)
	many := http.Header{}
	for i := range 40 {
		many.Set(fmt.Sprintf("X-Api-Key-%d", i), "some-key")
	}
	for name, h := range map[string]http.Header{
		"many": many, "long": {"Authorization": {"Bearer " + strings.Repeat("a", 17<<10)}},
	} {
		if got := f.do(http.MethodPost, f.path, "{}",
			h); got.status != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if f.seen.Load() != 0 {
		t.Error("something was sent")
	}
}
