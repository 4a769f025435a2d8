package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// Turn is one round as a script sees it: the call, the principal, the answers
// in the request, and the answers and work that the state carried over.
type Turn struct {
	Method, Name string
	Arguments    json.RawMessage
	Principal    string
	Instance     cluster.Instance

	capabilities mcp.ClientCapabilities     // declared by the client
	Responses    map[string]json.RawMessage // inputResponses of this request
	Answers      map[string]json.RawMessage // from the state, and those used in this round
	Work         json.RawMessage            // see SaveWork
	// Session is that with the client; nil in work that is done again in another
	// process.
	Session       *mcp.ServerSession
	ProgressToken any      // of the request; nil if it has none
	Caller        string   // see CallerHeader
	reported      *float64 // the last progress; nil if there was none
	// resumed says that the questions which the round before asked were asked again, so
	// that inputResponses answers no others.
	resumed bool
}

// Ask returns the answers to the questions, by key. If one is missing, the
// error is a [*Pause], which the script returns. The script runs again, from
// the top, with the retry.
//
// An answer that was used goes into the requestState of the next pause, so a
// question is asked once and the server stores nothing. Answers to questions
// that the script does not ask are ignored, and so are those to questions that it
// had not come to in the round before: they were not asked. The first questions
// of a call need no state, so an answer to them counts also in its first round.
func (t *Turn) Ask(questions ...Question) (map[string]Answer, error) {
	answers := make(map[string]Answer, len(questions))
	pause := &Pause{}
	if t.resumed {
		t.Responses = nil
	}
	for _, q := range questions {
		if _, kept := t.Answers[q.Key]; !kept {
			t.resumed = true
		}
	}
	for _, q := range questions {
		a, problem, err := t.Answer(q)
		if err != nil {
			return nil, err
		}
		if a.Action == "" {
			pause.Questions = append(pause.Questions, q.WithProblem(problem))
			continue
		}
		answers[q.Key] = a
	}
	if len(pause.Questions) > 0 {
		return nil, pause
	}
	return answers, nil
}

// AskOne asks one question.
func (t *Turn) AskOne(q Question) (Answer, error) {
	answers, err := t.Ask(q)
	return answers[q.Key], err
}

// Answer prefers the answer from the state: it was checked in an earlier round.
func (t *Turn) Answer(q Question) (a Answer, problem string, err error) {
	if raw, ok := t.Answers[q.Key]; ok {
		if a, problem, err := q.Read(raw); err == nil && problem == "" {
			return a, "", nil
		}
	}
	raw, ok := t.Responses[q.Key]
	if !ok {
		return Answer{}, "", nil
	}
	a, problem, err = q.Read(raw)
	if err != nil {
		return Answer{}, "", InvalidParams(fmt.Sprintf("inputResponses[%q]: %v", q.Key, err))
	}
	if problem != "" {
		return Answer{}, problem, nil
	}
	if !q.oneRound {
		t.Answers[q.Key] = a.compact(raw)
	}
	return a, "", nil
}

// Raw returns an answer that Answer has accepted as the client sent it.
func (t *Turn) Raw(q Question) json.RawMessage {
	if raw, ok := t.Answers[q.Key]; ok {
		return raw
	}
	return t.Responses[q.Key]
}

// SaveWork puts work other than answers into the requestState of the next
// pause.
func (t *Turn) SaveWork(work any) error {
	b, err := json.Marshal(work)
	if err != nil {
		return fmt.Errorf("save work: %w", err)
	}
	t.Work = b
	return nil
}

// Shed returns a pause without questions that carries the work done so far. The
// client can retry at once (basic/patterns/mrtr, results without
// inputRequests).
func (t *Turn) Shed(work any) error {
	if err := t.SaveWork(work); err != nil {
		return err
	}
	return &Pause{}
}

// LoadWork reads what an earlier round saved with SaveWork. It reports false if
// there is nothing.
func (t *Turn) LoadWork(work any) (bool, error) {
	if t.Work == nil {
		return false, nil
	}
	if err := json.Unmarshal(t.Work, work); err != nil {
		return false, InvalidParams("requestState does not fit this version of the server")
	}
	return true, nil
}

// Progress sends a progress notification if the request has a progress token. One that
// is not more than the last one is not sent (basic/patterns/progress: it must increase).
func (t *Turn) Progress(ctx context.Context, done, total float64, message string) {
	if t.ProgressToken == nil || t.reported != nil && done <= *t.reported {
		return
	}
	t.reported = &done
	// A plain JSON response has no stream; the SDK then drops the notification.
	_ = t.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: t.ProgressToken, Progress: done, Total: total, Message: message,
	})
}

// Reported returns the last progress that was sent, and false if there was none.
func (t *Turn) Reported() (float64, bool) {
	if t.reported == nil {
		return 0, false
	}
	return *t.reported, true
}

// CanAsk reports whether the client declared what a question needs.
func (t *Turn) CanAsk(q Question) bool {
	_, _, missing := q.missing(t.capabilities)
	return !missing
}

// Pause ends a round before the work is done. It is an error so that a script
// can return it from any depth.
type Pause struct {
	Questions []Question // none: the client may retry at once, with any instance
}

// Error lists the keys of the questions.
func (p *Pause) Error() string {
	keys := make([]string, len(p.Questions))
	for i, q := range p.Questions {
		keys[i] = q.Key
	}
	return "input required: " + cmp.Or(strings.Join(keys, ", "), "retry")
}

// missing returns the capabilities that the questions need and the client did
// not declare.
func (p *Pause) missing(c mcp.ClientCapabilities) map[string]any {
	missing := map[string]any{}
	for _, q := range p.Questions {
		if name, value, ok := q.asker.missing(c); ok {
			merge(missing, name, value)
		}
	}
	return missing
}

// merge adds the members of value to the object all[name].
func merge(all map[string]any, name string, value map[string]any) {
	have, ok := all[name].(map[string]any)
	if !ok {
		have = map[string]any{}
		all[name] = have
	}
	for k, v := range value {
		have[k] = v
	}
}

// newTurn reads what a script needs from the SDK's request.
func (h *Host) newTurn(method string, req mcp.Request, c cluster.Instance) *Turn {
	t := &Turn{
		Method: method, Instance: c, Principal: h.principal(headerOf(req)), Caller: caller(req),
		Answers: map[string]json.RawMessage{},
	}
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		t.Name, t.Arguments, t.ProgressToken = p.Name, p.Arguments, p.GetProgressToken()
	case *mcp.GetPromptParams:
		t.Name, t.ProgressToken = p.Name, p.GetProgressToken()
		t.Arguments, _ = json.Marshal(p.Arguments) // a map of strings always marshals
	case *mcp.ReadResourceParams:
		t.Name, t.ProgressToken = p.URI, p.GetProgressToken()
	}
	t.Session, _ = req.GetSession().(*mcp.ServerSession)
	if r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	}); ok {
		if declared := r.ClientCapabilities(); declared != nil { // decoded by each call
			t.capabilities = *declared
		}
	}
	return t
}

// run calls the script and turns a panic into an error: the SDK runs handlers
// in goroutines that net/http does not protect. Without an error there is a result.
func (t *Turn) run(ctx context.Context, run Script) (res Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			res, err = nil, fmt.Errorf("script panicked: %v", v)
		}
	}()
	res, err = run(ctx, t)
	if res == nil && err == nil {
		err = errors.New("script returned nothing")
	}
	return res, err
}

// missingCapability returns the error that names the capabilities to declare
// (basic/index, error codes).
func missingCapability(missing map[string]any) error {
	data, err := json.Marshal(map[string]any{"requiredCapabilities": missing})
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(missing))
	return &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities,
		Message: "this call needs client capabilities that the request did not declare: " +
			strings.Join(names, ", "),
		Data: data,
	}
}
