package picture

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// request is the arrow from the client to whoever serves the Round.
func (s *script) request(r playground.Round, at int) Step {
	params := r.Sent.Get("params")
	step := Step{Kind: Call, Round: r.N, From: client, To: at, Via: s.via(at)}
	step.Label = requestLabel(r, params)
	step.State = s.echoed(params)
	step.Sentence = s.requestSentence(r, params, step)
	if unreached(r) {
		step.Mark, step.Label = Broken, visible(r.Method)+": "+broke(r.Class)
		step.Sentence = fmt.Sprintf("Round %d: the client cannot reach %s: %s", r.N, s.name(at), stop(why(r)))
	}
	return step
}

// requestLabel names the call once, and after that what the retry adds to it.
func requestLabel(r playground.Round, params *jsontree.Node) string {
	keys := answered(params)
	switch {
	case r.Task != nil && r.Outcome != playground.OutcomeTask:
		return taskLabel(r, keys)
	case r.Legacy && r.Method == "" && !r.Started.IsZero():
		return "the answer, on a connection of its own"
	case r.Started.IsZero():
		return "not sent"
	case r.Sent == nil:
		return "a request that is not JSON"
	case len(keys) > 0:
		return "the same call + " + list(keys)
	case isRetry(params):
		return "the same call"
	}
	return visible(strings.TrimSpace(r.Method + " " + subject(params)))
}

// taskLabel names what is asked of a task; its id is the same throughout.
func taskLabel(r playground.Round, keys []string) string {
	label := r.Method
	if len(keys) > 0 {
		label += " + " + list(keys)
	}
	if r.Polls > 1 {
		label += fmt.Sprintf(" × %d", r.Polls)
	}
	return label
}

func (s *script) requestSentence(r playground.Round, params *jsontree.Node, step Step) string {
	to := s.name(step.To)
	if step.Via != 0 {
		to += passed(r)
	}
	what := "the client sends " + step.Label
	if r.Task != nil {
		what = "the client sends " + step.Label
	} else if keys := answered(params); len(keys) > 0 {
		what = "the client sends the same call again with a new id and the answer to " + list(keys)
	} else if isRetry(params) {
		what = "the client sends the same call again with a new id"
	}
	return fmt.Sprintf("Round %d: %s to %s%s.", r.N, what, to, with(step.State))
}

// passed says who picked the instance that served the Round.
func passed(r playground.Round) string {
	if r.Decision.Instance != "" {
		return ", which you picked"
	}
	return ", picked by the balancer"
}

// echoed says what became of the state that the last answer handed over. A
// client must echo it exactly (basic/patterns/mrtr, client requirement 2);
// the Lab does not.
func (s *script) echoed(params *jsontree.Node) string {
	state := params.Get("requestState")
	if s.given == nil || s.given.State == nil {
		if state == nil {
			return ""
		}
		return "requestState " + size(state)
	}
	given, _ := jsontree.Parse(s.given.State, jsontree.Limits{})
	switch {
	case state == nil:
		return ""
	case bytes.Equal(state.Raw(), given.Raw()):
		return "requestState " + size(state) + ", unchanged"
	}
	return "requestState " + size(state) + ", changed"
}

// size is how long a requestState is, as the string it stands for.
func size(state *jsontree.Node) string {
	text, ok := state.Text()
	if !ok {
		return "(no string)"
	}
	return fmt.Sprintf("%d\u00a0B", len(text)) // a size never breaks across lines
}

func with(state string) string {
	if state == "" {
		return ""
	}
	return ", with " + strings.Replace(state, "\u00a0B", " bytes", 1)
}

// isRetry reports whether the params carry what makes a call a retry.
func isRetry(params *jsontree.Node) bool {
	return params.Has("inputResponses") || params.Has("requestState")
}

// answered are the keys that a request answers.
func answered(params *jsontree.Node) []string {
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

// subject is what a call is about: a tool, a prompt, a resource or a task.
func subject(params *jsontree.Node) string {
	for _, key := range []string{"name", "uri", "taskId"} {
		if s := params.Get(key).Str(); s != "" {
			return s
		}
	}
	return ""
}

// unreached reports whether the request never left: the connection was not made.
func unreached(r playground.Round) bool {
	switch r.Class {
	case wire.BadURL, wire.BlockedAddress, wire.DNS, wire.Refused, wire.Unreachable, wire.TLS, wire.TimeoutConnect:
		return r.Outcome == playground.OutcomeTransportError
	}
	return false
}

// list names a few keys and counts the rest.
func list(keys []string) string {
	const most = 3
	shown := make([]string, 0, most)
	for i, k := range keys {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), len(keys)-most)
		}
		shown = append(shown, named(k))
	}
	return strings.Join(shown, ", ")
}

// named is a key as it can be read; the empty one is a key too.
func named(key string) string {
	if key == "" {
		return "“”"
	}
	return visible(key)
}
