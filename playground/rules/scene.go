package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Extension that makes tasks possible (seps/2663).
const tasksExtension = "io.modelcontextprotocol/tasks"

// scene is one Round with what came before and after it.
type scene struct {
	playground.Round
	earlier []playground.Round
	source  *playground.Round // the Round whose result this one answers; nil for a first request
	next    *playground.Round
	head    wire.Head // of the request
}

func newScene(rounds []playground.Round, i int) scene {
	s := scene{Round: rounds[i], earlier: rounds[:i], source: source(rounds, i)}
	s.head, _ = wire.ParseHead(s.Request.Head)
	if i+1 < len(rounds) {
		s.next = &rounds[i+1]
	}
	return s
}

// source finds the Round that rounds[i] answers. A Round that is sent again
// answers what its first sending answered.
func source(rounds []playground.Round, i int) *playground.Round {
	for i > 0 && rounds[i].Decision.Action == playground.ActionResend {
		i--
	}
	switch rounds[i].Decision.Action {
	case playground.ActionAnswer, playground.ActionRetry:
		if i > 0 {
			return &rounds[i-1]
		}
	}
	return nil
}

// params of the request; nil when it had none or was no JSON.
func (s scene) params() *jsontree.Node { return s.Sent.Get("params") }

// meta is the request's _meta.
func (s scene) meta() *jsontree.Node { return s.params().Get("_meta") }

// declared are the client capabilities of this very request.
func (s scene) declared() *jsontree.Node {
	return s.meta().Get("io.modelcontextprotocol/clientCapabilities")
}

// modern tells whether the request was made under the revision that these
// rules are about; an experiment may have named another one.
func (s scene) modern() bool {
	version := s.meta().Get("io.modelcontextprotocol/protocolVersion")
	return version == nil || version.Str() == wire.ProtocolVersion
}

// asks is the result object when it is an InputRequiredResult, else nil.
func (s scene) asks() *jsontree.Node {
	if s.Result.Get("resultType").Str() != "input_required" {
		return nil
	}
	return s.Result
}

// completes is the result object when it is a final one, else nil.
func (s scene) completes() *jsontree.Node {
	if s.Result == nil || s.Result.Kind != jsontree.Object {
		return nil
	}
	if kind := s.Result.Get("resultType"); kind != nil && kind.Str() != "complete" {
		return nil
	}
	return s.Result
}

// questions are the entries of inputRequests, duplicates included; of a task
// too, whose questions stand in its status.
func (s scene) questions() []jsontree.Member {
	requests := s.Result.Get("inputRequests")
	if requests == nil || requests.Kind != jsontree.Object {
		return nil
	}
	return requests.Members
}

// elicitations are the questions put to a person, with their params.
func (s scene) elicitations(mode string) []jsontree.Member {
	return slices.DeleteFunc(slices.Clone(s.questions()), func(m jsontree.Member) bool {
		if m.Value.Get("method").Str() != "elicitation/create" {
			return true
		}
		said := m.Value.At("params", "mode")
		return mode == "form" && said != nil && said.Str() != "form" || mode == "url" && said.Str() != "url"
	})
}

// responded tells whether a JSON-RPC response came, right or wrong.
func (s scene) responded() bool { return s.Error != nil || s.Result != nil }

// answered are the keys of the request's inputResponses.
func (s scene) answered() []jsontree.Member {
	responses := s.params().Get("inputResponses")
	if responses == nil {
		return nil
	}
	return responses.Members
}

// ofTask tells whether the request belongs to the tasks extension, where
// inputResponses has its own meaning.
func (s scene) ofTask() bool {
	return slices.Contains([]string{"tasks/get", "tasks/update", "tasks/cancel"}, s.Method)
}

// retries tells whether the request carries what makes it a retry.
func (s scene) retries() bool {
	return !s.ofTask() && (s.params().Has("inputResponses") || s.params().Has("requestState"))
}

// asked tells whether the result that this Round answers has a question key.
func (s scene) asked(key string) bool {
	return s.source != nil && s.source.Result.Get("inputRequests").Has(key)
}

// missing is a question of the answered result that the request leaves open.
func (s scene) missing() (string, bool) {
	if s.source == nil {
		return "", false
	}
	for _, q := range s.source.Questions {
		if !s.params().Get("inputResponses").Has(q.Key) {
			return q.Key, true
		}
	}
	return "", false
}

// extra is an answer that nobody asked for.
func (s scene) extra() (string, bool) {
	for _, m := range s.answered() {
		if !s.asked(m.Key) {
			return m.Key, true
		}
	}
	return "", false
}

// faithful tells whether the request is right in all but its answers, so that
// an error can only be about those.
func (s scene) faithful() bool {
	if s.source == nil || s.headerFault() != "" || s.metaFault() != "" || !sameParams(s.source.Sent.Get("params"), s.params()) {
		return false
	}
	sent := s.params().Get("requestState")
	if s.source.State == nil {
		return sent == nil
	}
	return sent != nil && sameState(s.source, sent)
}
