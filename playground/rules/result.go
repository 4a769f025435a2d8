package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// hasResultType is S0.
func hasResultType(s *subject) ruling {
	switch {
	case s.Result == nil || s.Result.Kind != jsontree.Object || !s.isCurrentRevision():
		return na()
	case s.isOfEarlier():
		return na()
	case !s.Result.Has("resultType"):
		return fail("The result has no resultType; clients treat it as complete.")
	}
	return pass()
}

// knownType accepts the types of the core protocol, and task.
func knownType(s *subject) ruling {
	kind := s.Result.Get("resultType")
	if kind == nil {
		return na()
	}
	if !slices.Contains(resultTypes, kind.Str()) {
		return fail("The resultType %s is not defined by the protocol or a declared extension.", raw(kind))
	}
	return pass()
}

// resultTypes are the known values of resultType.
var resultTypes = []string{"complete", "input_required", "task"}

// inputRequiredWhereAllowed is S1.
func inputRequiredWhereAllowed(s *subject) ruling {
	if s.inputRequired() == nil {
		return na()
	}
	if !playground.IsCall(s.Method) {
		return fail("%s returned input_required, which only tools/call, prompts/get and resources/read may.",
			quoted(s.Method))
	}
	return pass()
}

// requestsOrState is S2. An empty inputRequests does not count.
func requestsOrState(s *subject) ruling {
	result := s.inputRequired()
	if result == nil {
		return na()
	}
	requests := result.Get("inputRequests")
	empty := requests == nil || requests.Kind == jsontree.Object && requests.Len() == 0
	switch {
	case result.Has("requestState") || !empty:
		return pass()
	case requests != nil:
		return fail("inputRequests is empty and there is no requestState.")
	}
	return fail("input_required has neither inputRequests nor requestState.")
}

func requestsAreObject(s *subject) ruling {
	requests := s.inputRequired().Get("inputRequests")
	if requests == nil {
		return na()
	}
	if requests.Kind != jsontree.Object {
		return fail("inputRequests is %s, not an object.", article(requests))
	}
	return pass()
}

func stateIsString(s *subject) ruling {
	state := s.inputRequired().Get("requestState")
	if state == nil {
		return na()
	}
	if state.Kind != jsontree.String {
		return fail("requestState is %s, not a string.", article(state))
	}
	return pass()
}

// article returns the kind of a node for a sentence.
func article(n *jsontree.Node) string { return articleOf(n.Kind) }

// articleOf returns a kind for a sentence.
func articleOf(kind jsontree.Kind) string {
	switch kind {
	case jsontree.Array:
		return "an array"
	case jsontree.Object:
		return "an object"
	case jsontree.Null:
		return "null"
	case jsontree.Bool:
		return "a boolean"
	}
	return "a " + kind.String()
}

// finalFields are the members of final results.
var finalFields = []string{"content", "structuredContent", "isError", "messages", "contents"}

// noFinalFieldsBeside reports members of a final result. Most are empty fields
// of a library's struct; they can confuse clients.
func noFinalFieldsBeside(s *subject) ruling {
	result := s.inputRequired()
	if result == nil {
		return na()
	}
	for _, name := range finalFields {
		if result.Has(name) {
			return hint("%s is alongside input_required; it belongs in the final result only.%s",
				quoted(name), OfLibrary(s.Round))
		}
	}
	return pass()
}

// cacheable are the methods whose final results have caching hints.
var cacheable = []string{
	playground.Discover, playground.ToolsList, playground.PromptsList,
	playground.ResourcesList, playground.TemplatesList, playground.ResourcesRead,
}

func cacheHints(s *subject) ruling {
	result, _ := s.final()
	if result == nil || !s.isCurrentRevision() || !slices.Contains(cacheable, s.Method) {
		return na()
	}
	scope := result.Get("cacheScope").Str()
	switch {
	case !result.Has("ttlMs") || !result.Has("cacheScope"):
		return fail("A result of %s must have ttlMs and cacheScope.", s.Method)
	case !isWhole(result.Get("ttlMs")):
		return fail("ttlMs is %s; it must be a whole number, 0 or more.", raw(result.Get("ttlMs")))
	case scope != "public" && scope != "private":
		return fail("cacheScope is %s; it must be public or private.", raw(result.Get("cacheScope")))
	}
	for _, r := range s.earlier {
		before := r.Result.Get("cacheScope")
		if r.Method == s.Method && s.params().Has("cursor") && before != nil && before.Str() != scope {
			return fail("This page has cacheScope %s, and an earlier page of the list has %s.",
				quoted(scope), raw(before))
		}
	}
	return pass()
}

func noCacheHintsBeside(s *subject) ruling {
	result := s.inputRequired()
	switch {
	case result == nil || s.isTaskRequest():
		return na()
	case result.Has("ttlMs") || result.Has("cacheScope"):
		return hint("input_required has caching hints, but it cannot be cached.")
	}
	return pass()
}

// uniqueKeys reports duplicate keys, which clients read in different ways.
func uniqueKeys(s *subject) ruling {
	if s.Result == nil {
		return na()
	}
	for _, m := range s.inputRequests() {
		if m.Duplicate {
			return fail("inputRequests has the key %s twice.", quoted(m.Key))
		}
	}
	if twice := s.Result.Duplicates(); len(twice) > 0 {
		return hint("The key %s is a duplicate; clients differ in which value they use.", quoted(twice[0]))
	}
	return pass()
}
