// Package wire shows the bytes on the wire, byte for byte or laid out: the two
// sides of a Round, all messages of a call, the curl command that repeats a
// request, and the standard error of a command. Bytes that are shown as exact
// are never encoded again.
package wire

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Input has the parts that NewPanel needs.
type Input struct {
	Transcript playground.Transcript
	Index      int // of the Round in the Transcript
	Selection  selection.Selection
	Address    selection.Address
	Frames     FramePath          // where the whole bodies of the Round are
	Curl       string             // the request as a curl command; empty if it cannot be repeated
	Issues     []standing.Verdict // of the Round
	Stderr     Stderr             // of a server that is a command, during the call
	Follow     bool               // the command may still write to it
	Unlisted   bool               // the page has the list of all messages elsewhere
}

// Panel shows the two messages of one Round beside each other, formatted
// with the differences from those of the Round before, or byte for byte.
type Panel struct {
	N         int
	Anyway    bool   // its answer is one that the schema rejects, and was sent deliberately
	Exact     bool   // the bytes are shown
	OtherPath string // address of the other view
	Curl      string
	All       Messages
	Request   Side
	Response  Side
	Repeats   string // how often its poll was repeated; empty if it was not
	Also      []Also // other requests of the Round
	AlsoWords string
	Logs      []LogLine
	Issues    []standing.Verdict
	Stderr    Stderr
	RulesPath string // address of the Rules panel
}

// Side is one of the two messages in a Panel.
type Side struct {
	Message  selection.Message
	Mark     string // "2.response": what the picture calls it
	ID       string // "m-2-response"
	Selected bool
	Frame    *Frame // nil if nothing is recorded
	None     string // why
}

// NewPanel returns the Wire panel of a Round.
func NewPanel(in Input) Panel {
	r := in.Transcript.Rounds[in.Index]
	exact := in.Selection.Exact
	state := in.Address(selection.Selection{Round: r.N, Panel: selection.PanelState})
	k := FrameMaker{
		N: r.N, Formatted: !exact, Exact: exact, modern: !r.Legacy, Whole: in.Frames, statePath: state,
		find: in.Selection.Find,
	}
	other := in.wire()
	other.Exact = !exact
	p := Panel{
		N: r.N, Anyway: r.Decision.Anyway, Exact: exact, OtherPath: in.Address(other),
		Repeats: narrate.Repeats(r.Trip), Logs: logLines(r), Issues: in.Issues,
		Stderr:    in.Stderr,
		RulesPath: in.Address(selection.Selection{Round: r.N, Panel: selection.PanelRules}),
		All:       newMessages(in),
		Request:   in.side(r, selection.MessageRequest), Response: in.side(r, selection.MessageResponse),
	}
	if in.Unlisted {
		p.All = Messages{}
	}
	if in.Follow {
		p.Stderr.Live = in.Address(in.wire())
	}
	before := comparedWith(roundBefore(in.Transcript, in.Index), r)
	if len(r.Request.Head) > 0 {
		f := k.request(r.Trip, before.Sent, "")
		p.Request.Frame = &f
	} else {
		p.Request.None = "The stream of an earlier round continues."
	}
	p.Response.Frame = k.response(r.Trip, before.Messages, "")
	if f := p.Response.Frame; f == nil {
		switch {
		case r.Kind == playground.OutcomePending:
			p.Response.None = "No response yet."
		case r.Detail != "":
			p.Response.None = "No response. " + text.AsSentence(r.Detail)
		default:
			p.Response.None = "No response."
		}
	} else if took := tookWords(r); took != "" {
		f.Facts += " · " + took
	}
	p.Curl = in.Curl
	p.Also, p.AlsoWords = alsoSent(r, k)
	return p
}

// Beside returns the panel for a page that has another one of the same Round: its ids
// end with suffix.
func (p Panel) Beside(suffix string) Panel {
	p.Request.ID += suffix
	p.Response.ID += suffix
	p.Also = slices.Clone(p.Also)
	for i := range p.Also {
		p.Also[i].ID += suffix
	}
	return p
}

// wire returns the selection of the page, in the Wire panel.
func (in Input) wire() selection.Selection {
	s := in.Selection
	s.Round, s.Panel = in.Transcript.Rounds[in.Index].N, selection.PanelWire
	return s
}

// side returns a message of r without its frame.
func (in Input) side(r playground.Round, m selection.Message) Side {
	return Side{
		Message: m, Mark: fmt.Sprintf("%d.%s", r.N, m), ID: fmt.Sprintf("m-%d-%s", r.N, m),
		Selected: in.Selection.Message == m,
	}
}

// comparedWith returns the Round with which r is compared: the one before it, or
// an empty one if that has another method.
func comparedWith(before *playground.Round, r playground.Round) playground.Round {
	if before == nil || before.Method != r.Method {
		return playground.Round{} // comparing a poll with a call shows nothing
	}
	return *before
}

// Round is the record of a request that belongs to no exchange's page, or is
// shown beside others: formatted, and byte for byte.
type Round struct {
	N         int
	Outcome   playground.OutcomeKind
	Class     string
	Method    string
	IsError   bool
	Words     string // how it ended
	Open      bool   // unfolded
	Request   Frame
	Response  *Frame // nil before anything came
	Repeats   string // how often its poll was repeated; empty if it was not
	Also      []Also // other requests of the Round
	AlsoWords string
	Curl      string
	Logs      []LogLine
	Label     string // instead of its number
	Hidden    string // warns of characters that are not seen; empty if there are none
}

// NewRound returns the record of r. curl may be empty.
func NewRound(r playground.Round, open bool, curl string, whole FramePath) Round {
	k := FrameMaker{N: r.N, Formatted: true, Exact: true, Whole: whole, modern: isModern(r)}
	w := Round{
		N: r.N, Outcome: r.Kind, Class: string(r.Class), IsError: r.IsError,
		Method: text.Visible(r.Method, text.NoLimit), Words: roundWords(r), Open: open, Curl: curl,
		Logs: logLines(r), Request: k.request(r.Trip, nil, ""),
		Response: k.response(r.Trip, nil, ""), Repeats: narrate.Repeats(r.Trip),
	}
	w.Also, w.AlsoWords = alsoSent(r, k)
	return w
}

// isModern reports whether a request says that it follows a modern revision. A
// report of connecting has requests of both eras.
func isModern(r playground.Round) bool {
	return r.Sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion") != nil
}

// Title returns the name of the Round or, while connecting, of the request.
func (w Round) Title() string {
	if w.Label != "" {
		return w.Label
	}
	return fmt.Sprintf("Round %d", w.N)
}

// roundWords says in one line how a Round ended.
func roundWords(r playground.Round) string {
	words := prose.OutcomeWords(r.Kind)
	if took := tookWords(r); took != "" {
		words += " · " + took
	}
	if r.Decision.Anyway {
		words += " · deliberately sent an answer that the schema rejects"
	}
	return words
}

// tookWords returns how long a Round took, or "" if it has no end.
func tookWords(r playground.Round) string {
	if r.Took() == 0 {
		return ""
	}
	return text.Duration(r.Took())
}

// Also is a further request of a Round with its response.
type Also struct {
	ID       string
	Words    string
	Repeats  string // how often it was repeated; empty if it was not
	Request  *Frame // nil when a stream of an earlier Round continues
	Response *Frame
}

// marked reports whether the text to find is marked in it.
func (a Also) marked() bool {
	return a.Request != nil && a.Request.Marked || a.Response != nil && a.Response.Marked
}

// maxAlso is the most further requests of a Round that a page shows.
const maxAlso = 100

// alsoSent returns the further requests of a Round, the newest ones if there are
// very many, and describes them.
func alsoSent(r playground.Round, k FrameMaker) (list []Also, words string) {
	from := max(len(r.Others)-maxAlso, 0)
	for i, t := range r.Others[from:] {
		suffix := fmt.Sprintf("-%d", from+i+1)
		a := Also{
			ID:      alsoID(r.N, from+i+1),
			Repeats: narrate.Repeats(t),
			Words:   fmt.Sprintf("Connection %d", t.Conn),
		}
		if len(t.Request.Head) > 0 {
			f := k.request(t, nil, suffix)
			a.Request = &f
		} else {
			a.Words += ", continued"
		}
		a.Response = k.response(t, nil, suffix)
		list = append(list, a)
	}
	switch {
	case from > 0:
		words = fmt.Sprintf("%d other requests of this round; the newest %d are shown",
			len(r.Others), len(list))
	case r.Method == playground.TasksGet:
		words = text.Plural(len(list), "earlier poll") + " with the same status"
	default:
		words = text.Plural(len(list), "more connection") + " in this round"
	}
	return list, words
}

func roundBefore(f playground.Transcript, i int) *playground.Round {
	if i == 0 {
		return nil
	}
	return &f.Rounds[i-1]
}
