package serve

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Question is one entry of inputRequests.
type Question struct {
	Key string
	asker
	oneRound bool // the answer counts for one round only, see [Link]
}

// asker is a kind of question: form, link, sampling or roots.
type asker interface {
	method() string
	params() any
	// missing returns the capability that the question needs if the client did
	// not declare it.
	missing(mcp.ClientCapabilities) (name string, value map[string]any, ok bool)
	// Read parses an answer. It returns an error if the answer is malformed,
	// and a problem in words if the question must be asked again.
	Read(json.RawMessage) (a Answer, problem string, err error)
	// ask sends the question as a server-initiated request, for clients before
	// 2026-07-28.
	ask(context.Context, *mcp.ServerSession) (any, error)
	withProblem(problem string) asker
}

// WithProblem returns the question with the problem of the last answer before
// its message.
func (q Question) WithProblem(problem string) Question {
	if problem != "" {
		q.asker = q.asker.withProblem(problem)
	}
	return q
}

// MarshalJSON returns the value of the entry; the key is not part of it.
func (q Question) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Method string `json:"method"`
		Params any    `json:"params,omitempty"`
	}{q.method(), q.params()})
}

// Answer is the client's answer to a Question.
type Answer struct {
	Action  string         // accept, decline or cancel; always accept for sampling and roots
	Content map[string]any // of a form
	Message Message        // of sampling
	Roots   []Root         // of roots
}

// Accepted reports whether the action is accept.
func (a Answer) Accepted() bool { return a.Action == "accept" }

// compact returns the answer as the state stores it. It drops members that were
// not asked for, since the size of a state is limited.
func (a Answer) compact(raw json.RawMessage) json.RawMessage {
	if a.Message.Blocks != nil || a.Roots != nil {
		return raw
	}
	b, err := json.Marshal(struct {
		Action  string         `json:"action"`
		Content map[string]any `json:"content,omitempty"`
	}{a.Action, a.Content})
	if err != nil { // cannot happen: the content came from JSON
		return raw
	}
	return b
}

// Text returns a string of the form, or "".
func (a Answer) Text(field string) string { s, _ := a.Content[field].(string); return s }

// Number returns a number of the form, or 0.
func (a Answer) Number(field string) float64 { n, _ := a.Content[field].(float64); return n }

// Bool returns a boolean of the form, or false.
func (a Answer) Bool(field string) bool { b, _ := a.Content[field].(bool); return b }

// Texts returns the selected values of a multi-select, or nil.
func (a Answer) Texts(field string) []string {
	list, _ := a.Content[field].([]any)
	var texts []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

var errNotObject = errors.New("is not an object")

// Object parses a JSON object. It rejects null.
func Object(raw json.RawMessage) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return nil, errNotObject
	}
	return m, nil
}
