package app

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// loggedStore has one log of a capture, and counts the events that are read.
type loggedStore struct {
	Store
	log  []playground.Event
	read int
}

func (s *loggedStore) CaptureSince(
	_ context.Context, id string, after map[string]int,
) (map[string][]playground.Event, error) {
	events := s.log[after[id]:]
	s.read += len(events)
	return map[string][]playground.Event{id: events}, nil
}

// TestHear_ReadsOnce: each event of a capture is read once, and what is known of the tools
// and of the numbers that come next is that of the whole log.
func TestHear_ReadsOnce(t *testing.T) {
	store := &loggedStore{}
	s := New(Config{Runner: struct{ Runner }{}, Now: time.Now}, store)
	for n := 1; n <= 20; n++ {
		store.log = append(store.log,
			playground.Event{Seq: 2*n - 1, Conn: n, Kind: playground.Sent, Data: []byte(
				"POST / HTTP/1.1\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)},
			playground.Event{Seq: 2 * n, Conn: n, Kind: playground.Received, Data: fmt.Appendf(nil,
				"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+
					`{"jsonrpc":"2.0","id":1,"result":{"tools":[`+
					`{"name":"t%d","title":"%d"},{"name":"t","title":"%d"}]}}`, n, n, n)})
		err := s.hear(t.Context(), "k", func(h *heard) {
			tail := h.tails["k"]
			last := tail[len(tail)-1]
			if last.Seq != 2*n || last.Conn != n {
				t.Errorf("after %d requests, the log goes on after %d and %d", n, last.Seq, last.Conn)
			}
			for name, want := range map[string]string{
				"t":                     fmt.Sprintf(`{"name":"t","title":"%d"}`, n),
				"t1":                    `{"name":"t1","title":"1"}`,
				fmt.Sprintf("t%d", n+1): "",
			} {
				if got := string(h.tools.Definition(name, time.Time{})); got != want {
					t.Errorf("after %d requests, %s is %q", n, name, got)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if store.read != len(store.log) {
		t.Errorf("%d events were read, there are %d", store.read, len(store.log))
	}
}

// TestHearings_AreBounded: what was used longest ago is dropped, and read again.
func TestHearings_AreBounded(t *testing.T) {
	var l hearings
	for n := range 10 {
		id := fmt.Sprint(n)
		l.of(id)
		l.keep(id, mostHeardBytes/4)
	}
	if l.size > mostHeardBytes || len(l.m) != 4 || len(l.used) != 4 || l.m["9"] == nil {
		t.Errorf("%d bytes of %d captures", l.size, len(l.m))
	}
	l.forget("9")
	for n := range 2 * mostHeard {
		id := fmt.Sprint("more", n)
		l.of(id)
		l.keep(id, 1)
	}
	if len(l.m) > mostHeard || len(l.used) != len(l.m) {
		t.Errorf("%d captures, %d of them in order", len(l.m), len(l.used))
	}
}
