package session

import (
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// SortByParent orders exchanges so that each stands behind the one that it branches
// from; else they stay as they are.
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
		if len(out) == before { // ids that stand twice, or a circle
			return list
		}
	}
	return out
}

func contains(list []playground.Exchange, id string) bool {
	return slices.ContainsFunc(list, func(x playground.Exchange) bool { return x.ID == id })
}

// Session is what the user keeps and shares: Exchanges with a title and a
// note. The first Exchange is the one that the others came from.
type Session struct {
	ID, Title, Note  string
	Kind             Kind
	Pinned           bool
	Imported         bool // from a file or a link
	Created, Changed time.Time
	Exchanges        []playground.Exchange // in the order in which they were made
}

// Kind is what a Session is about; empty counts as ExchangeSession.
type Kind string

// Kinds of sessions.
const (
	KindExchange Kind = "exchange" // a call with its branches
	KindCheck    Kind = "check"    // the probes of a server
	KindDemo     Kind = "demo"     // a stage
)

// Search says which part of the sessions a list shows. The zero value is the
// newest.
type Search struct {
	Words  []string          // all of which are found in a session, in any case
	Status playground.Status // of one of its Exchanges, or SearchToolError; empty means any
	After  Cursor            // the list goes on behind this one
	Limit  int
}

// SearchToolError stands in a Search for complete Exchanges whose tool reports
// an error. It is the status of none.
const SearchToolError playground.Status = "tool_error"

// Row is a Session in a list.
type Row struct {
	ID, Title, Note string
	Kind            Kind
	Pinned          bool
	Imported        bool // from a file or a link
	Changed         time.Time
	Exchanges       []ExchangeRow
}

// Cursor returns the position of the row in the list.
func (l Row) Cursor() Cursor { return Cursor{l.ID, l.Pinned, l.Changed} }

// ExchangeRow is an Exchange in a list.
type ExchangeRow struct {
	ID, Target, Method string
	TargetID           string
	Status             playground.Status
	ToolError          bool // complete, and the tool reports an error
	Rounds             int
	Summary            string // what it was called with, in few words; empty when with nothing
	Experiment         string // id of the Experiment that it was made for; empty for none
}
