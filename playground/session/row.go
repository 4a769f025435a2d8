package session

import (
	"cmp"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Row is a Session in a list, or something else of its owner that stands among them.
type Row struct {
	ID, Title, Note string
	Kind            Kind
	Pinned          bool
	Imported        bool // from a file or a link
	Changed         time.Time
	Story           string // of a demo, the slug or id of its story
	Exchanges       []ExchangeRow
	Saved           *SavedCall // of KindSaved; nil for the others
	Link            *Link      // of KindLink; nil for the others
}

// Link is a link in a list: what is known of a share without its content. The ID of its Row
// is a digest of the token, which opens nothing.
type Link struct {
	Token   string
	Session string // id of what it shows
	Expires time.Time
	Views   int
}

// LastCheck is the newest check of a server, in a list of servers.
type LastCheck struct {
	Session    string
	Bytes      int64 // of what it recorded, which grows with it
	Connection int64 // bytes of what connecting to the server recorded
}

// EarlierCheck is a check that was made before another one of the same server.
type EarlierCheck struct {
	Session string
	Created time.Time
	Call    playground.Call // method and params only
}

// Cursor returns the position of the row in the list.
func (r Row) Cursor() Cursor {
	c := Cursor{ID: r.ID, Pinned: r.Pinned, Changed: r.Changed}
	if !r.Kind.OfSession() {
		c.Kind = r.Kind
	}
	return c
}

// ExchangeRow is an Exchange in a list.
type ExchangeRow struct {
	ID, Target, Method string
	TargetID           string
	Status             playground.Status
	ToolError          bool // complete, and the tool reports an error
	SignIn             bool // failed, and a sign-in can continue it
	Rounds             int
	Summary            string // arguments of its Call, from CallSummary
	Experiment         string // id of the Experiment that it was made for; empty if none
	Answers, Result    string // from JoinAnswers and ResultText
	Parent             string // id of the Exchange that it branches from; empty if none
	From               int    // Round of Parent that it continues from; 0 is before the first
}

// RowOf returns the row of a session. The status of an exchange includes the
// Rounds that it inherits; the number of Rounds does not.
func RowOf(s Session) Row {
	row := Row{
		ID: s.ID, Title: s.Title, Note: s.Note, Kind: s.Kind, Pinned: s.Pinned, Imported: s.Imported,
		Changed: s.Changed,
	}
	for _, x := range s.Exchanges {
		summary := playground.Summarise(x.Log)
		line := ExchangeRow{
			ID: x.ID, Target: x.Target.Name, Method: x.Call.Method, TargetID: x.Target.ID,
			Status: x.Fold().Status, ToolError: summary.ToolError, Rounds: summary.Rounds,
			Summary: CallSummary(x.Call), Experiment: x.Experiment(),
		}
		for _, e := range x.Log {
			line.Answers = JoinAnswers(line.Answers, e)
			line.Result = cmp.Or(ResultText(e), line.Result)
		}
		if x.Origin != nil {
			line.Parent, line.From = x.Origin.Exchange, x.Origin.Round
		}
		row.Exchanges = append(row.Exchanges, line)
	}
	return row
}

// CallSummary returns the arguments of a Call in one line, to tell calls of the
// same tool apart in a list: "workItemId: 4522, ...". It is empty if the Call
// has no arguments or its params cannot be parsed.
func CallSummary(c playground.Call) string {
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil {
		return ""
	}
	arguments := params.Get("arguments")
	if arguments == nil {
		return ""
	}
	var parts []string
	for _, m := range arguments.Members {
		text, ok := m.Value.Text()
		if !ok {
			text = string(m.Value.Raw())
		}
		parts = append(parts, m.Key+": "+text)
	}
	return strings.Join(parts, ", ")
}
