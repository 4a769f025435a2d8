package wire

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/jsonview"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Frame is one side of a connection, formatted and byte for byte.
type Frame struct {
	ID    string // of the element that holds the exact body
	Side  string // request or response
	Line  string // "POST /mcp/azure-devops" or "200 OK"
	Facts string // size and, of a response, instance and time

	Fields   []wire.Field    // header fields that MCP gives a meaning
	Missing  []string        // those that the specification requires here
	More     int             // how many other header fields there are
	Broken   string          // the whole head, if it is not one of HTTP
	OnLine   bool            // it is a line of standard input or output, which has no head
	Readable []jsonview.Line // the messages
	Text     string          // the beginning of a body that has no message
	Left     string          // size of the rest of a body that is not shown whole; else empty
	Whole    string          // where the whole body is; empty if it is shown, or kept nowhere

	Head    []Piece // the exact head; none if the page has only the messages
	Body    []Piece // the exact body
	Escaped bool    // the body had to be shown with \x escapes
	Marked  bool    // the text to find is marked in it
}

// Piece is a part of exact bytes, as prose.ExactText renders it. Hit is the id of
// one that is marked because it is the text to find.
type Piece struct{ Text, Hit string }

// MaxBody is the most bytes of a body that a page shows. The whole body is a
// file of its own.
const MaxBody = 512 << 10

// maxText is the most characters that are shown of a body that has no message.
const maxText = 4000

// FramePath returns the address of the whole body of a recorded frame, whose
// first event has the sequence number seq.
type FramePath func(seq int) string

// FramesAt returns the FramePath below a path, with query, which may be empty.
func FramesAt(path, query string) FramePath {
	return func(seq int) string { return fmt.Sprintf("%s/frames/%d%s", path, seq, query) }
}

// FrameMaker makes the views of the frames of one Round.
type FrameMaker struct {
	N         int
	Formatted bool   // the messages are formatted
	Exact     bool   // the bytes are on the page
	modern    bool   // the Round follows 2026-07-28
	find      string // text that is marked in the bytes; empty for none
	Whole     FramePath
	statePath string // address of the State panel; empty if there is none
}

// request returns the request of t. Differences from before, a request with the
// same method, are marked; it may be nil. suffix makes the id of an element that
// is not the only one of its side.
func (k FrameMaker) request(t playground.Trip, before *jsontree.Node, suffix string) Frame {
	f := k.Frame("request", suffix, t.Request, t.RequestSeq)
	f.Line = strings.TrimSuffix(f.Line, " HTTP/1.1")
	if k.modern && !f.OnLine {
		f.Missing = missingFields(t)
	}
	if f.Left != "" || !k.Formatted {
		return f
	}
	if t.Sent == nil {
		f.Text = bodyText(t.Request.Body)
		return f
	}
	f.Readable = k.layout(f.ID).LayOut(before, t.Sent)
	return f
}

// response returns the received bytes on the connection of t, or nil if there
// are none. Of the messages, the response is compared with that in before.
func (k FrameMaker) response(t playground.Trip, before []playground.RPC, suffix string) *Frame {
	if len(t.Response.Head)+len(t.Response.Body) == 0 {
		return nil
	}
	f := k.Frame("response", suffix, t.Response, t.ResponseSeq)
	if !f.OnLine {
		_, f.Line, _ = strings.Cut(f.Line, " ")
	}
	if t.Instance != "" {
		f.Facts += " · instance " + text.Visible(t.Instance, 40)
	}
	if t.Decoded {
		f.Facts += " · compressed (" + text.Visible(t.Head.Coding(), 20) + "), messages decompressed"
	}
	if f.Left != "" || !k.Formatted {
		return &f
	}
	f.Readable = k.messages(f.ID, t.Messages, before)
	if len(f.Readable) == 0 {
		f.Text = bodyText(t.Response.Body)
	}
	return &f
}

func (k FrameMaker) layout(id string) jsonview.Layout {
	return jsonview.Layout{ID: id + "-state", StatePath: k.statePath}
}

// maxNotifications is the most notifications in a row that stay unfolded.
const maxNotifications = 3

// messages formats the messages of a response. Notifications are not compared.
// Many of them in a row are folded.
func (k FrameMaker) messages(id string, list, before []playground.RPC) []jsonview.Line {
	var lines, folded []jsonview.Line
	var waiting [][]jsonview.Line // notifications
	flush := func() {
		for _, m := range waiting {
			if len(waiting) > maxNotifications {
				folded = append(folded, m...)
			} else {
				lines = append(lines, m...)
			}
		}
		if folded != nil {
			words := fmt.Sprintf("▸ %s", text.Plural(len(waiting), "notification"))
			rest := []jsonview.Span{{Text: words}}
			lines = append(lines, jsonview.Line{First: true, Rest: rest, Fold: folded})
		}
		waiting, folded = nil, nil
	}
	responses := 0
	for i, m := range list {
		if len(lines) > jsonview.MaxReadable {
			rest := text.Plural(len(list)-i, "more message")
			line := jsonview.TextLine("(" + rest + "; see the exact bytes)")
			line.First = true
			return append(lines, line)
		}
		layout := k.layout(id)
		if m.IsResponse() {
			responses++
		}
		if !m.IsResponse() || responses > 1 { // an id is that of one element
			layout.ID = ""
		}
		formatted := layout.LayOut(sameKind(before, m), m.Node)
		if m.Node == nil && len(list) > 1 {
			formatted = []jsonview.Line{jsonview.TextLine(text.Visible(string(m.Raw), 200))}
		}
		if len(formatted) > 0 {
			formatted[0].First = true
		}
		if m.Method() != "" && !m.Node.Has("id") && len(waiting) < jsonview.MaxReadable {
			waiting = append(waiting, formatted)
			continue
		}
		flush()
		lines = append(lines, formatted...)
	}
	flush()
	if len(lines) > 0 {
		lines[0].First = false
	}
	return lines
}

// sameKind returns the response among the messages if m is a response.
func sameKind(messages []playground.RPC, m playground.RPC) *jsontree.Node {
	for _, b := range messages {
		if b.IsResponse() && m.IsResponse() {
			return b.Node
		}
	}
	return nil
}

func frameID(side string, n int, suffix string) string {
	return fmt.Sprintf("%s-%d%s", side, n, suffix)
}

// Frame returns one side of a Round, or one message of its stream, of which suffix makes the id.
// seq is the number of its Event, 0 if it has none.
func (k FrameMaker) Frame(side, suffix string, frame wire.Frame, seq int) Frame {
	f := Frame{
		ID: frameID(side, k.N, suffix), Side: side, Facts: prose.ByteCount(len(frame.Body)),
	}
	if f.OnLine = frame.IsLine(); f.OnLine {
		f.Line = pipeOf(side)
	} else {
		f.readHead(frame.Head)
	}
	shown := beginning(frame.Body)
	if left := len(frame.Body) - len(shown); left > 0 {
		f.Left = text.Size(left)
		if k.Whole != nil && seq > 0 {
			f.Whole = k.Whole(seq)
		}
	}
	if k.Exact {
		head, _, n := markPlaces(frame.Head, k.find, f.ID, 1)
		body, escaped, more := markPlaces(shown, k.find, f.ID, n+1)
		f.Head, f.Body, f.Escaped, f.Marked = head, body, escaped, n+more > 0
	}
	return f
}

// pipeOf returns where the lines of a side are.
func pipeOf(side string) string {
	if side == "request" {
		return "Standard input"
	}
	return "Standard output"
}

// copyWords returns the label of the copy button.
func (f Frame) copyWords() string {
	switch {
	case f.Left != "":
		return "Copy what is shown"
	case f.OnLine && f.Side == "request":
		return "Copy the line, to paste it into the server's standard input"
	}
	return "Copy body"
}

// told are the header fields that a frame shows above its messages: those that
// MCP gives a meaning, and those that tell a client what to do.
var told = []string{
	"mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "last-event-id",
	"www-authenticate", "location", "retry-after",
}

// readHead reads the start line and the header fields.
func (f *Frame) readHead(head []byte) {
	h, err := wire.ParseHead(head)
	f.Line = text.Visible(h.Line, 200)
	if err != nil {
		f.Broken = text.Lines(string(head), maxText)
		return
	}
	for _, field := range h.Fields {
		name := strings.ToLower(field.Name)
		field.Name, field.Value = text.Visible(field.Name, 200), text.Visible(field.Value, maxText)
		switch {
		case slices.Contains(told, name), strings.HasPrefix(name, "mcp-param-"),
			name == "content-type" && f.Side == "response":
			f.Fields = append(f.Fields, field)
		default:
			f.More++
		}
	}
}

// missingFields returns the header fields that the specification requires in the
// request of t and that it does not have ("Protocol Version Header", "Standard
// Request Headers").
func missingFields(t playground.Trip) []string {
	if !t.Sent.Has("id") || t.Method == "" {
		return nil
	}
	required := []string{"MCP-Protocol-Version", "Mcp-Method"}
	if member := wire.NameMember(t.Method); member != "" && t.Sent.At("params", member).Str() != "" {
		required = append(required, "Mcp-Name")
	}
	h, _ := wire.ParseHead(t.Request.Head) // of a broken head, what could be read
	return slices.DeleteFunc(required, func(name string) bool { return h.Values(name) != nil })
}

// bodyText returns the shown part of a body that has no message.
func bodyText(body []byte) string { return text.Lines(string(beginning(body)), maxText) }

// beginning returns the part of a body that a page shows: all of it, or the
// first MaxBody bytes without half a character.
func beginning(body []byte) []byte {
	if len(body) <= MaxBody {
		return body
	}
	n := MaxBody
	for n > MaxBody-utf8.UTFMax && !utf8.RuneStart(body[n]) {
		n--
	}
	return body[:n]
}

// FormatBody lays out a body that is JSON, and shows others as text.
func (k FrameMaker) FormatBody(f *Frame, body []byte) {
	if f.Left != "" || len(body) == 0 {
		return
	}
	if node, err := jsontree.Parse(body, jsontree.Limits{}); err == nil {
		f.Readable = k.layout(f.ID).LayOut(nil, node)
		return
	}
	f.Text = bodyText(body)
}
