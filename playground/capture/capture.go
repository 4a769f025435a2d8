package capture

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Life is how long the address of a Capture stays open after its newest request.
const Life = 24 * time.Hour

// Capture is a private address in front of a server. What a foreign client sends to it
// is recorded in the Session with the same id: calls as Exchanges, everything else in
// the log with that id.
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
