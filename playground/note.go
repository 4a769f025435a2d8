package playground

import (
	"encoding/json"
	"slices"
	"time"
)

// Note is the content of an interrupted event with which a recorder says what no message
// of a check shows. It stands in the log of the exchange that was made last, and changes
// nothing in the Transcript of its call.
type Note struct {
	Check  string `json:"check,omitempty"`  // one or two sentences on why the check ended early
	Unused string `json:"unused,omitempty"` // a sentence on answers given in advance and never asked
	// what a report showed before its recording lost a part; nil for none
	Report *NotedReport `json:"report,omitempty"`
}

// NotedReport is what a report showed whose recording has lost what it was judged by:
// the connection to the server, and values that are masked. It is about everything
// that was recorded before the note.
type NotedReport struct {
	Era         Era            `json:"era,omitempty"`   // of the server
	Named       bool           `json:"named,omitempty"` // the server named itself where it was connected to
	Rules       []NotedVerdict `json:"rules,omitempty"`
	Experiments []NotedVerdict `json:"experiments,omitempty"`
}

// NotedVerdict is the verdict of a rule or on an experiment.
type NotedVerdict struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`
	Text    string `json:"text"` // one sentence
	// of a rule: the experiment that showed it, when its exchange was begun, the Round
	// and how often
	Experiment string     `json:"experiment,omitempty"`
	Begun      *time.Time `json:"begun,omitempty"`
	Round      int        `json:"round,omitempty"`
	Times      int        `json:"times,omitempty"`
}

// Event returns the log entry of the note.
func (n Note) Event(at time.Time) Event { return Event{At: at, Kind: Interrupted, Data: mustJSON(n)} }

// Note returns the note that the event records, and false if it is none.
func (e Event) Note() (Note, bool) {
	var n Note
	ok := e.Kind == Interrupted && len(e.Data) > 0 && json.Unmarshal(e.Data, &n) == nil
	return n, ok && n != (Note{})
}

// withoutNotes returns the events that are no notes.
func withoutNotes(events []Event) []Event {
	isNote := func(e Event) bool { _, ok := e.Note(); return ok }
	if !slices.ContainsFunc(events, isNote) {
		return events
	}
	return slices.DeleteFunc(slices.Clone(events), isNote)
}
