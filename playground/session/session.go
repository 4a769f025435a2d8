// Package session holds the Session, which groups Exchanges, the rows that
// lists show of it, and the text by which it is found. It does no I/O.
//
// An Exchange may need others of its Session, because a Branch has the Rounds
// of its parent: SortByParent orders a list for readers that need a parent
// first. ReadOnce lets a Session remember what its logs fold to; without it,
// every part of a page folds them again.
package session

import (
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// SortByParent returns the exchanges in an order in which each follows the one
// that it branches from. Otherwise their order stays. If ids repeat or origins
// form a cycle, the list is returned as it is.
func SortByParent(list []playground.Exchange) []playground.Exchange {
	placed := map[string]bool{}
	var out []playground.Exchange
	for len(out) < len(list) {
		before := len(out)
		for _, x := range list {
			ready := x.Origin == nil || placed[x.Origin.Exchange] || !contains(list, x.Origin.Exchange)
			if !placed[x.ID] && ready {
				placed[x.ID] = true
				out = append(out, x)
			}
		}
		if len(out) == before { // repeated ids, or a cycle
			return list
		}
	}
	return out
}

// contains reports whether the list has an exchange of that id.
func contains(list []playground.Exchange, id string) bool {
	return slices.ContainsFunc(list, func(x playground.Exchange) bool { return x.ID == id })
}

// Session is the unit that the user keeps and shares: Exchanges with a title
// and a note. The others branch from the first Exchange or belong to the same
// check.
type Session struct {
	ID, Title, Note  string
	Kind             Kind
	Pinned           bool
	Imported         bool // from a file or a link
	Created, Changed time.Time
	Exchanges        []playground.Exchange // oldest first
	Flow             string                // of KindFlow: its text
	// Others is, of KindCapture, the log of everything that belongs to no call. Stores keep it
	// apart: it is set while a recording is imported.
	Others []playground.Event
}

// ReadOnce is that of each Exchange: their logs are read once.
func (s Session) ReadOnce() {
	for i := range s.Exchanges {
		s.Exchanges[i].ReadOnce()
	}
}

// Kind is the kind of a Session. The empty Kind means KindExchange.
type Kind string

// Kinds of sessions.
const (
	KindExchange Kind = "exchange" // a call with its branches
	KindCheck    Kind = "check"    // the check of a server
	KindDemo     Kind = "demo"     // the stage of a demo
	KindCapture  Kind = "capture"  // what a foreign client did
	KindFlow     Kind = "flow"     // a flow of the user
	// KindRecording is of a recording that is served.
	KindRecording Kind = "recording"
	// KindGateway is of a test of a gateway: the calls of its client.
	KindGateway Kind = "gateway"
)

// Kinds of rows that stand among the sessions of a list. No Session has them.
const (
	KindSaved Kind = "saved" // a saved call
	KindLink  Kind = "link"  // a link to a session
)

// OfSession reports whether sessions have the kind.
func (k Kind) OfSession() bool { return k != KindSaved && k != KindLink }

// Search selects rows of a list. The zero value selects the newest ones.
type Search struct {
	Words  []string          // that a row must contain, in any case
	Status playground.Status // of an Exchange of the session, or SearchToolError; empty for any
	Kind   Kind              // empty for any
	After  Cursor            // the position after which the list begins
	Limit  int
}

// Page is a part of a list.
type Page struct {
	Rows []Row
	// Cut is the position at which a search gave up before it had Search.Limit rows,
	// because it had read MaxScanned sessions. Older ones may match too: another
	// search after Cut goes on. It is zero for a search that is complete.
	Cut Cursor
}

// MaxScanned is how many sessions are read for a Page.
const MaxScanned = 20_000

// SearchToolError in Search.Status selects complete Exchanges whose tool
// reports an error. No Exchange has this status.
const SearchToolError playground.Status = "tool_error"
