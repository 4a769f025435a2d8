package server

import (
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Changes says what a server offers differently since the last connect.
type Changes struct {
	Made  time.Time // when that was
	Lines []ChangeLine
	More  int // further changes
}

// ChangeLine is one change: "tool added", its name, and what changed in it.
type ChangeLine struct {
	Kind    string // added, removed or changed
	What    string
	Name    string
	Details string
}

// mostChanges is how many changes are listed.
const mostChanges = 30

// NewChanges returns the changes since a connect.
func NewChanges(made time.Time, list []server.Change) *Changes {
	c := &Changes{Made: made}
	for _, x := range list {
		if len(c.Lines) == mostChanges {
			c.More++
			continue
		}
		line := ChangeLine{
			Kind: string(x.Kind), What: x.What, Name: text.Visible(x.Name, 120),
			Details: strings.Join(x.Details, ", "),
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}

// removed reports whether something that a client may use is gone.
func (c ChangeLine) removed() bool { return c.Kind == string(jsontree.Removed) }
