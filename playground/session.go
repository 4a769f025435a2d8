package playground

import (
	"errors"
	"time"
)

// ErrNotFound is for ids that do not exist or belong to somebody else; the two
// are not told apart.
var ErrNotFound = errors.New("not found")

// Summary is what lists say of a log; it is stored with the events it follows from.
type Summary struct {
	Status  string // a Status, or a target's connecting, connected, failed
	Rounds  int
	Changed time.Time
}

// SessionLine is a Session in a list.
type SessionLine struct {
	ID, Title string
	Changed   time.Time
	Exchange  string // id of its first Exchange
	Target    string // name
	Method    string
	Status    Status
	Rounds    int
}

// TargetLine is one of the user's servers in a list.
type TargetLine struct {
	ID, Name, URL, Status string
}
