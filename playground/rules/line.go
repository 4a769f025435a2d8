package rules

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// The rules of this file judge the lines of one process on standard input. All
// messages share one channel, so each rule may look at all of them.

// JudgeRecord judges requirements that only all requests of a client show, and
// those that only lines have: on their framing, and on the ids of the shared
// channel. The Rounds are all that a client and the server sent, in order: one
// for each request of the client, and on lines some without a request, which
// have lines of the server that belong to none. Legacy marks those of an
// earlier revision. It returns no NA.
func JudgeRecord(rounds []playground.Round) []Finding {
	c := newChannel(rounds)
	var list []Finding
	for _, r := range rounds {
		s := subject{Round: r, channel: c}
		for k := range table {
			if !all[k].isOfRecord() || all[k].Transport == Stdio && !r.OnLine() {
				continue
			}
			if a := table[k].judge(&s); a.verdict != verdict.NotApplicable {
				list = append(list, all[k].finding(a, r.N))
			}
		}
	}
	return list
}

// noHTTP is why a rule about HTTP does not apply to lines.
const noHTTP = "The lines of standard input have no headers, no status and no session."

// judgeLines returns the Findings of JudgeRecord on the Rounds from c.first on, the worst of
// each rule in each Round.
func (c course) judgeLines() []Finding {
	var lines []playground.Round
	own := map[int]int{} // numbers of Rounds, by connection
	add := func(r playground.Round, t playground.Trip, o playground.Outcome) {
		lines = append(lines, playground.Round{Trip: t, Outcome: o, Legacy: r.Legacy})
		own[t.Conn] = r.N
	}
	for _, r := range c.rounds[min(c.first, len(c.rounds)):] {
		for _, t := range r.Others {
			add(r, t, playground.Outcome{})
		}
		add(r, r.Trip, r.Outcome)
	}
	slices.SortStableFunc(lines, func(a, b playground.Round) int { return cmp.Compare(a.Conn, b.Conn) })
	for i := range lines {
		lines[i].N = i + 1
	}
	var list []Finding
	for _, f := range JudgeRecord(lines) {
		f.Round = own[lines[f.Round-1].Conn]
		same := func(other Finding) bool { return other.Rule == f.Rule && other.Round == f.Round }
		switch i := slices.IndexFunc(list, same); {
		case i < 0:
			list = append(list, f)
		case f.Verdict.Compare(list[i].Verdict) < 0:
			list[i] = f
		}
	}
	return list
}

// channel has the requests of one process, as its lines show them.
type channel struct {
	rounds    []playground.Round
	requests  map[string][]*playground.Round // by id, in order
	cancelled map[string]time.Time           // when the client cancelled a request, by id
	unread    bool                           // a line of the client may have ids that are not known
	batches   bool                           // the legacy session may be one of revision 2025-03-26
}

func newChannel(rounds []playground.Round) *channel {
	c := &channel{
		rounds: rounds, requests: map[string][]*playground.Round{}, cancelled: map[string]time.Time{},
	}
	for i := range rounds {
		r := &rounds[i]
		if r.Method == playground.Initialize {
			version := r.Result.Get("protocolVersion")
			c.batches = version == nil || version.Str() == batchRevision
		}
		switch {
		case r.Request.IsLine() && (r.Sent == nil || r.Sent.Kind != jsontree.Object):
			c.unread = true
		case playground.IsRequest(r.Sent):
			key := playground.IDKey(r.Sent.Get("id"))
			c.requests[key] = append(c.requests[key], r)
		case r.Method == playground.CancelledNotified:
			c.cancelled[playground.IDKey(r.Sent.At("params", "requestId"))] = r.Started
		}
	}
	return c
}

// before returns the newest request with an id that was written before Round n, or
// nil.
func (c *channel) before(id *jsontree.Node, n int) *playground.Round {
	for _, r := range slices.Backward(c.requests[playground.IDKey(id)]) {
		if r.N < n {
			return r
		}
	}
	return nil
}

// answeredAt returns when the response to a request came, or zero.
func answeredAt(r *playground.Round) time.Time {
	for _, m := range r.Messages {
		if m.IsResponse() {
			return m.At
		}
	}
	return time.Time{}
}

// batchRevision is the only revision that has JSON-RPC batches (2025-03-26,
// basic/transports, "stdio").
const batchRevision = "2025-03-26"

// lineFault returns why a line is neither one message nor a batch where the revision
// may have them, as the end of a sentence, or "".
func (s *subject) lineFault(line []byte) string {
	fault := lineFault(line)
	if fault != "" && s.Legacy && s.channel.batches && isBatch(parse(line)) {
		return ""
	}
	return fault
}

// isBatch reports whether a value is a JSON-RPC batch.
func isBatch(n *jsontree.Node) bool {
	notObject := func(e *jsontree.Node) bool { return e.Kind != jsontree.Object }
	list := n.Elements()
	return len(list) > 0 && !slices.ContainsFunc(list, notObject)
}

// lineFault returns why a line is not one message, as the end of a sentence, or "".
func lineFault(line []byte) string { return playground.FaultOfLine(line).Text }

// isEnded reports whether a line has its line feed.
func isEnded(line []byte) bool { return bytes.HasSuffix(line, []byte("\n")) }

// framesLines is line-client. A line that is longer than its record is not
// judged.
func framesLines(s *subject) ruling {
	switch fault := s.lineFault(s.Request.Body); {
	case !s.Request.IsLine() || s.Class == wire.TooLarge:
		return na()
	case fault != "":
		return fail("A line of the client %s: %s", fault, quoted(string(s.Request.Body)))
	case !isEnded(s.Request.Body):
		return hint("The last line of the client has no line feed.")
	}
	return pass()
}

// framesReplies is line-server.
func framesReplies(s *subject) ruling {
	if !s.Response.IsLine() || s.Class == wire.TooLarge {
		return na()
	}
	for _, m := range s.Messages {
		if fault := s.lineFault(m.Raw); fault != "" {
			return fail("A line of the server %s: %s", fault, quoted(string(m.Raw)))
		}
	}
	if last := s.Messages[len(s.Messages)-1]; !isEnded(last.Raw) {
		if s.Class == wire.BadLine {
			return fail("A line of the server has no line feed: %s", quoted(string(last.Raw)))
		}
		return hint("The last line of the server has no line feed.")
	}
	return pass()
}

// freeIDs is line-id. The record does not know whether a request that is marked as
// interrupted had a response.
func freeIDs(s *subject) ruling {
	if !s.Request.IsLine() || !playground.IsRequest(s.Sent) {
		return na()
	}
	id := s.Sent.Get("id")
	other := s.channel.before(id, s.N)
	switch {
	case other == nil, other.Kind == playground.OutcomeCancelled:
		return pass()
	case other.Kind == playground.OutcomeInterrupted:
		return na()
	}
	if at := answeredAt(other); at.IsZero() || at.After(s.Started) {
		return fail("The id %s is still in use: request %d has no response yet.", raw(id), other.N)
	}
	return pass()
}

// cancelsOwn is line-cancel. A cancellation and a response may cross each other.
func cancelsOwn(s *subject) ruling {
	if !s.Request.IsLine() || s.Method != playground.CancelledNotified {
		return na()
	}
	id := s.Sent.At("params", "requestId")
	request := s.channel.before(id, s.N)
	switch {
	case request == nil && s.channel.unread:
		return na()
	case request == nil:
		return fail("The client cancels the request %s, which it did not send.", raw(id))
	}
	if at := answeredAt(request); !at.IsZero() && at.Before(s.Started) {
		return hint("The client cancels the request %s, which was answered already. "+
			"The two may have crossed in transit.", raw(id))
	}
	return pass()
}

// writesNoRequests is line-request. A server of both eras may take a request that names
// no modern revision for one of an earlier revision, which may ask so.
func writesNoRequests(s *subject) ruling {
	version := s.Sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Str()
	if !s.Response.IsLine() || s.Legacy || s.RequestSeq != 0 && version != wire.ProtocolVersion {
		return na()
	}
	for _, m := range s.Messages {
		switch {
		case m.Method() == "" || !m.Node.Has("id"):
		case strings.HasPrefix(m.Method(), "notifications/"):
			return fail("The notification %s has an id, which only requests have.", quoted(m.Method()))
		default:
			return fail("The server writes the request %s; %s.", quoted(m.Method()), insteadOf(m.Method()))
		}
	}
	return pass()
}

// repliesOnce is line-reply. An error without an id may be about a line that the
// server could not read.
func repliesOnce(s *subject) ruling {
	found := na()
	if s.channel.unread {
		return found // the id may be one of that line
	}
	for _, m := range s.Messages {
		id := m.Node.Get("id")
		switch {
		case !s.Response.IsLine() || !m.IsResponse() || id == nil || id.Kind == jsontree.Null:
			continue
		case len(s.channel.requests[playground.IDKey(id)]) > 1:
			return na() // line-id reports it
		case s.RequestSeq == 0 && len(s.channel.requests[playground.IDKey(id)]) == 0:
			return fail("The server responds to the request %s, which the client did not send.", raw(id))
		case s.RequestSeq != 0 && playground.IDKey(id) != playground.IDKey(s.Sent.Get("id")):
			continue // the rules on one response judge it
		case found.verdict == verdict.Passed && s.RequestSeq != 0:
			return fail("The server responds to the request %s twice.", raw(id))
		}
		found = pass()
	}
	return found
}

// endsRequests is line-silent: nothing follows the response, or a cancellation. The
// latter and a message of the server may cross each other.
func endsRequests(s *subject) ruling {
	if !s.Request.IsLine() || !s.Response.IsLine() || !playground.IsRequest(s.Sent) {
		return na()
	}
	if _, late := s.notifications(playground.ProgressNotified); late > 0 {
		return fail("Progress was sent after the response.")
	}
	cancelled, found := s.channel.cancelled[playground.IDKey(s.Sent.Get("id"))]
	for _, m := range s.Messages {
		if found && cancelled.After(s.Started) && m.At.After(cancelled) {
			return hint("The server sent a message for the request %s after it was cancelled. "+
				"The two may have crossed in transit.", raw(s.Sent.Get("id")))
		}
	}
	return pass()
}

// namesSubscriptions is line-subscription.
func namesSubscriptions(s *subject) ruling {
	switch {
	case !s.Response.IsLine() || s.Legacy:
		return na()
	case s.Method == listenMethod && len(s.notes()) > 0:
		return pass()
	case s.RequestSeq != 0:
		return na() // stream-notifications judges it
	}
	for _, n := range s.notes() {
		if method := n.Get("method").Str(); slices.Contains(subscribed, method) {
			return fail("The notification %s names no subscription of the client.", quoted(method))
		}
	}
	return na()
}
