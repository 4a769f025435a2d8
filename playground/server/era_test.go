package server

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestFoldConnection_Era: the table of basic/versioning. What says
// neither is a failure, and no handshake follows it.
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
		{"lists unknown versions", "application/json", discovered(`["1999-01-01"]`), 200, "", ConnectFailed,
			playground.ProtocolVersion},
		{"lists nothing", "application/json", discovered(`[]`), 200, "", ConnectFailed,
			playground.ProtocolVersion},
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
		{"404 with -32601", "application/json", rpc(-32601, ""), 404, playground.Modern, ConnectFailed,
			playground.RPCFailed},
		{"200 with -32601", "application/json", rpc(-32601, ""), 200, playground.Legacy, Connecting, ""},
		{"200 with another error", "application/json", rpc(-32603, ""), 200, "", ConnectFailed,
			playground.RPCFailed},
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
		{"500", "text/plain", "no", 500, "", ConnectFailed, playground.HTTP5xx},
		{"503 with an error", "application/json", rpc(-32000, ""), 503, "", ConnectFailed,
			playground.HTTP5xx},
		{"401 of OAuth", "application/json", `{"error":"invalid_token"}`, 401, "", ConnectFailed,
			playground.HTTP401},
		{"400 with another id", "application/json", `{"jsonrpc":"2.0","id":"server-error",` +
			`"error":{"code":-32600,"message":"Missing session ` +
			`ID"}}`, 400, playground.Legacy, Connecting, ""},
		{"redirect", "text/html", "", 307, "", ConnectFailed, playground.Redirect},
		{"login page", "text/html", "<html>", 200, "", ConnectFailed, playground.ContentType},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			target := playground.Target{Name: "the server", URL: "http://127.0.0.1:9/mcp"}
			log := []playground.Event{playground.Decision{Action: playground.ActionStart}.Event(time.Time{})}
			req, _ := NextConnect(target, FoldConnection(log), playground.Client{Name: "t", Version: "1"})
			frame, err := wire.Encode(req)
			if err != nil {
				t.Fatal(err)
			}
			head := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\n\r\n", test.http, test.contentType)
			log = append(log, playground.Event{Conn: 1, Kind: playground.Sent,
				Data: slices.Concat(frame.Head, frame.Body)},
				playground.Event{Conn: 1, Kind: playground.Received, Data: []byte(head + test.body)})
			c := FoldConnection(log)
			if c.Era != test.era || c.Status != test.status || c.Class != test.class {
				t.Errorf("got %q %s %s (%s)", c.Era, c.Status, c.Class, c.Detail)
			}
			if _, asks := NextConnect(target, c,
				playground.Client{}); asks != (test.era == playground.Modern && test.status == Connecting) {
				t.Errorf("another request follows: %t", asks)
			}
		})
	}
}
