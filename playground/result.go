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
func (p *part) result(n *jsontree.Node) {
	p.Result = n
	if n.Kind != jsontree.Object {
		p.violate("The result is not an object.")
		return
	}
	kind := n.Get("resultType")
	text, isText := kind.Text()
	switch {
	case kind == nil:
		p.complete(n)
	case !isText:
		p.violate("resultType is not a string.")
	case text == "complete":
		p.complete(n)
	case text == "input_required":
		p.inputRequired(n)
	case text == "task":
		p.task(n)
	default:
		p.violate("The resultType " + short(kind) + " is unknown, so the client cannot know what to do next.")
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

// task reads a result that says it is one. Two examples of SEP-2663 have that
// type on tasks/get too.
func (p *part) task(n *jsontree.Node) {
	if isTask(p.Method) {
		p.complete(n)
		return
	}
	p.taskCreated(n, p.Ended)
}

// What a client carries and asks a person at most in one Round.
const (
	maxState     = 64 << 10
	maxQuestions = 32
)

// inputRequired reads an InputRequiredResult (basic/patterns/mrtr). It needs at
// least one of its two fields; an empty inputRequests asks nothing.
func (p *part) inputRequired(n *jsontree.Node) {
	requests, state := n.Get("inputRequests"), n.Get("requestState")
	switch {
	case state != nil && state.Kind != jsontree.String:
		p.violate("requestState is not a string, so it cannot be echoed.")
		return
	case requests != nil && requests.Kind != jsontree.Object:
		p.violate("inputRequests is not an object, so no answer can be keyed to it.")
		return
	case state == nil && requests.Len() == 0:
		p.violate("input_required carries neither a question nor a requestState.")
		return
	case state != nil && len(state.Str()) > maxState:
		p.fail(OutcomeViolation, wire.TooLarge, fmt.Sprintf("requestState is %d bytes long; this client carries at most 64 KiB.", len(state.Str())))
		return
	case requests.Len() > maxQuestions:
		p.fail(OutcomeViolation, wire.TooLarge, fmt.Sprintf("The server asks %d questions at once; this client puts at most %d.", requests.Len(), maxQuestions))
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
