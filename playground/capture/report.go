package capture

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Report has the calls, the other requests and the findings of a Capture.
type Report struct {
	Clients  []string // names and versions that it gave itself, in order of appearance
	Calls    []Call   // oldest first
	Others   []Other  // requests that belong to no call, oldest first
	Findings []Finding
}

// Call is a recorded Exchange with its transcript.
type Call struct {
	Exchange   playground.Exchange
	Transcript playground.Transcript
}

// Other is a request of the capture's own log.
type Other struct {
	playground.Round
	Legacy bool // part of a session of an earlier revision
}

// Finding is a verdict on one request.
type Finding struct {
	rules.Finding
	rules.Recorded // the request
}

// NewReport returns the recorded Exchanges of a Capture and the requests of its
// own log, with the Findings of the rules.
func NewReport(n session.Session, log []playground.Event) Report {
	var r Report
	var tools Tools
	tools.Read("", log)
	for _, x := range n.Exchanges {
		f := x.Fold()
		r.Calls = append(r.Calls, Call{x, f})
		var listed json.RawMessage
		for _, round := range f.Rounds {
			if round.HeadersRejected() {
				listed = tools.Definition(x.Call.Name(), round.Started)
			}
		}
		for _, found := range rules.JudgeCaptured(x, f, listed) {
			if found.Round > 0 {
				at := rules.Recorded{Exchange: x.ID, Conn: f.Round(found.Round).Conn}
				r.Findings = append(r.Findings, Finding{found, at})
			}
		}
	}
	r.addOthers(log)
	r.addRecord()
	r.Clients = r.clients()
	return r
}

// addOthers judges the capture's own log: a request of MCP 2026-07-28 alone, those of a
// legacy session together.
func (r *Report) addOthers(log []playground.Event) {
	sessions := map[string][]playground.Round{}
	trips := playground.Trips(log)
	initialized := slices.ContainsFunc(trips, opensSession)
	for _, round := range trips {
		head, _ := wire.ParseHead(round.Request.Head)
		legacy := IsLegacy(head, round.Sent)
		switch {
		case legacy && !initialized && head.Get("MCP-Protocol-Version") == "": // a session id alone
			legacy = false
		case round.OnLine() && round.RequestSeq == 0: // what belongs to no request is of the session
			legacy = initialized
		case round.OnLine():
			legacy = initialized && isOfSession(round.Sent)
		}
		r.Others = append(r.Others, Other{round, legacy})
		if !legacy {
			r.judge(server.Connection{Trips: []playground.Round{round}})
			continue
		}
		id := cmp.Or(head.Get("Mcp-Session-Id"), round.Head.Get("Mcp-Session-Id"))
		sessions[id] = append(sessions[id], round)
	}
	for _, rounds := range sessions {
		r.judge(server.Connection{Era: playground.Legacy, Trips: afterOpening(rounds)})
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(a.Conn, b.Conn) })
}

// afterOpening returns the Rounds of a session with the lines of a server that belong to
// no request after the request that opens it, and before the answers to them.
func afterOpening(rounds []playground.Round) []playground.Round {
	var lines, list []playground.Round
	for _, r := range rounds {
		if r.RequestSeq == 0 && r.OnLine() {
			lines = append(lines, r)
			continue
		}
		list = append(list, r)
	}
	return slices.Insert(list, slices.IndexFunc(list, opensSession)+1, lines...)
}

func opensSession(r playground.Round) bool { return r.Method == playground.Initialize }

// addRecord judges all requests together.
func (r *Report) addRecord() {
	requests := r.requestsInOrder()
	rounds := make([]playground.Round, 0, len(requests))
	for i, q := range requests {
		q.N, q.Legacy = i+1, q.legacy
		rounds = append(rounds, q.Round)
	}
	for _, f := range rules.JudgeRecord(rounds) {
		q := requests[f.Round-1]
		f.Round = q.opened
		r.Findings = append(r.Findings, Finding{f, rules.Recorded{Exchange: q.exchange, Conn: q.Conn}})
	}
}

func (r *Report) judge(c server.Connection) {
	for _, f := range rules.JudgeConnection(c) {
		if f.Round > 0 {
			r.Findings = append(r.Findings, Finding{f, rules.Recorded{Conn: f.Round}})
		}
	}
}

// IsLegacy reports whether a request belongs to the log of a legacy session: it opens one,
// or it names a revision before 2026-07-28. The version in _meta counts before that in the
// header. A session of 2025-03-26 has neither, and is known by its id (basic/transports/
// streamable-http, "Earlier Streamable HTTP Revisions").
func IsLegacy(head wire.Head, message *jsontree.Node) bool {
	switch version := head.Get("MCP-Protocol-Version"); {
	case message.Get("method").Str() == playground.Initialize:
		return true
	case hasVersion(message):
		return false
	case version != "":
		return version < wire.ProtocolVersion
	}
	return head.Get("Mcp-Session-Id") != ""
}

// hasVersion reports whether a request names its version in _meta, as only those of
// 2026-07-28 and later do.
func hasVersion(message *jsontree.Node) bool {
	return message.At("params", "_meta").Has("io.modelcontextprotocol/protocolVersion")
}

// IsLegacy reports whether everything that the client sent belongs to sessions of earlier
// revisions.
func (r Report) IsLegacy() bool {
	return len(r.Calls) == 0 && len(r.Others) > 0 &&
		!slices.ContainsFunc(r.Others, func(o Other) bool { return !o.Legacy })
}

// clients returns how the clients named themselves.
func (r *Report) clients() []string {
	var list []string
	add := func(sent *jsontree.Node) {
		info := sent.At("params", "_meta", "io.modelcontextprotocol/clientInfo")
		if info == nil {
			info = sent.At("params", "clientInfo")
		}
		name := strings.TrimSpace(info.Get("name").Str() + " " + info.Get("version").Str())
		if name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, o := range r.Others {
		add(o.Sent)
	}
	for _, c := range r.Calls {
		for _, round := range c.Transcript.Rounds {
			add(round.Sent)
		}
	}
	return list
}

// Of returns the findings with a verdict on one side.
func (r Report) Of(side rules.Side, v verdict.Outcome) []Finding {
	var list []Finding
	for _, f := range r.Findings {
		if f.Side == side && f.Verdict == v {
			list = append(list, f)
		}
	}
	return list
}

// Requests returns how many requests were recorded.
func (r Report) Requests() int {
	n := 0
	for _, q := range r.requestsInOrder() {
		if q.RequestSeq > 0 {
			n++
		}
	}
	return n
}

// Unjoined returns how many retries could not be joined to their calls, so that
// their echoes were not judged.
func (r Report) Unjoined() int {
	n := 0
	for i, c := range r.Calls {
		for _, round := range c.Transcript.Rounds {
			if isUnjoined(round) {
				n++
			}
		}
		if slices.ContainsFunc(r.Calls[:i], c.seemsRetryOf) {
			n++
		}
	}
	return n
}

// seemsRetryOf reports whether a call is the retry of one that waited when it was made, with
// its answers or its state in members of other names: it has the params of that call, and
// members that no call has.
func (c Call) seemsRetryOf(other Call) bool {
	first, before, last := c.Transcript.Round(1), other.Transcript.Round(1), other.Transcript.Last()
	if first == nil || before == nil || !last.Open() || first.Decision.By != playground.ByClient ||
		Continues(first.Sent) || c.Exchange.Call.Method != other.Exchange.Call.Method ||
		first.Started.Before(last.Ended) {
		return false
	}
	return addsMembers(first.Sent.Get("params"), before.Sent.Get("params"))
}

// addsMembers reports whether params are those of a call with members that no call has.
func addsMembers(params, call *jsontree.Node) bool {
	adds := false
	for _, m := range params.Entries() {
		switch {
		case m.Key == "_meta" || jsontree.Equal(m.Value, call.Get(m.Key)):
		case call.Has(m.Key) || slices.Contains(callMembers, m.Key):
			return false
		default:
			adds = true
		}
	}
	return adds && !slices.ContainsFunc(call.Entries(), func(m jsontree.Member) bool {
		return m.Key != "_meta" && !params.Has(m.Key)
	})
}

// callMembers are the members of the params of a call, of earlier revisions too.
var callMembers = []string{"name", "arguments", "uri", "task"}

func isUnjoined(r playground.Round) bool {
	d := r.Decision
	begins := d.Action == playground.ActionStart && d.Join == ""
	return d.By == playground.ByClient && (begins || d.Join == playground.JoinLikely) && Continues(r.Sent)
}

// recorded is one request as it was recorded.
type recorded struct {
	playground.Round
	exchange string // that it is part of; empty for the capture's own log
	opened   int    // number of the Round that it opened, or else that of its connection
	legacy   bool
}

// began returns when the request was sent. What a server writes on a line may belong
// to no request.
func (q recorded) began() time.Time {
	if q.Started.IsZero() && len(q.Messages) > 0 {
		return q.Messages[0].At
	}
	return q.Started
}

// requestsInOrder returns every request in the order in which they came.
func (r Report) requestsInOrder() []recorded {
	var list []recorded
	for _, o := range r.Others {
		list = append(list, recorded{o.Round, "", o.Conn, o.Legacy})
	}
	for _, c := range r.Calls {
		opened := map[int]int{}
		for _, round := range c.Transcript.Rounds {
			opened[round.Conn] = round.N
		}
		for _, round := range playground.Connections(c.Exchange.Log) {
			n := cmp.Or(opened[round.Conn], round.Conn)
			list = append(list, recorded{round, c.Exchange.ID, n, false})
		}
	}
	slices.SortStableFunc(list, func(a, b recorded) int { return a.began().Compare(b.began()) })
	return list
}

// Contacts returns every request with its response, in the order in which they came.
func (r Report) Contacts() []Contact {
	var list []Contact
	for _, q := range r.requestsInOrder() {
		list = append(list, Contact{q.Trip, q.Kind, q.exchange})
	}
	return list
}
