package playground

import (
	"errors"
	"time"
)

// ErrNotFound is returned for ids that do not exist or belong to another
// workspace. The two cases are not distinguished.
var ErrNotFound = errors.New("not found")

// Faults of the storage. Events stored before are not lost by them, and a
// refused write was not stored in part.
var (
	ErrFull    = errors.New("the disk is full")
	ErrStorage = errors.New("the storage cannot be used")
	ErrDamaged = errors.New("the database is damaged") // with ErrStorage, until it is restored
)

// ErrElsewhere is returned for work of another process that shares the storage.
var ErrElsewhere = errors.New("another process does this")

// Summary is the part of a log that lists show. It is stored in the transaction
// that appends the events it follows from.
type Summary struct {
	Status    string // a Status, or a target's connecting, connected, failed
	Name      string // name that a target gives itself; empty until it has
	Rounds    int
	ToolError bool // complete, and the tool reports an error
	SignIn    bool // failed, and a sign-in can continue it
	Held      bool // a process has something of it that a restart interrupts
	Changed   time.Time
}

// LogEnd is the last state of a log, as its storage knows it.
type LogEnd struct {
	Seq       int       // number of the newest event; 0 for none
	Kind      EventKind // of the newest event
	Running   bool      // an answer is still open
	Elsewhere bool      // another process runs it
}

// Summary returns the part of the transcript that lists show. Changed is zero.
func (f Transcript) Summary() Summary {
	return Summary{Status: string(f.Status), Rounds: len(f.Rounds), ToolError: f.ToolError(),
		SignIn: f.NeedsSignIn(), Held: f.Held()}
}

// Summarise returns the Summary of an Exchange's log, without the Rounds that
// a Branch inherits.
func Summarise(log []Event) Summary {
	s := Fold(log).Summary()
	if len(log) > 0 {
		s.Changed = log[len(log)-1].At
	}
	return s
}
