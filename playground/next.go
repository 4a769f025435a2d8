package playground

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Errors of Next: the decision cannot follow the log.
var (
	ErrNotOpen = errors.New("this round is not open for an answer")
	ErrCapped  = fmt.Errorf("an exchange stops at %d rounds", MaxRounds)
	ErrAnswers = errors.New("the answers do not belong to the open questions")
	ErrLegacy  = errors.New("a call of a server from before 2026-07-28 stays open; there is no next request")
)

// Client is the name and version of this client in the _meta of every request.
type Client struct {
	Name, Version string
}

// Next returns the request that follows from a decision: for ActionStart the
// Call itself, otherwise the same Call with an answer for every key of the last
// result and with the exact text of its requestState, if it had one
// (basic/patterns/mrtr, client requirements 1 to 3). For a task it returns
// tasks/update or tasks/cancel, and before a tool call whose headers were
// rejected is sent again tools/list (see NextListed). The id and the
// progressToken are made from the number of the Round, so no two Rounds share
// them; an Exchange is a client of its own, as each of its requests has a
// connection of its own. On the lines of a command, and of one client, they also name the
// Exchange: see OnChannel. The error is one of those above, or says that the
// params of the Call are not an object.
func Next(x Exchange, f Transcript, d Decision, c Client) (wire.Request, error) {
	if err := f.Allows(d); err != nil {
		return wire.Request{}, err
	}
	if last := f.Last(); x.Target.Era == Legacy || last != nil && last.Legacy {
		return wire.Request{}, ErrLegacy
	}
	if last := f.Last(); last != nil && d.Action == ActionResend && last.HeadersRejected() {
		return listTools(x, d.Round, 1, "", c)
	}
	x.Call.Tool = f.tool(x.Call)
	return f.request(x, d, c)
}

// request returns the request of a decision that can follow.
func (f Transcript) request(x Exchange, d Decision, c Client) (wire.Request, error) {
	method, params, err := nextParams(x.Call, f, d)
	if err != nil {
		return wire.Request{}, err
	}
	name := strconv.Itoa(d.Round)
	params, err = jsontree.Set(params, jsontree.Pair{Key: "_meta", Value: Meta(x, "round-"+name, c)})
	if err != nil {
		return wire.Request{}, fmt.Errorf("params of the call: %w", err)
	}
	id := json.RawMessage(name)
	if named := x.OnChannel(name); named != name {
		id = jsontree.Quote(named)
	}
	return wire.Request{
		URL: x.Target.ToInstance(d.Instance), Method: method, ID: id,
		Params: params, Header: slices.Concat(x.Target.Header, HeaderParams(x.Call.Tool, params)),
	}, nil
}

// nextParams returns the method and the params of the next request without
// _meta.
func nextParams(call Call, f Transcript, d Decision) (string, json.RawMessage, error) {
	last := f.Last()
	switch {
	case last == nil:
		return call.Method, call.Params, nil
	case d.Action == ActionStop:
		return TasksCancel, taskParams(last.Task.ID), nil
	case d.Action == ActionResend && last.PollsStopped() != "":
		return TasksGet, taskParams(last.Task.ID), nil
	case isTask(last.Method) && d.Action == ActionResend && last.Sent != nil:
		return last.Method, last.Sent.Get("params").Raw(), nil
	case last.Method == TasksGet && d.Action == ActionResend && last.Task != nil:
		return TasksGet, taskParams(last.Task.ID), nil
	case last.Method == TasksGet && last.Task != nil:
		params, err := updateParams(last, d.Answers)
		return TasksUpdate, params, err
	}
	params := call.Params
	if from := d.source(f, last); from != nil {
		extra, err := retryParams(from.round, from.answers)
		if err != nil {
			return "", nil, err
		}
		if params, err = jsontree.Set(params, extra...); err != nil {
			return "", nil, fmt.Errorf("params of the call: %w", err)
		}
	}
	return call.Method, params, nil
}

// Allows returns nil if the decision can follow the log, or one of ErrNotOpen,
// ErrCapped and ErrAnswers.
func (f Transcript) Allows(d Decision) error {
	last := f.Last()
	if last == nil {
		if d.Action == ActionStart && d.Round == 1 {
			return nil
		}
		return ErrNotOpen
	}
	if d.Action == ActionStop {
		return f.allowsStop(d)
	}
	if d.Round != last.N+1 {
		return ErrNotOpen
	}
	if last.N >= MaxRounds {
		return ErrCapped
	}
	if last.Legacy && d.Action == ActionAnswer && !last.hasQuestions(d.Answers) {
		return ErrAnswers
	}
	switch {
	case f.Status == StatusDeclined && !last.Resendable():
		return ErrNotOpen
	case d.Action == ActionAnswer && last.Kind == OutcomeInputRequired,
		d.Action == ActionRetry && last.Kind == OutcomeRetry,
		d.Action == ActionResend && (last.Resendable() || last.PollsStopped() != ""):
		return nil
	}
	return ErrNotOpen
}

// allowsStop returns nil if there is a running task to cancel. A poll that was
// abandoned for the cancellation does not count as an end.
func (f Transcript) allowsStop(d Decision) error {
	if f.Task() == nil || d.Round != f.Next() {
		return ErrNotOpen
	}
	return nil
}

// Task returns the task that is still running, or nil if there is none.
func (f Transcript) Task() *Task {
	last := f.Last()
	if last == nil || last.Task == nil {
		return nil
	}
	switch f.Status {
	case StatusRunning, StatusWaiting, StatusInterrupted:
		return last.Task
	}
	if last.abandoned() || f.Status == StatusFailed && last.Resendable() {
		return last.Task
	}
	return nil
}

// Next returns the number of the Round that a decision would open.
func (f Transcript) Next() int {
	last := f.Last()
	switch {
	case last == nil:
		return 1
	case last.abandoned():
		return last.N
	}
	return last.N + 1
}

// retrySource is the Round whose result a retry answers, and the answers.
type retrySource struct {
	round   *Round
	answers []Answer
}

// source returns the result that a request answers: the last one or, if a Round
// is sent again, the result that this Round had answered. It returns nil for a
// first request.
func (d Decision) source(f Transcript, last *Round) *retrySource {
	if last == nil {
		return nil
	}
	if d.Action != ActionResend {
		return &retrySource{last, d.Answers}
	}
	for n := last.N; n > 1; n-- {
		r := f.Round(n)
		if r == nil {
			return nil
		}
		if r.Decision.Action != ActionResend {
			return &retrySource{f.Round(n - 1), r.Decision.Answers}
		}
	}
	return nil
}

// retryParams returns the members that turn a call into a retry. Keys and state
// keep the exact text in which they arrived.
func retryParams(r *Round, answers []Answer) ([]jsontree.Pair, error) {
	if r == nil {
		return nil, nil
	}
	var pairs []jsontree.Pair
	if len(r.Questions) > 0 {
		responses, err := inputResponses(r.Questions, answers)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, jsontree.Pair{Key: "inputResponses", Value: responses})
	}
	if r.State != nil {
		pairs = append(pairs, jsontree.Pair{Key: "requestState", Value: r.State})
	}
	return pairs, nil
}

// inputResponses returns the object of answers, in the order of the questions.
// It returns ErrAnswers unless there is exactly one answer for each question.
func inputResponses(asked []Question, answers []Answer) (json.RawMessage, error) {
	byKey := make(map[string]json.RawMessage, len(answers))
	for _, a := range answers {
		byKey[a.Key] = a.Value
	}
	out := []byte{'{'}
	for _, q := range asked {
		value, ok := byKey[q.Key]
		if !ok {
			return nil, fmt.Errorf("%w: %q has none", ErrAnswers, q.Key)
		}
		delete(byKey, q.Key)
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, q.RawKey...), ':'), value...)
	}
	if len(byKey) > 0 {
		return nil, ErrAnswers
	}
	return append(out, '}'), nil
}

// Meta returns the _meta of a request (basic/index, "_meta"): the members in
// the call's own params, and those of the client. If the call is traced, the
// request is a span of its own; token distinguishes it from the other requests
// of the exchange.
func Meta(x Exchange, token string, c Client) json.RawMessage {
	info := fmt.Appendf(nil, `{"name":%s,"version":%s}`, jsontree.Quote(c.Name), jsontree.Quote(c.Version))
	capabilities := x.Target.Capabilities
	if len(capabilities) == 0 {
		capabilities = json.RawMessage("{}")
	}
	own, _ := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	pairs := append(spanOf(x, token),
		jsontree.Pair{Key: "io.modelcontextprotocol/protocolVersion",
			Value: jsontree.Quote(wire.ProtocolVersion)},
		jsontree.Pair{Key: "io.modelcontextprotocol/clientInfo", Value: info},
		jsontree.Pair{Key: "io.modelcontextprotocol/clientCapabilities", Value: capabilities},
		jsontree.Pair{Key: "progressToken", Value: jsontree.Quote(x.OnChannel(token))},
	)
	merged, err := jsontree.Set(own.Get("_meta").Raw(), pairs...)
	if err != nil { // _meta is not an object: the user sends that on purpose
		return own.Get("_meta").Raw()
	}
	return merged
}
