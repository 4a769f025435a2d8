package endpoint_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/mock/endpoint"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// trip is a recorded request with the head and the body of its response.
type trip struct{ request, head, body string }

const (
	jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Sample-Instance: a/v1\r\n" +
		"Set-Cookie: a=b\r\n\r\n"
	streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
)

// recorded returns a session with one call of these requests.
func recorded(trips ...trip) session.Session {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	x := playground.Exchange{
		ID: "x", Created: at, Target: playground.Target{URL: "http://h/mcp"},
		Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"book"}`),
			Tool: []byte(`{"name":"book","inputSchema":{"type":"object"}}`)},
	}
	add := func(conn int, kind playground.EventKind, data string) {
		x.Log = append(
			x.Log,
			playground.Event{Seq: len(x.Log) + 1, At: at, Conn: conn, Kind: kind, Data: []byte(data)},
		)
	}
	for i, t := range trips {
		add(i+1, playground.Sent,
			"POST /mcp HTTP/1.1\r\nHost: h\r\nAuthorization: ********\r\n\r\n"+t.request)
		if events, stream := strings.CutPrefix(t.head, streamHead); stream {
			add(i+1, playground.Received, streamHead+events)
			for event := range strings.SplitAfterSeq(t.body, "\n\n") {
				if event != "" {
					add(i+1, playground.Message, event)
				}
			}
			continue
		}
		add(i+1, playground.Received, t.head+t.body)
	}
	return session.Session{Title: "t", Exchanges: []playground.Exchange{x}}
}

func call(id, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}`, id, params)
}

func result(id, text string) string {
	return fmt.Sprintf(
		`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[{"type":"text","text":%q}]}}`,
		id,
		text,
	)
}

// booking is a call with a question, as it was recorded.
func booking() session.Session {
	return recorded(
		trip{
			call("1", `{"name":"book","arguments":{"n":2,"day":"fri"},`+
				`"_meta":{"progressToken":"p1","client":"a"}}`),
			jsonHead,
			`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"time":` +
				`{"method":"elicitation/create","params":{"message":"When?"}}},"requestState":"s1"}}`,
		},
		trip{call("2", `{"name":"book","arguments":{"n":2,"day":"fri"},"requestState":"s1",`+
			`"inputResponses":{"time":{"action":"accept","content":{"at":"18:00"}}},`+
			`"_meta":{"progressToken":7}}`),
			streamHead, "event: message\nid: 4\ndata: " +
				"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"," +
				"\"params\":{\"progressToken\":7,\"progress\":1}}\n\n" +
				"data: {\"jsonrpc\":\"2.0\",\n" +
				"data: \"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n"},
	)
}

// client sends requests to a recording.
type client struct {
	t   *testing.T
	url string
}

func serving(t *testing.T, s session.Session, ignored mock.Ignored) client {
	t.Helper()
	server := httptest.NewServer(
		&endpoint.Endpoint{Recording: mock.New(s, ignored), Turns: &endpoint.Counter{}},
	)
	t.Cleanup(server.Close)
	return client{t, server.URL}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (c client) post(body string) answer {
	c.t.Helper()
	r, err := http.Post(c.url, "application/json", strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	defer r.Body.Close()
	var b strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := r.Body.Read(buffer)
		b.Write(buffer[:n])
		if err != nil {
			return answer{r.StatusCode, r.Header, b.String()}
		}
	}
}

// TestEndpoint_ChangesIDsOnly: bodies are the recorded ones, byte for byte, but for the ids.
func TestEndpoint_ChangesIDsOnly(t *testing.T) {
	c := serving(t, booking(), mock.Usual())
	first := c.post(call(`"mine"`, `{"arguments":{"day":"fri","n":2.0},"name":"book"}`))
	want := `{"jsonrpc":"2.0","id":"mine","result":{"resultType":"input_required","inputRequests":{"time":` +
		`{"method":"elicitation/create","params":{"message":"When?"}}},"requestState":"s1"}}`
	if first.body != want || first.status != 200 || first.header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %s", first.status, first.header, first.body)
	}
	if first.header.Get("Mcp-Sample-Instance") != "a/v1" || first.header.Get("Set-Cookie") != "" ||
		first.header.Get("Mcp-Recording-Request") != "1" {
		t.Error(first.header)
	}
	second := c.post(call("9", `{"name":"book","arguments":{"n":2,"day":"fri"},"requestState":"s1",`+
		`"inputResponses":{"time":{"action":"accept","content":{"at":"18:00"}}},`+
		`"_meta":{"progressToken":"mine"}}`))
	want = "event: message\nid: 4\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"," +
		"\"params\":{\"progressToken\":\"mine\",\"progress\":1}}\n\n" +
		"data: {\"jsonrpc\":\"2.0\",\ndata: " +
		"\"id\":9,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n"
	if second.body != want || second.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%v %q\n%q", second.header, second.body, want)
	}
	quiet := c.post(call("9", `{"name":"book","arguments":{"n":2,"day":"fri"},"requestState":"s1",`+
		`"inputResponses":{"time":{"action":"accept","content":{"at":"18:00"}}}}`))
	if strings.Contains(quiet.body, "progress") {
		t.Errorf("progress that nobody asked for: %s", quiet.body)
	}
}

// TestEndpoint_WrongRequests: what was never recorded gets an error that names the nearest
// recorded request and the difference.
func TestEndpoint_WrongRequests(t *testing.T) {
	const answers = `"inputResponses":{"time":{"action":"accept","content":{"at":"18:00"}}}`
	const same = `"name":"book","arguments":{"n":2,"day":"fri"}`
	c := serving(t, booking(), mock.Usual())
	for what, x := range map[string]struct {
		body, says string
		status     int
	}{
		"another method": {`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{}}`,
			"This recording has no prompts/get. It has tools/call, tools/list, server/discover.", 404},
		"an earlier revision": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
			"it was recorded with MCP 2026-07-28, and this client speaks an earlier revision.", 404},
		"another tool": {call("1", `{"name":"cancel","arguments":{"n":2,"day":"fri"}}`),
			`This recording has no tools/call of "cancel", only of book. The nearest is request 1.`, 400},
		"another argument": {call("1", `{"name":"book","arguments":{"n":3,"day":"fri"}}`),
			`The nearest is request 1 (book), but /arguments/n is 3, recorded: 2.`, 400},
		"no argument": {call("1", `{"name":"book","arguments":{"n":2}}`),
			`but /arguments/day is nothing, recorded: "fri".`, 400},
		"one argument more": {call("1", `{"name":"book","arguments":{"n":2,"day":"fri","x":null}}`),
			`but /arguments/x is null, recorded: nothing.`, 400},
		"another state": {call("1", `{`+same+`,"requestState":"s2",`+answers+`}`),
			`The nearest is request 2 (book), but /requestState is "s2", recorded: "s1".`, 400},
		"no state": {call("1", `{`+same+`,`+answers+`}`),
			`The nearest is request 2 (book), but /requestState is nothing, recorded: "s1".`, 400},
		"another answer": {call("1",
			`{`+same+`,"requestState":"s1","inputResponses":{"time":{"action":"decline"}}}`),
			`but /inputResponses/time/action is "decline", recorded: "accept"`, 400},
		"another key": {call("1",
			`{`+same+`,"requestState":"s1","inputResponses":{"hour":{"action":"accept",`+
				`"content":{"at":"18:00"}}}}`),
			`but /inputResponses/hour is {"action":"accept","content":{"at":"18:00"}}, recorded: nothing`,
			400},
		"no answers": {call("1", `{`+same+`,"requestState":"s1"}`),
			`but /requestState is "s1", recorded: nothing.`, 400},
		"a cursor": {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}`,
			`/cursor is "2", recorded: nothing.`, 400},
		"no JSON":   {`{`, "The body cannot be read as JSON", 400},
		"a batch":   {`[]`, "The body is no message of JSON-RPC.", 400},
		"no method": {`{"jsonrpc":"2.0","id":1}`, "The message has no method.", 400},
		"a stray response": {`{"jsonrpc":"2.0","id":1,"result":{}}`,
			"Nothing waits for an answer with the id 1.", 400},
	} {
		got := c.post(x.body)
		var message struct {
			ID    json.RawMessage
			Error struct {
				Code    int
				Message string
			}
		}
		err := json.Unmarshal([]byte(got.body), &message)
		if err != nil || got.status != x.status || !strings.Contains(message.Error.Message, x.says) ||
			got.header.Get("Mcp-Recording-Error") == "" {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
	}
}

// TestEndpoint_Ignores: what is ignored can be chosen.
func TestEndpoint_Ignores(t *testing.T) {
	for ignored, x := range map[string]struct{ body, says string }{
		"meta,arguments": {call("1", `{"name":"book","arguments":{"other":true}}`), "When?"},
		"meta,answers": {call("1", `{"name":"book","arguments":{"n":2,"day":"fri"},"requestState":"s1",`+
			`"inputResponses":{"time":{"action":"decline"}}}`), `"content":[]`},
		"meta,state": {call("1", `{"name":"book","arguments":{"n":2,"day":"fri"},`+
			`"inputResponses":{"time":{"action":"accept","content":{"at":"18:00"}}}}`), `"content":[]`},
		"": {call("1", `{"name":"book","arguments":{"n":2,"day":"fri"}}`), "/_meta is nothing"},
	} {
		parts, err := mock.ParseIgnored(ignored)
		if err != nil {
			t.Fatal(err)
		}
		if got := serving(t, booking(), parts).post(x.body); !strings.Contains(got.body, x.says) {
			t.Errorf("%q: %s", ignored, got.body)
		}
	}
	if _, err := mock.ParseIgnored("meta,headers"); err == nil {
		t.Error("headers are no part of a request")
	}
}

// TestEndpoint_InOrder: requests that mean the same are answered in their order, and from the
// first again; a poll stays at its last answer until its call begins anew.
func TestEndpoint_InOrder(t *testing.T) {
	roll, poll := call(
		"1",
		`{"name":"book"}`,
	), `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t"}}`
	two := recorded(trip{roll, jsonHead, result("1", "three")})
	two.Exchanges = append(two.Exchanges, recorded(trip{roll, jsonHead, result("1", "five")}).Exchanges...)
	c := serving(t, two, mock.Usual())
	for i, want := range []string{"three", "five", "three", "five"} {
		if got := c.post(roll); !strings.Contains(got.body, want) {
			t.Errorf("call %d: %s", i+1, got.body)
		}
	}
	c = serving(
		t,
		recorded(
			trip{roll, jsonHead, result("1", "a task")},
			trip{poll, jsonHead, result("1", "working")},
			trip{
				poll,
				jsonHead,
				result("1", "still working"),
			},
			trip{poll, jsonHead, result("1", "done")},
		),
		mock.Usual(),
	)
	for range 2 {
		c.post(roll)
		for i, want := range []string{"\"working", "still working", "done", "done"} {
			if got := c.post(poll); !strings.Contains(got.body, want) {
				t.Errorf("poll %d: %s", i+1, got.body)
			}
		}
	}
}

// TestEndpoint_Crafted: an import is a stranger's. Nothing of it is markup in an answer, and no
// field of a head but those of MCP.
func TestEndpoint_Crafted(t *testing.T) {
	const script = `<script>alert(1)</script>`
	for what, head := range map[string]string{
		"a page":           "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
		"a picture":        "HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\n\r\n",
		"two types":        "HTTP/1.1 200 OK\r\nContent-Type: application/json, text/html\r\n\r\n",
		"no type":          "HTTP/1.1 200 OK\r\n\r\n",
		"type and charset": "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-7\r\n\r\n",
		"a redirect": "HTTP/1.1 302 Found\r\nLocation: https://example.com\r\nRefresh: " +
			"0\r\nSet-Cookie: a=b\r\n" +
			"Content-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\nMcp-X: a\r\n\r\n",
		"compressed": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n",
	} {
		got := serving(t, recorded(trip{call("1", `{"name":"book"}`), head, script}), mock.Usual()).
			post(call("1", `{"name":"book"}`))
		for name := range got.header {
			switch {
			case strings.HasPrefix(name, "Mcp-"):
			case strings.Contains("Content-Type Content-Length Date Cache-Control X-Content-Type-Options",
				name):
			default:
				t.Errorf("%s: field %s", what, name)
			}
		}
		kind := got.header.Get("Content-Type")
		if kind != "application/json" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", what, got.header)
		}
		served := what == "type and charset" || what == "compressed" // as the type says, and not sniffed
		if strings.Contains(got.body, script) != served {
			t.Errorf("%s: %s", what, got.body)
		}
	}
}

// TestEndpoint_Masked: what was masked stays masked, the answer says so, and a masked value of a
// request matches any of its length.
func TestEndpoint_Masked(t *testing.T) {
	c := serving(t, recorded(trip{call("1", `{"name":"book","arguments":{"key":"a************b"}}`), jsonHead,
		result("1", "your key is a************b")}), mock.Usual())
	got := c.post(call("1", `{"name":"book","arguments":{"key":"a0123456789ABb"}}`))
	if !strings.Contains(got.body, "a************b") || got.header.Get("Mcp-Recording-Masked") != "true" {
		t.Errorf("%v %s", got.header, got.body)
	}
	for _, other := range []string{"x0123456789ABb", "a0123456789A"} {
		if got := c.post(call("1", `{"name":"book","arguments":{"key":"`+other+`"}}`)); got.status != 400 {
			t.Errorf("%s: %s", other, got.body)
		}
	}
}

// TestEndpoint_ManyRequests holds fault 147: ten thousand requests that were never recorded leave
// nothing behind, and the next one is answered.
func TestEndpoint_ManyRequests(t *testing.T) {
	e := &endpoint.Endpoint{Recording: mock.New(booking(), mock.Usual()), Turns: &endpoint.Counter{}}
	send := func(body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
		return w
	}
	for i := range 10_000 {
		body := call(fmt.Sprint(i), fmt.Sprintf(`{"name":"book","arguments":{"n":%d}}`, i+3))
		if w := send(body); w.Code != 400 || w.Body.Len() > 2000 {
			t.Fatal(w.Code, w.Body)
		}
	}
	long := strings.Repeat("a", endpoint.MaxBody-200)
	if w := send(call("1", `{"name":"`+long+`"}`)); w.Code != 400 || w.Body.Len() > 4000 {
		t.Error(w.Code, w.Body.Len())
	}
	if w := send(call("1", `{"name":"`+long+long+`"}`)); w.Code != http.StatusRequestEntityTooLarge {
		t.Error(w.Code)
	}
	if w := send(call("1", `{"name":"book","arguments":{"n":2,"day":"fri"}}`)); w.Code != 200 {
		t.Error(w.Code, w.Body)
	}
}

// TestEndpoint_Repeated: polls that came again are counted where they came.
func TestEndpoint_Repeated(t *testing.T) {
	poll := `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t"}}`
	n := recorded(trip{call("1", `{"name":"book"}`), jsonHead, result("1", "a task")},
		trip{poll, jsonHead, result("1", "working")}, trip{poll, jsonHead, result("1", "asks")})
	x := &n.Exchanges[0]
	x.Log = append(x.Log, playground.Repetition{Of: 4, Count: 2}.Event(x.Created, 4))
	x.Log[len(x.Log)-1].Seq = len(x.Log)
	c := serving(t, n, mock.Usual())
	for i, want := range []string{"working", "asks", "working", "working", "working"} {
		if got := c.post(poll); !strings.Contains(got.body, want) {
			t.Errorf("poll %d: %s", i+1, got.body)
		}
	}
	if rows := mock.New(n, mock.Usual()).Rows(); len(rows) != 2 || rows[1].Answers != 4 {
		t.Errorf("%+v", rows)
	}
}

// TestEndpoint_NoAnswer: a request that got no response, or one that cannot be read, gets none, and
// an endpoint without a free place says so.
func TestEndpoint_NoAnswer(t *testing.T) {
	roll := call("1", `{"name":"book"}`)
	n := recorded(trip{roll, jsonHead, result("1", "x")})
	pending, broken := n, recorded(trip{roll, "HTTP/1.1 abc\r\nContent-Type: application/json\r\n\r\n", "{}"})
	pending.Exchanges[0].Log = pending.Exchanges[0].Log[:1]
	c := serving(t, pending, mock.Usual())
	if r, err := http.Post(c.url, "application/json", strings.NewReader(roll)); err == nil {
		t.Errorf("pending: status %d", r.StatusCode)
	}
	if got := serving(t, broken, mock.Usual()).post(roll); got.header.Get("Mcp-Recording-Error") == "" {
		t.Errorf("broken: %d %s", got.status, got.body)
	}
	open := recorded(trip{roll, streamHead, "data: {}\n\n"})
	e := &endpoint.Endpoint{Recording: mock.New(open, mock.Usual()), Turns: &endpoint.Counter{},
		Hold: func(context.Context) (func(), error) { return nil, http.ErrServerClosed }}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(roll)))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Mcp-Recording-Error") == "" ||
		w.Header().Get("Mcp-Recording-Request") != "" {
		t.Error(w.Code, w.Header())
	}
}

// TestEndpoint_ManyMembers: a masked request with many members is compared in linear time; the test
// would not end otherwise.
func TestEndpoint_ManyMembers(t *testing.T) {
	var was, is []string
	for i := range 60_000 {
		was = append(was, fmt.Sprintf(`"k%d":0`, i))
		is = append(is, fmt.Sprintf(`"k%d":0`, 59_999-i))
	}
	params := func(list []string, z string) string {
		return `{"name":"book","arguments":{` + strings.Join(list, ",") + `,"z":"` + z + `"}}`
	}
	masked := call("1", params(was, "********"))
	c := serving(t, recorded(trip{masked, jsonHead, result("1", "x")}), mock.Usual())
	if got := c.post(call("1", params(is, "aaaaaaaa"))); got.status != 200 {
		t.Error(got.status, got.body[:min(300, len(got.body))])
	}
}
