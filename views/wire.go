package views

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// WireRound is the record of a Round: both sides, byte for byte.
type WireRound struct {
	N        int
	Outcome  playground.OutcomeKind
	Class    string
	Method   string
	IsError  bool
	Anyway   bool   // an answer was sent although the schema rejects it
	Open     bool   // unfolded
	Path     string // where its messages are formatted; empty when here
	Took     string
	Request  FrameView
	Response *FrameView // nil before anything came
	Repeats  string     // how often its poll was repeated; empty if it was not
	Also     []Also     // other requests of the Round
	More     int        // how many requests before those in Also are not shown
	Curl     string
	Logs     []LogLine
	Hidden   string // warns of characters that are not seen; empty if there are none or it stands elsewhere
	Label    string // instead of its number
}

// FrameView is one side of a connection.
type FrameView struct {
	ID       string // of the element that holds the body
	Side     string // request or response
	Line     string // the start line
	Size     string
	Head     string // HTML of the exact head
	Body     string // HTML of the exact body
	Escaped  bool   // the body had to be shown with \x escapes
	Left     string // size of the rest of a body that is not shown whole; else empty
	Whole    string // where the whole body is; empty if it is shown, or kept nowhere
	Readable []JSONLine
}

// JSONLine is one line of formatted JSON, as HTML.
type JSONLine struct {
	HTML   string
	Depth  int        // of indentation, at most maxIndent
	Mark   string     // added, changed or removed since the last Round; empty for neither
	Fold   []JSONLine // a folded container's lines, closing line included
	Inside int        // members of the folded container
}

// maxBody is the most bytes of a body that a page shows. The whole body is a
// file of its own.
const maxBody = 512 << 10

// FramePath returns the address of the whole body of a recorded frame, whose
// first event has the sequence number seq.
type FramePath func(seq int) string

// FramesAt returns the FramePath below a path, with query, which may be empty.
func FramesAt(path, query string) FramePath {
	return func(seq int) string { return fmt.Sprintf("%s/frames/%d%s", path, seq, query) }
}

// NewWireRound returns the record of r. curl may be empty.
func NewWireRound(r playground.Round, open bool, curl string, whole FramePath) WireRound {
	w := newWireRound(nil, r, "", curl, whole)
	w.Open = open
	return w
}

// newWireRound returns the record of r with changes since the Round before
// marked. If path is set, the messages are formatted there and only the exact
// bytes are shown here.
func newWireRound(
	before *playground.Round, r playground.Round, path, curl string, whole FramePath,
) WireRound {
	w := WireRound{
		N: r.N, Outcome: r.Kind, Class: string(r.Class), Method: r.Method, IsError: r.IsError,
		Anyway: r.Decision.Anyway, Open: path == "", Path: path, Curl: curl, Logs: logLines(r),
		Request: newFrame(r.N, "request", r.Request).cutAt(whole, r.RequestSeq),
		Repeats: narrate.Repeats(r.Trip),
	}
	if before == nil || before.Method != r.Method {
		before = &playground.Round{} // comparing a poll with a call shows nothing
	}
	if path != "" {
		w.Hidden = server.HiddenInRound(r) // that of the shown Round stands above
	}
	if path == "" && w.Request.Left == "" {
		w.Request.Readable = readable(before.Sent, r.Sent)
	}
	if r.Took() > 0 { // not of a Round without an end
		w.Took = text.Duration(r.Took())
	}
	if len(r.Response.Head)+len(r.Response.Body) > 0 {
		f := newFrame(r.N, "response", r.Response).cutAt(whole, r.ResponseSeq)
		for _, m := range ownMessages(r, path) {
			if f.Left != "" {
				break
			}
			f.Readable = append(f.Readable, readable(sameKind(before.Messages, m), m.Node)...)
		}
		w.Response = &f
	}
	w.Also = alsoSent(r, whole)
	w.More = len(r.Others) - len(w.Also)
	return w
}

// ownMessages returns the messages to format.
func ownMessages(r playground.Round, path string) []playground.RPC {
	if path != "" {
		return nil
	}
	return r.Messages
}

// sameKind returns the response among the messages if m is a response.
// Notifications are not compared.
func sameKind(messages []playground.RPC, m playground.RPC) *jsontree.Node {
	for _, b := range messages {
		if b.IsResponse() && m.IsResponse() {
			return b.Node
		}
	}
	return nil
}

func newFrame(n int, side string, frame wire.Frame) FrameView {
	f := FrameView{ID: fmt.Sprintf("%s-%d", side, n), Side: side, Size: text.Size(len(frame.Body))}
	f.Line, _, _ = strings.Cut(string(frame.Head), "\r\n")
	f.Line = text.Visible(f.Line, 200)
	head, _ := exact(frame.Head)
	shown := beginning(frame.Body)
	if left := len(frame.Body) - len(shown); left > 0 {
		f.Left = text.Size(left)
	}
	body, escaped := exact(shown)
	f.Head, f.Body, f.Escaped = inPre(head), inPre(body), escaped
	return f
}

// copyWords returns what the copy button copies.
func (f FrameView) copyWords() string {
	if f.Left != "" {
		return "Copy what is shown"
	}
	return "Copy body"
}

// beginning returns what a page shows of a body: all of it, or the first maxBody
// bytes without half a character.
func beginning(body []byte) []byte {
	if len(body) <= maxBody {
		return body
	}
	n := maxBody
	for n > maxBody-utf8.UTFMax && !utf8.RuneStart(body[n]) {
		n--
	}
	return body[:n]
}

// cutAt adds where the whole body is, if only its beginning is shown.
func (f FrameView) cutAt(whole FramePath, seq int) FrameView {
	if f.Left != "" && whole != nil && seq > 0 {
		f.Whole = whole(seq)
	}
	return f
}

// Title returns the name of the Round or, while connecting, of the request.
func (w WireRound) Title() string {
	if w.Label != "" {
		return w.Label
	}
	return fmt.Sprintf("Round %d", w.N)
}

// Words summarizes the Round in one line.
func (w WireRound) Words() string {
	words := outcomeWords(w.Outcome)
	if w.Took != "" {
		words += " · " + w.Took
	}
	if w.Anyway {
		words += " · deliberately sent an answer that the schema rejects"
	}
	return words
}
