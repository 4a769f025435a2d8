package flow

import "time"

// Saved is a flow of a workspace, as it is stored.
type Saved struct {
	ID        string // of its session and its page
	Workspace string
	Token     string // of its address: a secret that is known to those who have it
	Title     string
	Text      string // what its address runs: the newest version that was saved
	Draft     string // the text as typed since; empty if that is Text
	Number    int    // of the newest version, from 1
	Created   time.Time
	Changed   time.Time
	Used      time.Time // when its address was last called, to the hour
	Ended     time.Time // when its maker ended it; zero if it is open
}

// Life is how long the address of a flow is open beyond local mode after it was last
// changed or called.
const Life = 30 * 24 * time.Hour

// Open reports whether the address of the flow serves. Without expires it is
// open until its maker ends it.
func (s Saved) Open(now time.Time, expires bool) bool {
	return s.Ended.IsZero() && (!expires || now.Before(s.Expires()))
}

// Expires returns when the address ends if it is neither changed nor called.
func (s Saved) Expires() time.Time {
	last := s.Changed
	if s.Used.After(last) {
		last = s.Used
	}
	return last.Add(Life)
}

// Edited returns the text of the editor: the draft, or else what runs.
func (s Saved) Edited() string {
	if s.Draft != "" {
		return s.Draft
	}
	return s.Text
}

// Edition is a version of the text of a flow that was saved.
type Edition struct {
	Number int
	Text   string
	At     time.Time
}

// MaxEditions is how many saved versions of a text are kept.
const MaxEditions = 20
