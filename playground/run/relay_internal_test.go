package run

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// TestUnanswered_IsTrueAfterEachEvent: what an actor keeps of a log says the same of what
// is open as the whole log, and has the numbers that come next.
func TestUnanswered_IsTrueAfterEachEvent(t *testing.T) {
	const (
		stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
		whole  = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}"
		asks   = "POST /mcp HTTP/1.1\r\n\r\n" + relayedID
	)
	log := []playground.Event{
		{Conn: 1, Kind: playground.Sent, Data: []byte(asks)},
		{Conn: 1, Kind: playground.Received, Data: []byte(stream)},
		{Conn: 2, Kind: playground.Sent, Data: []byte(asks)},
		{Conn: 2, Kind: playground.Received, Data: []byte(whole)},
		{Conn: 1, Kind: playground.Message, Data: []byte(": a comment\n\n")},
		{Conn: 1, Kind: playground.Message, Data: []byte(": a comment\n\n")},
		{Conn: 1, Kind: playground.Cancelled},
		{Conn: 3, Kind: playground.Sent, Data: []byte(asks)},
		{Conn: 3, Kind: playground.Failed},
	}
	var kept []playground.Event
	for i := range log {
		log[i].Seq = i + 1
		kept = unanswered(append(kept, log[i]))
		open, want := playground.Unanswered(kept), playground.Unanswered(log[:i+1])
		if !slices.Equal(open, want) {
			t.Errorf("after event %d: %v is open, not %v", i+1, open, want)
		}
		if conn, want := newestConn(kept), newestConn(log[:i+1]); conn != want {
			t.Errorf("after event %d: connection %d, not %d", i+1, conn, want)
		}
		if endOf(kept) != i+1 {
			t.Errorf("after event %d: the log ends at %d", i+1, endOf(kept))
		}
	}
}

func newestConn(log []playground.Event) int {
	newest := 0
	for _, e := range log {
		newest = max(newest, e.Conn)
	}
	return newest
}

const relayedID = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`
