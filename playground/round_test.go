package playground_test

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestTook: a request is stored first, and that time is not the server's.
func TestTook(t *testing.T) {
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	const stored = 10 * time.Millisecond
	sent := playground.Event{At: start, Conn: 1, Kind: playground.Sent,
		Data: []byte("POST / HTTP/1.1\r\n\r\n{\"id\":1,\"method\":\"tools/call\"}")}
	answer := playground.Event{
		At: start.Add(stored + 2*time.Millisecond), Conn: 1, Kind: playground.Received,
		Timing: &wire.Timing{Total: 2 * time.Millisecond},
		Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"),
	}
	decided := playground.Decision{Action: playground.ActionStart, Round: 1}.Event(start)
	took := func(log ...playground.Event) time.Duration { return playground.Fold(log).Last().Took() }
	if got := took(decided, sent, answer); got != 2*time.Millisecond {
		t.Errorf("with its timing the round took %v", got)
	}
	answer.Timing = nil
	if got := took(decided, sent, answer); got != stored+2*time.Millisecond {
		t.Errorf("without it, %v", got)
	}
	if got := took(decided, sent); got != 0 {
		t.Errorf("pending, %v", got)
	}
}
