package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// TestConnectChallenge_IsOfWhatFailed: the response that refused is not the last one if the
// session with a legacy server was ended after it.
func TestConnectChallenge_IsOfWhatFailed(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_800_000_000, 0)
	d := playground.Decision{Action: playground.ActionStart, Era: playground.Legacy}
	log := []playground.Event{d.Event(at)}
	for _, trip := range [][2]string{
		{`POST {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
			`200 OK|{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",` +
				`"capabilities":{"tools":{}}}}`},
		{`POST {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`,
			"401 Unauthorized\r\nWWW-Authenticate: Bearer scope=\"tools\"|no"},
		{"DELETE ", "200 OK|"},
	} {
		method, sent, _ := strings.Cut(trip[0], " ")
		status, body, _ := strings.Cut(trip[1], "|")
		conn := len(log)
		log = append(log,
			playground.Event{At: at, Conn: conn, Kind: playground.Sent,
				Data: fmt.Appendf(nil, "%s /mcp HTTP/1.1\r\n\r\n%s", method, sent)},
			playground.Event{At: at, Conn: conn, Kind: playground.Received, Data: fmt.Appendf(nil,
				"HTTP/1.1 %s\r\nContent-Type: application/json\r\n\r\n%s", status, body)})
	}
	for i := range log {
		log[i].Seq = i + 1
	}
	c := server.FoldConnection(log)
	if c.Status != server.ConnectFailed || len(c.Trips) != 3 {
		t.Fatalf("%s, %d requests", c.Status, len(c.Trips))
	}
	challenge, refused := ConnectChallenge(c)
	if !refused || !slices.Equal(challenge.Scopes, []string{"tools"}) {
		t.Errorf("%v, %+v", refused, challenge)
	}
}
