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
