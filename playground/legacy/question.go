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
// exact text. url may differ from the target's, to reach another copy. It
// returns when the server has taken it, or not; the record says which.
func (s *Session) Answer(ctx context.Context, url string, id, result json.RawMessage) error {
	fields := []wire.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json, text/event-stream"}}
	s.tap.mu.Lock()
	for _, f := range []wire.Field{{Name: "Mcp-Protocol-Version", Value: s.tap.version}, {Name: "Mcp-Session-Id", Value: s.tap.session}} {
		if f.Value != "" {
			fields = append(fields, f)
		}
	}
	s.tap.mu.Unlock()
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	f, err := encode("POST", url, body, s.tap.withOwn(fields))
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	record, err := s.tap.Record(f)
	if err != nil {
		return fmt.Errorf("record answer: %w", err)
	}
	s.tap.Short.Send(ctx, url, f, record)
	return nil
}
