package capture

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ofTask judges the requests about a task that the scenario created.
func ofTask(judge func(*observation, *contact) finding) func(*observation, *contact) finding {
	return func(o *observation, c *contact) finding {
		if c.task == nil {
			return finding{}
		}
		return judge(o, c)
	}
}

func taskName(_ *observation, c *contact) finding { return standardHeader(c, "Mcp-Name") }

func taskMethod(_ *observation, c *contact) finding { return standardHeader(c, "Mcp-Method") }

// about returns the requests about a task after a contact.
func (o *observation) about(task, after *contact) []*contact {
	var list []*contact
	for _, x := range o.contacts {
		if x.task == task && x.after(after) {
			list = append(list, x)
		}
	}
	return list
}

// fulfilled judges how the question of a task is answered.
func fulfilled(o *observation, c *contact) finding {
	if c.task == nil || c.Method != playground.TasksGet {
		return finding{}
	}
	found := finding{}
	for _, q := range c.result.Get("inputRequests").Entries() {
		for _, x := range o.contacts {
			if !x.after(c) || !x.params.Get("inputResponses").Has(q.Key) {
				continue
			}
			if x.Method != playground.TasksUpdate {
				return fault(x, "method")
			}
			found = fine(x, "params", "inputResponses", q.Key)
		}
	}
	return found
}

// observesOn judges whether a task is polled after an update.
func observesOn(o *observation, c *contact) finding {
	if c.task == nil || c.Method != playground.TasksUpdate {
		return finding{}
	}
	if list := o.about(c.task, c); len(list) > 0 {
		return fine(list[0], "method")
	}
	if o.wentOn(c) {
		return fault(c)
	}
	return finding{}
}

// openKeys returns the keys that a task had asked for before a contact, and whether each was
// answered before.
func (o *observation) openKeys(c *contact) map[string]bool {
	keys := map[string]bool{}
	for _, x := range o.line(c) {
		if x == c || x.task == nil {
			continue
		}
		for _, q := range x.result.Get("inputRequests").Entries() {
			if !keys[q.Key] {
				keys[q.Key] = false
			}
		}
		if x.Method == playground.TasksUpdate {
			for _, a := range x.answers() {
				if _, known := keys[a.Key]; known {
					keys[a.Key] = true
				}
			}
		}
	}
	return keys
}

// updateKeys judges whether an update answers what the task did not ask for.
func updateKeys(o *observation, c *contact) finding {
	if c.Method != playground.TasksUpdate {
		return finding{}
	}
	keys := o.openKeys(c)
	for _, a := range c.answers() {
		if _, known := keys[a.Key]; !known {
			return fault(c, "params", "inputResponses", a.Key)
		}
	}
	return fine(c, "params", "inputResponses")
}

func updateState(_ *observation, c *contact) finding {
	if c.Method != playground.TasksUpdate {
		return finding{}
	}
	return is(!c.params.Has("requestState"), c, "params", "requestState")
}

// answeredOnce judges whether an update repeats an answer.
func answeredOnce(o *observation, c *contact) finding {
	if c.Method != playground.TasksUpdate {
		return finding{}
	}
	keys := o.openKeys(c)
	for _, a := range c.answers() {
		if keys[a.Key] {
			return fault(c, "params", "inputResponses", a.Key)
		}
	}
	return fine(c, "params", "inputResponses")
}

// terminal are the statuses in which a task stays.
var terminal = []string{"completed", "failed", "cancelled"}

// continues judges whether a task is polled until it ends, or cancelled.
func continues(o *observation, c *contact) finding {
	if c.createdTask() == "" {
		return finding{}
	}
	last := c
	for _, x := range o.about(c, c) {
		if x.Method == playground.TasksCancel || slices.Contains(terminal, x.result.Get("status").Str()) {
			return fine(x)
		}
		last = x
	}
	if o.wentOn(last) {
		return fault(last)
	}
	return finding{}
}

// cancelMethod judges how a task is cancelled.
func cancelMethod(o *observation, c *contact) finding {
	if c.createdTask() == "" {
		return finding{}
	}
	found := finding{}
	for _, x := range o.contacts {
		switch {
		case !x.after(c):
		case x.Method == playground.CancelledNotified && c.cancelledBy(x):
			return fault(x, "method")
		case x.Method == playground.TasksCancel && x.task == c:
			found = fine(x, "method")
		}
	}
	return found
}

// cancelledBy reports whether a notification names the request that created the task, or the
// task.
func (c *contact) cancelledBy(x *contact) bool {
	return jsontree.Equal(x.params.Get("requestId"), c.Sent.Get("id")) ||
		x.params.Get("taskId").Str() == c.createdTask() || x.params.Get("requestId").Str() == c.createdTask()
}

// forgotten notes whether a task that is unknown is polled on.
func forgotten(o *observation, c *contact) finding {
	if c.task == nil || c.failure == nil {
		return finding{}
	}
	if list := o.about(c.task, c); len(list) > 0 {
		return fault(list[0], "params", "taskId")
	}
	if o.wentOn(c) {
		return fine(c)
	}
	return finding{}
}

// taskDropped judges whether a task in answer to another method is taken for one.
func taskDropped(o *observation, c *contact) finding {
	if c.createdTask() == "" || c.Method == playground.ToolsCall {
		return finding{}
	}
	for _, x := range o.contacts {
		if x.task == c {
			return fault(x, "method")
		}
	}
	if o.wentOn(c) {
		return fine(c)
	}
	return finding{}
}
