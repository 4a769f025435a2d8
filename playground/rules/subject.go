package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// tasksExtension is the extension for tasks (seps/2663).
const tasksExtension = "io.modelcontextprotocol/tasks"

// subject is one request to judge, with its response and the Rounds before and
// after it.
type subject struct {
	playground.Round
	earlier []playground.Round
	source  *playground.Round // the Round that this one answers; nil for a first request
	next    *playground.Round
	head    wire.Head         // of the request
	tool    *jsontree.Node    // definition of the called tool; nil if unknown
	listed  *jsontree.Node    // definition of it since headers were refused, listed beside the call, or nil
	polls   []playground.Trip // the polls before this one, of the same Round
	named   bool              // the server has named itself in another record
	channel *channel          // of JudgeRecord; else nil

	forms   map[*jsontree.Node]readForm // of schemas, as form has read them
	formats map[string]state.Format     // of states, as format has recognised them
}

// readForm is the result of form.Question.
type readForm struct {
	form.Form
	err error
}

// subjects returns the requests of Round i: of several polls with the same
// status each one, else the Round's own request.
func (c course) subjects(i int) []subject {
	r := c.rounds[i]
	joined := c.rounds[joinedFrom(c.rounds, i) : i+1]
	s := subject{Round: r, earlier: joined[:len(joined)-1], source: source(joined, len(joined)-1),
		tool: c.toolAt(i), listed: c.listed, named: c.named}
	if i+1 < len(c.rounds) && c.rounds[i+1].Decision.Join != playground.JoinLikely {
		s.next = &c.rounds[i+1]
	}
	var list []subject
	if !r.Legacy {
		for n, trip := range r.Others {
			if trip.Method == playground.CancelledNotified {
				continue // see JudgeRecord
			}
			earlier := s
			earlier.Trip, earlier.polls = trip, r.Others[:n]
			earlier.Outcome = playground.Outcome{Kind: r.Kind, Result: resultOf(trip), Task: r.Task}
			earlier.readHead()
			list = append(list, earlier)
		}
		s.polls = r.Others
	}
	s.readHead()
	return append(list, s)
}

// toolAt returns the definition of the called tool that was known when Round i was sent, or
// nil.
func (c course) toolAt(i int) *jsontree.Node {
	for ; i >= 0; i-- {
		if listed := c.rounds[i].RelistedTool(); listed != nil {
			return parse(listed)
		}
	}
	return c.tool
}

// joinedFrom returns the first of the Rounds that surely belong to the same call as Round
// i. A request of a foreign client that only likely continues a call is judged without
// earlier requests.
func joinedFrom(rounds []playground.Round, i int) int {
	for i > 0 && rounds[i].Decision.Join != playground.JoinLikely {
		i--
	}
	return i
}

// isUnjoined reports whether the request is the retry of a foreign client whose call is
// not known for sure.
func (s *subject) isUnjoined() bool {
	return s.Decision.By == playground.ByClient && s.source == nil && s.isRetry()
}

// resultOf returns the result in the response of a request, or nil.
func resultOf(t playground.Trip) *jsontree.Node {
	for _, m := range t.Messages {
		if m.IsResponse() {
			return m.Node.Get("result")
		}
	}
	return nil
}

func (s *subject) readHead() { s.head, _ = wire.ParseHead(s.Request.Head) }

// source returns the Round that rounds[i] answers, or nil. A Round that is sent
// again answers the same Round as the first time.
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

// params returns the params of the request, or nil if there are none.
func (s *subject) params() *jsontree.Node { return s.Sent.Get("params") }

// meta returns the _meta of the request.
func (s *subject) meta() *jsontree.Node { return s.params().Get("_meta") }

// clientCapabilities returns the capabilities declared in the request.
func (s *subject) clientCapabilities() *jsontree.Node {
	return s.meta().Get("io.modelcontextprotocol/clientCapabilities")
}

// isCurrentRevision reports whether the request has the protocol version that
// the rules are about. An experiment may use another one.
func (s *subject) isCurrentRevision() bool {
	version := s.meta().Get("io.modelcontextprotocol/protocolVersion")
	return version == nil || version.Str() == wire.ProtocolVersion
}

// isOfEarlier reports whether the server took a request without a version for one of an
// earlier revision. What its result lacks of this revision has that one cause.
func (s *subject) isOfEarlier() bool {
	return !s.Result.Has("resultType") && s.hasNoVersion()
}

// hasNoVersion reports whether a server of several revisions can take the request for one
// of an earlier revision: a line without a version, since nothing else of it distinguishes
// the revisions, or a request without the version header, which may be one of 2025-03-26
// (basic/transports/streamable-http, "Protocol Version Header").
func (s *subject) hasNoVersion() bool {
	if s.OnLine() {
		return !s.meta().Has("io.modelcontextprotocol/protocolVersion")
	}
	return s.head.Get("MCP-Protocol-Version") == ""
}

// inputRequired returns the result if it is an InputRequiredResult, or nil.
func (s *subject) inputRequired() *jsontree.Node {
	if s.Result.Get("resultType").Str() != "input_required" {
		return nil
	}
	return s.Result
}

// finalResult returns the result if it is an object and a final one, or nil.
func (s *subject) finalResult() *jsontree.Node {
	if s.Result == nil || s.Result.Kind != jsontree.Object {
		return nil
	}
	if kind := s.Result.Get("resultType"); kind != nil && kind.Str() != "complete" {
		return nil
	}
	return s.Result
}

// inputRequests returns the questions of the result or of a task's status, with
// duplicates.
func (s *subject) inputRequests() []jsontree.Member {
	requests := s.Result.Get("inputRequests")
	if requests == nil || requests.Kind != jsontree.Object {
		return nil
	}
	return requests.Members
}

// elicitations returns the questions that are elicitations, in the mode "form"
// or "url", or in any mode for "".
func (s *subject) elicitations(mode string) []jsontree.Member {
	return slices.DeleteFunc(slices.Clone(s.inputRequests()), func(m jsontree.Member) bool {
		if m.Value.Get("method").Str() != playground.Elicit {
			return true
		}
		own := m.Value.At("params", "mode")
		return mode == "form" && own != nil && own.Str() != "form" || mode == "url" && own.Str() != "url"
	})
}

// form returns the form of a question's schema, which several rules judge.
func (s *subject) form(schema *jsontree.Node) (form.Form, error) {
	f, known := s.forms[schema]
	if !known {
		f.Form, f.err = form.Question(schema.Raw())
		if s.forms == nil {
			s.forms = map[*jsontree.Node]readForm{}
		}
		s.forms[schema] = f
	}
	return f.Form, f.err
}

// format returns the format of a requestState, which several rules judge.
func (s *subject) format(text string) state.Format {
	f, known := s.formats[text]
	if !known {
		f = state.Recognise(text)
		if s.formats == nil {
			s.formats = map[string]state.Format{}
		}
		s.formats[text] = f
	}
	return f
}

// responded reports whether there is a JSON-RPC response, valid or not.
func (s *subject) responded() bool { return s.Error != nil || s.Result != nil }

// inputResponses returns the answers in the request.
func (s *subject) inputResponses() []jsontree.Member {
	responses := s.params().Get("inputResponses")
	if responses == nil {
		return nil
	}
	return responses.Members
}

// taskMethods are the methods of the tasks extension.
var taskMethods = []string{playground.TasksGet, playground.TasksUpdate, playground.TasksCancel}

// isTaskRequest reports whether the request belongs to the tasks extension, in
// which inputResponses has another meaning.
func (s *subject) isTaskRequest() bool {
	return slices.Contains(taskMethods, s.Method)
}

// isRetry reports whether the request has answers or a state.
func (s *subject) isRetry() bool {
	return !s.isTaskRequest() && (s.params().Has("inputResponses") || s.params().Has("requestState"))
}

// requested reports whether the result that this Round answers has the question
// key.
func (s *subject) requested(key string) bool {
	return s.source != nil && s.source.Result.Get("inputRequests").Has(key)
}

// missingAnswer returns the key of a question that the request does not answer.
func (s *subject) missingAnswer() (string, bool) {
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

// extraAnswer returns the key of an answer without a question.
func (s *subject) extraAnswer() (string, bool) {
	for _, m := range s.inputResponses() {
		if !s.requested(m.Key) {
			return m.Key, true
		}
	}
	return "", false
}

// isExactRetry reports whether the request is a valid retry apart from its
// answers, so that an error can only be about those.
func (s *subject) isExactRetry() bool {
	if s.source == nil || s.headerFault() != "" || s.metaFault() != "" {
		return false
	}
	if !sameParams(s.source.Sent.Get("params"), s.params()) {
		return false
	}
	sent := s.params().Get("requestState")
	if s.source.State == nil {
		return sent == nil
	}
	return sent != nil && sameState(s.source, sent)
}
