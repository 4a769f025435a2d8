package capture

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Tape makes the record of a capture from the lines between a client and one process
// on standard input (basic/transports/stdio): calls become Exchanges, and everything
// else belongs to a log of its own. See playground.Channel for the request that a line
// of the server belongs to.
//
// Lines are added in the order in which they were written. A Tape is not safe for
// concurrent use.
type Tape struct {
	target playground.Target
	newID  func() string
	limits TapeLimits
	others tapeLog
	shelf
	channel  int  // connection of others for lines of the server that belong to no request
	opened   bool // there is a legacy session
	requests *playground.Channel[*taped]
	tools    map[string]json.RawMessage
	size     int
	lines    int
	missed   int
}

// TapeLimits bound the record. Once one is reached, nothing more is recorded.
type TapeLimits struct {
	Bytes int // of all lines
	Lines int
}

// tapeLog is a log that grows.
type tapeLog struct {
	call   playground.Exchange // zero for the log of no call
	log    []playground.Event
	conn   int // the newest connection
	reader playground.Reader
	status playground.Status // of the first read events
	read   int
}

func (l *tapeLog) add(e playground.Event) {
	e.Seq = len(l.log) + 1
	l.log = append(l.log, e)
}

// exchange returns the call with its log.
func (l *tapeLog) exchange() playground.Exchange {
	x := l.call
	x.Log = slices.Clip(l.log)
	return x
}

// taped is a request of the client.
type taped struct {
	log    *tapeLog
	conn   int
	method string
	unsure bool // a line whose ids are not known may be its response
}

// isOfSession reports whether a message of the client belongs to the legacy session of
// its process, if there is one. A request to initialize selects legacy semantics for
// the process; a request with the metadata of this revision is served by this revision
// all the same (basic/versioning, "Compatibility Matrix").
func isOfSession(message *jsontree.Node) bool {
	return message.Get("method").Str() != playground.Discover && !hasVersion(message)
}

// NewTape returns an empty Tape of a process. The ids of the Exchanges are made by
// newID.
func NewTape(target playground.Target, newID func() string, l TapeLimits) *Tape {
	return &Tape{
		target: target, newID: newID, limits: l,
		requests: playground.NewChannel[*taped](), tools: map[string]json.RawMessage{},
	}
}

// FromClient adds a line of the client, with its line feed.
func (t *Tape) FromClient(line []byte, at time.Time) {
	if !t.room(line) {
		return
	}
	message, _ := jsontree.Parse(line, jsontree.Limits{})
	q := &taped{method: message.Get("method").Str()}
	t.opened = t.opened || q.method == playground.Initialize
	legacy := t.opened && isOfSession(message)
	place := t.place(line, message, legacy, at)
	q.log = place.log
	if place.decision != nil {
		q.log.add(place.decision.Event(at))
	}
	q.log.conn++
	q.conn = q.log.conn
	q.log.add(playground.Event{At: at, Conn: q.conn, Kind: playground.Sent, Data: wire.Line(line).Bytes()})
	switch {
	case message == nil || message.Kind != jsontree.Object:
		q.unsure = true
		t.requests.AskUnknown(q)
	case playground.IsRequest(message):
		t.requests.Ask(message, q, legacy)
	case q.method == playground.CancelledNotified:
		t.cancel(message, at)
	}
}

// spot is where a line of the client is recorded.
type spot struct {
	log      *tapeLog
	decision *playground.Decision
}

// place returns the log of a line, and begins an Exchange if the line begins a call.
func (t *Tape) place(line []byte, message *jsontree.Node, legacy bool, at time.Time) spot {
	var open Open
	if Continues(message) {
		open = t.open(t.target.URL)
	}
	place := Locate(line, open)
	switch {
	case legacy || !place.Call:
		return spot{&t.others, nil}
	case place.Exchange != nil:
		for _, l := range t.calls {
			if l.call.ID == place.Exchange.ID {
				return spot{l, place.Decision}
			}
		}
	}
	l := &tapeLog{call: Begin(t.newID(), "", t.target, at, message)}
	if l.call.Call.Method == playground.ToolsCall {
		l.call.Call.Tool = t.tools[message.At("params", "name").Str()]
	}
	l.call.ReadOnce() // it is folded for each request that may continue it
	t.calls = append(t.calls, l)
	return spot{l, place.Decision}
}

// Begin returns the Exchange that the request of a foreign client begins, without the
// definition of its tool.
func Begin(id, session string, t playground.Target, at time.Time, m *jsontree.Node) playground.Exchange {
	x := playground.Exchange{
		ID: id, Session: session, Target: t, Created: at,
		Call: playground.Call{Method: m.Get("method").Str(), Params: CallParams(m.Get("params"))},
	}
	x.Target.Capabilities = json.RawMessage(`{}`)
	declared := m.At("params", "_meta", "io.modelcontextprotocol/clientCapabilities")
	if declared != nil {
		x.Target.Capabilities = declared.Raw()
	}
	return x
}

// cancel ends the request that a notification of the client names.
func (t *Tape) cancel(message *jsontree.Node, at time.Time) {
	q, ok := t.requests.Request(message.At("params", "requestId"))
	if ok && t.requests.Close(q) {
		q.log.add(playground.Event{At: at, Conn: q.conn, Kind: playground.Cancelled})
	}
}

// FromServer adds a line of the server, with its line feed.
func (t *Tape) FromServer(line []byte, at time.Time) {
	if !t.room(line) {
		return
	}
	message, err := jsontree.Parse(line, jsontree.Limits{})
	if jsontree.IsLimit(err) || message != nil && message.Kind == jsontree.Array {
		t.doubt()
	}
	log, conn := &t.others, 0
	if q, ok := t.requests.Owner(message); ok {
		log, conn = q.log, q.conn
		if isResponse(message) {
			t.respond(q, message)
		}
	} else {
		if t.channel == 0 {
			t.others.conn++
			t.channel = t.others.conn
		}
		conn = t.channel
	}
	log.add(playground.Event{At: at, Conn: conn, Kind: playground.Received, Data: wire.Line(line).Bytes()})
}

// respond closes a request. The definitions of tools in the response are those that
// calls are made by.
func (t *Tape) respond(q *taped, response *jsontree.Node) {
	t.requests.Close(q)
	if q.method != playground.ToolsList {
		return
	}
	for _, tool := range response.At("result", "tools").Elements() {
		t.tools[tool.Get("name").Str()] = tool.Raw()
	}
}

// doubt marks the requests that a line of the server may respond to whose id is not
// known: it exceeds our limits, or it is a batch.
func (t *Tape) doubt() {
	for _, q := range t.requests.Open() {
		q.unsure = true
	}
}

func isResponse(message *jsontree.Node) bool {
	return playground.RPC{Node: message}.IsResponse()
}

// tooLong is the failure of a line that is longer than the recorded part.
var tooLong = wire.Failure{Class: wire.TooLarge, Detail: "The line is longer than what is recorded of one."}

// CutFromClient adds the beginning of a line of the client that is too long.
func (t *Tape) CutFromClient(start []byte, at time.Time) {
	t.cut(playground.Sent, start, at)
}

// CutFromServer adds the beginning of a line of the server that is too long.
func (t *Tape) CutFromServer(start []byte, at time.Time) {
	t.doubt()
	t.cut(playground.Received, start, at)
}

func (t *Tape) cut(kind playground.EventKind, start []byte, at time.Time) {
	if !t.room(start) {
		return
	}
	t.others.conn++
	conn := t.others.conn
	t.others.add(playground.Event{At: at, Conn: conn, Kind: kind, Data: wire.Line(start).Bytes()})
	t.others.add(failed(at, conn, tooLong))
}

func failed(at time.Time, conn int, f wire.Failure) playground.Event {
	return playground.PartEvent(wire.Part{Kind: wire.Failed, At: at, Failure: &f}, conn)
}

// room reports whether a line is recorded, and counts it.
func (t *Tape) room(line []byte) bool {
	if t.missed > 0 || t.size+len(line) > t.limits.Bytes || t.lines == t.limits.Lines {
		t.missed++
		return false
	}
	t.size += len(line)
	t.lines++
	return true
}

// ended is the failure of a request that gets no response any more.
var ended = wire.Failure{Class: wire.CommandEnded, Detail: "The process ended before the response."}

// End closes the requests that still wait for a response, and returns the
// report of the Tape. Nothing is added afterwards.
func (t *Tape) End(at time.Time) Report {
	for _, q := range t.requests.Open() {
		if t.missed == 0 && !q.unsure { // a missed line may have been a response
			q.log.add(failed(at, q.conn, ended))
			continue
		}
		q.log.add(playground.Event{At: at, Conn: q.conn, Kind: playground.Interrupted})
	}
	calls, others := t.Recorded()
	return NewReport(session.Session{Exchanges: calls}, others)
}

// Recorded returns the calls, and the log of everything that belongs to none. Requests
// without a response stay open in them.
func (t *Tape) Recorded() (calls []playground.Exchange, others []playground.Event) {
	return t.exchanges(), t.others.log
}

// Missed returns how many lines were not recorded because a limit was reached.
func (t *Tape) Missed() int { return t.missed }
