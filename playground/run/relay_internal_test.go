package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestUnanswered_IsTrueAfterEachEvent: the events that an actor keeps of a log have
// the same open connections as the whole log, and lead to the same next numbers.
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
		kept = Tail(append(kept, log[i]))
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

// TestGuard_IsBounded: the remembered credentials are bounded, in their number
// and their size, and the search for them is made again only if they change.
func TestGuard_IsBounded(t *testing.T) {
	field := func(i, size int) wire.Field {
		return wire.Field{Name: "Authorization", Value: strings.Repeat("a", size) + string(rune('A'+i))}
	}
	for size, want := range map[int]int{8: mostCredentials + 1, 4 << 10: 4, mostCredentialBytes: 1} {
		a := &actor{}
		for i := range 2 * mostCredentials {
			a.guard(Relay{Credentials: []wire.Field{field(i, size)}})
		}
		if len(a.credentials) != want || a.credentials[want-1] != field(2*mostCredentials-1, size) {
			t.Errorf("of %d bytes, %d are remembered, want %d", size, len(a.credentials), want)
		}
		before := a.secrets
		a.guard(Relay{Credentials: []wire.Field{a.credentials[want-1]}})
		a.guardResponse([]byte("HTTP/1.1 200 OK\r\n\r\n"))
		if a.secrets != before {
			t.Error("the search for the same credentials is made twice")
		}
	}
}
