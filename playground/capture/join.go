package capture

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
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

// Locate returns where a message belongs, given the Exchanges that wait for their client
// or run, and how many the capture has in all. It continues one only by what the protocol
// gives: a task by its id, anything else by its requestState, its keys of inputResponses
// and the call itself (basic/patterns/mrtr, client requirements). Where these name
// different Exchanges, or fit several, the request begins one of its own and is shown as
// it came. A message that is not that of a call of MCP 2026-07-28 has the zero Place; so
// have those of a legacy session, which the caller tells apart by its header.
func Locate(message []byte, open []playground.Exchange, all int) Place {
	n, err := jsontree.Parse(message, jsontree.Limits{})
	if err != nil || n.Kind != jsontree.Object || !n.Has("id") {
		return Place{}
	}
	method, params := n.Get("method").Str(), n.Get("params")
	switch {
	case isTask(method):
		return locateTask(method, params.Get("taskId").Str(), open)
	case !slices.Contains(calls, method) || params == nil || params.Kind != jsontree.Object:
		return Place{}
	}
	start := Place{Call: true, Decision: &playground.Decision{
		Action: playground.ActionStart, Round: 1, By: playground.ByClient,
	}}
	if !params.Has("inputResponses") && !params.Has("requestState") {
		return start
	}
	found, join := match(newRetry(method, params), waiting(open), all == 1)
	if found == nil {
		return start
	}
	action := playground.ActionAnswer
	if found.last().Kind == playground.OutcomeRetry {
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

// candidate is an Exchange whose newest result asks for a retry.
type candidate struct {
	x playground.Exchange
	f playground.Transcript
}

func (c candidate) last() *playground.Round { return c.f.Last() }

// waiting returns the Exchanges that wait for a retry.
func waiting(open []playground.Exchange) []candidate {
	var list []candidate
	for _, x := range open {
		c := candidate{x: x, f: x.Fold()}
		if last := c.last(); last != nil && last.Open() && last.Task == nil && !last.Legacy {
			list = append(list, c)
		}
	}
	return list
}

// retry is what a request has that tells which Exchange it continues.
type retry struct {
	method string
	state  string   // requestState; "" for none, and for one that is no string
	keys   []string // of inputResponses
	call   []byte   // the params without what a retry adds, canonical
	name   string   // of the tool or prompt, or the URI
}

func newRetry(method string, params *jsontree.Node) retry {
	r := retry{method: method, name: playground.NameIn(method, params), call: canonical(CallParams(params))}
	r.state = params.Get("requestState").Str()
	if responses := params.Get("inputResponses"); responses != nil {
		for _, m := range responses.Members {
			r.keys = append(r.keys, m.Key)
		}
	}
	return r
}

// CallParams returns the params of a call without the members that a client adds to each
// request: _meta, inputResponses and requestState.
func CallParams(params *jsontree.Node) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, m := range params.Members {
		switch m.Key {
		case "_meta", "inputResponses", "requestState":
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

// canonical returns a JSON text in a form that does not depend on spaces and on the
// order of members.
func canonical(data json.RawMessage) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return data
	}
	text, err := json.Marshal(v)
	if err != nil {
		return data
	}
	return text
}

// The least length, in bytes, of a state that no other call has by chance, and of one that
// no other call has with the same arguments. A key may be the same in every call.
const (
	distinctive     = 40
	distinctiveSame = 16
)

// match returns the Exchange that a retry continues, and how sure that is; nil if there
// is none, or if its parts fit different ones. only says that the client has made no other
// call: then the same call with answers to its questions can continue no other.
func match(r retry, list []candidate, only bool) (*candidate, playground.Join) {
	byState := fitting(list, func(c candidate) bool {
		return r.state != "" && c.last().StateText() == r.state
	})
	byKey := fitting(list, func(c candidate) bool {
		return slices.ContainsFunc(c.last().Questions, func(q playground.Question) bool {
			return len(q.Key) >= distinctiveSame && slices.Contains(r.keys, q.Key)
		})
	})
	if len(byState) == 1 && len(byKey) == 1 && byState[0].x.ID != byKey[0].x.ID {
		return nil, "" // parts of two calls
	}
	// what only one Exchange gave out
	same := func(c candidate) bool {
		return c.x.Call.Method == r.method && bytes.Equal(canonical(c.x.Call.Params), r.call)
	}
	if len(byState) == 1 && (len(r.state) >= distinctive ||
		len(r.state) >= distinctiveSame && same(byState[0])) {
		return &byState[0], playground.JoinCertain
	}
	similar := func(c candidate) bool { return c.x.Call.Method == r.method && c.x.Call.Name() == r.name }
	asked := func(c candidate) bool {
		return slices.ContainsFunc(c.last().Questions, func(q playground.Question) bool {
			return slices.Contains(r.keys, q.Key)
		})
	}
	if mine := fitting(fitting(list, asked), same); only && len(mine) == 1 {
		return &mine[0], playground.JoinCertain
	}
	for _, set := range [][]candidate{
		fitting(byState, same), fitting(byState, similar), byState,
		fitting(fitting(list, asked), same), fitting(fitting(list, asked), similar),
		fitting(list, same), fitting(list, similar),
	} {
		switch len(set) {
		case 0:
			continue
		case 1:
			return &set[0], playground.JoinLikely
		}
		return nil, ""
	}
	return nil, ""
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
