package share

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// piece is one stretch of what becomes public.
type piece struct {
	label    string
	name     string // of a plain text: the header field, the member
	exchange int
	kind     playground.EventKind // of an event; empty for anything else
	sample   bool
	data     []byte
	replace  func(data []byte, masked bool) // replaces the text in the snapshot
	marks    []mark
	starts   map[markStart]int // ends of the marks of findings, by where they begin
}

// isUsers reports whether the piece holds what the user entered.
func (p *piece) isUsers() bool {
	return p.kind == playground.Decided || p.kind == playground.Sent || p.name == "params"
}

// pieces returns all texts of a session. Their replace functions change it.
func pieces(s *session.Session) []*piece {
	list := []*piece{
		{label: "Title", data: []byte(s.Title), replace: func(b []byte, _ bool) { s.Title = string(b) }},
		{label: "Note", data: []byte(s.Note), replace: func(b []byte, _ bool) { s.Note = string(b) }},
	}
	for i := range s.Exchanges {
		for _, p := range exchangePieces(&s.Exchanges[i]) {
			p.exchange, p.sample = i+1, s.Exchanges[i].Target.Sample != ""
			list = append(list, p)
		}
	}
	return list
}

// exchangePieces returns all texts of an exchange.
func exchangePieces(x *playground.Exchange) []*piece {
	t := &x.Target
	list := []*piece{
		{label: "Name of the server", data: []byte(t.Name),
			replace: func(b []byte, _ bool) { t.Name = string(b) }},
		{label: "URL of the server", data: []byte(t.URL),
			replace: func(b []byte, _ bool) { t.URL = string(b) }},
		{label: "Declared capabilities", data: bytes.Clone(t.Capabilities),
			replace: func(b []byte, _ bool) { t.Capabilities = b }},
		{label: "Call", data: []byte(x.Call.Method),
			replace: func(b []byte, _ bool) { x.Call.Method = string(b) }},
		{label: "Parameters of the call", name: "params", data: bytes.Clone(x.Call.Params),
			replace: func(b []byte, _ bool) { x.Call.Params = b }},
		{label: "Definition of the tool", data: bytes.Clone(x.Call.Tool),
			replace: func(b []byte, _ bool) { x.Call.Tool = b }},
	}
	list = append(list, headerPieces(t)...)
	for i := range x.Log {
		e := &x.Log[i]
		list = append(list, &piece{
			label: eventLabel(*e), kind: e.Kind, data: bytes.Clone(e.Data), replace: func(b []byte,
				_ bool) {
				e.Data = b
			},
		})
	}
	return list
}

// headerPieces returns the extra header fields of every request. A masked field
// has no use and is left out of the snapshot.
func headerPieces(t *playground.Target) []*piece {
	fields := t.Header
	t.Header = nil
	var list []*piece
	for _, f := range fields {
		list = append(list, &piece{
			label: "Header field " + f.Name, name: f.Name, data: []byte(f.Value),
			replace: func(b []byte, masked bool) {
				if !masked {
					t.Header = append(t.Header, wire.Field{Name: f.Name, Value: string(b)})
				}
			},
		})
	}
	return list
}

func eventLabel(e playground.Event) string {
	return fmt.Sprintf("%d · %s", e.Seq, eventName(e.Kind))
}

func eventName(kind playground.EventKind) string {
	switch kind {
	case playground.Decided:
		return "your decision"
	case playground.Sent:
		return "request"
	case playground.Received:
		return "response"
	case playground.Message:
		return "message of the stream"
	}
	return string(kind)
}

// walk lets w visit all texts of the piece.
func (p *piece) walk(w *walker) {
	all := whole(p.data, 0)
	switch p.kind {
	case playground.Sent, playground.Received:
		frame := wire.Split(p.data)
		walkHead(w, all.slice(0, len(frame.Head)))
		body := all.slice(len(frame.Head), len(p.data))
		if len(body.text) > 0 && !walkStream(w, body) {
			w.text(body, "", 0)
		}
	case playground.Message:
		if !walkStream(w, all) {
			w.text(all, "", 0)
		}
	default:
		w.text(all, p.name, 0)
	}
}

// walkHead visits the lines of a head, each with the name of its field.
func walkHead(w *walker, head view) {
	for start := 0; start < len(head.text); {
		end := start + len(head.text[start:])
		if i := bytes.IndexByte(head.text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := bytes.TrimRight(head.text[start:end], "\r\n")
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || start == 0 {
			w.text(head.slice(start, start+len(line)), "", 0)
		} else {
			from := start + len(line) - len(bytes.TrimLeft(value, " \t"))
			w.text(head.slice(from, start+len(line)), strings.TrimSpace(string(name)), 0)
		}
		start = end
	}
}

// walkStream visits the data of server-sent events. It returns false if v is
// not a stream.
func walkStream(w *walker, v view) bool {
	if !bytes.HasPrefix(v.text, []byte("data:")) && !bytes.Contains(v.text, []byte("\ndata:")) {
		return false
	}
	data := v.decoded(len(v.text))
	flush := func() {
		if len(data.out.text) > 0 {
			w.text(data.out, "", 0)
		}
		data = v.decoded(64)
	}
	for start := 0; start < len(v.text); {
		end := len(v.text)
		if i := bytes.IndexByte(v.text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := bytes.TrimRight(v.text[start:end], "\r\n")
		switch rest, isData := bytes.CutPrefix(line, []byte("data:")); {
		case isData:
			from := start + len(line) - len(bytes.TrimPrefix(rest, []byte(" ")))
			for i := from; i < start+len(line); i++ {
				data.add(i, i+1, v.text[i])
			}
			if end > start+len(line) {
				data.add(start+len(line), end, '\n')
			}
		case len(line) == 0:
			flush()
		default:
			w.text(v.slice(start, start+len(line)), "", 0)
		}
		start = end
	}
	flush()
	return true
}
