package capture

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Tools are the definitions of the tools that a client has seen in a Capture. They are read
// from its logs event by event. The zero value has none.
type Tools struct {
	open  map[string][]playground.Event // of requests for lists whose responses have not ended, by log
	tools map[string]definition
}

// definition is how a tool was listed last.
type definition struct {
	raw json.RawMessage
	at  time.Time
}

// Read reads the events that come next in a log.
func (t *Tools) Read(log string, events []playground.Event) {
	events = listing(t.open[log], events)
	if len(events) == 0 {
		return
	}
	if t.open == nil {
		t.open, t.tools = map[string][]playground.Event{}, map[string]definition{}
	}
	for _, r := range playground.Connections(events) {
		t.add(r)
	}
	left := playground.Unanswered(events)
	t.open[log] = slices.DeleteFunc(events, func(e playground.Event) bool {
		return !slices.Contains(left, e.Conn)
	})
}

// add adds the tools of a list.
func (t *Tools) add(r playground.Round) {
	if r.Method != playground.ToolsList {
		return
	}
	for _, n := range r.Result.Get("tools").Elements() {
		if name := n.Get("name").Str(); !r.Started.Before(t.tools[name].at) {
			t.tools[name] = definition{bytes.Clone(n.Raw()), r.Started}
		}
	}
}

// Definition returns the definition of a tool, as the newest tools/list has it that has it
// and was sent at a time or later, or nil.
func (t *Tools) Definition(name string, since time.Time) json.RawMessage {
	if d := t.tools[name]; !d.at.Before(since) {
		return d.raw
	}
	return nil
}

// Size returns how much memory the definitions take, in bytes, nearly.
func (t *Tools) Size() int {
	size := 0
	for name, d := range t.tools {
		size += len(name) + len(d.raw)
	}
	for _, events := range t.open {
		for _, e := range events {
			size += len(e.Data)
		}
	}
	return size
}

// listing returns the open events, and of those that come next the ones of the connections
// whose requests are for lists of tools, which are few. A slash in the method may be escaped.
func listing(open, events []playground.Event) []playground.Event {
	conns := map[int]bool{}
	for _, e := range open {
		conns[e.Conn] = true
	}
	list := slices.Clone(open)
	for _, e := range events {
		if e.Kind == playground.Sent && bytes.Contains(e.Data, []byte("list")) {
			conns[e.Conn] = playground.Connections([]playground.Event{e})[0].Method == playground.ToolsList
		}
		if conns[e.Conn] {
			list = append(list, e)
		}
	}
	return list
}
