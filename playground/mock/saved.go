package mock

import "time"

// Saved is a recording of a workspace that is served at an address, as it is stored.
type Saved struct {
	ID        string // of its session and its page
	Workspace string
	Token     string // of its address: a secret that is known to those who have it
	Title     string
	Ignored   Ignored
	Data      []byte // a file of package export; empty in lists
	Created   time.Time
	Used      time.Time // when its address was last called, to the hour
	Ended     time.Time // when its owner ended it; zero if it is open
}

// Life is how long an address is open beyond local mode after it was last called.
const Life = 30 * 24 * time.Hour

// Open reports whether the address answers. Without expires it is open until its owner ends
// it.
func (s Saved) Open(now time.Time, expires bool) bool {
	return s.Ended.IsZero() && (!expires || now.Before(s.Expires()))
}

// Expires returns when the address ends if it is not called.
func (s Saved) Expires() time.Time { return s.Used.Add(Life) }
