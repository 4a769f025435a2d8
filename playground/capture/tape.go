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
// else belongs to a log of its own. A response belongs to the request with its id. A
// notification belongs to the request that it names by progress token, subscription
// or id; a log message, which names none, to the only request in progress. Any other
// line of the server belongs to no request.
//
// Lines are added in the order in which they were written. A Tape is not safe for
// concurrent use.
type Tape struct {
	target   playground.Target
	newID    func() string
	limits   TapeLimits
	others   tapeLog
	calls    []*tapeLog
	channel  int               // connection of others for lines of the server that belong to no request
	opened   bool              // there is a legacy session
	requests map[string]*taped // by id
	tokens   map[string]*taped // by progress token
	open     []*taped          // that wait for their response
	tools    map[string]json.RawMessage
	size     int
	lines    int
	missed   int
}

// TapeLimits bound what is recorded. Once one is reached, nothing more is.
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
	legacy bool
	unsure bool // a line whose ids are not known may be its response
}

// isOfSession reports whether a message of the client belongs to the legacy session of
// its process, if there is one. A request to initialize selects legacy semantics for
// the process; a request with the metadata of this revision is served by this revision
// all the same (basic/versioning, "Compatibility Matrix").
func isOfSession(message *jsontree.Node) bool {
	return message.Get("method").Str() != playground.Discover &&
		!message.At("params", "_meta").Has("io.modelcontextprotocol/protocolVersion")
}

// NewTape returns an empty Tape of a process. The ids of the Exchanges are made by
// newID.
func NewTape(target playground.Target, newID func() string, l TapeLimits) *Tape {
	return &Tape{
		target: target, newID: newID, limits: l,
		requests: map[string]*taped{}, tokens: map[string]*taped{}, tools: map[string]json.RawMessage{},
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
	q.legacy = t.opened && isOfSession(message)
	place := t.place(line, message, q.legacy, at)
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
		t.open = append(t.open, q)
	case playground.IsRequest(message):
		t.await(q, message)
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
	var open []playground.Exchange
	if Continues(message) {
		open = t.waiting()
	}
	place := Locate(line, open, len(t.calls))
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

// waiting returns the Exchanges that wait for their client or run, as a store does.
func (t *Tape) waiting() []playground.Exchange {
	const most = 50
	var list []playground.Exchange
	for _, l := range slices.Backward(t.calls) {
		if l.read < len(l.log) {
			l.status, l.read = l.reader.Fold(l.log).Status, len(l.log)
		}
		switch l.status {
		case playground.StatusWaiting, playground.StatusRunning:
			list = append(list, l.exchange())
		}
		if len(list) == most {
			break
		}
	}
	slices.Reverse(list)
	return list
}

// await remembers a request until its response comes.
func (t *Tape) await(q *taped, message *jsontree.Node) {
	t.requests[canonicalID(message.Get("id"))] = q
	if token := message.At("params", "_meta", "progressToken"); token != nil {
		t.tokens[canonicalID(token)] = q
	}
	t.open = append(t.open, q)
}

func canonicalID(id *jsontree.Node) string {
	if id == nil {
		return ""
	}
	return string(jsontree.Canonical(id))
}

// cancel ends the request that a notification of the client names.
func (t *Tape) cancel(message *jsontree.Node, at time.Time) {
	q := t.requests[canonicalID(message.At("params", "requestId"))]
	if q != nil && t.close(q) {
		q.log.add(playground.Event{At: at, Conn: q.conn, Kind: playground.Cancelled})
	}
}

// close reports whether a request was open, and closes it.
func (t *Tape) close(q *taped) bool {
	i := slices.Index(t.open, q)
	if i < 0 {
		return false
	}
	t.open = slices.Delete(t.open, i, i+1)
	return true
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
	if q := t.owner(message); q != nil {
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
	t.close(q)
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
	for _, q := range t.open {
		q.unsure = true
	}
}

func isResponse(message *jsontree.Node) bool {
	return playground.RPC{Node: message}.IsResponse()
}

// owner returns the request that a message of the server belongs to, or nil.
func (t *Tape) owner(m *jsontree.Node) *taped {
	params := m.Get("params")
	switch method := m.Get("method").Str(); {
	case m == nil || m.Kind != jsontree.Object:
		return nil
	case isResponse(m):
		return t.requests[canonicalID(m.Get("id"))]
	case method == "" || m.Has("id"):
		return nil
	case method == playground.ProgressNotified:
		return t.tokens[canonicalID(params.Get("progressToken"))]
	case method == playground.CancelledNotified:
		return t.modern(params.Get("requestId"))
	case method == playground.MessageNotified:
		return t.only()
	default:
		return t.modern(params.At("_meta", "io.modelcontextprotocol/subscriptionId"))
	}
}

// modern returns the request of this revision with an id, or nil.
func (t *Tape) modern(id *jsontree.Node) *taped {
	if q := t.requests[canonicalID(id)]; q != nil && !q.legacy {
		return q
	}
	return nil
}

// only returns the request that is in progress, or nil if there is none of this
// revision, or there are several.
func (t *Tape) only() *taped {
	var found *taped
	for _, q := range t.open {
		switch {
		case q.method == playground.Listen:
		case q.legacy || found != nil:
			return nil
		default:
			found = q
		}
	}
	return found
}

// tooLong is the failure of a line that is longer than what is recorded of one.
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
var ended = wire.Failure{Class: playground.NoResponse, Detail: "The process ended before the response."}

// End closes what still waits for a response, and returns what the Tape shows. Nothing
// is added afterwards.
func (t *Tape) End(at time.Time) Report {
	for _, q := range t.open {
		if t.missed == 0 && !q.unsure { // what is not recorded may have been answered
			q.log.add(failed(at, q.conn, ended))
			continue
		}
		q.log.add(playground.Event{At: at, Conn: q.conn, Kind: playground.Interrupted})
	}
	t.open = nil
	var n session.Session
	for _, l := range t.calls {
		n.Exchanges = append(n.Exchanges, l.exchange())
	}
	return Judge(n, t.others.log)
}

// Missed returns how many lines were not recorded because a limit was reached.
func (t *Tape) Missed() int { return t.missed }
