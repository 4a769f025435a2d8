package picture

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// TestForeign_NamesTheClient: in the picture of a Round and in the whole one, with the
// colors of a user and of a client.
func TestForeign_NamesTheClient(t *testing.T) {
	const request = "POST /mcp HTTP/1.1\r\n\r\n" +
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",` +
		`"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"agent","version":"7"}}}}`
	at := time.Unix(1, 0)
	start := playground.Decision{Action: playground.ActionStart, Round: 1, By: playground.ByClient}
	x := playground.Exchange{
		Target: playground.Target{Name: "server"}, Call: playground.Call{Method: playground.ToolsCall},
		Log: []playground.Event{start.Event(at), {Seq: 2, At: at, Conn: 1, Kind: playground.Sent,
			Data: []byte(request)}},
	}
	f := x.Fold()
	for name, lanes := range map[string][]Lane{
		"round": newParticipants(x, f, Options{}).lanes, "whole": Stage(x, f, StageOptions{}).Lanes,
	} {
		if lanes[you].Name != "User" || lanes[you].class() != "pic-name" || lanes[client].Note != "agent 7" ||
			lanes[client].class() != "pic-name pic-client" {
			t.Errorf("%s: %+v", name, lanes)
		}
	}
}
