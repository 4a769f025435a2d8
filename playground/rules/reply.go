package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// asksAgain is S5. Only a request that is right but for the gap counts.
func asksAgain(s scene) answer {
	key, open := s.missing()
	switch {
	case !open || !s.retries() || !s.faithful() || malformed(s) != "" || !s.responded():
		return na()
	case s.Error != nil:
		return hint("The answer to %s was missing, and the server sent an error instead of asking again.", quoted(key))
	case s.asks() != nil:
		return pass()
	}
	return na() // it went on, so the answer was not necessary
}

// ignoresExtra is S6. Only a request that is right but for the extra answer
// counts.
func ignoresExtra(s scene) answer {
	key, extra := s.extra()
	_, open := s.missing()
	switch {
	case !extra || open || s.ofTask() || !s.faithful() || malformed(s) != "" || !s.responded():
		return na()
	case s.Error != nil:
		return hint("The server sent an error because of the answer %s, which it did not ask for and should ignore.", quoted(key))
	}
	return pass()
}

// refusesMalformed is S7.
func refusesMalformed(s scene) answer {
	what := malformed(s)
	switch {
	case what == "" || !s.responded():
		return na()
	case s.Error == nil:
		return hint("The request was malformed (%s), and the server did not answer with a JSON-RPC error.", what)
	}
	return pass()
}

// malformed says what no server can read about the answers; empty when they
// are well-formed.
func malformed(s scene) string {
	responses := s.params().Get("inputResponses")
	switch {
	case s.ofTask():
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
		if s.asksPerson(m.Key) && !slices.Contains([]string{"accept", "decline", "cancel"}, m.Value.Get("action").Str()) {
			return "the answer to " + quoted(m.Key) + " has none of the three actions"
		}
	}
	return ""
}

// asksPerson tells whether key was an elicitation.
func (s scene) asksPerson(key string) bool {
	return s.source != nil && s.source.Result.At("inputRequests", key, "method").Str() == "elicitation/create"
}
