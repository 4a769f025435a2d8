package wire

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// Messages are all messages of a call in one table, and where a text stands in
// their bytes. The page has them only if they are unfolded.
type Messages struct {
	Open   bool
	Toggle string // address at which they are unfolded, or folded again
	Rows   []MessageRow
	Total  int // of Rows, and of those that are left out because there are too many
	Path   string
	Hidden []prose.Fact // what the form that searches keeps of the address
	Find   string       // the text to find
	Found  string       // the matches, in words; empty if nothing was searched
	Hits   []FindHit
}

// MessageRow is a message in the table.
type MessageRow struct {
	N        int    // its number, from 1
	Mark     string // "2.response": what the picture calls it; empty for further requests of a Round
	Path     string // where it is selected
	Selected bool
	Sent     bool
	Round    int
	Method   string // or how the response ended
	Status   string // of the HTTP response
	Size     string
	At       string // since the first request
}

// FindHit is a place of the text.
type FindHit struct{ Path, Words, Before, Hit, After string }

// maxMessages is the most messages in the table.
const maxMessages = 200

// sentOrReceived is one of the two messages of a Trip.
type sentOrReceived struct {
	seq   int
	other int // which of the Round's Others, from 1; 0 for its own request
	sent  bool
	trip  playground.Trip
}

// newMessages returns the messages of all Rounds.
func newMessages(in Input) Messages {
	find := in.Selection.Find
	other := in.wire()
	other.Find, other.All = "", !in.Selection.All && find == ""
	m := Messages{Open: !other.All, Toggle: in.Address(other), Find: find}
	if m.Open {
		m.list(in)
		m.search(in)
	}
	return m
}

// NewMessages returns the messages of all Rounds for a page that does not search.
func NewMessages(in Input) Messages {
	var m Messages
	m.list(in)
	return m
}

// list fills the table.
func (m *Messages) list(in Input) {
	var start time.Time
	for _, r := range in.Transcript.Rounds {
		for _, one := range messagesOf(r) {
			row := MessageRow{Sent: one.sent, Round: r.N, Method: requestWords(one.trip)}
			frame, at := one.trip.Request, one.trip.Started
			if start.IsZero() {
				start = at
			}
			side := selection.MessageRequest
			if !one.sent {
				frame, at, side = one.trip.Response, one.trip.Last, selection.MessageResponse
				row.Method = receivedWords(r, one)
				if one.trip.Head.Status > 0 {
					row.Status = fmt.Sprint(one.trip.Head.Status)
				}
			}
			row.Size = prose.ByteCount(len(frame.Body))
			if !at.IsZero() {
				row.At = text.Duration(max(at.Sub(start), 0))
			}
			s := selection.Selection{Round: r.N, Panel: selection.PanelWire, All: true, Find: m.Find}
			if one.other == 0 {
				s.Message, row.Mark = side, fmt.Sprintf("%d.%s", r.N, side)
				row.Path = in.Address(s) + "#" + fmt.Sprintf("m-%d-%s", r.N, side)
				row.Selected = in.Selection.Message == side && r.N == in.Transcript.Rounds[in.Index].N
			} else {
				row.Path = in.Address(s) + "#" + alsoID(r.N, one.other)
			}
			m.Total++
			row.N = m.Total
			m.Rows = append(m.Rows, row)
		}
	}
	m.Rows = m.Rows[max(0, len(m.Rows)-maxMessages):]
}

// messagesOf returns the messages of a Round in the order in which they were
// recorded. Copies of earlier ones are left out.
func messagesOf(r playground.Round) []sentOrReceived {
	var list []sentOrReceived
	add := func(t playground.Trip, other int) {
		if t.Copy {
			return
		}
		if len(t.Request.Head) > 0 {
			list = append(list, sentOrReceived{t.RequestSeq, other, true, t})
		}
		if len(t.Response.Head)+len(t.Response.Body) > 0 {
			list = append(list, sentOrReceived{t.ResponseSeq, other, false, t})
		}
	}
	for i, t := range r.Others {
		add(t, i+1)
	}
	add(r.Trip, 0)
	slices.SortStableFunc(list, func(a, b sentOrReceived) int { return cmp.Compare(a.seq, b.seq) })
	return list
}

// requestWords names a request.
func requestWords(t playground.Trip) string {
	words := text.Visible(cmp.Or(t.Method, verbOf(t.Request)), 60)
	if t.Repeats > 0 {
		words += fmt.Sprintf(", %d times", t.Repeats+1)
	}
	return words
}

// verbOf returns the HTTP method of a request.
func verbOf(f wire.Frame) string {
	h, _ := wire.ParseHead(f.Head) // of a broken head, what could be read
	verb, _, _ := strings.Cut(h.Line, " ")
	return verb
}

// receivedWords describes the parts of a response.
func receivedWords(r playground.Round, one sentOrReceived) string {
	last := len(one.trip.Messages) - 1
	switch {
	case one.other == 0:
		return prose.OutcomeWords(r.Kind)
	case last > 0:
		return text.Plural(last+1, "message")
	case last == 0 && one.trip.Messages[0].Node.Has("error"):
		return "error"
	case last == 0 && one.trip.Messages[0].IsResponse():
		return "result"
	case last == 0:
		return text.Visible(one.trip.Messages[0].Method(), 60)
	}
	return "no message"
}

// search finds the text in the bytes.
func (m *Messages) search(in Input) {
	at := in.wire()
	at.All, at.Find = true, ""
	if here, err := url.Parse(in.Address(at)); err == nil {
		m.Path = here.Path
		for _, name := range slices.Sorted(maps.Keys(here.Query())) {
			m.Hidden = append(m.Hidden, prose.Fact{Name: name, Value: here.Query().Get(name)})
		}
	}
	if m.Find == "" {
		return
	}
	found := in.Transcript.Find(m.Find)
	for _, p := range found.Places {
		m.Hits = append(m.Hits, newHit(in, m.Find, p))
	}
	m.Found = foundPlaces(found)
}

// newHit returns a place with the text around it. It leads to the bytes of the
// message, in which the place is marked.
func newHit(in Input, find string, p playground.Place) FindHit {
	side, name := selection.MessageResponse, "response"
	if p.Sent {
		side, name = selection.MessageRequest, "request"
	}
	h := FindHit{Words: fmt.Sprintf("Round %d · %s · line %d", p.Round, name, p.Line)}
	part := partOf(in.Transcript.Round(p.Round), p)
	const before, after = 24, 72 // bytes
	until := min(p.From+len(find), len(part))
	h.Before = text.Visible(string(part[max(0, p.From-before):p.From]), text.NoLimit)
	h.Hit = text.Visible(string(part[p.From:until]), text.NoLimit)
	h.After = text.Visible(string(part[until:min(len(part), until+after)]), text.NoLimit)
	s := selection.Selection{Round: p.Round, Panel: selection.PanelWire, Exact: true, All: true, Find: find}
	suffix := ""
	if p.Other == 0 {
		s.Message = side
	} else {
		suffix = fmt.Sprintf("-%d", p.Other)
	}
	h.Path = in.Address(s) + "#" + hitID(frameID(name, p.Round, suffix), p.Nth)
	if !p.InHead && until > len(beginning(part)) {
		h.Path = in.Address(s) + fmt.Sprintf("#m-%d-%s", p.Round, side)
		h.Words += " · beyond what the page shows"
	}
	return h
}

// partOf returns the head or the body in which a place is.
func partOf(r *playground.Round, p playground.Place) []byte {
	t := r.Trip
	if p.Other > 0 {
		t = r.Others[p.Other-1]
	}
	frame := t.Response
	if p.Sent {
		frame = t.Request
	}
	if p.InHead {
		return frame.Head
	}
	return frame.Body
}

// hitID returns the id of the nth place of a text in a frame.
func hitID(frame string, nth int) string { return fmt.Sprintf("%s-hit-%d", frame, nth) }

// alsoID returns the id of one of the further requests of a Round.
func alsoID(round, other int) string { return fmt.Sprintf("also-%d-%d", round, other) }

// foundPlaces returns the matches in words.
func foundPlaces(f playground.Found) string {
	words := "Not found."
	switch n := len(f.Places); {
	case f.More:
		words = fmt.Sprintf("The first %d places.", n)
	case n > 0:
		words = text.Plural(n, "place") + "."
	}
	if f.Partial {
		words += " The recording is so large that only its beginning was searched."
	}
	return words
}

// markPlaces returns bytes in pieces, as they follow the start tag of a pre
// element. The places of a text are pieces of their own, of which the first is the
// nth of its frame.
func markPlaces(b []byte, find, frame string, nth int) (pieces []Piece, escaped bool, places int) {
	whole, escaped := prose.Exact(b)
	at := playground.Occurrences(b, find, maxMarks)
	if len(at) == 0 {
		if whole == "" {
			return nil, escaped, 0
		}
		return []Piece{{Text: prose.InPre(whole)}}, escaped, 0
	}
	last := 0
	for i, from := range at {
		until := from + len(find)
		pieces = append(pieces, Piece{Text: prose.ExactPart(b[last:from], escaped)},
			Piece{prose.ExactPart(b[from:until], escaped), hitID(frame, nth+i)})
		last = until
	}
	pieces[0].Text = prose.InPre(pieces[0].Text)
	return append(pieces, Piece{Text: prose.ExactPart(b[last:], escaped)}), escaped, len(at)
}

// maxMarks is the most places that are marked in a head or a body.
const maxMarks = 200
