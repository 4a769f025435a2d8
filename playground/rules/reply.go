package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// asksAgain is S5. It judges only requests that are valid except for the
// missing answer. An error with another code than -32602 has another cause, and
// a question for other keys may be the next one: neither shows how the server
// treats the missing answer.
func asksAgain(s *subject) ruling {
	key, open := s.missingAnswer()
	switch {
	case !open || !s.isRetry() || !s.isExactRetry() || malformed(s) != "" || !s.responded():
		return na()
	case s.blamesParams():
		return hint("The answer to %s was missing. The server returned an error instead of asking again.",
			quoted(key))
	case s.inputRequired() != nil && s.asksFor(key):
		return pass()
	}
	return na() // the server did not need the answer
}

// blamesParams reports whether the response is the error for invalid params.
func (s *subject) blamesParams() bool { return s.Error != nil && s.Error.Code == -32602 }

// asksFor reports whether the result asks for the key, or asks the same
// question under another key.
func (s *subject) asksFor(key string) bool {
	before := s.source.Result.At("inputRequests", key)
	return slices.ContainsFunc(s.inputRequests(), func(m jsontree.Member) bool {
		return m.Key == key || jsontree.Equal(m.Value, before)
	})
}

// ignoresExtra is S6. It judges only requests that are valid except for the
// extra answer, and blames only an error for invalid params on it.
func ignoresExtra(s *subject) ruling {
	key, extra := s.extraAnswer()
	_, open := s.missingAnswer()
	switch {
	case !extra || open || s.isTaskRequest() || !s.isExactRetry() || malformed(s) != "" || !s.responded():
		return na()
	case s.blamesParams():
		return hint("The server returned an error to the extra answer %s, which it should ignore.",
			quoted(key))
	case s.Error != nil:
		return na()
	}
	return pass()
}

// rejectsMalformed is S7.
func rejectsMalformed(s *subject) ruling {
	what := malformed(s)
	switch {
	case what == "" || !s.responded():
		return na()
	case s.Error == nil:
		return hint("The request was malformed (%s), and the server did not return a JSON-RPC error.%s",
			what, DropsAnswers(s.Round))
	}
	return pass()
}

// malformed returns why a server cannot read the answers, or "".
func malformed(s *subject) string {
	responses := s.params().Get("inputResponses")
	switch {
	case s.isTaskRequest():
		return ""
	case s.Sent == nil && len(s.Request.Body) > 0:
		return "the body is not JSON"
	case responses == nil:
		return ""
	case responses.Kind != jsontree.Object:
		return "inputResponses is " + article(responses)
	}
	for _, m := range responses.Members {
		if m.Value.Kind != jsontree.Object {
			return "the answer to " + quoted(m.Key) + " is " + article(m.Value)
		}
		if s.isElicitation(m.Key) && !slices.Contains(actions, m.Value.Get("action").Str()) {
			return "the answer to " + quoted(m.Key) + " has no valid action"
		}
	}
	return ""
}

var actions = []string{"accept", "decline", "cancel"}

// isElicitation reports whether the question key is an elicitation.
func (s *subject) isElicitation(key string) bool {
	return s.answered(key).Get("method").Str() == playground.Elicit
}
