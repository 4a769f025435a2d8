package lab

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const (
	tasksExtension = "io.modelcontextprotocol/tasks"

	tasksPage = "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md"
)

func taskExperiments() []Experiment {
	list := []Experiment{
		{
			ID: "task-undeclared", Brief: "no task, or -32021", Title: "Do not declare the tasks extension",
			Sends: "The request that became a task is sent without declaring the tasks extension.",
			Expects: "The server returns no task. " +
				"It does the work at once, or returns error -32021 with the required extension.",
			Level: Must, Needs: NeedsTaskCall, Rule: "task-declared", gates: true,
			Clause: tasksPage + "#capability-negotiation",
			change: dropTasks, judge: tasksUndeclared, judges: []string{"error-status"},
		}, {
			ID: "task-unknown-id", Brief: "-32602", Title: "Ask for an unknown task",
			Sends:   "tasks/get is sent with an id that the server did not issue.",
			Expects: "The server returns error -32602.",
			Level:   Must, Needs: NeedsTask, Rule: "task-unknown", Clause: tasksPage + "#protocol-errors",
			change: unknownTask,
		}, {
			ID: "task-wrong-name", Brief: "400, -32020", Title: "Wrong Mcp-Name header of a task",
			Sends:   "tasks/get is sent with an Mcp-Name header that differs from taskId.",
			Expects: "The server rejects headers that do not match the body, with 400 and error -32020.",
			noLine:  noHeaders, Level: Must, Needs: NeedsTask, Rule: "header-mismatch", Clause: clauseHeaders,
			change: setHeader("Mcp-Name", "something-else"), judges: []string{"error-status"},
		}, {
			ID: "task-unknown-key", Brief: "ignores it", Title: "Update a task with an unknown key",
			Sends:   "tasks/update has one more answer, under a key that the task did not ask for.",
			Expects: "The server ignores the answer and acknowledges the request.",
			Level:   Should, Needs: NeedsUpdate, Clause: tasksPage + "#task-update-requests",
			expected: anyProtection(Accepted), change: extraKey, judge: acknowledged, codes: aboutParams,
		}, {
			ID: "task-answered-key", Brief: "ignores it", Title: "Answer a question of a task twice",
			Sends:   "tasks/update is sent, and then again with the same answers.",
			Expects: "The server acknowledges it, and ignores answers to keys that are no longer open.",
			Level:   Should, Needs: NeedsUpdate, When: Twice, Clause: tasksPage + "#task-update-requests",
			expected: anyProtection(Accepted), judge: acknowledged, codes: aboutParams,
		}, {
			ID: "task-partly", Brief: "takes it, or refuses it", Title: "Answer only one question of a task",
			Sends: "tasks/update answers the first of the open questions. The others are answered later.",
			Expects: "The server may take a part of the answers. " +
				"The task then stays input_required until the rest arrives.",
			Level: May, Needs: NeedsUpdates, Follow: true, Clause: tasksPage + "#task-update-requests",
			expected: anyProtection(Accepted), change: onlyFirst, judge: takenInParts, codes: aboutParams,
		}, {
			ID: "task-cancel", Brief: "acknowledges it", Title: "Cancel the task",
			Sends:   "tasks/cancel is sent for the task.",
			Expects: "The server acknowledges the request. Whether the work stops is up to the server.",
			Level:   Must, Needs: NeedsTask, Rule: "task-ack", Clause: tasksPage + "#task-cancellation",
			expected: anyProtection(Accepted), change: cancelTask, judge: acknowledged,
		},
	}
	for i := range list {
		list[i].Group = GroupTask
		if list[i].expected == nil {
			list[i].expected = anyProtection(Rejected)
		}
	}
	return list
}

// PollOf returns tasks/get for the task of an exchange as the next request,
// whether the task has ended or not. It returns false if there is no task.
func PollOf(x playground.Exchange, c playground.Client) (wire.Request, bool) {
	f := x.Fold()
	last := f.Last()
	if last == nil || last.Task == nil {
		return wire.Request{}, false
	}
	name := "round-" + strconv.Itoa(f.Next())
	return wire.Request{
		URL: x.Target.URL, Method: playground.TasksGet, ID: jsontree.Quote(x.OnChannel(name)),
		Header: x.Target.Header,
		Params: jsontree.ObjectOf(
			jsontree.Pair{Key: "taskId", Value: jsontree.Quote(last.Task.ID)},
			jsontree.Pair{Key: "_meta", Value: playground.Meta(x, name, c)}),
	}, true
}

func unknownTask(req wire.Request, _ Material) (wire.Request, error) {
	return withParams(req, jsontree.Pair{Key: "taskId", Value: jsontree.Quote("no-such-task")})
}

func cancelTask(req wire.Request, _ Material) (wire.Request, error) {
	req.Method = playground.TasksCancel
	return req, nil
}

// dropTasks removes the tasks extension from the capabilities of a request.
func dropTasks(req wire.Request, _ Material) (wire.Request, error) {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return req, err
	}
	capabilities := params.At("_meta", metaCapabilities)
	extensions := capabilities.Get("extensions")
	if !extensions.Has(tasksExtension) {
		return req, ErrNothingToChange
	}
	without, err := jsontree.Set(extensions.Raw(), jsontree.Pair{Key: tasksExtension})
	if err != nil {
		return req, err
	}
	declared, err := jsontree.Set(capabilities.Raw(), jsontree.Pair{Key: "extensions", Value: without})
	if err != nil {
		return req, err
	}
	return changeMeta(req, jsontree.Pair{Key: metaCapabilities, Value: declared})
}

// tasksUndeclared judges the response to a client that does not declare the
// tasks extension.
func tasksUndeclared(s trial) judgement {
	e := s.round.Error
	switch {
	case s.returnsTask():
		return fail("The server returned a task, although the client did not declare the extension.")
	case e == nil && s.right.Kind != playground.OutcomeTask:
		return unknown("The right request did not become a task either.")
	case e == nil:
		return pass("The server returned no task.")
	case e.Code != capabilityMissing:
		return unknown("Not judged, because error %d may have another cause.", e.Code)
	case !s.hasStatus(400):
		return fail("Error -32021 came with HTTP status %d; it must come with 400.", s.round.Head.Status)
	}
	return pass("%s", s.description())
}

// returnsTask reports whether the response is a task, which this client may have
// to refuse.
func (s trial) returnsTask() bool {
	return s.round.Kind == playground.OutcomeTask || s.round.Cause == playground.CauseTaskUndeclared
}

// acknowledged judges tasks/update and tasks/cancel. A task that has ended by
// then may no longer be known.
func acknowledged(s trial) judgement {
	ended := len(s.earlier) > 0 && hasEnded(s.earlier[len(s.earlier)-1].Task)
	switch {
	case s.round.Kind == playground.OutcomeAck:
		return pass("The server acknowledged the request.")
	case ended:
		return unknown("The task had ended before the request. %s", s.description())
	case s.e.Level == Must:
		return fail("The server did not acknowledge the request. %s", s.description())
	}
	return hint("The server did not acknowledge the request. %s", s.description())
}

// onlyFirst leaves out all answers but the first.
func onlyFirst(req wire.Request, _ Material) (wire.Request, error) {
	if answersOf(req).Len() < 2 {
		return req, ErrNothingToChange
	}
	return withAnswers(req, func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage) {
		if i > 0 {
			return nil, nil
		}
		return key, value
	})
}

// takenInParts judges the answer to one question of a task that asks several. The
// acknowledgment comes before the task shows the answer, so the polls decide.
func takenInParts(s trial) judgement {
	if s.round.Kind != playground.OutcomeAck {
		return pass("The server does not take the answers in parts, which it need not. %s", s.description())
	}
	rest, asked := ChangedAnswers(s.round), false
	var given []string
	for _, m := range answersIn(s.round).Entries() {
		given = append(given, m.Key)
	}
	for _, r := range s.later() {
		again := slices.ContainsFunc(r.Questions, func(q playground.Question) bool {
			return q.Again != "" && slices.Contains(given, q.Key)
		})
		status := r.Result.Get("status").Str()
		switch {
		case r.Decision.Action == playground.ActionStop:
			return unknown("The server acknowledged the answer. How the task goes on was not seen.")
		case r.Method != playground.TasksGet || r.Result == nil:
		case again:
			return hint("The server acknowledged the answer, and asked for it again. " +
				"If it takes only all answers at once, an error would say so.")
		case hasAny(r.Result.Get("inputRequests"), rest):
			if asked = true; !hasAny(r.Result.Get("inputRequests"), given) {
				return pass("The server took the answer, and asked only for the rest.")
			}
		case asked && (status != "input_required" || len(r.Questions) > 0):
			return pass("The server took the answers in parts.")
		case status == "input_required":
			return unknown("The server took the answer, and asked other questions instead of the rest.")
		case status != "working":
			return hint("The task ended without the other answers. " +
				"A task that takes a part of the answers stays input_required until the rest arrives.")
		}
	}
	return unknown("The server acknowledged the answer. How the task goes on was not seen.")
}

// later returns the Rounds after the changed one.
func (s trial) later() []playground.Round {
	var list []playground.Round
	for _, r := range s.x.Fold().Rounds {
		if r.N > s.round.N {
			list = append(list, r)
		}
	}
	return list
}

// hasAny reports whether an object has one of the members.
func hasAny(object *jsontree.Node, names []string) bool {
	return slices.ContainsFunc(names, object.Has)
}

// hasEnded reports whether a task has a final status.
func hasEnded(t *playground.Task) bool {
	return t != nil && t.Status != "working" && t.Status != "input_required"
}
