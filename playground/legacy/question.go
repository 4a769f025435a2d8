package legacy

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// asks reports whether a server-sent event is a request of the server that a
// person answers. The SDK answers a ping itself.
func asks(event []byte) bool {
	data, _, ok := wire.EventData(event)
	if !ok {
		return false
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	return json.Unmarshal(data, &m) == nil && len(m.ID) > 0 && m.Method != "" && m.Method != "ping"
}

// Answer posts the answer to one of the server's requests, of which id is the
// exact text. url may differ from the target's, to reach another instance. It
// returns when the server has taken it, or not; the record says which.
func (s *Session) Answer(ctx context.Context, url string, id, result json.RawMessage) error {
	return s.tap.post(ctx, url, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

// post sends a message of our own within the session.
func (t *tap) post(ctx context.Context, url string, body []byte) error {
	fields := []wire.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json, text/event-stream"}}
	t.mu.Lock()
	for _, f := range []wire.Field{{Name: "Mcp-Protocol-Version", Value: t.version}, {Name: "Mcp-Session-Id", Value: t.session}} {
		if f.Value != "" {
			fields = append(fields, f)
		}
	}
	t.mu.Unlock()
	f, err := encode("POST", url, body, t.withOwn(fields))
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	record, err := t.Record(f)
	if err != nil {
		return fmt.Errorf("record message: %w", err)
	}
	t.Short.Send(ctx, url, f, record)
	return nil
}
