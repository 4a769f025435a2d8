package views

import (
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// WireRound is the record of a Round: both sides, byte for byte.
type WireRound struct {
	N        int
	Outcome  playground.Outcome
	Class    string
	Method   string
	IsError  bool
	Anyway   bool // an answer was sent on purpose although the schema refuses it
	Open     bool // unfolded
	Took     string
	Request  FrameView
	Response *FrameView // nil before anything came
	Curl     string
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
	Readable []JSONLine
}

// JSONLine is one line of JSON laid out for reading, as HTML.
type JSONLine struct {
	HTML string
	Fold []JSONLine // a folded container's lines, closing line included
}

// NewWireRound shows the record of r. curl may be empty.
func NewWireRound(r playground.Round, open bool, curl string) WireRound {
	w := WireRound{
		N: r.N, Outcome: r.Outcome, Class: string(r.Class), Method: r.Method, IsError: r.IsError, Open: open, Curl: curl,
		Request: newFrame(r.N, "request", r.Request.Head, r.Request.Body, []*jsontree.Node{r.Sent}),
	}
	w.Anyway = r.Decision.Anyway
	if !r.Ended.IsZero() {
		w.Took = durationWords(r.Ended.Sub(r.Started))
	}
	if len(r.Response.Head)+len(r.Response.Body) > 0 {
		var nodes []*jsontree.Node
		for _, m := range r.Messages {
			nodes = append(nodes, m.Node)
		}
		f := newFrame(r.N, "response", r.Response.Head, r.Response.Body, nodes)
		w.Response = &f
	}
	return w
}

func newFrame(n int, side string, head, body []byte, nodes []*jsontree.Node) FrameView {
	f := FrameView{ID: fmt.Sprintf("%s-%d", side, n), Side: side, Size: sizeWords(len(body))}
	f.Line, _, _ = strings.Cut(string(head), "\r\n")
	f.Line = Visible(f.Line, 200)
	f.Head, _ = exact(head)
	f.Body, f.Escaped = exact(body)
	for _, node := range nodes {
		f.Readable = append(f.Readable, readable(node)...)
	}
	return f
}

// Words tells how the Round went, for its summary line.
func (w WireRound) Words() string {
	words := strings.ReplaceAll(string(w.Outcome), "_", " ")
	if w.Took != "" {
		words += " · " + w.Took
	}
	if w.Anyway {
		words += " · an answer that the schema refuses was sent on purpose"
	}
	return words
}

func durationWords(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func sizeWords(n int) string {
	if n < 10_000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}
