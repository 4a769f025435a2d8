package server

import (
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Command is a server that is a command of this machine, as far as the program that was
// started with it knows. Nothing of it is stored.
type Command struct {
	URL, Name string
	Processes []Process // newest last; of those that have ended the newest ones
	Stderr    []Said    // the end of their standard error, in order
	Cut       bool      // more came before it
	// Stray has the lines that belong to no request in progress: received events, each with
	// the number of its process as its connection. Missed is how many came before them.
	Stray  []playground.Event
	Missed int
}

// Process is a process of a Command.
type Process struct {
	N       int  // from 1
	Session bool // of a session of an earlier revision, whose process is its own
	Started time.Time
	Ended   string // how it ended, in words; empty while it runs
}

// Said is text that a process wrote to standard error at a time.
type Said struct {
	At      time.Time
	Process int
	Text    string
}

// Written returns the text written to standard error between two times; the
// zero time is no limit.
func (c Command) Written(from, until time.Time) string {
	var b strings.Builder
	for _, s := range c.Stderr {
		if !s.At.Before(from) && (until.IsZero() || !s.At.After(until)) {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}
