package narrate_test

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

// FuzzEveryRoundHasWords reads any event after a request.
func FuzzEveryRoundHasWords(f *testing.F) {
	f.Add("received", []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":3}}}"))
	f.Add("message", []byte("data: {}\n\n"))
	f.Add("failed", []byte(`{"class":"reset"}`))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		log := []playground.Event{
			playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Time{}),
			{Conn: 1, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)},
			{Conn: 1, Kind: playground.EventKind(kind), Data: data},
		}
		for _, r := range playground.Fold(log).Rounds {
			if narrate.Sentence(playground.Target{Name: "s"}, r) == "" {
				t.Error("no words")
			}
		}
	})
}
