package playground

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
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
	if e.Kind != Repeated {
		return Repetition{}, ErrRepetition
	}
	var r Repetition
	d := json.NewDecoder(bytes.NewReader(e.Data))
	d.DisallowUnknownFields()
	if d.Decode(&r) != nil || r.Of < 1 || r.Count < 1 || r.Count > MaxRepeats {
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
	// Secrets masks the compared bytes, because a log that was stored is masked
	// in part. It may be nil.
	Secrets *redact.Secrets

	read  int                 // events of the log that were read
	open  map[int]*PollAnswer // answers to polls whose connection may bring more, by connection
	known map[pollDigest]int  // sequence numbers of responses, by the digest of the whole answer
	begun map[pollDigest]bool // digests of the beginnings of answers that are streams
}

// pollDigest is a digest of the parts that equal polls and their answers share.
type pollDigest [sha256.Size]byte

// Read reads the new events of a log whose events are numbered without gaps. It
// must not be called while the response to a poll is stored in part.
func (p *Polls) Read(log []Event) {
	if p.open == nil {
		p.open, p.known, p.begun = map[int]*PollAnswer{}, map[pollDigest]int{}, map[pollDigest]bool{}
	}
	for ; p.read < len(log); p.read++ {
		e := log[p.read]
		e.Seq = p.read + 1
		if e.Kind == Sent && methodOf(e) == TasksGet {
			p.open[e.Conn] = p.Asked(e)
		} else if a := p.open[e.Conn]; a != nil {
			a.Add(e)
		}
	}
	for _, conn := range slices.Sorted(maps.Keys(p.open)) {
		a := p.open[conn]
		if a.seq == 0 && !a.other {
			continue // nothing has come yet
		}
		delete(p.open, conn)
		if a.other || !a.responded {
			continue
		}
		p.known[a.digest] = a.seq
		for _, digest := range a.trail {
			p.begun[digest] = true
		}
	}
}

// Unread returns the size of the part of a log that Read has not read, in
// bytes.
func (p *Polls) Unread(log []Event) int {
	size := 0
	for _, e := range log[min(p.read, len(log)):] {
		size += len(e.Data)
	}
	return size
}

// Any reports whether a poll of the log may come again.
func (p *Polls) Any() bool { return len(p.known) > 0 }

// PollAnswer compares the answer to a poll, while it comes, with those that a
// log has. Answers are equal if they differ in nothing but the JSON-RPC id, the
// progress token, the span of the request, the Date header, lastUpdatedAt of the
// result and, if they are streams, in parts that are not messages: ids, times
// to reconnect, comments, line endings and Content-Length.
type PollAnswer struct {
	polls     *Polls
	asked     *jsontree.Node // the request
	seq       int            // of the response, or of the head of the stream
	stream    bool
	responded bool         // the JSON-RPC response has come
	other     bool         // no answer can be equal
	digest    pollDigest   // of the request and of the received part
	trail     []pollDigest // earlier values of digest
}

// Asked returns the answer to a poll of which nothing has come yet.
func (p *Polls) Asked(sent Event) *PollAnswer {
	request := wire.Split(sent.Data)
	asked, err := jsontree.Parse(request.Body, jsontree.Limits{})
	a := &PollAnswer{polls: p, asked: asked, other: err != nil || !asked.Has("id")}
	if !a.other {
		a.mix(p.Secrets.MaskRequest(steadyHead(request, false)),
			without(request.Body, asked.Get("id"), asked.At("params", "_meta", "progressToken"),
				asked.At("params", "_meta", metaTrace)))
	}
	return a
}

// Add adds an event of the answer.
func (a *PollAnswer) Add(e Event) {
	switch e.Kind {
	case Received:
		a.receive(e)
	case Message:
		data, name, ok := wire.EventData(e.Data)
		switch {
		case !a.stream || !ok && bytes.Contains(e.Data, []byte("data")):
			a.other = true // a message that was cut off, if it is one
		case ok:
			a.mix([]byte(name), a.steady(data))
		}
	case Failed, Cancelled:
		a.other = true
	}
}

func (a *PollAnswer) receive(e Event) {
	response := wire.Split(e.Data)
	head, err := wire.ParseHead(response.Head)
	a.other = a.other || a.seq > 0
	a.seq = e.Seq
	if a.stream = err == nil && head.IsStream(); a.stream {
		a.mix(steadyHead(response, true))
		return
	}
	a.mix(steadyHead(response, false), a.steady(response.Body))
	a.other = a.other || !a.responded
}

// steady returns the parts of a message that equal answers share.
func (a *PollAnswer) steady(message []byte) []byte {
	node, err := jsontree.Parse(message, jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return message
	}
	same := func(x, y *jsontree.Node) bool { return x != nil && y != nil && bytes.Equal(x.Raw(), y.Raw()) }
	if (RPC{Node: node}).IsResponse() {
		id := node.Get("id")
		a.responded, a.other = true, a.other || !same(id, a.asked.Get("id"))
		return without(message, id, node.At("result", "lastUpdatedAt"))
	}
	token := node.At("params", "progressToken")
	if same(token, a.asked.At("params", "_meta", "progressToken")) {
		return without(message, token)
	}
	return message
}

// mix adds to the digest.
func (a *PollAnswer) mix(parts ...[]byte) {
	a.trail = append(a.trail, a.digest)
	h := sha256.New()
	_, _ = h.Write(a.digest[:])
	for _, part := range parts {
		part = a.polls.Secrets.Mask(part)
		_, _ = h.Write(strconv.AppendInt(nil, int64(len(part)), 10))
		_, _ = h.Write([]byte{'\n'})
		_, _ = h.Write(part)
	}
	a.digest = pollDigest(h.Sum(nil))
}

// Disturb gives up comparing: the answer counts as another one.
func (a *PollAnswer) Disturb() { a.other = true }

// MayRepeat reports whether an earlier answer is, or begins, as this one so far.
func (a *PollAnswer) MayRepeat() bool {
	return !a.other && (a.polls.known[a.digest] > 0 || a.polls.begun[a.digest])
}

// Repeats returns the sequence number of the earlier response that the answer
// repeats, now that it has ended, or false if it repeats none.
func (a *PollAnswer) Repeats() (of int, ok bool) {
	of = a.polls.known[a.digest]
	return of, of > 0 && a.responded && !a.other
}

// steadyHead returns the head of a frame without its Date, and without a
// Content-Length that says how long the body is: it changes with the id. The
// frame of a stream has no body.
func steadyHead(f wire.Frame, stream bool) []byte {
	var head []byte
	for line := range bytes.SplitAfterSeq(f.Head, []byte("\n")) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch strings.ToLower(string(name)) {
		case "date":
			continue
		case "content-length":
			if stream || string(bytes.TrimSpace(value)) == strconv.Itoa(len(f.Body)) {
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
