package playground

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Repetition is the content of a repeated event: polls of a task that were
// answered as an earlier poll of the same log was. They are counted in place of
// their bytes. The time and the connection of the event are those of the newest
// of them.
type Repetition struct {
	Of    int `json:"of"`    // sequence number of the response that came again
	Count int `json:"count"` // how often it came again
}

// MaxRepeats is the highest count of one repeated event.
const MaxRepeats = 1_000_000

// ErrRepetition is for a repeated event that no recorder writes.
var ErrRepetition = errors.New("a repeated event names no earlier poll or has no valid count")

// Event returns the log entry of the repetition.
func (r Repetition) Event(at time.Time, conn int) Event {
	return Event{At: at, Conn: conn, Kind: Repeated, Data: mustJSON(r)}
}

// Repetition returns the content of a repeated event. It returns ErrRepetition
// for an event of another kind, for members that are missing or unknown, and
// for numbers out of range.
func (e Event) Repetition() (Repetition, error) {
	var r Repetition
	d := json.NewDecoder(bytes.NewReader(e.Data))
	d.DisallowUnknownFields()
	if e.Kind != Repeated || d.Decode(&r) != nil || r.Of < 1 || r.Count < 1 || r.Count > MaxRepeats {
		return Repetition{}, ErrRepetition
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Repetition{}, ErrRepetition
	}
	return r, nil
}

// CheckRepetitions returns ErrRepetition unless each repeated event of a log
// names the response to an earlier poll.
func CheckRepetitions(log []Event) error {
	if !slices.ContainsFunc(log, func(e Event) bool { return e.Kind == Repeated }) {
		return nil
	}
	polled, answered := map[int]bool{}, map[int]bool{}
	for _, e := range log {
		switch e.Kind {
		case Sent:
			polled[e.Conn] = methodOf(e) == TasksGet
		case Received:
			answered[e.Seq] = polled[e.Conn]
		case Repeated:
			if r, err := e.Repetition(); err != nil || !answered[r.Of] {
				return ErrRepetition
			}
		}
	}
	return nil
}

// Progress returns how far a log has come: the number of its events, where each
// counted poll counts as one. It grows with every change of the log.
func Progress(log []Event) int {
	n := len(log)
	for _, e := range log {
		if r, err := e.Repetition(); err == nil {
			n += r.Count - 1
		}
	}
	return n
}

// methodOf returns the JSON-RPC method of a request.
func methodOf(sent Event) string {
	var p part
	p.send(sent)
	return p.Method
}

// Polls finds the polls of a log that may come again. It reads each event once.
type Polls struct {
	read  int                       // events of the log that were read
	sent  map[int]Event             // requests of polls whose connection may bring more, by connection
	known map[[sha256.Size]byte]int // sequence numbers of responses, by what is equal in equal polls
}

// Read reads what is new in a log whose events are numbered without gaps. It
// must not be called while the response to a poll is stored in part.
func (p *Polls) Read(log []Event) {
	if p.sent == nil {
		p.sent, p.known = map[int]Event{}, map[[sha256.Size]byte]int{}
	}
	events := log[p.read:]
	p.read = len(log)
	parts := map[int]int{} // of answers, by connection
	for _, e := range events {
		switch e.Kind {
		case Sent:
			if methodOf(e) == TasksGet {
				p.sent[e.Conn] = e
			}
		case Received, Message, Failed, Cancelled:
			parts[e.Conn]++
		}
	}
	for i, e := range events {
		sent, isPoll := p.sent[e.Conn]
		if !isPoll || e.Kind == Sent {
			continue
		}
		delete(p.sent, e.Conn)
		if parts[e.Conn] != 1 {
			continue // a stream, or an answer that was cut off
		}
		if digest, ok := pollDigest(sent, e); ok {
			p.known[digest] = len(log) - len(events) + i + 1
		}
	}
}

// Any reports whether a poll of the log may come again.
func (p *Polls) Any() bool { return len(p.known) > 0 }

// Find returns the sequence number of the response that a poll repeats, or
// false if it repeats none: if its answer is a stream, or differs in more than
// the JSON-RPC id, the progress token, the Date header and lastUpdatedAt.
func (p *Polls) Find(sent, received Event) (of int, ok bool) {
	digest, ok := pollDigest(sent, received)
	if !ok {
		return 0, false
	}
	of, ok = p.known[digest]
	return of, ok
}

// pollDigest returns a digest of what is equal in equal polls.
func pollDigest(sent, received Event) ([sha256.Size]byte, bool) {
	request, response := wire.Split(sent.Data), wire.Split(received.Data)
	asked, err := jsontree.Parse(request.Body, jsontree.Limits{})
	if err != nil || received.Kind != Received {
		return [sha256.Size]byte{}, false
	}
	answered, err := jsontree.Parse(response.Body, jsontree.Limits{})
	if err != nil || answered.Kind != jsontree.Object {
		return [sha256.Size]byte{}, false
	}
	id := answered.Get("id")
	if id == nil || asked.Get("id") == nil || !bytes.Equal(id.Raw(), asked.Get("id").Raw()) {
		return [sha256.Size]byte{}, false
	}
	h := sha256.New()
	for _, part := range [][]byte{
		steadyHead(request),
		without(request.Body, asked.Get("id"), asked.At("params", "_meta", "progressToken")),
		steadyHead(response), without(response.Body, id, answered.At("result", "lastUpdatedAt")),
	} {
		_, _ = h.Write(strconv.AppendInt(nil, int64(len(part)), 10))
		_, _ = h.Write([]byte{'\n'})
		_, _ = h.Write(part)
	}
	return [sha256.Size]byte(h.Sum(nil)), true
}

// steadyHead returns the head of a frame without its Date, and without a
// Content-Length that says how long the body is: it changes with the id.
func steadyHead(f wire.Frame) []byte {
	var head []byte
	for line := range bytes.SplitAfterSeq(f.Head, []byte("\n")) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch strings.ToLower(string(name)) {
		case "date":
			continue
		case "content-length":
			if string(bytes.TrimSpace(value)) == strconv.Itoa(len(f.Body)) {
				continue
			}
		}
		head = append(head, line...)
	}
	return head
}

// without returns a JSON text with a zero byte, which no JSON text has, in place
// of each of the values. A value may be nil.
func without(text []byte, values ...*jsontree.Node) []byte {
	values = slices.DeleteFunc(values, func(n *jsontree.Node) bool { return n == nil })
	slices.SortFunc(values, func(a, b *jsontree.Node) int { return a.Start - b.Start })
	var out []byte
	from := 0
	for _, n := range values {
		if n.Start < from { // a value within another one
			continue
		}
		out = append(append(out, text[from:n.Start]...), 0)
		from = n.End
	}
	return append(out, text[from:]...)
}
