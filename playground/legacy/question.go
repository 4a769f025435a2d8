package legacy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// message is the part of a JSON-RPC message that decides how it is handled.
type message struct {
	id     json.RawMessage // nil if there is none
	method string
}

// parseMessage returns the zero message for data that is not a JSON object.
func parseMessage(data []byte) message {
	node, err := jsontree.Parse(data, jsontree.Limits{Depth: 10000, Values: len(data)})
	if err != nil {
		return message{}
	}
	return message{id: node.Get("id").Raw(), method: node.Get("method").Str()}
}

// isCall reports whether m is a request during which the server may ask
// questions.
func (m message) isCall() bool { return playground.IsCall(m.method) }

// isQuestion reports whether a server-sent event is a request of the server
// that the user answers. The SDK answers a ping.
func isQuestion(event []byte) bool {
	data, _, ok := wire.EventData(event)
	if !ok {
		return false
	}
	m := parseMessage(data)
	return m.id != nil && m.method != "" && m.method != playground.Ping
}

// Answer posts the answer to one of the server's requests; id is its exact
// text. url may differ from the target's, to reach another instance. Answer
// returns when the server has responded or failed, which is in the record.
func (s *Session) Answer(ctx context.Context, url string, id, result json.RawMessage) error {
	result = s.tap.withRelated(id, result)
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	return s.tap.post(ctx, s.tap.Short, url, body)
}

// Refuse posts an error in answer to one of the server's requests. It is Answer
// in all else.
func (s *Session) Refuse(ctx context.Context, url string, id, e json.RawMessage) error {
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, e)
	return s.tap.post(ctx, s.tap.Short, url, body)
}

// answerRoots answers a server that asks for the roots on the stream that belongs to no
// call: they are of the client, and no question of a call. Answers are posted one after the
// other, and only some may wait.
func (t *tap) answerRoots(p wire.Part) {
	for _, n := range messages(p) {
		id := n.Get("id")
		if n.Get("method").Str() != playground.RootsList || id == nil {
			continue
		}
		t.mu.Lock()
		waiting := len(t.rootsAsked)
		if waiting < playground.MaxRootsAnswers {
			t.rootsAsked = append(t.rootsAsked, id.Raw())
		}
		t.mu.Unlock()
		if waiting == 0 {
			t.wg.Go(t.postRoots)
		}
	}
}

// postRoots posts the answers that wait. The record has their responses.
func (t *tap) postRoots() {
	declared := parsed(t.Target.Capabilities).Has("roots")
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.rootsAsked) > 0 && t.ctx.Err() == nil {
		id := t.rootsAsked[0]
		t.mu.Unlock()
		_ = t.post(t.ctx, t.Short, t.Target.URL, playground.RootsAnswer(id, declared, t.Roots))
		t.mu.Lock()
		t.rootsAsked = t.rootsAsked[1:]
	}
}

// post sends a message of ours within the session.
func (t *tap) post(ctx context.Context, by Sender, url string, body []byte) error {
	f, err := t.encode(http.MethodPost, url, t.sessionFields(), body)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	record, err := t.Record(f)
	if err != nil {
		return fmt.Errorf("record message: %w", err)
	}
	by.Send(ctx, url, f, record)
	return nil
}

// sessionFields returns the header fields of a message within the session.
func (t *tap) sessionFields() []wire.Field {
	fields := []wire.Field{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "application/json, text/event-stream"},
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range []wire.Field{
		{Name: "Mcp-Protocol-Version", Value: t.version},
		{Name: "Mcp-Session-Id", Value: t.session},
	} {
		if f.Value != "" {
			fields = append(fields, f)
		}
	}
	return fields
}
