package capture

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Tool returns the definition of a tool, as the newest tools/list of a log has it that was
// sent at a time or later, or nil.
func Tool(log []playground.Event, name string, since time.Time) json.RawMessage {
	for _, r := range slices.Backward(playground.Connections(lists(log))) {
		if r.Method != playground.ToolsList || r.Started.Before(since) {
			continue
		}
		for _, t := range r.Result.Get("tools").Elements() {
			if t.Get("name").Str() == name {
				return t.Raw()
			}
		}
	}
	return nil
}

// lists returns the events of the connections whose requests may list something, which
// are few. A slash in the method may be escaped.
func lists(log []playground.Event) []playground.Event {
	conns := map[int]bool{}
	var list []playground.Event
	for _, e := range log {
		if e.Kind == playground.Sent && bytes.Contains(e.Data, []byte("list")) {
			conns[e.Conn] = true
		}
		if conns[e.Conn] {
			list = append(list, e)
		}
	}
	return list
}
