package playground

import (
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// isLegacyTask reports whether a method belongs to the tasks of 2025-11-25.
func isLegacyTask(method string) bool { return method == TasksResult || isTask(method) }

// LegacyTask returns the task that the result of a tool call is about
// (2025-11-25, basic/utilities/tasks, "Creating Tasks"), or nil.
func LegacyTask(result *jsontree.Node, before *Task) *Task {
	n := result.Get("task")
	if n == nil && before != nil {
		n = result // of tasks/get and tasks/cancel
	}
	id := n.Get("taskId").Str()
	if id == "" || before != nil && id != before.ID {
		return before
	}
	t := &Task{ID: id, Every: defaultPoll}
	if before != nil {
		t.Messages = before.Messages
	}
	t.Status = n.Get("status").Str()
	t.addMessage(n.Get("statusMessage").Str())
	t.setInterval(n.Get("pollInterval"))
	return t
}

// Ended reports whether the task of a legacy server has a result to fetch.
func (t Task) Ended() bool {
	return t.Status == "completed" || t.Status == "failed" || t.Status == "cancelled"
}

// setInterval sets the poll interval that the server named, in milliseconds. A
// value that is no whole number names none.
func (t *Task) setInterval(n *jsontree.Node) {
	if every, ok := Milliseconds(n); ok {
		t.Named = max(every, 0)
		t.Every = max(t.Named, minPoll)
	}
}

// becameTask returns the outcome of a call. A task is none yet: its result is
// fetched when it has ended.
func (c *openCall) becameTask(o Outcome) Outcome {
	if o.Kind == OutcomeComplete {
		if c.task = LegacyTask(o.Result, nil); c.task != nil {
			return Outcome{Kind: OutcomePending}
		}
	}
	return o
}

// followTask returns the outcome that a request about the task has for the
// call. Only the result of the task completes it.
func (c *openCall) followTask(p part) Outcome {
	if p.Method == TasksGet && len(p.Request.Head) > 0 {
		c.polls++
	}
	if p.Method == TasksResult || p.Kind != OutcomeComplete {
		return p.Outcome
	}
	c.task = LegacyTask(p.Result, c.task)
	if c.task.Status == "cancelled" {
		return Outcome{Kind: OutcomeCancelled, Ended: p.Ended, Result: p.Result}
	}
	return Outcome{Kind: OutcomePending}
}
