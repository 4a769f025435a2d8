package capture

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// Contact is one request of the client and everything that came back on its
// connection.
type Contact struct {
	playground.Trip
	Kind     playground.OutcomeKind // how it ended; OutcomeCancelled if the client closed it first
	Exchange string                 // that it is recorded in; empty for the capture's own log
}

// Observe returns the observations of the client test in the contacts of one
// capture, in the order in which they began: see rules.JudgeScenarios.
func Observe(contacts []Contact) []rules.Observation {
	return rules.JudgeScenarios(join(contacts), false)
}

// ObserveEnded is Observe for a client that has ended: its omissions are final.
func ObserveEnded(contacts []Contact) []rules.Observation {
	return rules.JudgeScenarios(join(contacts), true)
}

// marks says which contacts issued the keys, states and tasks of the client test.
type marks struct {
	issued map[rules.Mark][]*rules.Contact
	tasks  map[string]*rules.Contact
}

// join joins the requests that belong together. Only a key, state or task id says so that the
// test made for one call; a JSON-RPC id does not.
func join(list []Contact) []*rules.Contact {
	m := marks{map[rules.Mark][]*rules.Contact{}, map[string]*rules.Contact{}}
	var all []*rules.Contact
	for _, c := range list {
		x := rules.NewContact(rules.Recorded{Exchange: c.Exchange, Conn: c.Conn}, c.Trip, c.Kind)
		all = append(all, x)
		for _, mark := range x.Issued() {
			m.issued[mark] = append(m.issued[mark], x)
		}
		if id := x.CreatedTask(); id != "" && rules.Marks(id) != nil {
			m.tasks[id] = x
		}
	}
	for _, x := range all {
		m.join(x)
	}
	for _, x := range all {
		place(x)
	}
	return all
}

// join sets the source of a retry and the task of a request about one.
func (m marks) join(c *rules.Contact) {
	params := c.Params()
	if c.IsTask() {
		c.Task = m.tasks[params.Get("taskId").Str()]
		return
	}
	if !c.IsRetry() {
		return
	}
	var keys []rules.Mark
	for _, a := range params.Get("inputResponses").Entries() {
		keys = append(keys, rules.Marks(a.Key)...)
	}
	byKey, round := m.newest(c, keys)
	byState, stateRound := m.newest(c, rules.Marks(params.Get("requestState").Str()))
	c.Known = byKey != nil && byState != nil
	c.Mixed = c.Known && areOfTwo(byKey, byState)
	if c.Source = byKey; byKey == nil || byState != nil && stateRound > round && !c.Mixed {
		c.Source = byState
	}
}

// newest returns the contact that issued the newest of some marks of a request, and the round
// of that.
func (m marks) newest(c *rules.Contact, list []rules.Mark) (found *rules.Contact, round int) {
	for _, mark := range list {
		for _, x := range m.issued[mark] {
			if x != c && mark.Round >= round && !x.Started.After(c.Started) {
				found, round = x, mark.Round
			}
		}
	}
	return found, round
}

// areOfTwo reports whether the marks of two responses are of different calls.
func areOfTwo(a, b *rules.Contact) bool {
	one, other := a.Issued(), b.Issued()
	return len(one) > 0 && len(other) > 0 && one[0].Nonce != other[0].Nonce
}

// place sets the scenario: that of the call which the contact continues, or that of its own
// name.
func place(c *rules.Contact) {
	root := c.Root()
	if root.Task != nil {
		root = root.Task.Root()
	}
	c.Scenario = rules.ScenarioOf(root.Method, root.Name())
}
