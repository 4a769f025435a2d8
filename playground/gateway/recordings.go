package gateway

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// request is one request of the client, with what the upstream got for it.
type request struct {
	call   *made
	n      int // number among the requests of the client, from 1
	client playground.Round
	ups    []playground.Round // oldest first; empty if nothing reached the upstream
}

// made is a call with its requests in order.
type made struct {
	Call
	requests []*request
}

// recordings are both ends, request by request.
type recordings struct {
	Recording
	calls    []*made
	requests []*request // of all calls
	ups      []playground.Round
	alone    []playground.Round // at the upstream, and of no call
	compared []comparison
}

// forwarded are the methods of requests that a gateway passes on for its client. It may ask
// for lists and descriptions by itself.
var forwarded = []string{
	playground.ToolsCall, playground.PromptsGet, playground.ResourcesRead, playground.TasksGet, playground.TasksUpdate, playground.TasksCancel,
}

// pair joins the two ends of a recording. A request at the upstream belongs to the call whose
// mark it has, or whose task it names, and there to the newest request of the client: both
// clocks are the same.
func pair(rec Recording) *recordings {
	r := &recordings{Recording: rec, ups: playground.Connections(rec.Upstream)}
	for _, c := range rec.Calls {
		m := &made{Call: c}
		for _, round := range playground.Connections(c.events()) {
			m.requests = append(m.requests, &request{call: m, client: round})
		}
		r.calls = append(r.calls, m)
		r.requests = append(r.requests, m.requests...)
	}
	slices.SortStableFunc(r.requests, func(a, b *request) int {
		return a.client.Started.Compare(b.client.Started)
	})
	for i, q := range r.requests {
		q.n = i + 1
	}
	tasks := map[string]*made{}
	for _, u := range r.ups {
		if !slices.Contains(forwarded, u.Method) {
			continue
		}
		q := r.owner(u, tasks)
		if q == nil {
			r.alone = append(r.alone, u)
			continue
		}
		q.ups = append(q.ups, u)
		if id := u.Result.Get("taskId").Str(); id != "" && isCall(u.Method) {
			tasks[id] = q.call
		}
	}
	r.compare()
	return r
}

// owner returns the request of the client that a request at the upstream belongs to, or nil.
func (r *recordings) owner(u playground.Round, tasks map[string]*made) *request {
	params := u.Sent.Get("params")
	mark := params.At("arguments", MarkMember).Str()
	known := slices.ContainsFunc(r.calls, func(c *made) bool { return c.Mark == mark })
	task := tasks[params.Get("taskId").Str()]
	var found *request
	for _, q := range r.requests {
		isTask := q.call.Focus == Tasks
		switch {
		case q.client.Started.After(u.Started):
			return found
		case q.client.Method == "": // no message of MCP
		case isCall(u.Method):
			if q.client.Method == u.Method && (q.call.Mark == mark || !known) {
				found = q
			}
		case task == q.call, task == nil && (isTask || q.call.Mark == ""):
			found = q
		}
	}
	return found
}

// up returns the newest request at the upstream, and whether there is one.
func (q *request) up() (playground.Round, bool) {
	if len(q.ups) == 0 {
		return playground.Round{}, false
	}
	return q.ups[len(q.ups)-1], true
}

// before returns the request before in the same call, or nil.
func (q *request) before() *request {
	if i := slices.Index(q.call.requests, q); i > 0 {
		return q.call.requests[i-1]
	}
	return nil
}

// isCall reports whether the request is a call, and not about a task.
func (q *request) isCall() bool { return isCall(q.client.Method) }

// isCall reports whether a method is that of a call, which a server may answer with questions.
func isCall(method string) bool {
	return method == playground.ToolsCall || method == playground.PromptsGet ||
		method == playground.ResourcesRead
}

// isRetry reports whether the client sent answers or a state.
func (q *request) isRetry() bool {
	params := q.client.Sent.Get("params")
	return params.Has("inputResponses") || params.Has("requestState")
}

// pairs calls f for each call or retry that reached the upstream.
func (r *recordings) pairs(f func(q *request, u playground.Round)) {
	for _, q := range r.requests {
		if u, ok := q.up(); ok && q.isCall() {
			f(q, u)
		}
	}
}

// retries calls f for each retry at the upstream, with the request whose result it answers.
func (r *recordings) retries(f func(q *request, u playground.Round, asked *request, by playground.Round)) {
	r.pairs(func(q *request, u playground.Round) {
		asked := q.before()
		if asked == nil || !asked.isCall() {
			return
		}
		if by, ok := asked.up(); ok && by.Result.Get("resultType").Str() == "input_required" {
			f(q, u, asked, by)
		}
	})
}

// response returns the response among the messages of a Round, or nil.
func response(r playground.Round) *jsontree.Node {
	for _, m := range slices.Backward(r.Messages) {
		if m.IsResponse() {
			return m.Node
		}
	}
	return nil
}

// result returns the result of a Round as it came, or nil.
func result(r playground.Round) *jsontree.Node { return response(r).Get("result") }

// head returns the head of a request.
func head(r playground.Round) wire.Head {
	h, _ := wire.ParseHead(r.Request.Head)
	return h
}

// keyPair is one question as the two ends name it.
type keyPair struct{ client, upstream jsontree.Member }

// keysOf returns the questions of a result at both ends: those with the same key, else in
// their order.
func keysOf(client, upstream *jsontree.Node) []keyPair {
	c, u := client.Get("inputRequests").Entries(), upstream.Get("inputRequests").Entries()
	var list []keyPair
	for i, m := range u {
		at := slices.IndexFunc(c, func(x jsontree.Member) bool { return x.Key == m.Key })
		if at < 0 {
			at = i
		}
		if at < len(c) {
			list = append(list, keyPair{c[at], m})
		}
	}
	return list
}
