package gateway

import (
	"cmp"
	"slices"
	"time"

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
	defined  []definitionPair
	paged    []paging
	unlisted []definition // of the upstream that the client did not get
	foreign  []definition // that the client got from elsewhere
}

// forwarded are the methods of requests that a gateway passes on for its client. It may ask
// for lists and descriptions by itself, and subscribe.
var forwarded = []string{
	playground.ToolsCall, playground.PromptsGet, playground.ResourcesRead,
	playground.TasksGet, playground.TasksUpdate, playground.TasksCancel,
}

// fetched are the methods of requests of the client that a gateway may answer from what it knows.
var fetched = []string{
	playground.ToolsList, playground.PromptsList, playground.ResourcesList, playground.Listen,
}

// pair joins the two ends of a recording. A request at the upstream belongs to the call whose
// mark it has, or whose task it names, and there to the newest request of the client, unless the
// clocks of the two ends differ.
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
		if !slices.Contains(forwarded, u.Method) && !slices.Contains(fetched, u.Method) {
			continue
		}
		if r.ofAnother(u, tasks) {
			continue
		}
		q := r.owner(u, tasks)
		if q == nil {
			if slices.Contains(forwarded, u.Method) {
				r.alone = append(r.alone, u)
			}
			continue
		}
		q.ups = append(q.ups, u)
		if id := u.Result.Get("taskId").Str(); id != "" && isCall(u.Method) {
			tasks[id] = q.call
		}
	}
	r.compare()
	r.compareTasks()
	r.compareDefinitions()
	r.comparePages()
	return r
}

// markOf returns the mark of a request, or "".
func markOf(u playground.Round) string {
	params := u.Sent.Get("params")
	return cmp.Or(params.At("arguments", MarkMember).Str(), params.At("_meta", HopMeta, MarkMember).Str())
}

// ofAnother reports whether a request at the upstream belongs to a call that is not in the
// recording, because it is still being made or was interrupted: nothing says that it belongs to
// one in the recording, and it came after these.
func (r *recordings) ofAnother(u playground.Round, tasks map[string]*made) bool {
	mark := markOf(u)
	if mark != "" && slices.ContainsFunc(r.calls, func(c *made) bool { return c.Mark == mark }) ||
		tasks[u.Sent.At("params", "taskId").Str()] != nil {
		return false
	}
	return !slices.ContainsFunc(r.requests, func(q *request) bool {
		return !r.latest(q.client.Started).Before(u.Started) || !r.latest(q.client.Ended).Before(u.Started)
	})
}

// slack is how much the clocks of the two ends may differ.
const slack = 2 * time.Second

// latest returns the newest time of the client at which a request that is at the upstream at a time
// may have been sent.
func (r *recordings) latest(at time.Time) time.Time {
	if r.Clocks {
		return at.Add(slack)
	}
	return at
}

// sentAs returns the request of the client with the method, the mark and the JSON-RPC id of a request
// at the upstream, or nil. The ids of one client differ, so that no other request is meant; but
// those of lists and subscriptions do not.
func (r *recordings) sentAs(u playground.Round, mark string) *request {
	if slices.Contains(fetched, u.Method) {
		return nil
	}
	for _, q := range r.requests {
		if id := q.client.Sent.Get("id"); id != nil && q.client.Method == u.Method && q.call.Mark == mark &&
			jsontree.Equal(id, u.Sent.Get("id")) && !q.client.Started.After(r.latest(u.Started)) {
			return q
		}
	}
	return nil
}

// inOrder returns the oldest request of the client that may be a request at the upstream and has not
// reached it yet, or nil. It serves where the clocks differ, and times do not tell the rounds of a
// call apart.
func (r *recordings) inOrder(u playground.Round, mark string) *request {
	params := u.Sent.Get("params")
	retry := params.Has("inputResponses") || params.Has("requestState")
	for _, q := range r.requests {
		if q.client.Method == u.Method && q.call.Mark == mark && q.isRetry() == retry && len(q.ups) == 0 &&
			!q.client.Started.After(u.Started.Add(slack)) && !q.endedBy(u.Started.Add(-slack)) {
			return q
		}
	}
	return nil
}

// owner returns the request of the client that a request at the upstream belongs to, or nil.
func (r *recordings) owner(u playground.Round, tasks map[string]*made) *request {
	params := u.Sent.Get("params")
	mark := markOf(u)
	known := mark != "" && slices.ContainsFunc(r.calls, func(c *made) bool { return c.Mark == mark })
	task := tasks[params.Get("taskId").Str()]
	if q := r.sentAs(u, mark); q != nil {
		return q
	}
	if r.Clocks && (isCall(u.Method) || slices.Contains(fetched, u.Method)) {
		if q := r.inOrder(u, mark); q != nil {
			return q
		}
	}
	var found *request
	for _, q := range r.requests {
		isTask := q.call.Focus == Tasks
		late := q.client.Started.After(u.Started)
		switch {
		case late && found != nil, q.client.Started.After(r.latest(u.Started)):
			return found
		case q.client.Method == "": // no message of MCP
		case slices.Contains(fetched, u.Method):
			if q.client.Method == u.Method && !q.endedBy(u.Started) {
				found = q
			}
		case isCall(u.Method):
			belongs := q.call.Mark == mark || !known && !late && !q.endedBy(u.Started)
			if q.client.Method == u.Method && belongs && !q.taken(found) {
				found = q
			}
		case task == q.call, task == nil && (isTask || q.call.Mark == ""):
			found = q
		}
	}
	return found
}

// taken reports whether a request has reached the upstream already, and another one of the same
// mark has not: two equal calls at the same time are told apart by their number only.
func (q *request) taken(other *request) bool {
	return other != nil && len(q.ups) > 0 && len(other.ups) == 0 && q.call.Mark == other.call.Mark &&
		q.call != other.call
}

// endedBy reports whether the client had its response at a time.
func (q *request) endedBy(at time.Time) bool {
	return !q.client.Ended.IsZero() && q.client.Ended.Before(at)
}

// up returns the newest request at the upstream, and whether there is one.
func (q *request) up() (playground.Round, bool) {
	if len(q.ups) == 0 {
		return playground.Round{}, false
	}
	return q.ups[len(q.ups)-1], true
}

// continued returns how many of the requests at the upstream are retries that the gateway made by
// itself: a result with a state and no questions needs nothing of the client.
func (q *request) continued() int {
	n := 0
	for i, u := range q.ups {
		if i > 0 && u.Sent.Get("params").Has("requestState") {
			before := result(q.ups[i-1])
			if before.Get("resultType").Str() == "input_required" && before.Get("inputRequests").Len() == 0 {
				n++
			}
		}
	}
	return n
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

// responses calls f for each call, retry and list that reached the upstream and had a response
// there.
func (r *recordings) responses(f func(q *request, u playground.Round)) {
	for _, q := range r.requests {
		u, ok := q.up()
		if ok && response(u) != nil && (q.isCall() || slices.Contains(fetched, q.client.Method)) {
			f(q, u)
		}
	}
}

// unreadable reports whether the client got something else than the messages of the protocol,
// which the line about these counts, and no other. Other text with the status of an error is no
// message, and may be meant.
func (q *request) unreadable() bool {
	c := q.client
	if c.Head.Coding() != "" && !c.Decoded || q.empty() {
		return true
	}
	if c.Head.Status/100 != 2 && c.Head.MediaType() != "application/json" {
		return false
	}
	return slices.ContainsFunc(c.Messages, func(m playground.RPC) bool {
		return len(m.Raw) > 0 && (m.Err != nil || m.Node.Kind != jsontree.Object)
	})
}

// empty reports whether the client got JSON of no bytes.
func (q *request) empty() bool {
	return len(q.client.Response.Body) == 0 && q.client.Head.MediaType() == "application/json" &&
		q.client.Kind == playground.OutcomeHTTPError
}

// broken reports whether the client could not go on from a response for the sake of its form.
func (q *request) broken() bool {
	is := response(q.client)
	return q.unreadable() || is.Has("id") && !jsontree.Equal(is.Get("id"), q.client.Sent.Get("id"))
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

// keysOf returns the questions of a result at both ends. Keys of the gateway's own are matched by
// what is in them, else by the question, else because no other is left: members have no order.
// Questions that cannot be told apart are left out.
func keysOf(client, upstream *jsontree.Node) []keyPair {
	c, u := client.Get("inputRequests").Entries(), upstream.Get("inputRequests").Entries()
	of := MatchNames(keysIn(u), keysIn(c))
	at := map[string]int{} // by question, those of the client; -1 for several
	asked := map[string]int{}
	var left []int // of the client
	taken := map[int]bool{}
	for _, i := range of {
		taken[i] = true
	}
	for i, m := range c {
		if !taken[i] {
			text := string(jsontree.Canonical(m.Value))
			if _, again := at[text]; again {
				at[text] = -1
			} else {
				at[text] = i
			}
			left = append(left, i)
		}
	}
	missing := 0
	for i, m := range u {
		if of[i] < 0 {
			asked[string(jsontree.Canonical(m.Value))]++
			missing++
		}
	}
	var list []keyPair
	for i, m := range u {
		n := of[i]
		if n < 0 && missing == 1 && len(left) == 1 && len(c) == len(u) {
			n = left[0]
		} else if n < 0 {
			text := jsontree.Canonical(m.Value)
			if same, is := at[string(text)]; is && asked[string(text)] == 1 {
				n = same
			}
		}
		if n >= 0 {
			list = append(list, keyPair{c[n], m})
		}
	}
	return list
}

// keysIn returns the keys of members.
func keysIn(list []jsontree.Member) []string {
	keys := make([]string, len(list))
	for i, m := range list {
		keys[i] = m.Key
	}
	return keys
}
