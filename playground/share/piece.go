package share

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// piece is one stretch of the public text.
type piece struct {
	label    string
	name     string   // of a plain text: the header field, the member
	url      bool     // the text is the server's URL
	fixed    [][2]int // stretches that are never masked: scheme, host and port of the server
	exchange int
	kind     playground.EventKind // of an event; empty for anything else
	sample   bool
	hidden   bool // searched for secrets, and not published
	data     []byte
	replace  func(data []byte, masked bool) // replaces the text in the snapshot
	marks    []mark
	starts   map[markStart]int // ends of the marks of findings, by where they begin
}

// isUsers reports whether the piece holds input of the user.
func (p *piece) isUsers() bool {
	return p.kind == playground.Decided || p.kind == playground.Sent || p.name == "params"
}

// pieces returns all texts of a session. Their replace functions change it.
func pieces(s *session.Session) []*piece {
	list := []*piece{
		{label: "Title", data: []byte(s.Title), replace: func(b []byte, _ bool) { s.Title = string(b) }},
		{label: "Note", data: []byte(s.Note), replace: func(b []byte, _ bool) { s.Note = string(b) }},
	}
	if s.Flow != "" {
		list = append(list, &piece{label: "Flow", data: []byte(s.Flow),
			replace: func(b []byte, _ bool) { s.Flow = string(b) }})
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
		{label: "Name of the server", data: []byte(t.Name), fixed: hostNamed(t),
			replace: func(b []byte, _ bool) { t.Name = string(b) }},
		{label: "URL of the server", data: []byte(t.URL), url: true, fixed: authorities([]byte(t.URL)),
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
		note, _ := e.Note()
		if e.Kind == playground.Repeated || e.Kind == playground.Interrupted && note.Report == nil {
			continue // the numbers and words of the recorder, which a mask would make untrue
		}
		plain := bytes.Clone(e.Data)
		if e.Kind == playground.Received {
			plain, _ = wire.DecodeResponse(plain)
		}
		list = append(list, &piece{
			label: eventLabel(*e), kind: e.Kind, data: plain, fixed: hostField(*e),
			replace: func(b []byte, _ bool) {
				if e.Kind == playground.Received {
					b = wire.ReplaceDecoded(e.Data, b)
				}
				e.Data = b
			},
		})
	}
	return list
}

// hostNamed returns where the host is in the name of a server that is called by
// its host.
func hostNamed(t *playground.Target) [][2]int {
	for _, at := range authorities([]byte(t.URL)) {
		if strings.HasPrefix(t.URL[at[0]:at[1]], t.Name) {
			return [][2]int{{0, len(t.Name)}}
		}
	}
	return nil
}

// hostField returns where the value of the Host header of a request is.
func hostField(e playground.Event) [][2]int {
	if e.Kind != playground.Sent {
		return nil
	}
	at := hostPattern.FindSubmatchIndex(wire.Split(e.Data).Head)
	if at == nil {
		return nil
	}
	return [][2]int{{at[2], at[3]}}
}

var hostPattern = regexp.MustCompile(`(?im)^host:[ \t]*([^\r\n]*)`)

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
	case playground.Interrupted:
		return "what the report showed"
	}
	return string(kind)
}

// walk lets w visit all texts of the piece.
func (p *piece) walk(w *walker) {
	all := redact.Whole(p.data, 0)
	switch p.kind {
	case playground.Sent, playground.Received:
		frame := wire.Split(p.data)
		walkHead(w, all.Slice(0, len(frame.Head)))
		body := all.Slice(len(frame.Head), len(p.data))
		if len(body.Text) > 0 && !walkStream(w, body) {
			w.text(body, "", 0)
		}
	case playground.Message:
		if !walkStream(w, all) {
			w.text(all, "", 0)
		}
	default:
		if p.url && len(p.fixed) == 2 {
			w.address(all.Slice(p.fixed[1][1], len(all.Text)), pathName, 0)
		}
		w.text(all, p.name, 0)
	}
}

// pathName is the name with which the segments of the path of the user's server
// are visited: many servers take a key there.
const pathName = "path of the server"

// walkHead visits the lines of a head, each with the name of its field.
func walkHead(w *walker, head redact.View) {
	for start := 0; start < len(head.Text); {
		end := start + len(head.Text[start:])
		if i := bytes.IndexByte(head.Text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := bytes.TrimRight(head.Text[start:end], "\r\n")
		name, value, ok := bytes.Cut(line, []byte(":"))
		if words := bytes.Fields(line); start == 0 && len(words) == 3 && words[1][0] == '/' {
			from := bytes.IndexByte(line, '/')
			w.address(head.Slice(from, from+len(words[1])), pathName, 0)
		} else if !ok || start == 0 {
			w.text(head.Slice(start, start+len(line)), "", 0)
		} else {
			from := start + len(line) - len(bytes.TrimLeft(value, " \t"))
			w.text(head.Slice(from, start+len(line)), strings.TrimSpace(string(name)), 0)
		}
		start = end
	}
}

// walkStream visits the data of server-sent events. It returns false if v is
// not a stream.
func walkStream(w *walker, v redact.View) bool {
	if !bytes.HasPrefix(v.Text, []byte("data:")) && !bytes.Contains(v.Text, []byte("\ndata:")) {
		return false
	}
	data := v.Builder(len(v.Text))
	flush := func() {
		if len(data.View().Text) > 0 {
			w.text(data.View(), "", 0)
		}
		data = v.Builder(64)
	}
	for start := 0; start < len(v.Text); {
		end := len(v.Text)
		if i := bytes.IndexByte(v.Text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := bytes.TrimRight(v.Text[start:end], "\r\n")
		switch rest, isData := bytes.CutPrefix(line, []byte("data:")); {
		case isData:
			from := start + len(line) - len(bytes.TrimPrefix(rest, []byte(" ")))
			for i := from; i < start+len(line); i++ {
				data.Add(i, i+1, v.Text[i])
			}
			if end > start+len(line) {
				data.Add(start+len(line), end, '\n')
			}
		case len(line) == 0:
			flush()
		default:
			w.text(v.Slice(start, start+len(line)), "", 0)
		}
		start = end
	}
	flush()
	return true
}
