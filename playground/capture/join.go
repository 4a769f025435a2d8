package capture

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Place is where a request of a foreign client is recorded.
type Place struct {
	// Call is set for a request that begins or continues a call. Any other belongs to
	// the capture's own log.
	Call bool
	// Exchange is the one that the request continues; nil if it begins one.
	Exchange *playground.Exchange
	// Decision opens the Round of the request; nil for a poll of a task, which opens none.
	Decision *playground.Decision
}

// calls are the methods that an Exchange is about.
var calls = []string{playground.ToolsCall, playground.PromptsGet, playground.ResourcesRead}

// Continues reports whether a message may continue an Exchange: it is about a task, or it
// has answers or a state.
func Continues(message *jsontree.Node) bool {
	params := message.Get("params")
	return isTask(message.Get("method").Str()) || params.Has("inputResponses") || params.Has("requestState")
}

// Open are the Exchanges of a capture that a request may continue.
type Open struct {
	// Exchanges wait for their client or run, or ended without a response; oldest first.
	Exchanges []playground.Exchange
	// Cut says that more of them wait, which were not read.
	Cut bool
}

// The most Exchanges that are read to find the one that a request continues: of those that
// wait or run, and of those that ended without a response or with an error.
const (
	MostOpen  = 64
	MostEnded = 8
)

// NewOpen returns the Exchanges that a request may continue, given those that wait or run,
// up to one more than MostOpen, and those that ended.
func NewOpen(open, ended []playground.Exchange) Open {
	o := Open{Cut: len(open) > MostOpen}
	o.Exchanges = slices.Concat(open[:min(len(open), MostOpen)], ended)
	slices.SortStableFunc(o.Exchanges, func(a, b playground.Exchange) int {
		return a.Created.Compare(b.Created)
	})
	return o
}

// Locate returns where a message belongs, given the Exchanges that it may continue. It
// continues one only by what the protocol gives: a task by its id, anything else by its
// requestState, its keys of inputResponses and the call itself (basic/patterns/mrtr, client
// requirements). Where these fit no Exchange for sure, the request begins one of its own and
// is shown as it came. A message that is not that of a call of MCP 2026-07-28 has the zero
// Place; so have those of a legacy session, which the caller recognises by its
// header.
func Locate(message []byte, open Open) Place {
	n, err := jsontree.Parse(message, jsontree.Limits{})
	if err != nil || n.Kind != jsontree.Object || !n.Has("id") {
		return Place{}
	}
	method, params := n.Get("method").Str(), n.Get("params")
	switch {
	case isTask(method):
		return locateTask(method, params.Get("taskId").Str(), open.Exchanges)
	case !slices.Contains(calls, method) || params == nil || params.Kind != jsontree.Object:
		return Place{}
	}
	start := Place{Call: true, Decision: &playground.Decision{
		Action: playground.ActionStart, Round: 1, By: playground.ByClient,
	}}
	if !params.Has("inputResponses") && !params.Has("requestState") {
		return start
	}
	found, join := match(newRetry(method, params), waiting(open.Exchanges), open.Cut)
	if found == nil {
		start.Decision.Join = join
		return start
	}
	action := playground.ActionAnswer
	switch {
	case found.again:
		action = playground.ActionResend
	case found.asked.Kind == playground.OutcomeRetry:
		action = playground.ActionRetry
	}
	return Place{Call: true, Exchange: &found.x, Decision: &playground.Decision{
		Action: action, Round: found.f.Next(), By: playground.ByClient, Join: join,
	}}
}

func isTask(method string) bool {
	return method == playground.TasksGet || method == playground.TasksUpdate ||
		method == playground.TasksCancel
}

// locateTask returns the place of a request about a task. The id is the server's and
// unique, so one Exchange that has the task is certain.
func locateTask(method, id string, open []playground.Exchange) Place {
	var found []candidate
	for _, x := range open {
		c := candidate{x: x, f: x.Fold()}
		if task := c.f.Task(); id != "" && task != nil && task.ID == id {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return Place{}
	}
	p := Place{Call: true, Exchange: &found[0].x}
	d := playground.Decision{Round: found[0].f.Next(), By: playground.ByClient, Join: playground.JoinCertain}
	switch method {
	case playground.TasksGet:
		return p
	case playground.TasksUpdate:
		d.Action = playground.ActionAnswer
	default:
		d.Action = playground.ActionStop
	}
	p.Decision = &d
	return p
}

// candidate is an Exchange that a retry may continue.
type candidate struct {
	x     playground.Exchange
	f     playground.Transcript
	asked *playground.Round // whose result asks for the retry
	again bool              // it was answered already, and that had no response or an error
}

// waiting returns the Exchanges that wait for a retry, and those whose retry may be sent
// again.
func waiting(open []playground.Exchange) []candidate {
	var list []candidate
	for _, x := range open {
		c := candidate{x: x, f: x.Fold()}
		c.asked = c.f.Last()
		for c.asked != nil && isUnanswered(c.asked) {
			c.again = true
			c.asked = c.f.Round(c.asked.N - 1)
		}
		if c.asked != nil && c.asked.Open() && c.asked.Task == nil && !c.asked.Legacy {
			list = append(list, c)
		}
	}
	return list
}

// isUnanswered reports whether a Round is a retry without a result, which a client may send
// again.
func isUnanswered(r *playground.Round) bool {
	switch r.Decision.Action {
	case playground.ActionAnswer, playground.ActionRetry, playground.ActionResend:
	default:
		return false
	}
	switch r.Kind {
	case playground.OutcomeRPCError, playground.OutcomeHTTPError, playground.OutcomeTransportError,
		playground.OutcomeCancelled, playground.OutcomeInterrupted:
		return true
	}
	return false
}

// retry has the parts of a request that identify the Exchange that it
// continues.
type retry struct {
	method string
	state  *jsontree.Node // requestState; nil for none
	keys   []string       // of inputResponses
	call   []byte         // the params without the members that a retry adds, canonical
	bare   []byte         // call without such members in its arguments, where they do not belong
	name   string         // of the tool or prompt, or the URI
}

func newRetry(method string, params *jsontree.Node) retry {
	r := retry{
		method: method, name: playground.NameIn(method, params), call: canonical(CallParams(params)),
		state: params.Get("requestState"),
	}
	r.bare = r.call
	if arguments := params.Get("arguments"); slices.ContainsFunc(arguments.Entries(), changes) {
		bare, _ := jsontree.Set(CallParams(params),
			jsontree.Pair{Key: "arguments", Value: CallParams(arguments)})
		r.bare = canonical(bare)
	}
	for _, m := range params.Get("inputResponses").Entries() {
		r.keys = append(r.keys, m.Key)
	}
	return r
}

func changes(m jsontree.Member) bool { return playground.ChangesByRound(m.Key) }

// isSame reports whether the retry has the params of a call.
func (r retry) isSame(c candidate) bool {
	params := canonical(c.x.Call.Params)
	return c.x.Call.Method == r.method && (bytes.Equal(params, r.call) || bytes.Equal(params, r.bare))
}

// isSimilar reports whether the retry is of the same tool, prompt or resource.
func (r retry) isSimilar(c candidate) bool {
	return c.x.Call.Method == r.method && c.x.Call.Name() == r.name
}

// answers reports whether the retry answers a question of the call, or has no answers, and
// the call no questions.
func (r retry) answers(c candidate) bool {
	if len(c.asked.Questions) == 0 {
		return len(r.keys) == 0
	}
	return slices.ContainsFunc(c.asked.Questions, func(q playground.Question) bool {
		return slices.Contains(r.keys, q.Key)
	})
}

// hasStateOf reports whether the retry has the state of a call.
func (r retry) hasStateOf(c candidate) bool {
	if r.state == nil || c.asked.State == nil {
		return false
	}
	given, err := jsontree.Parse(c.asked.State, jsontree.Limits{})
	return err == nil && jsontree.Equal(given, r.state)
}

// echoes reports whether the retry has the state of a call, or neither has one.
func (r retry) echoes(c candidate) bool {
	return r.state == nil && c.asked.State == nil || r.hasStateOf(c)
}

// answersDistinctive reports whether the retry answers a question whose key is that of no
// other call by chance.
func (r retry) answersDistinctive(c candidate) bool {
	return slices.ContainsFunc(c.asked.Questions, func(q playground.Question) bool {
		return len(q.Key) >= distinctiveKey && slices.Contains(r.keys, q.Key)
	})
}

// CallParams returns the params of a call without the members that may change with each of
// its requests: see playground.ChangesByRound.
func CallParams(params *jsontree.Node) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, m := range params.Members {
		if playground.ChangesByRound(m.Key) {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(jsontree.Quote(m.Key))
		b.WriteByte(':')
		b.Write(m.Value.Raw())
	}
	b.WriteByte('}')
	return b.Bytes()
}

// canonical returns a JSON text in a form that does not depend on spaces, on the order of
// members and on the notation of numbers.
func canonical(data json.RawMessage) []byte {
	n, err := jsontree.Parse(data, jsontree.Limits{})
	if err != nil {
		return data
	}
	return jsontree.Canonical(n)
}

// The least length, in bytes, of a state and of a key that no other call has by chance. A
// short one may be the same in every call.
const (
	distinctive    = 40
	distinctiveKey = 16
)

// match returns the call that a retry continues, and how sure that is. If it returns none,
// the Join says whether the parts of the retry are those of different calls. Of the params,
// the keys and the state a faulty client gets one wrong: where the two others are those of
// one call that waits, no other can be meant. With calls that a store did not read, only the
// state of a call shows that.
func match(r retry, all []candidate, cut bool) (*candidate, playground.Join) {
	list := fitting(all, func(c candidate) bool { return !c.again })
	mine := fitting(fitting(list, r.isSame), r.answers)
	if own := fitting(mine, r.echoes); len(own) > 0 {
		return r.newest(own)
	}
	if sent := fitting(fitting(fitting(all, r.isSame), r.answers), r.echoes); len(sent) > 0 {
		return r.newest(sent)
	}
	owners := fitting(list, r.hasStateOf)
	elsewhere := fitting(list, r.answersDistinctive)
	switch {
	case len(mine) > 0 && len(owners) > 0,
		len(owners) == 1 && len(elsewhere) == 1 && owners[0].x.ID != elsewhere[0].x.ID:
		return nil, playground.JoinMixed
	case len(mine) > 0 && !cut && !slices.ContainsFunc(mine, candidate.hides):
		return r.newest(mine)
	}
	for _, set := range [][]candidate{
		fitting(fitting(list, r.isSame), r.echoes),
		fitting(fitting(fitting(list, r.isSimilar), r.answers), r.echoes),
	} {
		if len(set) > 0 && (!cut || r.state != nil) {
			return r.newest(set)
		}
	}
	if len(owners) == 1 && len(r.state.Str()) >= distinctive {
		return &owners[0], playground.JoinCertain
	}
	asked := fitting(list, r.answers)
	for _, set := range [][]candidate{
		fitting(owners, r.isSimilar), owners, fitting(asked, r.isSame), fitting(asked, r.isSimilar),
		fitting(list, r.isSame), fitting(list, r.isSimilar),
	} {
		if len(set) == 1 {
			return &set[0], playground.JoinLikely
		}
		if len(set) > 1 {
			break
		}
	}
	return nil, ""
}

// hides reports whether the state of a call is masked in the record, so that it can't be
// compared.
func (c candidate) hides() bool { return text.HasMask(c.asked.State) }

// newest returns of calls that a retry fits the one that it is joined to. Where there are
// several, they must ask the same, so that a verdict on one holds for each.
func (r retry) newest(set []candidate) (*candidate, playground.Join) {
	if len(set) == 1 {
		return &set[0], playground.JoinCertain
	}
	asAsked := func(c candidate) bool { return len(c.asked.Questions) == len(r.keys) }
	if exact := fitting(set, asAsked); len(exact) > 0 {
		set = exact
	}
	last := &set[len(set)-1]
	for _, c := range set {
		if !c.asksLike(last) {
			return nil, ""
		}
	}
	return last, playground.JoinEither
}

// asksLike reports whether two calls ask for the same answers, in whatever words.
func (c candidate) asksLike(other *candidate) bool {
	return slices.EqualFunc(c.asked.Questions, other.asked.Questions, func(a, b playground.Question) bool {
		return a.Key == b.Key && a.Method == b.Method && a.Mode() == b.Mode() &&
			jsontree.Equal(a.Params.Get("requestedSchema"), b.Params.Get("requestedSchema"))
	})
}

func fitting(list []candidate, fits func(candidate) bool) []candidate {
	var found []candidate
	for _, c := range list {
		if fits(c) {
			found = append(found, c)
		}
	}
	return found
}
