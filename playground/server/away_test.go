package server_test

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// attempts returns a log of attempts to connect: c for connected, r for refused, t for a
// certificate that is not trusted.
func attempts(kinds string) []playground.Event {
	var log []playground.Event
	for i, kind := range kinds {
		conn := i + 1
		log = append(log, playground.Decision{Action: playground.ActionStart}.Event(time.Time{}),
			playground.Event{Conn: conn, Kind: playground.Sent, Data: []byte("POST / HTTP/1.1\r\n\r\n" +
				`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)})
		e := playground.Event{Conn: conn, Kind: playground.Received, Data: []byte("HTTP/1.1 200 OK\r\n" +
			"Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":1,` +
			`"result":{"resultType":"complete",` +
			`"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`)}
		if class := map[rune]wire.Class{'r': wire.Refused, 't': wire.TLSUntrusted}[kind]; class != "" {
			e = playground.PartEvent(wire.Part{Kind: wire.Failed, Failure: &wire.Failure{Class: class}}, conn)
		}
		log = append(log, e)
	}
	for i := range log {
		log[i].Seq = i + 1
	}
	return log
}

func TestAway(t *testing.T) {
	for kinds, want := range map[string]int{
		"": 0, "c": 0, "r": 0, "rr": 0, "cr": 1, "crrr": 3, "crc": 0, "ct": 0, "ctr": 0, "rcr": 1, "tcrr": 2,
		"crrrrrrrr": 8, "crrrrrrrrr": server.MaxAway + 1, "crrrrrrrrrrrr": server.MaxAway + 1,
	} {
		if got := server.Away(attempts(kinds)); got != want {
			t.Errorf("%s: %d, want %d", kinds, got, want)
		}
	}
}

func TestAwayPause_IsBounded(t *testing.T) {
	all := time.Duration(0)
	for n := 1; n <= server.MaxAway; n++ {
		all += server.AwayPause(n)
	}
	if all != 2*time.Minute || server.AwayPause(0) != time.Second || server.AwayPause(99) != 30*time.Second {
		t.Error(all)
	}
}
