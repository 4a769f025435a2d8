package rules

import (
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// task returns the task in the result: of a CreateTaskResult or of tasks/get. It
// returns nil if there is none.
func (s *subject) task() *jsontree.Node {
	if s.Result == nil || s.Result.Kind != jsontree.Object {
		return nil
	}
	if s.Method == playground.TasksGet || s.createsTask() {
		return s.Result
	}
	return nil
}

// createsTask reports whether the result is a CreateTaskResult.
func (s *subject) createsTask() bool {
	return !s.isTaskRequest() && s.Result.Get("resultType").Str() == "task"
}

// taskMembers are the required members of every task, except ttlMs.
var taskMembers = []string{"taskId", "status", "createdAt", "lastUpdatedAt"}

// wellFormedTask is task-shape.
func wellFormedTask(s *subject) ruling {
	task := s.task()
	if task == nil {
		return na()
	}
	for _, name := range taskMembers {
		if text, ok := task.Get(name).Text(); !ok || text == "" {
			return fail("The task has no %s.", name)
		}
	}
	for _, name := range []string{"createdAt", "lastUpdatedAt"} {
		if !isISO8601(task.Get(name).Str()) {
			return fail("The task has %s %s, which is not an ISO 8601 time.",
				name, quoted(task.Get(name).Str()))
		}
	}
	ttl, interval := task.Get("ttlMs"), task.Get("pollIntervalMs")
	switch {
	case ttl == nil:
		return fail("The task has no ttlMs; it must be a number of milliseconds or null.")
	case ttl.Kind != jsontree.Null && !isInteger(ttl):
		return fail("The task has ttlMs %s; it must be a number of milliseconds or null.", raw(ttl))
	case interval != nil && !isInteger(interval):
		return fail("The task has pollIntervalMs %s; it must be a number of milliseconds.", raw(interval))
	case ttl.Kind != jsontree.Null && !isWhole(ttl), interval != nil && !isWhole(interval):
		return hint("The task has a negative ttlMs or pollIntervalMs, which is no time.")
	case missingText(task, "statusMessage") != "" && task.Has("statusMessage"):
		return fail("The task has a statusMessage that is %s; it must be a string.",
			article(task.Get("statusMessage")))
	}
	return pass()
}

// isInteger reports whether a node is a whole number.
func isInteger(n *jsontree.Node) bool {
	number, ok := n.Decimal()
	return ok && number.IsInt()
}

// isWhole reports whether a node is a whole number, 0 or more.
func isWhole(n *jsontree.Node) bool {
	number, ok := n.Decimal()
	return ok && number.IsInt() && number.Sign() >= 0
}

// isoLayouts are layouts of dates and times in ISO 8601, with any number of digits
// after the seconds.
var isoLayouts = func() (list []string) {
	for _, clock := range []string{"T15:04:05", "T15:04"} {
		for _, zone := range []string{"", "Z07:00", "Z0700", "Z07"} {
			list = append(list, "2006-01-02"+clock+zone)
		}
	}
	for _, zone := range []string{"", "Z07:00", "Z0700", "Z07"} {
		list = append(list, "20060102T150405"+zone)
	}
	return append(list, "2006-01-02", "20060102")
}()

// isISO8601 reports whether a text is a date or a time in ISO 8601.
func isISO8601(text string) bool {
	return slices.ContainsFunc(isoLayouts, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
}

// taskStatuses are the statuses of a task.
var taskStatuses = []string{"working", "input_required", "completed", "failed", "cancelled"}

// knownStatus is task-status.
func knownStatus(s *subject) ruling {
	status := s.task().Get("status")
	if status == nil {
		return na()
	}
	if !slices.Contains(taskStatuses, status.Str()) {
		return fail("The task has the unknown status %s.", raw(status))
	}
	return pass()
}

// taskResultType is task-result-type: the results of the methods of the extension
// are complete.
func taskResultType(s *subject) ruling {
	kind := s.Result.Get("resultType")
	switch {
	case !s.isTaskRequest() || kind == nil || s.inputRequired() != nil: // S1 reports it
		return na()
	case kind.Str() != "complete":
		return fail("The result of %s has resultType %s; it must be complete.", s.Method, raw(kind))
	}
	return pass()
}

// statusMembers is task-members: a task has the member of its status.
func statusMembers(s *subject) ruling {
	task := s.task()
	if task == nil || s.createsTask() {
		return na()
	}
	result, requests, e := task.Get("result"), task.Get("inputRequests"), task.Get("error")
	code, isNumber := e.Get("code").Decimal()
	_, hasMessage := e.Get("message").Text()
	switch status := task.Get("status").Str(); {
	case status == "completed" && (result == nil || result.Kind != jsontree.Object):
		return fail("The completed task has no result.")
	case status == "input_required" && (requests == nil || requests.Kind != jsontree.Object):
		return fail("The task requires input, but has no inputRequests.")
	case status == "failed" && (!isNumber || !code.IsInt() || !hasMessage):
		return fail("The failed task has no error with an integer code and a message.")
	case status == "failed" && missingText(task, "statusMessage") != "":
		return hint("The failed task has no statusMessage that says what happened.")
	case status == "input_required" && requests.Len() == 0:
		return hint("The task requires input, but its inputRequests is empty.")
	}
	return pass()
}

// terminalStaysSo is task-terminal.
func terminalStaysSo(s *subject) ruling {
	status := s.task().Get("status").Str()
	if s.Method != playground.TasksGet || status == "" {
		return na()
	}
	for i := len(s.earlier) - 1; i >= 0; i-- {
		before := s.earlier[i].Result.Get("status").Str()
		if s.earlier[i].Method == playground.TasksGet && slices.Contains(taskStatuses[2:], before) &&
			before != status {
			return fail("The task was %s and is %s now; a task that has ended stays so.",
				quoted(before), quoted(status))
		}
	}
	return pass()
}

// sameTask is task-identity: a poll returns the task that it asks for, as it was
// created.
func sameTask(s *subject) ruling {
	task := s.task()
	if s.Method != playground.TasksGet || task == nil {
		return na()
	}
	if asked := s.params().Get("taskId"); !jsontree.Equal(task.Get("taskId"), asked) {
		return fail("The response is about the task %s; the client asked for %s.",
			raw(task.Get("taskId")), raw(asked))
	}
	for i := len(s.earlier) - 1; i >= 0; i-- {
		if !jsontree.Equal(s.earlier[i].Result.Get("taskId"), task.Get("taskId")) {
			continue // a retry that was sent twice makes two tasks
		}
		before, named := s.earlier[i].Result.Get("createdAt").Text()
		now, names := task.Get("createdAt").Text()
		if s.earlier[i].Kind == playground.OutcomeTask && named && names && before != now {
			return hint("The task was created at %s; now it says %s.", quoted(before), quoted(now))
		}
	}
	return pass()
}

// uniqueTaskKeys is task-keys: a key stands for one question in the life of a
// task.
func uniqueTaskKeys(s *subject) ruling {
	if s.Method != playground.TasksGet || len(s.inputRequests()) == 0 {
		return na()
	}
	for _, q := range s.inputRequests() {
		gone := false // a later poll no longer asked for it
		for i := len(s.earlier) - 1; i >= 0; i-- {
			r := s.earlier[i]
			if r.Method != playground.TasksGet || r.Result == nil {
				continue // a poll that was given up does not show the questions of the task
			}
			switch before := r.Result.At("inputRequests", q.Key); {
			case before == nil:
				gone = true
			case !jsontree.Equal(before, q.Value):
				return fail("The task uses the key %s for two different questions.", quoted(q.Key))
			case gone && s.answeredTask(q.Key):
				return fail("The task asks for %s again after it was answered.", quoted(q.Key))
			}
		}
	}
	return pass()
}

// answeredTask reports whether an earlier tasks/update has an answer to the question.
func (s *subject) answeredTask(key string) bool {
	return slices.ContainsFunc(s.earlier, func(r playground.Round) bool {
		return r.Method == playground.TasksUpdate && r.Sent.At("params", "inputResponses").Has(key)
	})
}

// noStateInTask is task-no-state: neither a task nor its answers have a
// requestState.
func noStateInTask(s *subject) ruling {
	switch {
	case s.task() == nil:
		return na()
	case s.Result.Has("requestState"):
		return fail("The task has a requestState; only input_required results have one.")
	}
	return pass()
}

// tasksWhereAllowed is task-where.
func tasksWhereAllowed(s *subject) ruling {
	switch {
	case !s.createsTask():
		return na()
	case s.Method != playground.ToolsCall:
		return fail("%s returned a task, which only tools/call may.", quoted(s.Method))
	}
	return pass()
}

// tasksIfDeclared is task-declared: only the declaration in the same request
// counts.
func tasksIfDeclared(s *subject) ruling {
	switch {
	case !s.createsTask() || s.clientCapabilities() == nil:
		return na()
	case s.clientCapabilities().At("extensions", tasksExtension) == nil:
		return fail("The server returned a task, but the client did not declare the tasks extension.")
	}
	return pass()
}

// unknownTask is task-unknown. A task is certainly unknown if no result of the
// exchange has its id.
func unknownTask(s *subject) ruling {
	id := s.params().Get("taskId")
	if !s.isTaskRequest() || id == nil || s.headerFault() != "" || s.metaFault() != "" || !s.responded() {
		return na()
	}
	for i, r := range s.earlier {
		if !jsontree.Equal(r.Result.Get("taskId"), id) {
			continue
		}
		first := r.Kind == playground.OutcomeTask && i == len(s.earlier)-1 && len(s.polls) == 0
		if first && s.Error != nil && s.Error.Code == -32602 {
			return fail("The server does not know the task that it has just returned.")
		}
		return na()
	}
	switch {
	case s.Error != nil && s.Error.Code == -32602:
		return pass()
	case s.Method == playground.TasksGet:
		return fail("The server responded to the unknown task %s with %s instead of error -32602.",
			raw(id), s.responseWords())
	}
	return hint("The server responded to the unknown task %s with %s instead of error -32602.",
		raw(id), s.responseWords())
}

// emptyAcknowledgement is task-ack.
func emptyAcknowledgement(s *subject) ruling {
	if s.Method != playground.TasksUpdate && s.Method != playground.TasksCancel || s.Result == nil {
		return na()
	}
	for _, m := range s.Result.Entries() {
		if m.Key != "resultType" && m.Key != "_meta" {
			return fail("The result of %s has the member %s; it must be empty.", s.Method, quoted(m.Key))
		}
	}
	return pass()
}
