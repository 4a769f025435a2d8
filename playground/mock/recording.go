package mock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Recording is what was recorded of a server, ready to be served.
type Recording struct {
	ignored Ignored
	entries []*entry
	groups  map[string][]*entry // by what their requests mean
	masked  map[string][]*entry // by method: those whose requests have masked values
	methods map[string][]*entry // by method
	given   map[question]given  // answers to a legacy server
	made    []*entry
	begins  map[int]bool // calls that repeat something, which begins again with them
	resumes bool         // a stream was resumed by a GET
	legacy  bool
}

// entry is one recorded request with its response.
type entry struct {
	n      int    // its number, from 1
	group  string // what its request means
	call   int    // number of the Exchange, from 0
	of     string // its id
	opens  bool   // the request begins the Exchange
	http   string // of a legacy session: GET, with the event to go on after, or DELETE; else empty
	method string
	name   string // of the tool or prompt, or the URI of the resource
	params *jsontree.Node
	id     *jsontree.Node // of the recorded request; nil for a notification
	token  *jsontree.Node // its progress token
	again  bool           // the answer of another entry, which came again
	made   bool           // the answer was not recorded
	times  int            // how often the response came in a row
	reply  recorded
}

// recorded is a recorded response.
type recorded struct {
	head    wire.Head
	line    bool // of a server on standard input
	body    []byte
	events  [][]byte
	seqs    []int  // of the events in the log
	end     End    // how it ended
	failure string // why, if not as it should
}

// question is one of a legacy server in a call, by the number of the Exchange and its id.
type question struct {
	call int
	id   string
}

// given is the answer of the recorded client, with its place in the log.
type given struct {
	message *jsontree.Node
	seq     int
}

// waits reports whether what follows event i of a response came after the answer to a question.
func (r recorded) waits(i int, g given) bool {
	return g.message != nil && (i+1 >= len(r.seqs) || g.seq < r.seqs[i+1])
}

// stars is what a masked value begins with: redact masks nothing shorter.
var stars = []byte("********")

// New returns the recording of a session. What belongs to no call, such as connecting to the
// server, is in Others or in Exchanges of its own.
func New(s session.Session, ignored Ignored) *Recording {
	r := &Recording{
		ignored: ignored, groups: map[string][]*entry{}, masked: map[string][]*entry{},
		methods: map[string][]*entry{}, given: map[question]given{}, begins: map[int]bool{},
	}
	for i, x := range s.Exchanges {
		r.addLog(i, x)
	}
	r.addLog(len(s.Exchanges), playground.Exchange{Log: s.Others})
	r.resume()
	r.legacy = len(r.methods[playground.Initialize]) > 0
	r.make(s)
	for _, same := range r.groups {
		if total := (Found{entries: same}).Answers(); total > 1 && stays(same) {
			r.begins[same[0].call] = true
		}
	}
	return r
}

// addLog adds the requests of an Exchange.
func (r *Recording) addLog(call int, x playground.Exchange) {
	byConn := map[int][]playground.Event{}
	for _, e := range x.Log {
		byConn[e.Conn] = append(byConn[e.Conn], e)
	}
	responses := map[int]*entry{} // by the sequence number of the response
	opened := false
	for _, trip := range playground.Connections(x.Log) {
		events := byConn[trip.Conn]
		if r.repeat(events, responses) || trip.RequestSeq == 0 {
			continue
		}
		e := newEntry(trip, events)
		if e == nil {
			if isAnswer(trip.Sent) {
				of := question{call, playground.IDKey(trip.Sent.Get("id"))}
				r.given[of] = given{trip.Sent, trip.RequestSeq}
			}
			continue
		}
		e.call, e.of, e.n = call, x.ID, len(r.entries)+1
		e.opens = !opened && e.method != "" && e.method == x.Call.Method
		opened = opened || e.opens
		if trip.ResponseSeq > 0 {
			responses[trip.ResponseSeq] = e
		}
		r.add(e)
	}
}

// repeat files a response that came again, if the events of a connection say so.
func (r *Recording) repeat(events []playground.Event, responses map[int]*entry) bool {
	if len(events) == 0 || events[0].Kind != playground.Repeated {
		return false
	}
	again, err := events[0].Repetition()
	of := responses[again.Of]
	if err != nil || of == nil {
		return true
	}
	same := r.groups[of.group]
	if newest := same[len(same)-1]; newest == of || newest.of == of.of && newest.again && newest.n == of.n {
		newest.times += again.Count
		return true
	}
	more := *of
	more.again, more.times = true, again.Count
	r.entries = append(r.entries, &more)
	r.groups[of.group] = append(same, &more)
	return true
}

// newEntry returns a request and its response; nil for what is neither a message nor a
// request of a legacy session.
func newEntry(t playground.Round, events []playground.Event) *entry {
	e := &entry{method: t.Method, times: 1}
	head, _ := wire.ParseHead(t.Request.Head)
	if verb, _, _ := strings.Cut(head.Line, " "); verb == "GET" || verb == "DELETE" {
		e.http = legacyGroup(verb, head.Get(lastEventID))
	} else if t.Method == "" {
		return nil
	}
	e.params, e.id = t.Sent.Get("params"), t.Sent.Get("id")
	e.token = e.params.Get("_meta").Get("progressToken")
	e.name = playground.NameIn(e.method, e.params)
	e.reply = response(t, events)
	standing := e.http == legacyGroup("GET", "") // open until the session ends
	if isStream(e.reply.head) && e.reply.end == Whole && (standing || t.Kind == playground.OutcomePending) {
		e.reply.end = Open // nothing says that it ended
	}
	return e
}

// lastEventID is the field of a GET that resumes a stream.
const lastEventID = "Last-Event-Id"

// legacyGroup is what a GET or DELETE of a legacy session means.
func legacyGroup(verb, last string) string { return strings.TrimSpace(verb + " " + last) }

// resume ends the streams that were resumed by a GET: it was the server that ended them.
func (r *Recording) resume() {
	for _, e := range r.entries {
		for _, event := range e.reply.events {
			if id := eventID(event); id != "" && len(r.groups[legacyGroup("GET", id)]) > 0 {
				e.reply.end, r.resumes = Whole, true
			}
		}
	}
}

// eventID returns the id of an event, by which its stream can be resumed.
func eventID(event []byte) string {
	for line := range bytes.Lines(event) {
		if id, ok := bytes.CutPrefix(line, []byte("id:")); ok {
			return string(bytes.TrimSpace(id))
		}
	}
	return ""
}

// isAnswer reports whether a message of a client is its response to a legacy server.
func isAnswer(m *jsontree.Node) bool { return m.Has("id") && (m.Has("result") || m.Has("error")) }

// response returns the recorded response of a connection.
func response(t playground.Round, events []playground.Event) recorded {
	r := recorded{head: t.Head, line: t.Request.IsLine()}
	for _, e := range events {
		switch e.Kind {
		case playground.Received:
			frame := wire.Split(e.Data)
			if frame.IsLine() {
				r.events = append(r.events, bytes.TrimRight(frame.Body, "\r\n"))
				r.seqs = append(r.seqs, e.Seq)
				continue
			}
			if plain, compressed := wire.DecodeResponse(e.Data); compressed {
				frame = wire.Split(plain)
			}
			if r.body = frame.Body; isStream(t.Head) {
				r.events, r.body = wire.Events(frame.Body), nil
			}
		case playground.Message:
			r.events, r.seqs = append(r.events, e.Data), append(r.seqs, e.Seq)
		case playground.Failed:
			var f wire.Failure
			_ = json.Unmarshal(e.Data, &f) // an import may have anything
			r.end, r.failure = endOf(f.Class), cmp.Or(f.Detail, "the connection ended")
		case playground.Cancelled, playground.Interrupted: // also a note after a whole response
			if t.Kind == playground.OutcomeCancelled || t.Kind == playground.OutcomeInterrupted {
				r.end, r.failure = Open, "the client left"
			}
		}
	}
	return r
}

// endOf returns how a response ended that failed.
func endOf(c wire.Class) End {
	switch c {
	case playground.NoResponse:
		return Whole // the server ended the stream
	case wire.TimeoutFirstByte, wire.TimeoutIdle, wire.TimeoutTotal:
		return Open // the client left it
	}
	return Cut
}

func isStream(h wire.Head) bool { return h.MediaType() == "text/event-stream" }

// add files an entry under what its request means.
func (r *Recording) add(e *entry) {
	if e.group = e.http; e.http == "" {
		reduced := r.ignored.reduce(e.params)
		e.params = reduced
		e.group = e.method + " " + string(jsontree.Canonical(reduced))
		if bytes.Contains(reduced.Raw(), stars) {
			r.masked[e.method] = append(r.masked[e.method], e)
		}
	}
	r.entries = append(r.entries, e)
	r.groups[e.group] = append(r.groups[e.group], e)
	r.methods[e.method] = append(r.methods[e.method], e)
}

// Row is a request of a Recording, for people.
type Row struct {
	N        int
	Method   string
	Name     string         // of the tool or prompt, or the URI of the resource; may be empty
	Answers  int            // how many answers it has, because it came again
	Call     int            // the call that it belongs to, from 1
	Params   *jsontree.Node // what counts of its params
	Of       string         // id of the Exchange
	Retry    bool
	Status   int // of the response; 0 on standard input, or if none came
	Messages int // of an event stream, or lines; 0 for a body
	Masked   bool
	Withheld string // media type of a body that is not served; else empty
	End      End
	Failure  string // why it ended early; empty if it did not
}

// Rows returns what was recorded, requests that mean the same as one.
func (r *Recording) Rows() []Row {
	var rows []Row
	seen := map[string]int{}
	for _, e := range r.entries {
		if e.made || e.http != "" {
			continue
		}
		if i, again := seen[e.group]; again {
			rows[i].Answers += e.times
			rows[i].Masked = rows[i].Masked || e.reply.isMasked()
			rows[i].Withheld = cmp.Or(rows[i].Withheld, e.reply.withheld())
			continue
		}
		seen[e.group] = len(rows)
		row := Row{
			N: e.n, Params: e.params, Of: e.of, End: e.reply.end, Method: e.method, Name: e.name,
			Answers: e.times, Call: e.call + 1,
			Retry: e.params.Has("requestState") ||
				e.params.Has(playground.InputResponses), Status: e.reply.head.Status,
			Messages: len(e.reply.events), Masked: e.reply.isMasked(), Failure: e.reply.failure,
		}
		row.Withheld = e.reply.withheld()
		rows = append(rows, row)
	}
	return rows
}

// Made returns the methods that were not recorded, and whose answers are made of the calls.
func (r *Recording) Made() []string {
	var list []string
	for _, e := range r.made {
		list = append(list, e.method)
	}
	return list
}

// Requests returns how many requests were recorded.
func (r *Recording) Requests() int {
	n := 0
	for _, e := range r.entries {
		if !e.made && !e.again {
			n++
		}
	}
	return n
}

// fields returns the fields of the head that are served. Those of recordings speak for
// themselves.
func (r recorded) fields() []wire.Field {
	var list []wire.Field
	for _, f := range r.head.Fields {
		name := strings.ToLower(f.Name)
		served := strings.HasPrefix(name, "mcp-") && !strings.HasPrefix(name, "mcp-recording-")
		if served && wire.CheckField(f) == nil && len(list) < mostFields {
			list = append(list, f)
		}
	}
	return list
}

// isMasked reports whether a value of the response is masked.
func (r recorded) isMasked() bool {
	return bytes.Contains(r.body, stars) || slices.ContainsFunc(r.fields(), func(f wire.Field) bool {
		return strings.Contains(f.Value, string(stars))
	}) ||
		slices.ContainsFunc(r.events, func(b []byte) bool { return bytes.Contains(b, stars) })
}

// withheld says of what type a body is that is not served; "" if it is.
func (r recorded) withheld() string {
	if r.isServed() {
		return ""
	}
	return cmp.Or(r.head.MediaType(), "no type")
}

// isServed reports whether the body is of a kind that is served.
func (r recorded) isServed() bool {
	switch r.head.MediaType() {
	case "application/json", "text/event-stream":
		return true
	case "":
		return r.line || len(r.body) == 0
	}
	return len(r.body) == 0
}
