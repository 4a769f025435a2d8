package lines

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// oddLines are the newest lines for a request, if they are no messages. They may be log
// text, which a response follows; or they are a message in another form, and then no
// response will ever be read.
type oddLines struct {
	fault  playground.LineFault // of the first line
	first  []byte
	count  int
	text   []byte // all lines of a JSON text
	depth  int    // of its arrays and objects that are open
	quoted bool   // it ends within a string
	old    bool   // nothing was added since unfinished was last called
}

// read adds a line, and returns a failure if the lines are a message in another form.
func (o *oddLines) read(line []byte, fault playground.LineFault) *wire.Failure {
	o.old = false
	switch {
	case fault.Shape == playground.LineEncoded:
		return badLine("A line of the command "+fault.Text, line)
	case o.fault.Shape == playground.LineHeader && len(bytes.TrimSpace(line)) == 0:
		return badLine("A line of the command "+o.fault.Text, o.first)
	case o.fault.Shape == playground.LineHeader && fault.Shape == playground.LineHeader:
		return nil
	case o.fault.Shape == playground.LinePart && o.add(line):
		if o.depth > 0 {
			return nil
		}
		if n, err := jsontree.Parse(o.text, jsontree.Limits{}); err == nil && isMessage(n) {
			return badLine(fmt.Sprintf("The command writes a message on %d lines; it must be one line",
				o.count), o.text)
		}
		*o = oddLines{}
		return nil
	case o.fault.Shape == playground.LineMixed && fault.Shape == playground.LineOther:
		return nil // such as the empty line at the end of an event
	}
	*o = oddLines{fault: fault, first: line}
	if fault.Shape == playground.LinePart && !o.add(line) {
		*o = oddLines{}
	}
	return nil
}

// add adds a line to a JSON text, and reports whether it can be a part of one.
func (o *oddLines) add(line []byte) bool {
	o.count++
	o.text = append(o.text, line...)
	escaped := false
	for _, c := range line {
		switch {
		case escaped:
			escaped = false
		case o.quoted && c == '\\':
			escaped = true
		case c == '"':
			o.quoted = !o.quoted
		case o.quoted:
		case c == '{' || c == '[':
			o.depth++
		case c == '}' || c == ']':
			o.depth--
		case strings.IndexByte(" \t\r\n:,+-.0123456789eEtrufalsn", c) < 0: // of numbers, true, false, null
			return false
		}
	}
	return o.depth >= 0
}

// unfinished returns a failure if nothing has followed since it was last called, although
// the lines are no log text.
func (o *oddLines) unfinished() *wire.Failure {
	switch {
	case o.fault.Shape == playground.LineOther:
		return nil
	case !o.old:
		o.old = true
		return nil
	case o.count > 1:
		return badLine(fmt.Sprintf("The command writes a JSON text on several lines, of which it wrote %d; "+
			"a message must be one line", o.count), o.text)
	}
	return badLine("A line of the command "+o.fault.Text, o.first)
}

// shownBytes is how much of a bad line is in a sentence.
const shownBytes = 120

func badLine(why string, line []byte) *wire.Failure {
	return &wire.Failure{Class: wire.BadLine, Detail: why + ": " + quote(line) + "."}
}

// quote returns the beginning of a line for a sentence.
func quote(line []byte) string {
	begin, more := line, ""
	if len(line) > shownBytes {
		begin, more = wholeCharacters(line[:shownBytes]), "…"
	}
	return "“" + text.Visible(string(begin), 2*shownBytes) + more + "”"
}

// wholeCharacters returns a text in UTF-8 without a character that is cut off at its end.
func wholeCharacters(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		end := b[len(b)-n:]
		if utf8.RuneStart(end[0]) {
			if !utf8.FullRune(end) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

// isMessage reports whether a value is a JSON-RPC message.
func isMessage(n *jsontree.Node) bool {
	return playground.RPC{Node: n}.IsResponse() || n.Get("method").Str() != ""
}

// faultOf returns the fault of a line that was parsed as message.
func faultOf(message *jsontree.Node, line stdio.Line) playground.LineFault {
	plain := message != nil && message.Kind == jsontree.Object && utf8.Valid(line.Bytes) &&
		line.Bytes[0] < utf8.RuneSelf // else it may begin with a mark
	if plain || line.Piece != stdio.Whole {
		return playground.LineFault{}
	}
	return playground.FaultOfLine(line.Bytes)
}

// maxNoticed is how many lines of a process are named while it runs. The record has all.
const maxNoticed = 3

// notice reports a line that is not one message to the user. An earlier
// revision has batches. p.mu must not be held: the user's terminal may wait.
func (p *process) notice(message *jsontree.Node, line []byte, fault playground.LineFault) {
	if fault.Text == "" || p.noticed == maxNoticed || p.session && message != nil {
		return
	}
	p.noticed++
	p.c.of.cfg.Notice("A line of the command " + fault.Text + ": " + quote(line))
}

// failUnfinished fails a request if the command has written something for it that lacks
// its end, and nothing since failUnfinished was last called: a part of a message on lines
// of its own, or a message without a line feed. A request whose response has come does not
// fail any more.
func (p *process) failUnfinished(f *flight) {
	begun := p.child.Begun()
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.failed == nil && !f.whole && !slices.Contains(p.answered, f) {
		f.failed = p.unfinished(f, begun)
	}
}

// unfinished returns the failure of failUnfinished, or nil, for a line of which begun was
// written. p.mu must be held.
func (p *process) unfinished(f *flight, begun []byte) *wire.Failure {
	if failure := f.odd.unfinished(); failure != nil || len(begun) == 0 {
		f.begun = nil
		return failure
	}
	if !bytes.Equal(begun, f.begun) {
		f.begun = begun
		return nil
	}
	message, _ := jsontree.Parse(begun, jsontree.Limits{})
	fault := playground.FaultOfLine(wholeCharacters(begun))
	switch {
	case fault.Shape != playground.LineEncoded && fault.Shape != playground.LineMixed && !isMessage(message),
		p.owner(message) != f:
		return nil
	case isMessage(message) && fault.Text == "":
		fault.Text = "has no line feed at its end"
	}
	begun = p.c.secrets.Mask(begun)
	f.take(stdio.Line{Bytes: begun}, p.c.of.cfg.Now())
	return badLine("A line of the command "+fault.Text, begun)
}
