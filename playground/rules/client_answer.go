package rules

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// answered returns the question that an answer of this request belongs to, of
// the call or of its task, or nil.
func (s *subject) answered(key string) *jsontree.Node {
	if s.isTaskRequest() {
		for i := len(s.earlier) - 1; i >= 0; i-- {
			if q := s.earlier[i].Result.At("inputRequests", key); q != nil {
				return q
			}
		}
		return nil
	}
	if s.source == nil {
		return nil
	}
	return s.source.Result.At("inputRequests", key)
}

// rootsAreFiles is client-roots.
func rootsAreFiles(s *subject) ruling {
	found := na()
	for _, m := range s.inputResponses() {
		if s.answered(m.Key).Get("method").Str() != playground.RootsList {
			continue
		}
		for _, root := range m.Value.Get("roots").Elements() {
			uri := root.Get("uri").Str()
			if !strings.HasPrefix(strings.ToLower(uri), "file://") {
				return fail("The root %s is not a file:// URI.", quoted(uri))
			}
			found = pass()
		}
	}
	return found
}

// answersFit is client-answers: an answer has the members of its kind, and its content
// fits the schema of the form. Each of the two is a check of the client test, too.
func answersFit(s *subject) ruling {
	if a := answersAreResults(s); a.verdict != verdict.Passed {
		return a
	}
	return contentsFit(s)
}

func answersAreResults(s *subject) ruling {
	found := na()
	for _, m := range s.inputResponses() {
		question := s.answered(m.Key)
		if question == nil {
			continue
		}
		method := question.Get("method").Str()
		if fault := answerFault(method, question.Get("params"), m.Value); fault != "" {
			found = fail("The answer to %s %s.%s", quoted(m.Key), fault, alsoSpelled(m.Value, answerNames))
			found.link = answerClauses[method]
			return found
		}
		found = pass()
	}
	return found
}

func contentsFit(s *subject) ruling {
	found := na()
	for _, m := range s.inputResponses() {
		question := s.answered(m.Key)
		if question == nil {
			continue
		}
		if found = contentFits(m, question); found.verdict == verdict.Advisory {
			return found
		}
	}
	return found
}

// answerClauses are the clauses on answers that are no elicitation's.
var answerClauses = map[string]string{
	playground.CreateMessage: specification + "client/sampling#messages",
	playground.RootsList:     specification + "client/roots#root",
}

// answerFault returns which required member an answer to a question with that
// method and params lacks, or "".
func answerFault(method string, params, answer *jsontree.Node) string {
	if answer.Kind != jsontree.Object {
		return "is " + article(answer)
	}
	_, hasModel := answer.Get("model").Text()
	content, roots := answer.Get("content"), answer.Get("roots")
	switch method {
	case playground.Elicit:
		switch {
		case !slices.Contains(actions, answer.Get("action").Str()):
			return "has no action accept, decline or cancel"
		case params.Get("mode").Str() == "url" && answer.Has("content"):
			return "has content, but the question is a link"
		}
	case playground.CreateMessage:
		switch {
		case !slices.Contains(roles, answer.Get("role").Str()):
			return "has no role"
		case !hasModel:
			return "does not name the model"
		case content == nil || content.Kind != jsontree.Object && content.Kind != jsontree.Array:
			return "has no content"
		}
	case playground.RootsList:
		if roots == nil || roots.Kind != jsontree.Array {
			return "has no roots"
		}
	}
	return ""
}

// roles are the roles of messages.
var roles = []string{"user", "assistant"}

// contentFits judges the content of an accepted form. A client SHOULD validate
// it.
func contentFits(m jsontree.Member, question *jsontree.Node) ruling {
	params := question.Get("params")
	if question.Get("method").Str() != playground.Elicit || m.Value.Get("action").Str() != "accept" ||
		params.Get("mode").Str() == "url" {
		return pass()
	}
	content, schema := m.Value.Get("content"), params.Get("requestedSchema")
	switch {
	case schema == nil || schema.Kind != jsontree.Object || fieldless(schema) != "":
		return pass()
	case content == nil || content.Kind != jsontree.Object:
		return hint("The accepted form %s has no content.", quoted(m.Key))
	}
	if _, fault := unsatisfiable(schema); fault != "" {
		return pass()
	}
	fit, err := form.Conforms(schema.Raw(), content.Raw())
	if faults := fit.All(); err == nil && len(faults) > 0 {
		return hint("The answer to %s does not fit its schema: %s.", quoted(m.Key), faults[0])
	}
	return pass()
}

// pollsSlowly is client-task-interval: two polls are as far apart as the task
// says, give or take the precision of clocks.
func pollsSlowly(s *subject) ruling {
	if s.Method != playground.TasksGet || s.Started.IsZero() {
		return na()
	}
	before, ok := s.tripBefore()
	every, named := playground.Milliseconds(resultOf(before).Get("pollIntervalMs"))
	if !jsontree.Equal(resultOf(before).Get("taskId"), s.Sent.At("params", "taskId")) {
		return na() // an experiment asks for another task
	}
	if !ok || !named || before.Last.IsZero() {
		return na()
	}
	waited := s.Started.Sub(before.Last)
	if waited < every-every/10 {
		return hint("The client polled after %d ms; the task asks for %d ms between polls.",
			waited.Milliseconds(), every.Milliseconds())
	}
	return pass()
}

// tripBefore returns the request before this one if it created or polled the
// same task.
func (s *subject) tripBefore() (playground.Trip, bool) {
	if n := len(s.polls); n > 0 {
		return s.polls[n-1], true
	}
	for i := len(s.earlier) - 1; i >= 0; i-- {
		if r := s.earlier[i]; r.Method == playground.TasksGet || r.Kind == playground.OutcomeTask {
			return r.Trip, true
		}
	}
	return playground.Trip{}, false
}

// answersOpenKeys is client-task-keys: an update answers keys that the task
// asks for, each once.
func answersOpenKeys(s *subject) ruling {
	if s.Method != playground.TasksUpdate {
		return na()
	}
	if key, unasked := s.unaskedKey(); unasked {
		return fail("The update answers %s, which the task did not ask for.", quoted(key))
	}
	if key, again := s.repeatedKey(); again {
		return hint("The update answers %s a second time.", quoted(key))
	}
	return pass()
}

// unaskedKey returns an answer to a question that nothing before the request
// asked.
func (s *subject) unaskedKey() (string, bool) {
	for _, m := range s.inputResponses() {
		if s.answered(m.Key) == nil {
			return m.Key, true
		}
	}
	return "", false
}

// repeatedKey returns an answer that an earlier update gave, too, to a question that was asked
// once.
func (s *subject) repeatedKey() (string, bool) {
	for _, m := range s.inputResponses() {
		if s.answered(m.Key) != nil && s.answeredBefore(m.Key) {
			return m.Key, true
		}
	}
	return "", false
}

// answeredBefore reports whether an earlier update answered a question that is not asked
// anew since: a task stops asking for an answered key.
func (s *subject) answeredBefore(key string) bool {
	answered, gone := false, false
	for _, r := range s.earlier {
		switch {
		case r.Method == playground.TasksGet && r.Result != nil:
			asks := r.Result.Get("inputRequests").Has(key)
			answered = answered && !(asks && gone)
			gone = answered && !asks
		case r.Method == playground.TasksUpdate && r.Sent.At("params", "inputResponses", key) != nil:
			answered = true
		}
	}
	return answered
}

// answersHaveContent is client-content.
func answersHaveContent(s *subject) ruling {
	found := na()
	for _, m := range s.inputResponses() {
		if s.answered(m.Key).Get("method").Str() != playground.CreateMessage {
			continue
		}
		for _, b := range contentBlocks(m.Value) {
			if fault := modelBlockFault(b); fault != "" {
				return fail("The answer to %s has %s.", quoted(m.Key), fault)
			}
			found = pass()
		}
	}
	return found
}

// modelBlockFault returns the fault of a content block of a model's answer, or
// "".
func modelBlockFault(b *jsontree.Node) string {
	kind := b.Get("type").Str()
	input := b.Get("input")
	switch {
	case kind == "resource" || kind == "resource_link":
		return "a content block of type " + kind + ", which is none of messages"
	case kind == "tool_use" && (input == nil || input.Kind != jsontree.Object):
		return "a block of type tool_use without input"
	}
	return blockFault(b)
}
