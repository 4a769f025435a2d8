package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestFoldConnection_Era: the table of basic/versioning. No handshake follows a response
// that shows no era; tools/list follows one that says only that server/discover is unknown.
func TestFoldConnection_Era(t *testing.T) {
	rpc := func(code int, data string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"m"%s}}`, code, data)
	}
	discovered := func(versions string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":` + versions +
			`,"capabilities":{"tools":{}}}}`
	}
	tests := []struct {
		name, contentType, body string
		http                    int
		era                     playground.Era
		status                  string
		class                   playground.Class
	}{
		{"modern", "application/json", discovered(`["2026-07-28"]`), 200, playground.Modern, Connecting, ""},
		{"both", "application/json", discovered(`["2026-07-28","2025-11-25"]`), 200, playground.Modern,
			Connecting, ""},
		{"lists older versions alone", "application/json", discovered(`["2025-11-25","2025-06-18"]`), 200,
			playground.Legacy, Connecting, ""},
		{"lists unknown versions", "application/json", discovered(`["2099-01-01"]`), 200, playground.Modern,
			ConnectFailed, playground.ProtocolVersion},
		{"lists nothing", "application/json", discovered(`[]`), 200, playground.Legacy, Connecting, ""},
		{"-32022 with ours", "application/json", rpc(-32022, `,"data":{"supported":["2026-07-28"]}`), 400,
			playground.Modern, Connecting, ""},
		{"-32022 with older ones", "application/json", rpc(-32022, `,"data":{"supported":["2025-11-25"]}`),
			400, playground.Legacy, Connecting, ""},
		{"-32022 without data", "application/json", rpc(-32022, ""), 400, playground.Modern, ConnectFailed,
			playground.ProtocolVersion},
		{"-32020", "application/json", rpc(-32020, ""), 400, playground.Modern, ConnectFailed,
			playground.HeaderMismatch},
		{"-32021", "application/json", rpc(-32021, ""), 400, playground.Modern, ConnectFailed,
			playground.Capability},
		{"404 with -32601", "application/json", rpc(-32601, ""), 404, "", Connecting, ""},
		{"200 with -32601", "application/json", rpc(-32601, ""), 200, "", Connecting, ""},
		{"200 with another error", "application/json", rpc(-32603, ""), 200,
			playground.Legacy, Connecting, ""},
		{"200 with an empty result", "application/json", `{"jsonrpc":"2.0","id":1,"result":{}}`, 200,
			playground.Legacy, Connecting, ""},
		{"400 for want of a session", "application/json", rpc(-32000, ""), 400, playground.Legacy,
			Connecting, ""},
		{"400 in words", "text/plain", "no session", 400, playground.Legacy, Connecting, ""},
		{"404 in words", "text/plain", "no", 404, playground.Legacy, Connecting, ""},
		{"405", "text/plain", "no", 405, playground.Legacy, Connecting, ""},
		{"401", "text/plain", "no", 401, "", ConnectFailed, playground.HTTP401},
		{"403", "text/plain", "no", 403, "", ConnectFailed, playground.HTTP403},
		{"429", "text/plain", "no", 429, "", ConnectFailed, playground.HTTP429},
		{"500", "text/plain", "no", 500, playground.Legacy, Connecting, ""},
		{"503 with an error", "application/json", rpc(-32000, ""), 503, playground.Legacy, Connecting, ""},
		{"407", "text/plain", "no", 407, "", ConnectFailed, playground.HTTP4xx},
		{"407 with an error", "application/json", rpc(-32000, ""), 407, "", ConnectFailed,
			playground.RPCFailed},
		{"too deep", "application/json", strings.Repeat("[", 99) + strings.Repeat("]", 99), 200, "",
			ConnectFailed, playground.TooDeep},
		{"401 of OAuth", "application/json", `{"error":"invalid_token"}`, 401, "", ConnectFailed,
			playground.HTTP401},
		{"400 with another id", "application/json", `{"jsonrpc":"2.0","id":"server-error",` +
			`"error":{"code":-32600,"message":"Missing session ` +
			`ID"}}`, 400, playground.Legacy, Connecting, ""},
		{"redirect", "text/html", "", 307, "", ConnectFailed, playground.Redirect},
		{"login page", "text/html", "<html>", 200, playground.Legacy, Connecting, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var log connecting
			log.request(t)
			log.receive(test.http, test.contentType, test.body)
			c := FoldConnection(log)
			if c.Era != test.era || c.Status != test.status || c.Class != test.class {
				t.Errorf("got %q %s %s (%s)", c.Era, c.Status, c.Class, c.Detail)
			}
			req, asks := NextConnect(target, c, playground.Client{})
			if asks != (test.era != playground.Legacy && test.status == Connecting) ||
				asks && test.era == "" && req.Method != playground.ToolsList {
				t.Errorf("another request follows: %t, %s", asks, req.Method)
			}
		})
	}
}

var target = playground.Target{Name: "the server", URL: "http://127.0.0.1:9/mcp"}

// connecting is the log of connecting to target.
type connecting []playground.Event

// request adds the next request.
func (l *connecting) request(t *testing.T) {
	t.Helper()
	if len(*l) == 0 {
		*l = append(*l, playground.Decision{Action: playground.ActionStart}.Event(time.Time{}))
	}
	req, ok := NextConnect(target, FoldConnection(*l), playground.Client{Name: "t", Version: "1"})
	if !ok {
		t.Fatal("no request follows")
	}
	l.send(t, req)
}

// initialize adds a handshake of an earlier revision.
func (l *connecting) initialize(t *testing.T) {
	t.Helper()
	l.send(t, wire.Request{URL: target.URL, Method: playground.Initialize, ID: []byte("1"),
		Params: []byte("{}")})
}

func (l *connecting) send(t *testing.T, req wire.Request) {
	t.Helper()
	frame, err := wire.Encode(req)
	if err != nil {
		t.Fatal(err)
	}
	conn := len(*l)
	*l = append(*l, playground.Event{Conn: conn, Kind: playground.Sent, At: time.Unix(1, 0),
		Data: slices.Concat(frame.Head, frame.Body)})
}

// receive adds the response to the newest request.
func (l *connecting) receive(status int, contentType, body string) {
	head := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\n\r\n", status, contentType)
	conn := (*l)[len(*l)-1].Conn
	*l = append(*l, playground.Event{Conn: conn, Kind: playground.Received, Data: []byte(head + body)})
}

// TestFoldConnection_WithoutDiscover: a server without server/discover is modern if its
// tools/list is, and else the handshake follows.
func TestFoldConnection_WithoutDiscover(t *testing.T) {
	const unknown = `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`
	for name, test := range map[string]struct {
		body   string
		http   int
		era    playground.Era
		status string
	}{
		"modern": {
			`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"a"}]}}`, 200,
			playground.Modern, Connected,
		},
		"a modern error": {`{"jsonrpc":"2.0","id":2,"error":{"code":-32021,"message":"m"}}`, 400,
			playground.Modern, ConnectFailed},
		"a result of a legacy one": {`{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`, 200,
			playground.Legacy, Connecting},
		"another unknown method": {strings.Replace(unknown, "1", "2", 1), 404, playground.Legacy, Connecting},
		"no session":             {"no session", 400, playground.Legacy, Connecting},
		"no token":               {"no token", 401, "", ConnectFailed},
	} {
		for _, status := range []int{200, 404} {
			var log connecting
			log.request(t)
			log.receive(status, "application/json", unknown)
			log.request(t)
			log.receive(test.http, "application/json", test.body)
			c := FoldConnection(log)
			if c.Era != test.era || c.Status != test.status || len(c.Tools) != 1 && c.Status == Connected {
				t.Errorf("%s: %s %q %s (%s)", name, c.Status, c.Era, c.Class, c.Detail)
			}
		}
	}
}

// TestFoldConnection_ReportsTheFirstAnswer: of a server that refuses both eras, unless the
// second answer has advice for the user.
func TestFoldConnection_ReportsTheFirstAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		first, second int
		body          string // of the second
		class         playground.Class
		words         string
	}{
		"a broken server":     {500, 500, "no", playground.HTTP5xx, "in the same way"},
		"another error":       {406, 500, "no", playground.HTTP4xx, "failed, too: "},
		"a token is required": {400, 401, "no", playground.HTTP401, ""},
		"a modern server": {422, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unheard"}}`,
			playground.HTTP4xx, "unheard"},
	} {
		var log connecting
		log.request(t)
		log.receive(test.first, "application/json", "no")
		log.initialize(t)
		log.receive(test.second, "application/json", test.body)
		c := FoldConnection(log)
		if c.Era != "" || c.Status != ConnectFailed || c.Class != test.class ||
			!strings.Contains(c.Detail, test.words) {
			t.Errorf("%s: %s %q %s (%s)", name, c.Status, c.Era, c.Class, c.Detail)
		}
	}
}
