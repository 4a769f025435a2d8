package share

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// A comparison is made once, and again when one of its exchanges, or one that
// they go on from, has changed.
func TestCompared_MadeOnce(t *testing.T) {
	recording := func(id, answer string) playground.Exchange {
		at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
		decided := playground.Decision{Action: playground.ActionStart, Round: 1}.Event(at)
		decided.Seq = 1
		return playground.Exchange{ID: id, Session: "s", Created: at, Log: []playground.Event{
			decided,
			{Seq: 2, At: at, Conn: 1, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n{}")},
			{Seq: 3, At: at, Conn: 1, Kind: playground.Received,
				Data: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nX: %s\r\n\r\n{}", answer)},
		}}
	}
	parent := recording("p", "planted-0")
	child := recording("b", "planted-1")
	child.Origin = &playground.Origin{Exchange: "p", Round: 1, Parent: &parent}
	s := &Pages{App: &web.App{}}
	made := func(a, b playground.Exchange) []byte {
		t.Helper()
		main, err := s.compared(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		return main
	}
	first := made(recording("a", "planted-2"), child)
	if again := made(recording("a", "planted-2"), child); &again[0] != &first[0] {
		t.Error("it was made twice")
	}
	if swapped := made(child, recording("a", "planted-2")); bytes.Equal(swapped, first) {
		t.Error("the order does not count")
	}
	parent.Log[2].Data = bytes.ReplaceAll(parent.Log[2].Data, []byte("planted-0"), []byte("planted-3"))
	if got := made(recording("a", "planted-2"), child); bytes.Equal(got, first) {
		t.Error("it is old: what the branch goes on from has changed")
	}
	if got := made(recording("a", "planted-4"), child); bytes.Equal(got, first) {
		t.Error("it is old: an exchange has changed")
	}
}
