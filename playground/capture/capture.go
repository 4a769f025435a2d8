package capture

import (
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// ClientTestTitle is the name of the sample that tests clients, as a Target.
const ClientTestTitle = "Client test"

// Life is how long the address of a Capture stays open after its newest request.
const Life = 24 * time.Hour

// Capture is a private address in front of a server. What a foreign client sends to it
// is recorded in the Session with the same id: calls as Exchanges, everything else in
// logs of its own.
type Capture struct {
	ID        string
	Workspace string // its owner
	Token     string // the secret part of the address
	// Target is the server behind it: ID, Sample, Name, URL, and the Trust of its owner.
	Target  playground.Target
	Created time.Time
	Used    time.Time // newest request, to the minute; Created if there was none
	Ended   time.Time // when its owner or a limit ended it; zero while it is open
}

// Expires returns when the address ends unless it is used again.
func (c Capture) Expires() time.Time { return c.Used.Add(Life) }

// Open reports whether the address answers at a time.
func (c Capture) Open(now time.Time) bool { return c.Ended.IsZero() && now.Before(c.Expires()) }

// Merge returns the events of several logs of a Capture in the order in which they
// happened, with numbers and connections of one log.
func Merge(logs ...[]playground.Event) []playground.Event {
	if len(logs) == 1 {
		return logs[0]
	}
	type conn struct{ log, n int }
	type entry struct {
		conn
		event playground.Event
	}
	var list []entry
	for i, log := range logs {
		for _, e := range log {
			list = append(list, entry{conn{i, e.Conn}, e})
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.event.At.Compare(b.event.At) })
	conns := map[conn]int{}
	var merged []playground.Event
	for i, x := range list {
		if conns[x.conn] == 0 {
			conns[x.conn] = len(conns) + 1
		}
		x.event.Seq, x.event.Conn = i+1, conns[x.conn]
		merged = append(merged, x.event)
	}
	return merged
}
