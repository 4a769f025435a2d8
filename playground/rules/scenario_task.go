package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ofTask judges the requests about a task that the scenario created.
func ofTask(judge func(*Contact) ruling) func(*Contact) ruling {
	return func(c *Contact) ruling {
		if c.Task == nil {
			return na()
		}
		return judge(c)
	}
}

// about returns the requests about a task after a contact.
func (r *record) about(task, after *Contact) []*Contact {
	var list []*Contact
	for _, x := range r.contacts {
		if x.Task == task && x.after(after) {
			list = append(list, x)
		}
	}
	return list
}

// fulfilled judges how the question of a task is answered.
func fulfilled(c *Contact) ruling {
	if c.Task == nil || c.Method != playground.TasksGet {
		return na()
	}
	found := na()
	for _, q := range c.Result.Get("inputRequests").Entries() {
		for _, x := range c.record.contacts {
			if !x.after(c) || !x.params().Get("inputResponses").Has(q.Key) {
				continue
			}
			if x.Method != playground.TasksUpdate {
				return broken(x, "method")
			}
			found = kept(x, "params", "inputResponses", q.Key)
		}
	}
	return found
}

// observesOn judges whether a task is polled after an update.
func observesOn(c *Contact) ruling {
	if c.Task == nil || c.Method != playground.TasksUpdate {
		return na()
	}
	if list := c.record.about(c.Task, c); len(list) > 0 {
		return kept(list[0], "method")
	}
	if c.record.wentOn(c) {
		return broken(c)
	}
	return na()
}

// updateKeys judges whether an update answers what the task did not ask for.
func updateKeys(c *Contact) ruling { return judgeUpdate(c, (*subject).unaskedKey) }

// answeredOnce judges whether an update repeats an answer.
func answeredOnce(c *Contact) ruling { return judgeUpdate(c, (*subject).repeatedKey) }

// judgeUpdate judges the answers of an update, of which one is wrong or none.
func judgeUpdate(c *Contact, wrong func(*subject) (string, bool)) ruling {
	if key, found := wrong(c.inCall()); found {
		return broken(c, "params", "inputResponses", key)
	}
	return kept(c, "params", "inputResponses")
}

// continues judges whether a task is polled until it ends, or cancelled.
func continues(c *Contact) ruling {
	if c.CreatedTask() == "" {
		return na()
	}
	last := c
	for _, x := range c.record.about(c, c) {
		if x.Method == playground.TasksCancel || slices.Contains(terminal, x.Result.Get("status").Str()) {
			return kept(x)
		}
		last = x
	}
	if c.record.wentOn(last) {
		return broken(last)
	}
	return na()
}

// cancelMethod judges how a task is cancelled.
func cancelMethod(c *Contact) ruling {
	if c.CreatedTask() == "" {
		return na()
	}
	found := na()
	for _, x := range c.record.contacts {
		switch {
		case !x.after(c):
		case x.Method == playground.CancelledNotified && c.cancelledBy(x):
			return broken(x, "method")
		case x.Method == playground.TasksCancel && x.Task == c:
			found = kept(x, "method")
		}
	}
	return found
}

// cancelledBy reports whether a notification names the request that created the task, or the
// task.
func (c *Contact) cancelledBy(x *Contact) bool {
	request, task := x.params().Get("requestId"), x.params().Get("taskId")
	return jsontree.Equal(request, c.Sent.Get("id")) || task.Str() == c.CreatedTask() ||
		request.Str() == c.CreatedTask()
}

// forgotten notes whether a task that is unknown is polled on.
func forgotten(c *Contact) ruling {
	if c.Task == nil || c.failure == nil {
		return na()
	}
	if list := c.record.about(c.Task, c); len(list) > 0 {
		return broken(list[0], "params", "taskId")
	}
	return left(c)
}

// taskDropped judges whether a task in answer to another method is taken for one.
func taskDropped(c *Contact) ruling {
	if c.CreatedTask() == "" || c.Method == playground.ToolsCall {
		return na()
	}
	for _, x := range c.record.contacts {
		if x.Task == c {
			return broken(x, "method")
		}
	}
	return left(c)
}
