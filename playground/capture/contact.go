package capture

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Contact is one request of the client and everything that came back on its
// connection.
type Contact struct {
	playground.Trip
	Kind     playground.OutcomeKind // how it ended; OutcomeCancelled if the client closed it first
	Exchange string                 // that it is recorded in; empty for the capture's own log
}

// contact is a Contact as it is observed.
type contact struct {
	Contact
	head     wire.Head      // of the request
	params   *jsontree.Node // of the request
	result   *jsontree.Node // of the response; nil if there is none
	failure  *jsontree.Node // the error of the response; nil if there is none
	source   *contact       // the contact whose result this one answers; nil if there is none
	byKey    *contact       // the source that the keys of the answers name
	byState  *contact       // the source that the state names
	task     *contact       // the contact that created the task of this one; nil if there is none
	scenario *Scenario      // nil if the request belongs to none

	tools map[string]*jsontree.Node // of a result of tools/list, by name; nil for any other
}

// mark is the part of keys, states and task ids that the test makes for one call: the
// round and a random text.
type mark struct {
	round int
	nonce string
}

var markForm = regexp.MustCompile(`ct([0-9]{1,4})x([a-z2-7]{26})`)

// marksIn returns the marks in a text, also in one that is Base64.
func marksIn(text string) []mark {
	var list []mark
	if decoded, err := base64.StdEncoding.DecodeString(text); err == nil {
		text += " " + string(decoded)
	}
	for _, m := range markForm.FindAllStringSubmatch(text, -1) {
		round, _ := strconv.Atoi(m[1])
		list = append(list, mark{round, m[2]})
	}
	return list
}

// newContact reads a contact.
func newContact(c Contact) *contact {
	x := &contact{Contact: c, params: c.Sent.Get("params")}
	x.head, _ = wire.ParseHead(c.Request.Head)
	for _, m := range c.Messages {
		if m.IsResponse() {
			x.result, x.failure = m.Node.Get("result"), m.Node.Get("error")
			break
		}
	}
	return x
}

// isRequest reports whether the contact is a request of this revision: neither a
// notification nor a message of an earlier revision.
func (c *contact) isRequest() bool {
	return c.Method != "" && c.Sent.Has("id") && c.Method != playground.Initialize && !isNotification(c)
}

// isTask reports whether the request is one of the tasks extension.
func (c *contact) isTask() bool {
	return slices.Contains([]string{playground.TasksGet, playground.TasksUpdate, playground.TasksCancel},
		c.Method)
}

// isRetry reports whether the request has answers or a state.
func (c *contact) isRetry() bool {
	return !c.isTask() && (c.params.Has("inputResponses") || c.params.Has("requestState"))
}

// meta returns the _meta of the request.
func (c *contact) meta() *jsontree.Node { return c.params.Get("_meta") }

// capabilities returns what the request declares.
func (c *contact) capabilities() *jsontree.Node {
	return c.meta().Get("io.modelcontextprotocol/clientCapabilities")
}

// asked returns the object with the questions and the state of the response: its result, or
// the data of its error.
func (c *contact) asked() *jsontree.Node {
	if c.failure != nil {
		return c.failure.Get("data")
	}
	return c.result
}

// answers returns the inputResponses of the request.
func (c *contact) answers() []jsontree.Member { return c.params.Get("inputResponses").Entries() }

// issued returns the marks of the keys and the state in the response.
func (c *contact) issued() []mark {
	asked := c.asked()
	list := marksIn(asked.Get("requestState").Str())
	for _, q := range asked.Get("inputRequests").Entries() {
		list = append(list, marksIn(q.Key)...)
	}
	return list
}

// createdTask returns the id of the task that the response creates, or "".
func (c *contact) createdTask() string {
	if c.result.Get("resultType").Str() != "task" || c.isTask() {
		return ""
	}
	return c.result.Get("taskId").Str()
}

// client returns the name that the client gives itself, or "".
func (c *contact) client() string {
	if c.Method == playground.Initialize {
		return c.params.At("clientInfo", "name").Str()
	}
	return c.meta().At("io.modelcontextprotocol/clientInfo", "name").Str()
}

// sameClient reports whether nothing says that two requests are of different clients.
func (c *contact) sameClient(other *contact) bool {
	return c.client() == "" || other.client() == "" || c.client() == other.client()
}

// after reports whether c began after the response of other was complete.
func (c *contact) after(other *contact) bool {
	return !other.Last.IsZero() && c.Started.After(other.Last)
}

// overlaps reports whether two requests were in progress at the same time.
func (c *contact) overlaps(other *contact) bool {
	ends := func(x *contact) bool { return !x.Last.IsZero() }
	return c != other && (!ends(other) || !c.Started.After(other.Last)) &&
		(!ends(c) || !other.Started.After(c.Last))
}

// observation is what the contacts of a capture show.
type observation struct {
	contacts []*contact
	lists    []*contact // those with tools
	ended    bool       // the client sends nothing more
}

// observe joins contacts.
func observe(list []Contact, ended bool) *observation {
	o := &observation{ended: ended}
	issued, tasks := map[mark][]*contact{}, map[string]*contact{}
	for _, c := range list {
		x := newContact(c)
		o.contacts = append(o.contacts, x)
		if x.tools = x.listed(); x.tools != nil {
			o.lists = append(o.lists, x)
		}
		for _, m := range x.issued() {
			issued[m] = append(issued[m], x)
		}
		if id := x.createdTask(); id != "" && marksIn(id) != nil {
			tasks[id] = x
		}
	}
	for _, x := range o.contacts {
		x.join(issued, tasks)
	}
	for _, x := range o.contacts {
		x.place()
	}
	return o
}

// join sets the source of a retry and the task of a request about one.
func (c *contact) join(issued map[mark][]*contact, tasks map[string]*contact) {
	if c.isTask() {
		c.task = tasks[c.params.Get("taskId").Str()]
		return
	}
	if !c.isRetry() {
		return
	}
	var keys []mark
	for _, a := range c.answers() {
		keys = append(keys, marksIn(a.Key)...)
	}
	var round, stateRound int
	c.byKey, round = c.newest(keys, issued)
	c.byState, stateRound = c.newest(marksIn(c.params.Get("requestState").Str()), issued)
	if c.source = c.byKey; c.byKey == nil || c.byState != nil && stateRound > round && !c.mixed() {
		c.source = c.byState
	}
}

// newest returns the contact that issued the newest of some marks, and the round of that.
func (c *contact) newest(list []mark, issued map[mark][]*contact) (found *contact, round int) {
	for _, m := range list {
		for _, x := range issued[m] {
			if x != c && m.round >= round && !x.Started.After(c.Started) {
				found, round = x, m.round
			}
		}
	}
	return found, round
}

// mixed reports whether the answers of a request belong to another call than its state.
func (c *contact) mixed() bool {
	if c.byKey == nil || c.byState == nil {
		return false
	}
	one, other := c.byKey.issued(), c.byState.issued()
	return len(one) > 0 && len(other) > 0 && one[0].nonce != other[0].nonce
}

// place sets the scenario: that of the call which the contact continues, or that of its own
// name.
func (c *contact) place() {
	root := c.root()
	if root.task != nil {
		root = root.task.root()
	}
	c.scenario = byRequest(root.Method, root.name())
}

// root returns the first request of the call.
func (c *contact) root() *contact {
	for n := 0; c.source != nil && n < maxRounds; n++ {
		c = c.source
	}
	return c
}

// maxRounds bounds the rounds of one call that are read.
const maxRounds = 10000

// name returns the name of the tool or prompt, or the URI of the resource.
func (c *contact) name() string { return playground.NameIn(c.Method, c.params) }

// round returns the contact as a Round, for the rules.
func (c *contact) round(n int) playground.Round {
	r := playground.Round{N: n, Began: c.Started, Trip: c.Trip}
	r.Kind, r.Ended, r.Result = c.Kind, c.Last, c.result
	r.Decision.Action = playground.ActionStart
	if c.source != nil {
		r.Decision.Action = playground.ActionAnswer
	}
	if c.createdTask() != "" {
		r.Kind = playground.OutcomeTask
	}
	if state := c.result.Get("requestState"); state != nil {
		r.State = state.Raw()
	}
	for _, q := range c.result.Get("inputRequests").Entries() {
		r.Questions = append(r.Questions, playground.Question{Key: q.Key, Method: q.Value.Get("method").Str(),
			Params: q.Value.Get("params"), Node: q.Value})
	}
	return r
}

// line returns the contacts of the call or the task up to c, oldest first.
func (o *observation) line(c *contact) []*contact {
	var list []*contact
	if c.task != nil {
		for _, x := range o.contacts {
			if x == c {
				break
			}
			if x.task == c.task {
				list = append(list, x)
			}
		}
		return append(append(o.line(c.task), list...), c)
	}
	for x, n := c, 0; x != nil && n < maxRounds; x, n = x.source, n+1 {
		list = append(list, x)
	}
	slices.Reverse(list)
	return list
}

// wentOn reports whether the client did something else after the response of a contact, or
// ended.
func (o *observation) wentOn(c *contact) bool {
	return o.ended && !c.Last.IsZero() ||
		slices.ContainsFunc(o.contacts, func(x *contact) bool { return x.after(c) && x.sameClient(c) })
}

// of returns the contacts of a scenario.
func (o *observation) of(s *Scenario) []*contact {
	var list []*contact
	for _, c := range o.contacts {
		if s.Kind == anyRequest || c.scenario == s {
			list = append(list, c)
		}
	}
	return list
}

// retries returns the requests that answer a contact.
func (o *observation) retries(c *contact) []*contact {
	var list []*contact
	for _, x := range o.contacts {
		if x.source == c {
			list = append(list, x)
		}
	}
	return list
}

// tool returns the definition of a tool in the newest list before a contact, or nil.
func (o *observation) tool(c *contact, name string) *jsontree.Node {
	for _, x := range slices.Backward(o.lists) {
		if tool := x.tools[name]; tool != nil && c.after(x) {
			return tool
		}
	}
	return nil
}

// listed returns the tools in a result of tools/list by name, or nil.
func (c *contact) listed() map[string]*jsontree.Node {
	if c.Method != playground.ToolsList || c.result == nil {
		return nil
	}
	tools := map[string]*jsontree.Node{}
	for _, t := range c.result.Get("tools").Elements() {
		tools[t.Get("name").Str()] = t
	}
	return tools
}
