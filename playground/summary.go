package playground

import (
	"errors"
	"time"
)

// ErrNotFound is for ids that do not exist or belong to somebody else; the two
// are not told apart.
var ErrNotFound = errors.New("not found")

// Faults of the storage. What was stored before is not lost by them, and what
// they refuse was not stored in part.
var (
	ErrFull    = errors.New("the disk is full")
	ErrStorage = errors.New("the storage cannot be used")
)

// Summary is what lists say of a log; it is stored with the events it follows from.
type Summary struct {
	Status    string // a Status, or a target's connecting, connected, failed
	Name      string // what a target says it is; empty while it has not said so
	Rounds    int
	ToolError bool // complete, and the tool reports an error
	Held      bool // a process has something of it that a restart interrupts
	Changed   time.Time
}

// Summarise is the Summary of an Exchange's log.
func Summarise(log []Event) Summary {
	f := Fold(log)
	s := Summary{Status: string(f.Status), Rounds: len(f.Rounds), ToolError: f.ToolError()}
	if len(log) > 0 {
		s.Changed = log[len(log)-1].At
	}
	return s
}
