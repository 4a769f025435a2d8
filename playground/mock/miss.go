package mock

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Miss says that a request was never recorded.
type Miss struct {
	Method  string
	Known   []string // the methods that were recorded, each once
	Name    string   // of the tool or prompt, or the URI, if it was never called; else empty
	Names   []string // of those that were
	Earlier bool     // the client speaks an earlier revision than what was recorded
	Nearest *Near    // nil if no request with the method was recorded
}

// Near is the recorded request that is the nearest to one that was not.
type Near struct {
	Request     int          `json:"request"` // its number, from 1
	Method      string       `json:"method"`
	Name        string       `json:"name,omitempty"`
	Differences []Difference `json:"differences"`
	More        int          `json:"more,omitempty"` // differences that are not listed
}

// Difference is one difference between a request and the nearest recorded one.
type Difference struct {
	Path string `json:"path"`     // JSON Pointer into params
	Was  string `json:"recorded"` // as JSON; "nothing" if it was not there
	Is   string `json:"sent"`
}

// Limits of a Miss. Requests come from strangers.
const (
	mostNear        = 100      // recorded requests that are compared
	mostCompared    = 64 << 10 // bytes of a request that is compared
	mostDifferences = 5
	mostKnown       = 12
	mostShown       = 120 // characters of a value
)

// miss finds the nearest recorded request.
func (r *Recording) miss(method string, params *jsontree.Node) *Miss {
	m := &Miss{Method: method, Earlier: method == playground.Initialize && !r.legacy}
	name := playground.NameIn(method, params)
	for _, e := range r.entries {
		if e.http == "" && !slices.Contains(m.Known, e.method) && len(m.Known) < mostKnown {
			m.Known = append(m.Known, e.method)
		}
	}
	for _, e := range r.methods[method] {
		if e.name != "" && !slices.Contains(m.Names, e.name) && len(m.Names) < mostKnown {
			m.Names = append(m.Names, e.name)
		}
	}
	if playground.IsCall(method) && name != "" && !slices.Contains(m.Names, name) {
		m.Name = name
	}
	var best *entry
	var changes []jsontree.Change
	candidates := r.methods[method]
	for _, e := range candidates[:min(mostNear, len(candidates))] {
		var found []jsontree.Change
		if len(params.Raw()) <= mostCompared && len(e.params.Raw()) <= mostCompared {
			found = jsontree.Diff(e.params, params)
		}
		if best == nil || weight(found) < weight(changes) {
			best, changes = e, found
		}
	}
	if best == nil {
		return m
	}
	m.Nearest = &Near{Request: best.n, Method: best.method, Name: best.name, Differences: []Difference{}}
	for i, c := range changes {
		if i == mostDifferences {
			m.Nearest.More = len(changes) - i
			break
		}
		m.Nearest.Differences = append(m.Nearest.Differences,
			Difference{jsontree.Pointer(c.Path...), shown(c.Before), shown(c.After)})
	}
	return m
}

// weight orders recorded requests by their distance. One with another name or state is further
// away than one with other arguments, and a retry is furthest from what is none.
func weight(changes []jsontree.Change) int {
	n := len(changes)
	for _, c := range changes {
		switch {
		case len(c.Path) == 1 && c.Path[0] == playground.InputResponses:
			n += 20
		case len(c.Path) == 1:
			n += 10
		}
	}
	return n
}

func shown(n *jsontree.Node) string {
	if n == nil {
		return "nothing"
	}
	return text.Visible(string(n.Raw()), mostShown)
}

// Error returns what a client is told, in one line.
func (m *Miss) Error() string {
	method := text.Visible(m.Method, mostShown)
	switch {
	case m.Earlier:
		return "This recording has no initialize: it was recorded with MCP " + wire.ProtocolVersion +
			", and this client speaks an earlier revision."
	case m.Name != "" && m.Nearest != nil:
		return fmt.Sprintf("This recording has no %s of %q, only of %s. The nearest is request %d.", method,
			text.Visible(m.Name, mostShown), text.Visible(strings.Join(m.Names, ", "), 400),
			m.Nearest.Request)
	}
	if m.Nearest == nil {
		return fmt.Sprintf(
			"This recording has no %s. It has %s.",
			method,
			text.Visible(strings.Join(m.Known, ", "), 400),
		)
	}
	near := fmt.Sprintf("request %d", m.Nearest.Request)
	if m.Nearest.Name != "" {
		near += " (" + text.Visible(m.Nearest.Name, mostShown) + ")"
	}
	s := fmt.Sprintf("This recording has no such %s. The nearest is %s", method, near)
	if len(m.Nearest.Differences) == 0 {
		return s + "; both are too large to say how they differ."
	}
	var parts []string
	for _, d := range m.Nearest.Differences {
		parts = append(parts, fmt.Sprintf("%s is %s, recorded: %s", d.Path, d.Is, d.Was))
	}
	s += ", but " + strings.Join(parts, "; ")
	if m.Nearest.More > 0 {
		s += fmt.Sprintf("; and %s", text.Plural(m.Nearest.More, "more difference"))
	}
	return s + "."
}

// Codes of JSON-RPC for a request that was not recorded.
const (
	methodNotFound = -32601
	invalidParams  = -32602
)

// reply returns the error as the response to a request.
func (m *Miss) reply(id *jsontree.Node, legacy bool) Reply {
	code, status := invalidParams, 400
	if m.Nearest == nil {
		code, status = methodNotFound, 404
	}
	if legacy {
		status = 200 // another one would end the session
	}
	data := map[string]any{"recorded": m.Known}
	if m.Nearest != nil {
		data = map[string]any{"nearest": m.Nearest}
	}
	return errorReply(status, code, m.Error(), data, id)
}

// errorReply returns an error that the recording answers in its own name.
func errorReply(status, code int, message string, data any, id *jsontree.Node) Reply {
	e := map[string]any{"code": code, "message": message}
	if data != nil {
		e["data"] = data
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": nil, "error": e}
	if id != nil {
		answer["id"] = json.RawMessage(id.Raw())
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic("write an error: " + err.Error()) // an id that was parsed
	}
	return Reply{Status: status, Body: body, Own: message}
}
