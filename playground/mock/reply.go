package mock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Reply is what a client gets for a request. It has a Body, Events, or neither.
type Reply struct {
	Status int          // 0 if nothing came back
	Fields []wire.Field // those whose names begin with Mcp-
	Body   []byte       // one message of JSON
	Events []Event      // of an event stream
	Stream bool         // an event stream, even one without events
	End    End

	ID      *jsontree.Node // of the request of the client; nil if it has none
	WasID   string         // of the recorded request, as IDKey names it
	Request int            // the number of the recorded request, from 1; 0 if Own or Made is set
	Made    bool           // the answer was not recorded, but made of the calls
	Masked  bool           // a value is masked
	Own     string         // what the recording itself says, in place of the server; else empty
}

// Waits reports whether the answer stays open until the client does something.
func (r Reply) Waits() bool {
	return r.End == Open || slices.ContainsFunc(r.Events, func(e Event) bool { return e.Awaits != "" })
}

// Event is one event of a stream.
type Event struct {
	Bytes []byte // as they came, with their blank line
	Data  []byte // the message; nil if there is none
	// Awaits is the id of a question of a legacy server, as IDKey names it. What follows comes
	// after its answer.
	Awaits string
	call   int
}

// End is how a response ends.
type End int

// Ends.
const (
	Whole End = iota // as it should
	Cut              // the connection broke, as it did when it was recorded
	Open             // the client left before it ended: it goes on until the client leaves
)

// mostFields is how many fields of a head are served.
const mostFields = 16

// Reply returns the answer that has a number, from 0: how many were given before.
func (f Found) Reply(n int) Reply {
	e := f.at(n)
	id := f.message.Get("id")
	r := Reply{
		ID:      id,
		WasID:   e.wasID(e.id),
		Stream:  isStream(e.reply.head) || len(e.reply.events) > 0,
		Request: e.n,
		Status:  e.reply.status(),
		Masked:  e.reply.isMasked(),
	}
	if e.made {
		r.Made, r.Request = true, 0
	}
	r.Fields = e.reply.fields()
	r.End = e.reply.end
	switch {
	case e.reply.withheld() != "":
		return errorReply(r.Status, notServed, fmt.Sprintf(
			"The recorded answer is %s. A recording serves JSON and event streams only.",
			text.Visible(e.reply.withheld(), mostShown)), nil, id)
	case e.reply.head.Status == 0 && !e.reply.line:
		if r.Status = 0; r.End == Whole {
			r.End = Cut // there is nothing to end
		}
		return r
	}
	ids := newIDs(e, f.message)
	ids.newest, ids.of = f.newest, e
	if len(e.reply.events) == 0 {
		r.Body, _ = ids.put(e.reply.body)
		return r
	}
	for i := range e.reply.events {
		if event, ok := f.of.event(e, i, ids); ok {
			r.Events = append(r.Events, event)
		}
	}
	if e.reply.line && len(r.Events) == 1 && r.Events[0].Awaits == "" && r.End == Whole {
		r.Body, r.Events = r.Events[0].Data, nil
	}
	return r
}

// notServed is the code of an error of the recording itself.
const notServed = -32000

// status returns the status to answer with. A server on standard input has none.
func (r recorded) status() int {
	switch {
	case r.head.Status >= 200 && r.head.Status <= 599:
		return r.head.Status
	case r.line && len(r.events) == 0:
		return 202
	}
	return 200
}

// event returns event i of a stream with the ids of this request; false if the client may not
// get it.
func (r *Recording) event(from *entry, i int, ids ids) (Event, bool) {
	b := from.reply.events[i]
	e := Event{Bytes: b, Data: b, call: from.call}
	if !from.reply.line {
		e.Data, _, _ = wire.EventData(b)
	}
	if len(e.Data) == 0 {
		return e, true
	}
	data, ok := ids.put(e.Data)
	if !ok {
		return e, false
	}
	if from.reply.line {
		e.Bytes = slices.Concat([]byte("data: "), data, []byte("\n\n"))
	} else if !bytes.Equal(data, e.Data) {
		e.Bytes = wire.SetEventData(b, data)
	}
	e.Data = data
	if node, err := jsontree.Parse(data, jsontree.Limits{}); err == nil && playground.IsRequest(node) {
		key := playground.IDKey(node.Get("id"))
		if from.reply.waits(i, r.given[question{from.call, key}]) {
			e.Awaits = key
		}
	}
	return e, true
}

// Differs says how a client's answer to the question that an event asks differs from the
// recorded one; "" if it does not.
func (r *Recording) Differs(e Event, answer *jsontree.Node) string {
	was := r.given[question{e.call, e.Awaits}].message
	if r.ignored.Has(Answers) ||
		fits(was.Get("result"), answer.Get("result")) && was.Has("error") == answer.Has("error") {
		return ""
	}
	changes := jsontree.Diff(was.Get("result"), answer.Get("result"))
	if len(changes) == 0 {
		return "The recorded client answered this question in another way."
	}
	c := changes[0]
	return fmt.Sprintf("The recorded client gave another answer: %s is %s, recorded: %s.",
		jsontree.Pointer(append([]string{"result"}, c.Path...)...), shown(c.After), shown(c.Before))
}

// OwnError returns an answer of a recording in its own name, to a request without an id.
func OwnError(status int, message string) Reply {
	return errorReply(status, notServed, message, nil, nil)
}

// IsAnswer reports whether a message of a client answers a question of a legacy server.
func IsAnswer(message *jsontree.Node) bool { return isAnswer(message) }

// Refuse returns the reply to a request that was not recorded.
func (r *Recording) Refuse(m *Miss, id *jsontree.Node) Reply { return m.reply(id, r.legacy) }

// RefuseAnswer returns the reply to a request that stays open, after an answer that was
// not recorded.
func (r *Recording) RefuseAnswer(why string, id *jsontree.Node) Reply {
	return errorReply(200, invalidParams, why, nil, id)
}

// wasID names an id of a request of the entry's call.
func (e *entry) wasID(id *jsontree.Node) string { return prefix(e.call) + playground.IDKey(id) }

// Resumes reports whether a stream of the recording was resumed, so that ids are to be kept.
func (r *Recording) Resumes() bool { return r.resumes }

// ids are the ids that take the place of the recorded ones.
type ids struct {
	id, token       *jsontree.Node // recorded
	newID, newToken *jsontree.Node
	newest          map[string]json.RawMessage // of other requests, by their recorded ids
	of              *entry
}

func newIDs(e *entry, message *jsontree.Node) ids {
	return ids{
		id: e.id, token: e.token, newID: message.Get("id"),
		newToken: message.Get("params").Get("_meta").Get("progressToken"),
	}
}

// subscriptionID is the member of _meta by which a notification names its subscription, which
// has the id of the request that opened it (basic/utilities/subscriptions).
const subscriptionID = "io.modelcontextprotocol/subscriptionId"

// put returns a message with the new ids. It is false for progress that the client did not ask
// for.
func (i ids) put(message []byte) ([]byte, bool) {
	node, err := jsontree.Parse(message, jsontree.Limits{Depth: 10_000, Values: len(message) + 1})
	if err != nil {
		return message, true
	}
	var spots []spot
	replace := func(at, was, is *jsontree.Node) {
		if at != nil && was != nil && is != nil && jsontree.Equal(at, was) {
			spots = append(spots, spot{at.Start, at.End, is.Raw()})
		}
	}
	params := node.Get("params")
	switch {
	case node.Has("result") || node.Has("error"):
		replace(node.Get("id"), i.id, i.newID)
		if is := i.newest[i.of.wasID(node.Get("id"))]; i.id == nil && is != nil {
			spots = append(spots, spot{node.Get("id").Start, node.Get("id").End, is})
		}
		replace(node.Get("result").Get("_meta").Get(subscriptionID), i.id, i.newID)
	case node.Get("method").Str() == playground.ProgressNotified:
		token := params.Get("progressToken")
		if i.newToken == nil && i.token != nil && jsontree.Equal(token, i.token) {
			return nil, false
		}
		replace(token, i.token, i.newToken)
	case node.Get("method").Str() == playground.CancelledNotified:
		replace(params.Get("requestId"), i.id, i.newID)
	}
	replace(params.Get("_meta").Get(subscriptionID), i.id, i.newID)
	slices.SortFunc(spots, func(a, b spot) int { return a.start - b.start })
	var out []byte
	from := 0
	for _, s := range spots {
		out = append(append(out, message[from:s.start]...), s.with...)
		from = s.end
	}
	return append(out, message[from:]...), true
}

// spot is a part of a message that is replaced.
type spot struct {
	start, end int
	with       []byte
}
