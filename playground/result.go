package playground

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// result judges a result by its resultType; absent means complete (basic/index,
// "Result type").
func (r *Round) result(n *jsontree.Node) {
	r.Result = n
	if n.Kind != jsontree.Object {
		r.violate("The result is not an object.")
		return
	}
	kind := n.Get("resultType")
	text, isText := kind.Text()
	switch {
	case kind == nil:
		r.complete(n)
	case !isText:
		r.violate("resultType is not a string.")
	case text == "complete":
		r.complete(n)
	case text == "input_required":
		r.inputRequired(n)
	case text == "task":
		r.task(n)
	default:
		r.violate("The resultType " + short(kind) + " is unknown, so the client cannot know what to do next.")
	}
}

func (r *Round) complete(n *jsontree.Node) {
	switch r.Method {
	case TasksGet:
		r.taskStatus(n)
	case TasksUpdate, TasksCancel:
		r.Outcome = OutcomeAck
	default:
		r.Outcome, r.Final = OutcomeComplete, n
		r.IsError = n.Get("isError").True()
	}
}

// task reads a result that says it is one. Two examples of SEP-2663 have that
// type on tasks/get too.
func (r *Round) task(n *jsontree.Node) {
	if isTask(r.Method) {
		r.complete(n)
		return
	}
	r.created(n, r.Ended)
}

// What a client carries and asks a person at most in one Round.
const (
	maxState     = 64 << 10
	maxQuestions = 32
)

// inputRequired reads an InputRequiredResult (basic/patterns/mrtr). It needs at
// least one of its two fields; an empty inputRequests asks nothing.
func (r *Round) inputRequired(n *jsontree.Node) {
	requests, state := n.Get("inputRequests"), n.Get("requestState")
	switch {
	case state != nil && state.Kind != jsontree.String:
		r.violate("requestState is not a string, so it cannot be echoed.")
		return
	case requests != nil && requests.Kind != jsontree.Object:
		r.violate("inputRequests is not an object, so no answer can be keyed to it.")
		return
	case state == nil && requests.Len() == 0:
		r.violate("input_required carries neither a question nor a requestState.")
		return
	case state != nil && len(state.Str()) > maxState:
		r.fail(OutcomeViolation, wire.TooLarge, fmt.Sprintf("requestState is %d bytes long; this client carries at most 64 KiB.", len(state.Str())))
		return
	case requests.Len() > maxQuestions:
		r.fail(OutcomeViolation, wire.TooLarge, fmt.Sprintf("The server asks %d questions at once; this client puts at most %d.", requests.Len(), maxQuestions))
		return
	}
	if state != nil {
		r.State = append(json.RawMessage(nil), state.Raw()...)
	}
	r.Questions = questions(requests)
	r.Outcome = OutcomeInputRequired
	if len(r.Questions) == 0 {
		r.Outcome = OutcomeRetry
	}
}

// turn is when a question is put among those of its Round.
func (q Question) turn() int {
	switch q.Method {
	case "elicitation/create":
		return 0
	case "sampling/createMessage":
		return 1
	case "roots/list":
		return 2
	}
	return 3
}

// questions keeps the last of duplicate keys, as the map they stand for would.
// What a person is asked comes before what the client is asked; else they stay
// in the server's order, which in a map means nothing.
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
	slices.SortStableFunc(list, func(a, b Question) int { return cmp.Compare(a.turn(), b.turn()) })
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
