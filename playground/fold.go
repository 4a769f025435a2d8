package playground

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Transcript has the Rounds and the status that Fold reads from a log.
type Transcript struct {
	Status    Status
	Rounds    []Round
	Inherited int // how many of the Rounds, the first ones, a Branch goes on from
}

// Last returns the newest Round, or nil if there is none.
func (f Transcript) Last() *Round {
	if len(f.Rounds) == 0 {
		return nil
	}
	return &f.Rounds[len(f.Rounds)-1]
}

// ToolError reports whether the call is complete and its tool reports an error.
func (f Transcript) ToolError() bool {
	return f.Status == StatusComplete && f.Last().Kind == OutcomeComplete && f.Last().IsError
}

// NeedsSignIn reports whether the call failed because the server asks for a token, or for
// further scopes of one (basic/authorization, "Error Handling").
func (f Transcript) NeedsSignIn() bool {
	return f.Status == StatusFailed && f.Last().Head.AsksForToken() && !f.Foreign()
}

// Round returns Round n, or nil if there is none.
func (f Transcript) Round(n int) *Round {
	for i := range f.Rounds {
		if f.Rounds[i].N == n {
			return &f.Rounds[i]
		}
	}
	return nil
}

// Fold reads a log and returns its Transcript. It accepts any sequence of
// events.
func Fold(log []Event) Transcript {
	var k foldState
	for start := 0; start < len(log); {
		end := nextDecision(log, start+1)
		k.segment(readDecision(log[start]), log[start:end])
		start = end
	}
	return k.transcript()
}

// foldState is the state of Fold between two decisions.
type foldState struct {
	rounds   []Round
	refused  bool
	task     *Task                   // the task that the call became
	claimed  *Task                   // task that an invalid result would be, in case it is polled
	answered map[string]*answeredKey // keys of the task that were answered
	polled   map[int]part            // polls by the sequence number of their response
	stopping bool                    // the newest decision asked the server to cancel the task
	open     *openCall               // of a server from before 2026-07-28
}

func (k *foldState) transcript() Transcript {
	f := Transcript{Rounds: k.rounds}
	f.Status = status(f, k.refused)
	return f
}

// segment reads the events after a decision, up to the next decision.
func (k *foldState) segment(d Decision, events []Event) {
	if events = withoutNotes(events); len(events) == 0 {
		return
	}
	if d.Action == ActionRefuse {
		k.refused = true
		return
	}
	k.stopping = d.Action == ActionStop
	conns := byConnection(events)
	r := foldRound(d, conns[0])
	k.remember(r, conns[0])
	if k.open != nil || r.Method == Initialize {
		k.legacy(d, events[0], conns)
		return
	}
	if n := len(k.rounds); n > 0 && k.rounds[n-1].N == d.Round {
		k.dropAbandonedPoll()
	}
	if d.Action == ActionResend && r.Method == ToolsList && len(k.rounds) > 0 {
		k.rounds = append(k.rounds, k.relisted(d, conns))
		return
	}
	k.adopt(conns[0])
	k.trackTask(&r)
	k.rounds = append(k.rounds, r)
	for _, c := range conns[1:] {
		if side := readPart(c); side.OnLine() && side.Method == CancelledNotified {
			last := &k.rounds[len(k.rounds)-1]
			last.Others = append(last.Others, side.Trip)
			continue
		}
		if k.adopt(c); k.task != nil {
			k.poll(c)
		}
	}
}

// byConnection groups events by connection, in the order in which connections
// were first heard of. The first group begins with the decision, if there is
// one.
func byConnection(events []Event) [][]Event {
	groups := [][]Event{events[:1:1]}
	at := map[int]int{}
	if events[0].Kind != Decided {
		at[events[0].Conn] = 0
	}
	for _, e := range events[1:] {
		i, known := at[e.Conn]
		switch {
		case known:
		case len(at) == 0:
			at[e.Conn] = 0
		default:
			i = len(groups)
			at[e.Conn] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

func nextDecision(log []Event, from int) int {
	for from < len(log) && log[from].Kind != Decided {
		from++
	}
	return from
}

// readDecision returns the decision that an event records; its answers share the
// memory of the event. A decision is ours; a damaged one is an empty one.
func readDecision(e Event) Decision {
	if e.Kind != Decided {
		return Decision{}
	}
	n, _ := jsontree.Parse(e.Data, jsontree.Limits{Depth: len(e.Data), Values: len(e.Data)})
	round, _ := n.Get("round").Int()
	d := Decision{
		Action: Action(n.Get("action").Str()), Round: int(round),
		// the latter is what Instance was called before the first release
		Instance: cmp.Or(n.Get("instance").Str(), n.Get("copy").Str()),
		Auto:     n.Get("auto").True(), Anyway: n.Get("anyway").True(),
		Era: Era(n.Get("era").Str()),
		By:  Author(n.Get("by").Str()), Join: Join(n.Get("join").Str()),
		Experiment: n.Get("experiment").Str(), Changed: n.Get("changed").True(),
	}
	for _, a := range n.Get("answers").Elements() {
		d.Answers = append(d.Answers, Answer{
			Key: a.Get("key").Str(), Value: a.Get("value").Raw(), Error: a.Get("error").Raw(),
		})
	}
	return d
}

// part is one request and how its response ended.
type part struct {
	Trip
	Outcome
	legacy bool // of a session: results have no resultType
	cut    bool // the stream ended within an event, so far
}

// readPart reads the events of one connection.
func readPart(events []Event) part { return part{}.read(events) }

func (p part) read(events []Event) part {
	p.Outcome = Outcome{Kind: OutcomePending}
	for _, e := range events {
		if e.Kind == Sent {
			p.send(e)
		}
	}
	for _, e := range events {
		p.add(e)
	}
	p.Last = p.Ended
	return p
}

// foldRound reads the events of one connection, the first of which may be the
// decision that led to it.
func foldRound(d Decision, events []Event) Round {
	p := readPart(events)
	r := Round{N: d.Round, Decision: d, Began: p.Started, Trip: p.Trip, Outcome: p.Outcome}
	if events[0].Kind == Decided {
		r.Decided = events[0].At
	}
	if d.By == ByClient {
		r.Decision.Answers = r.sentAnswers()
	}
	return r
}

func (p *part) send(e Event) {
	p.Started, p.Conn, p.RequestSeq = e.At, e.Conn, e.Seq
	p.Request = wire.Split(e.Data)
	p.Sent, _ = jsontree.Parse(p.Request.Body, jsontree.Limits{})
	p.Method = p.Sent.Get("method").Str()
	if p.Request.IsLine() && IsOneWay(p.Sent) {
		p.Kind, p.Ended = OutcomeAck, e.At // nothing comes back
	}
}

// add takes one event of an answer. What comes after the response is kept as
// a message but changes the Outcome no more.
func (p *part) add(e Event) {
	if e.Timing != nil {
		p.Timing = *e.Timing
		p.first = e.At
	}
	switch e.Kind {
	case Received:
		p.receive(e)
	case Message:
		p.Response.Body = append(p.Response.Body, e.Data...)
		data, _, ok := wire.EventData(e.Data)
		p.cut = !ok && bytes.Contains(e.Data, []byte("data"))
		if ok && len(data) > 0 { // one without data only says from where to resume
			p.message(e, data)
		}
	case Failed, Cancelled, Interrupted:
		p.stop(e)
	}
}

// failureOf returns the failure of an event that is one.
func failureOf(e Event) (f wire.Failure) {
	_ = json.Unmarshal(e.Data, &f)
	return f
}

// cutOff reports whether the answer so far is a body that is no stream and was
// read as a response.
func (p *part) cutOff() bool {
	switch p.Kind {
	case OutcomePending, OutcomeHTTPError, OutcomeTransportError:
		return false
	}
	return p.Head.Status != 0 && !p.streams()
}

func (p *part) receive(e Event) {
	p.ResponseSeq = cmp.Or(p.ResponseSeq, e.Seq)
	frame := wire.Split(e.Data)
	if frame.IsLine() && (p.RequestSeq == 0 || p.Request.IsLine()) {
		p.line(e, frame)
		return
	}
	p.Response = frame
	p.Response.Body = append([]byte(nil), p.Response.Body...)
	p.Head, _ = wire.ParseHead(p.Response.Head)
	// the latter in old recordings
	p.Instance = cmp.Or(p.Head.Get("Mcp-Sample-Instance"), p.Head.Get("Mcp-Sample-Copy"))
	if p.streams() && len(p.Response.Body) == 0 {
		return
	}
	body := p.decode()
	p.Ended = e.At
	if !p.Decoded || !p.streams() {
		p.message(e, body)
		return
	}
	for _, event := range wire.Events(body) {
		if data, _, ok := wire.EventData(event); ok && len(data) > 0 {
			p.message(e, data)
		}
	}
	if p.Kind == OutcomePending {
		p.fail(OutcomeTransportError, NoResponse, "The stream has no response.")
	}
}

// decode returns the body of the response, decompressed if it is compressed in spite of the
// request.
func (p *part) decode() []byte {
	coding := p.Head.Coding()
	if coding == "" {
		return p.Response.Body
	}
	body, err := wire.Decode(coding, p.Response.Body, wire.MaxDecoded) // the recorder allows no more
	if err != nil {
		return p.Response.Body
	}
	p.Decoded = true
	return body
}

// streams reports whether the answer comes as messages of a stream.
func (p *part) streams() bool {
	return p.Head.IsStream() || p.Decoded && p.Head.MediaType() == "text/event-stream"
}

// stop ends an answer that has no response yet. A failure also undoes a
// response that was the whole body: the received part is valid JSON, but more
// was to come.
func (p *part) stop(e Event) {
	if e.Kind == Failed && p.cutOff() {
		p.Outcome = Outcome{Kind: OutcomePending}
		defer func() {
			p.Detail = strings.TrimRight(p.Detail, ".") + ". " +
				"What arrived is complete JSON, but the body was cut off, so it is no response."
		}()
	}
	if e.Kind == Failed && p.Response.IsLine() && failureOf(e).Class == wire.BadLine {
		p.Outcome = Outcome{Kind: OutcomePending} // the bytes are no line
	}
	if e.Kind == Interrupted {
		p.Stopped = e.stopped()
	}
	if p.Kind == OutcomeRetry && e.Kind != Failed {
		p.Paused = true
	}
	if p.Kind != OutcomePending && p.Class != NotJSON && p.Class != ContentType && p.Class != HTTPStatus {
		return
	}
	p.Ended = e.At
	switch e.Kind {
	case Cancelled:
		p.Kind = OutcomeCancelled
	case Interrupted:
		p.Kind = OutcomeInterrupted
	default:
		f := failureOf(e)
		p.Kind, p.Class, p.Detail = OutcomeTransportError, f.Class, f.Detail
		p.Certificate = f.Certificate
		if p.cut && f.Class == NoResponse {
			p.Detail = "The stream ended within an event. " +
				"The empty line that ends it is missing, so its message does not count."
		}
		if p.streams() && p.Head.Status/100 != 2 { // the status says more than the end of the stream
			p.fail(OutcomeHTTPError, statusClass(p.Head.Status), p.statusDetail())
		}
	}
}
