package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestConnect_EndedByAnEarlierVersion: a log that an earlier version ended, where this one
// would go on, is shown as failed, and not as if something still connected.
func TestConnect_EndedByAnEarlierVersion(t *testing.T) {
	s := sitetest.New(t, app.Local)
	const body = `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`
	log := []playground.Event{
		{Seq: 1, At: s.Config.App.Now(), Conn: 1, Kind: playground.Sent, Data: fmt.Appendf(nil,
			"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:9\r\nContent-Length: %d\r\n\r\n%s", len(body), body)},
		{Seq: 2, At: s.Config.App.Now(), Conn: 1, Kind: playground.Received,
			Data: []byte("HTTP/1.1 406 Not Acceptable\r\nContent-Length: 0\r\n\r\n")},
	}
	if c := server.FoldConnection(log); c.Status != server.Connecting {
		t.Fatalf("the log is %s and shows nothing", c.Status)
	}
	for status, connecting := range map[string]bool{"failed": false, "connecting": true} {
		id := "server-" + status
		sitetest.Check(t, s.Store.AddTarget(t.Context(), "local", playground.Target{
			ID: id, Name: "h", URL: "http://127.0.0.1:9/mcp", Capabilities: []byte(`{}`),
		}, s.Config.App.Now()))
		sitetest.Check(t, s.Store.Append(t.Context(), id, playground.Summary{Status: status}, log...))
		page := s.Page("/servers/" + id).Body
		const words = "An earlier version of this program stopped connecting here."
		if strings.Contains(page, words) == connecting {
			t.Errorf("%s: %s", status, page)
		}
	}
}
