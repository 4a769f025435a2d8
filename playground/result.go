package playground

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// result sets the outcome from a result by its resultType. Without one the
// result is complete (basic/index, "Result type").
func (p *part) result(n *jsontree.Node) {
	p.Result = n
	if n.Kind != jsontree.Object {
		p.violate(CauseResultObject, "The result is "+kindOf(n)+", not an object.")
		return
	}
	if p.legacy {
		p.Kind, p.Final, p.IsError = OutcomeComplete, n, n.Get("isError").True()
		return
	}
	kind := n.Get("resultType")
	text, isText := kind.Text()
	switch {
	case kind == nil:
		p.complete(n)
	case !isText:
		p.violate(CauseResultType, "resultType is "+kindOf(kind)+", not a string.")
	case text == "complete":
		p.complete(n)
	case text == "input_required" && !isTask(p.Method):
		p.inputRequired(n)
	case text == "input_required":
		p.complete(n) // a task's status that was given the wrong type
	case text == "task":
		p.task(n)
	default:
		p.violate(CauseResultTypeUnknown,
			"The resultType "+short(kind)+" is unknown, so there is no next step.")
	}
}

func (p *part) complete(n *jsontree.Node) {
	switch p.Method {
	case TasksGet:
		p.taskStatus(n)
	case TasksUpdate, TasksCancel:
		p.Kind = OutcomeAck
	default:
		p.Kind, p.Final = OutcomeComplete, n
		p.IsError = n.Get("isError").True()
	}
}

// task reads a result of type task. It is valid only in answer to tools/call
// and if the request declares the extension (ext-tasks, "Task Creation"). Two
// examples of SEP-2663 also use this type for the result of tasks/get.
func (p *part) task(n *jsontree.Node) {
	switch {
	case isTask(p.Method):
		p.complete(n)
	case p.Method != ToolsCall:
		p.violate(CauseTaskWhere, "The result is a task, which "+p.Method+" does not allow.")
	case p.Sent.At("params", "_meta", "io.modelcontextprotocol/clientCapabilities", "extensions",
		TasksExtension) == nil:
		p.violate(CauseTaskUndeclared,
			"The result is a task, but the request did not declare the tasks extension.")
	default:
		p.taskCreated(n, p.Ended)
	}
}

// kindOf names the kind of a JSON value inside a sentence.
func kindOf(n *jsontree.Node) string {
	if n == nil {
		return "missing"
	}
	switch n.Kind {
	case jsontree.Null:
		return "null"
	case jsontree.Bool:
		return "a boolean"
	case jsontree.Number:
		return "a number"
	case jsontree.String:
		return "a string"
	case jsontree.Array:
		return "an array"
	}
	return "an object"
}

// Limits of an InputRequiredResult: the size of the state in bytes, and the
// number of questions.
const (
	maxState     = 64 << 10
	maxQuestions = 32
)

// inputRequired reads an InputRequiredResult (basic/patterns/mrtr). It needs at
// least one of its two fields; an empty inputRequests asks nothing.
func (p *part) inputRequired(n *jsontree.Node) {
	requests, state := n.Get("inputRequests"), n.Get("requestState")
	switch {
	case !IsCall(p.Method):
		p.violate(CauseAskedWhere,
			"The result is input_required, which "+p.Method+" does not allow.")
		return
	case state != nil && state.Kind != jsontree.String:
		p.violate(CauseStateString, "requestState is "+kindOf(state)+", not a string.")
		return
	case requests != nil && requests.Kind != jsontree.Object:
		p.violate(CauseRequestsObject,
			"inputRequests is "+kindOf(requests)+", not an object, so its questions have no keys.")
		return
	case state == nil && requests.Len() == 0:
		p.violate(CauseNothingAsked,
			"The input_required result has neither a question nor a requestState.")
		return
	case state != nil && len(state.Str()) > maxState:
		p.fail(OutcomeTransportError, wire.TooLarge,
			fmt.Sprintf("requestState is %d bytes long. This client accepts at most 64 KiB.",
				len(state.Str())))
		return
	case requests.Len() > maxQuestions:
		p.fail(OutcomeTransportError, wire.TooLarge,
			fmt.Sprintf("The server asks %d questions at once. This client accepts at most %d.",
				requests.Len(), maxQuestions))
		return
	}
	if state != nil {
		p.State = append(json.RawMessage(nil), state.Raw()...)
	}
	p.Questions = questions(requests)
	p.Kind = OutcomeInputRequired
	if len(p.Questions) == 0 {
		p.Kind = OutcomeRetry
	}
}

// order is when a question is put among those of its Round.
func (q Question) order() int {
	switch q.Method {
	case Elicit:
		return 0
	case CreateMessage:
		return 1
	case RootsList:
		return 2
	}
	return 3
}

// questions keeps the last of duplicate keys, as the map they stand for would.
// Questions to a person come before those to the client; else they stay in the
// server's order, which in a map means nothing.
func questions(requests *jsontree.Node) []Question {
	if requests == nil {
		return nil
	}
	var list []Question
	for i, m := range requests.Members {
		if laterDuplicate(requests.Members[i+1:], m.Key) {
			continue
		}
		list = append(list, Question{
			Key: m.Key, RawKey: requests.RawKey(m), Node: m.Value,
			Method: m.Value.Get("method").Str(), Params: m.Value.Get("params"),
		})
	}
	slices.SortStableFunc(list, func(a, b Question) int { return cmp.Compare(a.order(), b.order()) })
	return list
}

func laterDuplicate(rest []jsontree.Member, key string) bool {
	for _, m := range rest {
		if m.Duplicate && m.Key == key {
			return true
		}
	}
	return false
}
