package sampletools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// A Turn is one round as a script sees it: the call, who makes it, the answers that came with it,
// and what the state that it echoed has kept from earlier rounds.
type Turn struct {
	Method, Name string
	Arguments    json.RawMessage
	Principal    string
	Instance     cluster.Instance

	capabilities  mcp.ClientCapabilities     // what the client can be asked for
	responses     map[string]json.RawMessage // answers that came with this request
	answers       map[string]json.RawMessage // answers from earlier rounds, and those used in this one
	work          json.RawMessage            // see Hold
	session       *mcp.ServerSession
	progressToken any // progress token
}

// Ask returns the answers to the questions, by key. As long as one is missing the error is a
// [*Pause], which the script returns; it then runs again, from the top, with the retry.
//
// An answer that was used is kept in the requestState of the next pause, so nobody is asked twice
// and no server has to remember. An answer to a question that was never put is not looked at.
func (t *Turn) Ask(questions ...Question) (map[string]Answer, error) {
	answers := make(map[string]Answer, len(questions))
	pause := &Pause{}
	for _, q := range questions {
		a, problem, err := t.answer(q)
		if err != nil {
			return nil, err
		}
		if a.Action == "" {
			pause.Questions = append(pause.Questions, q.withProblem(problem))
			continue
		}
		answers[q.Key] = a
	}
	if len(pause.Questions) > 0 {
		return nil, pause
	}
	return answers, nil
}

// AskOne is Ask for one question.
func (t *Turn) AskOne(q Question) (Answer, error) {
	answers, err := t.Ask(q)
	return answers[q.Key], err
}

// answer prefers what the state has kept: that was checked before, and nobody could change it since.
func (t *Turn) answer(q Question) (a Answer, problem string, err error) {
	if raw, ok := t.answers[q.Key]; ok {
		if a, problem, err := q.read(raw); err == nil && problem == "" {
			return a, "", nil
		}
	}
	raw, ok := t.responses[q.Key]
	if !ok {
		return Answer{}, "", nil
	}
	a, problem, err = q.read(raw)
	if err != nil {
		return Answer{}, "", invalidParams(fmt.Sprintf("inputResponses[%q]: %v", q.Key, err))
	}
	if problem != "" {
		return Answer{}, problem, nil
	}
	if !q.oneRound {
		t.answers[q.Key] = a.compact(raw)
	}
	return a, "", nil
}

// SaveWork puts work that is no answer into the requestState of the next pause.
func (t *Turn) SaveWork(work any) error {
	b, err := json.Marshal(work)
	if err != nil {
		return fmt.Errorf("hold work: %w", err)
	}
	t.work = b
	return nil
}

// Shed returns the pause of an instance that has done enough: no question, only work to go on from
// (basic/patterns/mrtr: without inputRequests the client may retry at once).
func (t *Turn) Shed(work any) error {
	if err := t.SaveWork(work); err != nil {
		return err
	}
	return &Pause{}
}

// LoadWork reads what an earlier round has put aside with Hold; it reports false if there is nothing.
func (t *Turn) LoadWork(work any) (bool, error) {
	if t.work == nil {
		return false, nil
	}
	if err := json.Unmarshal(t.work, work); err != nil {
		return false, invalidParams("requestState does not fit this version of the server")
	}
	return true, nil
}

// Progress tells the client how far the work is, if it asked to be told.
func (t *Turn) Progress(ctx context.Context, done, total float64, message string) {
	if t.progressToken == nil {
		return
	}
	// With a plain JSON answer there is no stream to tell it on; then the SDK drops it.
	_ = t.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: t.progressToken, Progress: done, Total: total, Message: message,
	})
}

// A Pause ends a round before the work is done. It is an error so that a script stops where it
// stands, as io.EOF ends a read.
type Pause struct {
	Questions []Question // none: the client may retry at once, perhaps with another instance
}

// Error lists the open keys.
func (p *Pause) Error() string {
	keys := make([]string, len(p.Questions))
	for i, q := range p.Questions {
		keys[i] = q.Key
	}
	return "input required: " + cmp.Or(strings.Join(keys, ", "), "retry")
}

// missing gathers the capabilities that this pause needs and the client did not declare.
func (p *Pause) missing(c mcp.ClientCapabilities) map[string]any {
	missing := map[string]any{}
	for _, q := range p.Questions {
		if name, value, ok := q.asker.missing(c); ok {
			merge(missing, name, value)
		}
	}
	return missing
}

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

// newTurn reads what a script needs to know from the SDK's request.
func newTurn(method string, req mcp.Request, c cluster.Instance) *Turn {
	t := &Turn{Method: method, Instance: c, Principal: principal(req), answers: map[string]json.RawMessage{}}
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		t.Name, t.Arguments, t.progressToken = p.Name, p.Arguments, p.GetProgressToken()
	case *mcp.GetPromptParams:
		t.Name, t.progressToken = p.Name, p.GetProgressToken()
		t.Arguments, _ = json.Marshal(p.Arguments) // a map of strings always marshals
	case *mcp.ReadResourceParams:
		t.Name, t.progressToken = p.URI, p.GetProgressToken()
	}
	t.session, _ = req.GetSession().(*mcp.ServerSession)
	if r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	}); ok && r.ClientCapabilities() != nil {
		t.capabilities = *r.ClientCapabilities()
	}
	return t
}

// run calls the script. A panic ends the call, not the program: the SDK runs handlers outside of
// net/http's protection.
func (t *Turn) run(ctx context.Context, run script) (res Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			res, err = nil, fmt.Errorf("script panicked: %v", v)
		}
	}()
	return run(ctx, t)
}

// missingCapability says what the client would have to declare (basic/index, error codes).
func missingCapability(missing map[string]any) error {
	data, err := json.Marshal(map[string]any{"requiredCapabilities": missing})
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(missing))
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "this call needs client capabilities that the request did not declare: " + strings.Join(names, ", "),
		Data:    data,
	}
}
