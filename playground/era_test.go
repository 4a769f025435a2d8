package playground

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestTheEraFollowsFromTheFirstAnswer: the table of basic/versioning. What says
// neither is a failure, and no handshake follows it.
func TestTheEraFollowsFromTheFirstAnswer(t *testing.T) {
	rpc := func(code int, data string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"m"%s}}`, code, data)
	}
	discovered := func(versions string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":` + versions + `,"capabilities":{"tools":{}}}}`
	}
	tests := []struct {
		name, contentType, body string
		http                    int
		era                     Era
		status                  string
		class                   Class
	}{
		{"modern", "application/json", discovered(`["2026-07-28"]`), 200, Modern, Connecting, ""},
		{"both", "application/json", discovered(`["2026-07-28","2025-11-25"]`), 200, Modern, Connecting, ""},
		{"lists older versions alone", "application/json", discovered(`["2025-11-25","2025-06-18"]`), 200, Legacy, Connecting, ""},
		{"lists unknown versions", "application/json", discovered(`["1999-01-01"]`), 200, "", ConnectFailed, ProtocolVersion},
		{"lists nothing", "application/json", discovered(`[]`), 200, "", ConnectFailed, ProtocolVersion},
		{"-32022 with ours", "application/json", rpc(-32022, `,"data":{"supported":["2026-07-28"]}`), 400, Modern, Connecting, ""},
		{"-32022 with older ones", "application/json", rpc(-32022, `,"data":{"supported":["2025-11-25"]}`), 400, Legacy, Connecting, ""},
		{"-32022 without data", "application/json", rpc(-32022, ""), 400, Modern, ConnectFailed, ProtocolVersion},
		{"-32020", "application/json", rpc(-32020, ""), 400, Modern, ConnectFailed, HeaderMismatch},
		{"-32021", "application/json", rpc(-32021, ""), 400, Modern, ConnectFailed, Capability},
		{"404 with -32601", "application/json", rpc(-32601, ""), 404, Modern, ConnectFailed, RPCFailed},
		{"200 with -32601", "application/json", rpc(-32601, ""), 200, Legacy, Connecting, ""},
		{"200 with another error", "application/json", rpc(-32603, ""), 200, "", ConnectFailed, RPCFailed},
		{"400 for want of a session", "application/json", rpc(-32000, ""), 400, Legacy, Connecting, ""},
		{"400 in words", "text/plain", "no session", 400, Legacy, Connecting, ""},
		{"404 in words", "text/plain", "no", 404, Legacy, Connecting, ""},
		{"405", "text/plain", "no", 405, Legacy, Connecting, ""},
		{"401", "text/plain", "no", 401, "", ConnectFailed, HTTP401},
		{"403", "text/plain", "no", 403, "", ConnectFailed, HTTP403},
		{"429", "text/plain", "no", 429, "", ConnectFailed, HTTP429},
		{"500", "text/plain", "no", 500, "", ConnectFailed, HTTP5xx},
		{"503 with an error", "application/json", rpc(-32000, ""), 503, "", ConnectFailed, RPCFailed},
		{"redirect", "text/html", "", 307, "", ConnectFailed, Redirect},
		{"login page", "text/html", "<html>", 200, "", ConnectFailed, ContentType},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			target := Target{Name: "the server", URL: "http://127.0.0.1:9/mcp"}
			log := []Event{Decision{Action: Start}.Event(time.Time{})}
			req, _ := NextConnect(target, FoldConnection(log), Client{Name: "t", Version: "1"})
			frame, err := wire.Encode(req)
			if err != nil {
				t.Fatal(err)
			}
			head := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\n\r\n", test.http, test.contentType)
			log = append(log, Event{Conn: 1, Kind: Sent, Data: slices.Concat(frame.Head, frame.Body)},
				Event{Conn: 1, Kind: Received, Data: []byte(head + test.body)})
			c := FoldConnection(log)
			if c.Era != test.era || c.Status != test.status || c.Class != test.class {
				t.Errorf("got %q %s %s (%s)", c.Era, c.Status, c.Class, c.Detail)
			}
			if _, asks := NextConnect(target, c, Client{}); asks != (test.era == Modern && test.status == Connecting) {
				t.Errorf("another request follows: %t", asks)
			}
		})
	}
}
