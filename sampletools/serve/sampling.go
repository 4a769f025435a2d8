package serve

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Sampling returns a question to the client's model. Params are the params of a
// CreateMessageRequest as they are sent.
func Sampling(key, params string) Question {
	return Question{Key: key, asker: sampling{json.RawMessage(params)}}
}

// Message is a model's answer.
type Message struct {
	Role       string
	Model      string
	StopReason string
	Blocks     []Block
}

// Block is one content block of a Message.
type Block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`    // of tool_use
	Name  string          `json:"name"`  // of tool_use
	Input json.RawMessage `json:"input"` // of tool_use
}

// Text joins the text blocks.
func (m Message) Text() string {
	var s string
	for _, b := range m.Blocks {
		if b.Type == "text" {
			s += b.Text
		}
	}
	return s
}

type sampling struct{ raw json.RawMessage }

func (sampling) method() string { return "sampling/createMessage" }

func (s sampling) params() any { return s.raw }

// missing requires sampling.tools only if the request has tools
// (client/sampling, capabilities).
func (s sampling) missing(c mcp.ClientCapabilities) (string, map[string]any, bool) {
	var p struct {
		Tools json.RawMessage `json:"tools"`
	}
	withTools := json.Unmarshal(s.raw, &p) == nil && p.Tools != nil
	switch {
	case withTools && (c.Sampling == nil || c.Sampling.Tools == nil):
		return "sampling", map[string]any{"tools": map[string]any{}}, true
	case c.Sampling == nil:
		return "sampling", map[string]any{}, true
	}
	return "", nil, false
}

func (s sampling) Read(raw json.RawMessage) (Answer, string, error) {
	var m struct {
		Role       string          `json:"role"`
		Model      string          `json:"model"`
		StopReason string          `json:"stopReason"`
		Content    json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &m) != nil || m.Role == "" {
		return Answer{}, "", errors.New("is not a CreateMessageResult")
	}
	blocks, err := readBlocks(m.Content)
	if err != nil {
		return Answer{}, "", err
	}
	return Answer{Action: "accept", Message: Message{m.Role, m.Model, m.StopReason, blocks}}, "", nil
}

// readBlocks parses content, which is one block or an array of blocks.
func readBlocks(raw json.RawMessage) ([]Block, error) {
	var one Block
	if json.Unmarshal(raw, &one) == nil && one.Type != "" {
		return []Block{one}, nil
	}
	var many []Block
	if json.Unmarshal(raw, &many) != nil || len(many) == 0 {
		return nil, errors.New("has no content block")
	}
	return many, nil
}

func (s sampling) ask(ctx context.Context, session *mcp.ServerSession) (any, error) {
	var p mcp.CreateMessageWithToolsParams
	if err := json.Unmarshal(s.raw, &p); err != nil {
		return nil, err
	}
	return session.CreateMessageWithTools(ctx, &p)
}

func (s sampling) withProblem(string) asker { return s }
