package legacy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// maxPolls bounds how often a task is polled.
const maxPolls = 1000

// errTooManyPolls ends a call whose task does not.
var errTooManyPolls = fmt.Errorf("the task did not end within %d polls", maxPolls)

// requiresTask reports whether clients must call the tool as a task
// (2025-11-25, basic/utilities/tasks, "Tool-Level Negotiation").
func requiresTask(definition json.RawMessage) bool {
	tool, err := jsontree.Parse(definition, jsontree.Limits{})
	return err == nil && tool.At("execution", "taskSupport").Str() == "required"
}

// asTask returns the body of a tools/call with an empty params.task, which asks
// the server to run it as a task.
func asTask(body []byte) []byte {
	call, err := jsontree.Parse(body, jsontree.Limits{})
	if err != nil {
		return body
	}
	params, err := jsontree.Set(call.Get("params").Raw(), jsontree.Pair{Key: "task", Value: []byte("{}")})
	if err != nil {
		return body
	}
	changed, err := jsontree.Set(body, jsontree.Pair{Key: "params", Value: params})
	if err != nil {
		return body
	}
	return changed
}

// follow polls the task that the call became until it has ended, and fetches
// its result. While the task needs input, the server asks its questions on the
// request for its result.
func (s *Session) follow(ctx context.Context, task *playground.Task) error {
	for range maxPolls {
		if task.Ended() || task.Status == "input_required" {
			answered, err := s.request(ctx, s.tap.Open, playground.TasksResult, task.ID)
			if err != nil || answered != nil || task.Ended() {
				return err
			}
		}
		if most := s.tap.Interval; most > 0 && task.Every > most {
			return &RareError{task.Named}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(task.Every):
		}
		status, err := s.request(ctx, s.tap.Short, playground.TasksGet, task.ID)
		switch {
		case err != nil:
			return err
		case status.Get("result") == nil:
			return nil // the record has the error
		}
		task = playground.LegacyTask(status.Get("result"), task)
	}
	return errTooManyPolls
}

// request sends a request about a task and returns the response, or nil if the
// server ended the connection without one.
func (s *Session) request(ctx context.Context, sender Sender, method, taskID string) (*jsontree.Node, error) {
	t := s.tap
	s.requests++
	id := jsontree.Quote(fmt.Sprintf("task-%d", s.requests))
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%q,"params":{"taskId":%s}}`,
		id, method, jsontree.Quote(taskID))
	f, err := t.encode(http.MethodPost, t.Target.URL, t.sessionFields(), body)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	record, err := t.Record(f)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", method, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	var response *jsontree.Node
	var failure error
	sender.Send(ctx, t.Target.URL, f, func(p wire.Part) error {
		arrived := messages(p)
		for _, m := range arrived { // before the user can answer
			t.observe(message{}, m)
		}
		if err := record(p); err != nil {
			return err
		}
		if p.Kind == wire.Failed {
			failure = p.Failure
		}
		for _, m := range arrived {
			if jsontree.Equal(m.Get("id"), parsed(id)) && m.Get("method") == nil {
				response = m
				return errAnswered
			}
		}
		return nil
	})
	switch {
	case response != nil:
		return response, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, failure
}

// errAnswered ends a stream that has its response.
var errAnswered = errors.New("the request has its response")

// messages returns the JSON-RPC messages in a part of a response.
func messages(p wire.Part) []*jsontree.Node {
	var data []byte
	switch p.Kind {
	case wire.Received:
		data = wire.Split(p.Bytes).Body
	case wire.Message:
		data, _, _ = wire.EventData(p.Bytes)
	}
	if n := parsed(data); n != nil {
		return []*jsontree.Node{n}
	}
	return nil
}

// parsed returns a JSON value, or nil if data is none.
func parsed(data []byte) *jsontree.Node {
	n, err := jsontree.Parse(data, jsontree.Limits{})
	if err != nil {
		return nil
	}
	return n
}

// observe keeps what later messages of the session depend on: the server's
// capabilities, the task that the call became, and which questions belong to
// it. m is the request whose response this may be.
func (t *tap) observe(m message, n *jsontree.Node) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := n.Get("id")
	switch {
	case n.Has("method"):
		const related = "io.modelcontextprotocol/related-task"
		if task := n.At("params", "_meta", related); task != nil && id != nil {
			t.related[string(id.Raw())] = jsontree.ObjectOf(jsontree.Pair{Key: related, Value: task.Raw()})
		}
	case m.method == playground.Initialize:
		t.capabilities = n.At("result", "capabilities")
	case t.id != nil && jsontree.Equal(id, parsed(t.id)):
		t.answered, t.task = true, playground.LegacyTask(n.Get("result"), nil)
	}
}

// isAnswered reports whether the call has its response.
func (t *tap) isAnswered() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.answered
}

// callTask returns the task that the call became, or nil.
func (t *tap) callTask() *playground.Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.task
}

// CancelTask asks the server to cancel the task that the call became, if it
// declares that it can.
func (s *Session) CancelTask() {
	if task := s.tap.callTask(); task != nil {
		s.cancelTask(task)
	}
}

// cancelTask asks the server to cancel the task, if it declares that it can.
func (s *Session) cancelTask(task *playground.Task) {
	s.tap.mu.Lock()
	declared := s.tap.capabilities.At("tasks", "cancel") != nil
	s.tap.mu.Unlock()
	if !declared {
		return
	}
	// the record has the response
	_, _ = s.request(s.tap.ctx, brief{s.tap.Short, cancelTimeout}, playground.TasksCancel, task.ID)
}

// withRelated returns an answer with the related-task member of its question,
// which every message about a task must have.
func (t *tap) withRelated(id, result json.RawMessage) json.RawMessage {
	t.mu.Lock()
	meta := t.related[string(id)]
	t.mu.Unlock()
	n := parsed(result)
	if meta == nil || n == nil || n.Has("_meta") {
		return result
	}
	changed, err := jsontree.Set(result, jsontree.Pair{Key: "_meta", Value: meta})
	if err != nil {
		return result
	}
	return changed
}
