package serve

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Form returns a question that asks the user to fill in a form. The schema is
// the requestedSchema as it is sent.
func Form(key, message, schema string) Question {
	return Question{Key: key, asker: form{message, json.RawMessage(schema)}}
}

// Form returns the message and the requestedSchema of a form, and false for
// another question.
func (q Question) Form() (message string, schema json.RawMessage, ok bool) {
	f, ok := q.asker.(form)
	return f.message, f.schema, ok
}

type form struct {
	message string
	schema  json.RawMessage
}

func (form) method() string { return "elicitation/create" }

// formParams omits mode: the default is "form".
type formParams struct {
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
}

func (f form) params() any { return formParams{f.message, f.schema} }

// missing follows client/elicitation: an empty elicitation object means form
// mode.
func (f form) missing(c mcp.ClientCapabilities) (string, map[string]any, bool) {
	e := c.Elicitation
	if e != nil && (e.Form != nil || e.URL == nil) {
		return "", nil, false
	}
	return "elicitation", map[string]any{"form": map[string]any{}}, true
}

// Read parses the answer and checks accepted content against the schema.
func (f form) Read(raw json.RawMessage) (Answer, string, error) {
	action, content, err := readElicited(raw)
	if err != nil || action != "accept" {
		return Answer{Action: action}, "", err
	}
	if content == nil {
		return Answer{}, "The form has no content.", nil
	}
	if problem := CheckContent(f.schema, content); problem != "" {
		return Answer{}, problem, nil
	}
	return Answer{Action: action, Content: content}, "", nil
}

// readElicited reads an ElicitResult. It ignores content unless the action is
// accept.
func readElicited(raw json.RawMessage) (action string, content map[string]any, err error) {
	m, err := Object(raw)
	if err != nil {
		return "", nil, err
	}
	if json.Unmarshal(m["action"], &action) != nil {
		return "", nil, errors.New("has no action")
	}
	switch action {
	case "accept":
		if c, ok := m["content"]; ok && json.Unmarshal(c, &content) != nil {
			return "", nil, errors.New("has content that is not an object")
		}
		return action, content, nil
	case "decline", "cancel":
		return action, nil, nil
	}
	return "", nil, errors.New("has an action that is not accept, decline or cancel")
}

func (f form) ask(ctx context.Context, s *mcp.ServerSession) (any, error) {
	return s.Elicit(ctx, &mcp.ElicitParams{Mode: "form", Message: f.message, RequestedSchema: f.schema})
}

func (f form) withProblem(problem string) asker {
	f.message = problem + " " + f.message
	return f
}
