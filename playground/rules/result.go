package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// saysItsType is S0.
func saysItsType(s scene) answer {
	switch {
	case s.Result == nil || s.Result.Kind != jsontree.Object || !s.modern():
		return na()
	case !s.Result.Has("resultType"):
		return fail("The result has no resultType; clients take it as complete.")
	}
	return pass()
}

// knownType wants one of the types of the core, or the task of the extension.
func knownType(s scene) answer {
	kind := s.Result.Get("resultType")
	if kind == nil {
		return na()
	}
	if !slices.Contains([]string{"complete", "input_required", "task"}, kind.Str()) {
		return fail("The resultType %s is in neither the core protocol nor a declared extension, so the result is invalid.", raw(kind))
	}
	return pass()
}

// asksWhereAllowed is S1.
func asksWhereAllowed(s scene) answer {
	if s.asks() == nil {
		return na()
	}
	if !slices.Contains([]string{"tools/call", "prompts/get", "resources/read"}, s.Method) {
		return fail("%s was answered with input_required, which only tools/call, prompts/get and resources/read may be.", quoted(s.Method))
	}
	return pass()
}

// oneOfTwoFields is S2. An empty map asks nothing, so it does not count.
func oneOfTwoFields(s scene) answer {
	result := s.asks()
	if result == nil {
		return na()
	}
	requests := result.Get("inputRequests")
	empty := requests == nil || requests.Kind == jsontree.Object && requests.Len() == 0
	switch {
	case result.Has("requestState") || !empty:
		return pass()
	case requests != nil:
		return fail("inputRequests is empty and there is no requestState: the result asks nothing and gives nothing to go on with.")
	}
	return fail("input_required came with neither inputRequests nor requestState.")
}

func requestsAreObject(s scene) answer {
	requests := s.asks().Get("inputRequests")
	if requests == nil {
		return na()
	}
	if requests.Kind != jsontree.Object {
		return fail("inputRequests is %s, not a map from keys to requests, so no answer can be keyed to it.", article(requests))
	}
	return pass()
}

func stateIsString(s scene) answer {
	state := s.asks().Get("requestState")
	if state == nil {
		return na()
	}
	if state.Kind != jsontree.String {
		return fail("requestState is %s, not a string.", article(state))
	}
	return pass()
}

// article names a node's kind inside a sentence.
func article(n *jsontree.Node) string {
	switch n.Kind {
	case jsontree.Array:
		return "an array"
	case jsontree.Object:
		return "an object"
	case jsontree.Null:
		return "null"
	case jsontree.Bool:
		return "true or false"
	}
	return "a " + n.Kind.String()
}

// nothingFinalBeside: members of a final result beside input_required are
// mostly an empty field of a library's struct, and confuse clients.
func nothingFinalBeside(s scene) answer {
	result := s.asks()
	if result == nil {
		return na()
	}
	for _, name := range []string{"content", "structuredContent", "isError", "messages", "contents"} {
		if result.Has(name) {
			return hint("%s stands beside input_required; it belongs to the final result only.", quoted(name))
		}
	}
	return pass()
}

// cacheable lists the methods whose final results carry caching hints.
func cacheable() []string {
	return []string{"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"}
}

func cacheHints(s scene) answer {
	result := s.completes()
	if result == nil || !s.modern() || !slices.Contains(cacheable(), s.Method) {
		return na()
	}
	ttl, whole := result.Get("ttlMs").Int()
	scope := result.Get("cacheScope").Str()
	switch {
	case !result.Has("ttlMs") || !result.Has("cacheScope"):
		return fail("A result of %s must say ttlMs and cacheScope.", s.Method)
	case !whole || ttl < 0:
		return fail("ttlMs is %s; it must be a whole number of milliseconds, 0 or more.", raw(result.Get("ttlMs")))
	case scope != "public" && scope != "private":
		return fail("cacheScope is %s; it must be public or private.", raw(result.Get("cacheScope")))
	}
	return pass()
}

func noCacheHintsBeside(s scene) answer {
	result := s.asks()
	switch {
	case result == nil:
		return na()
	case result.Has("ttlMs") || result.Has("cacheScope"):
		return hint("input_required carries caching hints, but it cannot be cached.")
	}
	return pass()
}

// uniqueKeys: duplicate keys are read differently by different clients.
func uniqueKeys(s scene) answer {
	if s.Result == nil {
		return na()
	}
	for _, m := range s.questions() {
		if m.Duplicate {
			return fail("The key %s stands twice in inputRequests.", quoted(m.Key))
		}
	}
	if twice := s.Result.Duplicates(); len(twice) > 0 {
		return hint("%s stands twice in its object; clients disagree on which of the two counts.", quoted(twice[0]))
	}
	return pass()
}
