package picture

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// request is the arrow from the client to the lane at, which serves the Round.
func (s *builder) request(r playground.Round, at int) Step {
	params := r.Sent.Get("params")
	step := Step{Kind: Call, Round: r.N, From: client, To: at, Via: s.via(at), Message: Message{r.N, Request}}
	step.Label = requestLabel(r, params)
	step.State = s.sentState(params)
	step.Sentence = s.requestSentence(r, params, step)
	if unreached(r) {
		step.Mark, step.Label = Broken, visible(r.Method)+": "+narrate.Failure(r.Class)
		step.Sentence = fmt.Sprintf("Round %d: the client cannot reach %s: %s", r.N, s.name(at),
			sentence(failureDetail(r)))
	}
	return step
}

// requestLabel names the call in the first Round, and later what a retry adds
// to it.
func requestLabel(r playground.Round, params *jsontree.Node) string {
	keys := answeredKeys(params)
	switch {
	case r.Task != nil && r.Kind != playground.OutcomeTask:
		return taskLabel(r, keys)
	case r.Legacy && r.Method == "" && !r.Began.IsZero():
		return "the answer, on a separate connection"
	case r.Began.IsZero():
		return "not sent"
	case r.Sent == nil:
		return "request is not JSON"
	case len(keys) > 0:
		return "the same call + " + narrate.Names(keys)
	case isRetry(params):
		return "the same call"
	}
	return visible(strings.TrimSpace(r.Method + " " + subject(params)))
}

// taskLabel names a method of a task, without the id, which never changes.
func taskLabel(r playground.Round, keys []string) string {
	label := r.Method
	if len(keys) > 0 {
		label += " + " + narrate.Names(keys)
	}
	if r.Polls > 1 {
		label += fmt.Sprintf(" × %d", r.Polls)
	}
	return label
}

func (s *builder) requestSentence(r playground.Round, params *jsontree.Node, step Step) string {
	to := s.name(step.To)
	if step.Via != 0 {
		to += pickedBy(r)
	}
	what := step.Label
	var with []string
	if r.Task == nil && isRetry(params) {
		what, with = "the same call", append(with, "a new id")
		if keys := answeredKeys(params); len(keys) > 0 {
			with = append(with, answersTo(keys))
		}
	}
	if step.State != "" {
		with = append(with, statePhrase(step.State))
	}
	return fmt.Sprintf("Round %d: the client sends %s to %s%s.", r.N, what, to, withAll(with))
}

func answersTo(keys []string) string {
	if len(keys) == 1 {
		return "the answer to " + narrate.Names(keys)
	}
	return "the answers to " + narrate.Names(keys)
}

// pickedBy says who picked the instance that served the Round.
func pickedBy(r playground.Round) string {
	if r.Decision.Instance != "" {
		return ", which you picked"
	}
	return ", picked by the balancer"
}

// sentState describes the requestState of a request, compared with the last one
// received. A client must echo it exactly (basic/patterns/mrtr, client
// requirement 2); experiments of the Lab do not.
func (s *builder) sentState(params *jsontree.Node) string {
	state := params.Get("requestState")
	if s.answered == nil || s.answered.State == nil {
		if state == nil {
			return ""
		}
		return "requestState " + stateSize(state)
	}
	received, _ := jsontree.Parse(s.answered.State, jsontree.Limits{})
	switch {
	case state == nil:
		return ""
	case bytes.Equal(state.Raw(), received.Raw()) && text.HasMask(state.Raw()):
		return "requestState " + stateSize(state) + ", masked"
	case bytes.Equal(state.Raw(), received.Raw()):
		return "requestState " + stateSize(state) + ", unchanged"
	}
	return "requestState " + stateSize(state) + ", changed"
}

// stateSize is the length of a requestState in bytes of its string.
func stateSize(state *jsontree.Node) string {
	text, ok := state.Text()
	if !ok {
		return "(not a string)"
	}
	return fmt.Sprintf("%d\u00a0B", len(text)) // a size never breaks across lines
}

// statePhrase is the label of a state as a part of a sentence: "requestState
// (90 bytes, unchanged)".
func statePhrase(label string) string {
	name, rest, _ := strings.Cut(label, " ")
	rest = strings.Replace(rest, "\u00a0B", " bytes", 1)
	if after, one := strings.CutPrefix(rest, "1 bytes"); one {
		rest = "1 byte" + after
	}
	return name + " (" + strings.Trim(rest, "()") + ")"
}

// withAll ends a sentence with the content of a message: ", with a and b".
func withAll(parts []string) string {
	switch last := len(parts) - 1; last {
	case -1:
		return ""
	case 0:
		return ", with " + parts[0]
	default:
		return ", with " + strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
}

// isRetry reports whether the params are those of a retry.
func isRetry(params *jsontree.Node) bool {
	return params.Has("inputResponses") || params.Has("requestState")
}

// answeredKeys are the keys that a request answers.
func answeredKeys(params *jsontree.Node) []string {
	responses := params.Get("inputResponses")
	if responses == nil {
		return nil
	}
	var keys []string
	for _, m := range responses.Members {
		keys = append(keys, m.Key)
	}
	return keys
}

// subject is the subject of a call: a tool, a prompt, a resource or a task.
func subject(params *jsontree.Node) string {
	for _, key := range []string{"name", "uri", "taskId"} {
		if s := params.Get(key).Str(); s != "" {
			return s
		}
	}
	return ""
}

// unreached reports whether no connection was made, so that no request was
// sent.
func unreached(r playground.Round) bool {
	return r.Kind == playground.OutcomeTransportError && r.Class.Unsent()
}
