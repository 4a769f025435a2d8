package wire

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp" // a server that others wrote checks the requests; test only
)

// A server of the official SDK accepts the frames, in both forms of response
// and with unusual names of tools, and rejects overridden fields.
func TestOfficialServerUnderstands(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object"}`)
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: schema},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{
				InputRequests: mcp.InputRequestMap{
					"k": &mcp.ElicitParams{Message: "why?", RequestedSchema: schema},
				},
				RequestState: "opaque",
			}, nil
		})
	for form, options := range map[string]*mcp.StreamableHTTPOptions{
		"stream": {Stateless: true}, "json": {Stateless: true, JSONResponse: true},
	} {
		l := NewListener("sdk")
		s := &http.Server{
			Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options),
		}
		go s.Serve(l)
		t.Cleanup(func() { s.Close() })
		c := New(Config{InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
			conn, _ := l.Dial(ctx)
			return conn, true
		}})
		params := json.RawMessage(`{"name":"ask","arguments":{},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}`)
		r := Request{
			URL: "http://sample/mcp", Method: "tools/call", ID: json.RawMessage("7"), Params: params,
		}
		if status, answer := exchange(t, c, r); status != 200 ||
			!strings.Contains(answer, `"requestState":"opaque"`) || !strings.Contains(answer, `"id":7`) {
			t.Errorf("%s: %d %s", form, status, answer)
		}
		r.Header = []Field{{"Mcp-Name", "another"}}
		if status, answer := exchange(t, c, r); status != 400 || !strings.Contains(answer, "-32020") {
			t.Errorf("%s, wrong Mcp-Name: %d %s", form, status, answer)
		}
		r.Header, r.Drop = nil, []string{"mcp-method"}
		if status, answer := exchange(t, c, r); status != 400 || !strings.Contains(answer, "-32020") {
			t.Errorf("%s, without Mcp-Method: %d %s", form, status, answer)
		}
	}
}

// exchange returns the status and the JSON of the only message.
func exchange(t *testing.T, c *Client, r Request) (int, string) {
	t.Helper()
	var parts []Part
	c.Send(t.Context(), r.URL, mustEncode(t, r), func(p Part) error {
		parts = append(parts, p)
		return nil
	})
	frame := Split(parts[0].Bytes)
	h, err := ParseHead(frame.Head)
	if err != nil || len(parts) > 2 || parts[len(parts)-1].Kind == Failed {
		t.Fatalf("%v: %s", err, show(parts))
	}
	if !h.IsStream() {
		return h.Status, string(frame.Body)
	}
	data, _, _ := EventData(parts[1].Bytes)
	return h.Status, string(data)
}
