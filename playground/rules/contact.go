package rules

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Recorded names a request of a capture.
type Recorded struct {
	Exchange string // that it is recorded in; empty for the capture's own log
	Conn     int    // its connection there; 0 for no request
}

// Contact is a request of a client in front of the client test, with everything that came
// back on its connection and the requests that package capture has joined it
// to. The rows with a scenario read it: a Round alone shows neither
// simultaneous calls nor the omissions of a client.
type Contact struct {
	subject
	Recorded Recorded

	Source   *Contact  // the contact whose result this one answers; nil if there is none
	Task     *Contact  // the contact that created the task of this one; nil if there is none
	Scenario *Scenario // that the call belongs to; nil for none
	// Known says that the keys and the state each name a call, and Mixed that they name two.
	Known, Mixed bool

	failure *jsontree.Node // the error of the response; nil if there is none
	record  *record
	tools   map[string]*jsontree.Node // of a result of tools/list, by name; nil for any other
}

// NewContact returns a request that is joined to no other.
func NewContact(at Recorded, t playground.Trip, kind playground.OutcomeKind) *Contact {
	c := &Contact{Recorded: at}
	c.Round = playground.Round{N: 1, Began: t.Started, Trip: t}
	c.Kind, c.Ended = kind, t.Last
	for _, m := range t.Messages {
		if m.IsResponse() {
			c.Result, c.failure = m.Node.Get("result"), m.Node.Get("error")
			break
		}
	}
	if c.CreatedTask() != "" {
		c.Kind = playground.OutcomeTask
	}
	if state := c.Result.Get("requestState"); state != nil {
		c.State = state.Raw()
	}
	for _, q := range c.Result.Get("inputRequests").Entries() {
		c.Questions = append(c.Questions, playground.Question{Key: q.Key, Method: q.Value.Get("method").Str(),
			Params: q.Value.Get("params"), Node: q.Value})
	}
	c.readHead()
	c.tools = c.listed()
	return c
}

// Mark is the part of keys, states and task ids that the test makes for one call: the
// round and a random text.
type Mark struct {
	Round int
	Nonce string
}

var markForm = regexp.MustCompile(`ct([0-9]{1,4})x([a-z2-7]{26})`)

// Marks returns the marks in a text, also in one that is Base64.
func Marks(text string) []Mark {
	var list []Mark
	if decoded, err := base64.StdEncoding.DecodeString(text); err == nil {
		text += " " + string(decoded)
	}
	for _, m := range markForm.FindAllStringSubmatch(text, -1) {
		round, _ := strconv.Atoi(m[1])
		list = append(list, Mark{round, m[2]})
	}
	return list
}

// Name returns the name of the tool or prompt, or the URI of the resource.
func (c *Contact) Name() string { return playground.NameIn(c.Method, c.params()) }

// IsTask reports whether the request is one of the tasks extension.
func (c *Contact) IsTask() bool { return c.isTaskRequest() }

// IsRetry reports whether the request has answers or a state.
func (c *Contact) IsRetry() bool { return c.isRetry() }

// Params returns the params of the request, or nil.
func (c *Contact) Params() *jsontree.Node { return c.params() }

// Issued returns the marks of the keys and the state in the response.
func (c *Contact) Issued() []Mark {
	asked := c.asked()
	list := Marks(asked.Get("requestState").Str())
	for _, q := range asked.Get("inputRequests").Entries() {
		list = append(list, Marks(q.Key)...)
	}
	return list
}

// CreatedTask returns the id of the task that the response creates, or "".
func (c *Contact) CreatedTask() string {
	if c.Result.Get("resultType").Str() != "task" || c.isTaskRequest() {
		return ""
	}
	return c.Result.Get("taskId").Str()
}

// Root returns the first request of the call.
func (c *Contact) Root() *Contact {
	for n := 0; c.Source != nil && n < maxRounds; n++ {
		c = c.Source
	}
	return c
}

// maxRounds bounds the rounds of one call that are read.
const maxRounds = 10000

// isModern reports whether the contact is a request of this revision: neither a
// notification nor a message of an earlier revision.
func (c *Contact) isModern() bool {
	return c.Method != "" && c.Sent.Has("id") && c.Method != playground.Initialize && !c.isNotification()
}

// asked returns the object with the questions and the state of the response: its result, or
// the data of its error.
func (c *Contact) asked() *jsontree.Node {
	if c.failure != nil {
		return c.failure.Get("data")
	}
	return c.Result
}

// isOfClient reports whether nothing says that two requests are of different clients.
func (c *Contact) isOfClient(other *Contact) bool { return sameClient(&c.Round, &other.Round) }

// after reports whether c began after the response of other was complete.
func (c *Contact) after(other *Contact) bool {
	return !other.Last.IsZero() && c.Started.After(other.Last)
}

// overlaps reports whether two requests were in progress at the same time.
func (c *Contact) overlaps(other *Contact) bool {
	ends := func(x *Contact) bool { return !x.Last.IsZero() }
	return c != other && (!ends(other) || !c.Started.After(other.Last)) &&
		(!ends(c) || !other.Started.After(c.Last))
}

// listed returns the tools in a result of tools/list by name, or nil.
func (c *Contact) listed() map[string]*jsontree.Node {
	if c.Method != playground.ToolsList || c.Result == nil {
		return nil
	}
	tools := map[string]*jsontree.Node{}
	for _, t := range c.Result.Get("tools").Elements() {
		tools[t.Get("name").Str()] = t
	}
	return tools
}

// inCall returns the request as the last one of its call or task, with the requests before it.
func (c *Contact) inCall() *subject {
	line := c.record.line(c)
	rounds := make([]playground.Round, 0, len(line))
	for i, x := range line {
		r := x.Round
		r.N, r.Decision.Action = i+1, playground.ActionStart
		if x.Source != nil {
			r.Decision.Action = playground.ActionAnswer
		}
		rounds = append(rounds, r)
	}
	return &course{rounds: rounds}.subjects(len(rounds) - 1)[0]
}

// withTool returns the request with the definition of its tool.
func (c *Contact) withTool() *subject {
	s := c.subject
	s.tool = c.record.tool(c, c.Name())
	return &s
}

// record is all contacts of a capture.
type record struct {
	contacts []*Contact
	lists    []*Contact // those with tools
	ended    bool       // the client sends nothing more
}

func newRecord(contacts []*Contact, ended bool) *record {
	r := &record{contacts: contacts, ended: ended}
	for _, c := range contacts {
		if c.record = r; c.tools != nil {
			r.lists = append(r.lists, c)
		}
	}
	return r
}

// line returns the contacts of the call or the task up to c, oldest first.
func (r *record) line(c *Contact) []*Contact {
	var list []*Contact
	if c.Task != nil {
		for _, x := range r.contacts {
			if x == c {
				break
			}
			if x.Task == c.Task {
				list = append(list, x)
			}
		}
		return append(append(r.line(c.Task), list...), c)
	}
	for x, n := c, 0; x != nil && n < maxRounds; x, n = x.Source, n+1 {
		list = append(list, x)
	}
	slices.Reverse(list)
	return list
}

// wentOn reports whether the client did something else after the response of a contact, or
// ended.
func (r *record) wentOn(c *Contact) bool {
	return r.ended && !c.Last.IsZero() ||
		slices.ContainsFunc(r.contacts, func(x *Contact) bool { return x.after(c) && x.isOfClient(c) })
}

// of returns the contacts of a scenario.
func (r *record) of(s *Scenario) []*Contact {
	var list []*Contact
	for _, c := range r.contacts {
		if s.Kind == anyRequest || c.Scenario != nil && c.Scenario.ID == s.ID {
			list = append(list, c)
		}
	}
	return list
}

// retries returns the requests that answer a contact.
func (r *record) retries(c *Contact) []*Contact {
	var list []*Contact
	for _, x := range r.contacts {
		if x.Source == c {
			list = append(list, x)
		}
	}
	return list
}

// tool returns the definition of a tool in the newest list before a contact, or nil.
func (r *record) tool(c *Contact, name string) *jsontree.Node {
	for _, x := range slices.Backward(r.lists) {
		if tool := x.tools[name]; tool != nil && c.after(x) {
			return tool
		}
	}
	return nil
}
