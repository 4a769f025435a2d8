package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inputRequired is an InputRequiredResult. The SDK's own type cannot omit
// inputRequests next to a state, and adds an empty content.
type inputRequired struct {
	mcp.ResultBase
	ResultType    string    `json:"resultType"`
	InputRequests questions `json:"inputRequests,omitempty"`
	RequestState  *string   `json:"requestState,omitempty"`
}

// questions is inputRequests in the order in which the server asks. The order has no
// meaning on the wire; people read it.
type questions []Question

// MarshalJSON implements json.Marshaler.
func (q questions) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, one := range q {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := json.Marshal(one.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(one)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// Result is the final result of a script. The types are our own because the SDK
// sets resultType only on results of its own handlers.
type Result interface {
	mcp.Result
	finish() // sets resultType to complete, which legacy revisions do not have
}

// ToolResult is the result of a tool.
type ToolResult struct {
	mcp.ResultBase
	ResultType        string        `json:"resultType,omitempty"`
	Content           []mcp.Content `json:"content"`
	StructuredContent any           `json:"structuredContent,omitempty"`
	IsError           bool          `json:"isError,omitempty"`
}

func (r *ToolResult) finish() { r.ResultType = "complete" }

// PromptResult is the result of a prompt.
type PromptResult struct {
	mcp.ResultBase
	ResultType  string               `json:"resultType,omitempty"`
	Description string               `json:"description,omitempty"`
	Messages    []*mcp.PromptMessage `json:"messages"`
}

func (r *PromptResult) finish() { r.ResultType = "complete" }

// ResourceResult must not be cached: it is private to the user who answered,
// and its ttlMs is 0.
type ResourceResult struct {
	mcp.ResultBase
	ResultType string                  `json:"resultType,omitempty"`
	Contents   []*mcp.ResourceContents `json:"contents"`
	TTLMs      *int                    `json:"ttlMs,omitempty"`
	CacheScope string                  `json:"cacheScope,omitempty"`
}

func (r *ResourceResult) finish() {
	r.ResultType, r.TTLMs, r.CacheScope = "complete", new(int), "private"
}

// Text returns a result with one text block.
func Text(format string, a ...any) *ToolResult {
	return &ToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, a...)}}}
}

// WithStructured adds structured content, and the same as a text block for
// clients that do not read it (server/tools, "Structured Content").
func (r *ToolResult) WithStructured(content any) (*ToolResult, error) {
	b, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("structured content: %w", err)
	}
	r.StructuredContent = content
	r.Content = append(r.Content, &mcp.TextContent{Text: string(b)})
	return r, nil
}

// Failure returns a result with isError set.
func Failure(message string) *ToolResult {
	r := Text("%s", message)
	r.IsError = true
	return r
}

// ToolError is a mistake of the caller, in words that a model can act on. A
// tool call reports it with isError, other methods with -32602.
type ToolError string

func (e ToolError) Error() string { return string(e) }

// ToolErrorf returns a ToolError.
func ToolErrorf(format string, a ...any) error { return ToolError(fmt.Sprintf(format, a...)) }

// Arguments parses the call's arguments.
func Arguments[T any](t *Turn) (T, error) {
	var v T
	if len(t.Arguments) == 0 {
		return v, nil
	}
	err := json.Unmarshal(t.Arguments, &v)
	var misfit *json.UnmarshalTypeError
	switch {
	case errors.As(err, &misfit) && misfit.Field != "":
		return v, ToolErrorf("The arguments do not fit the tool's input schema: %s must not be of type %s.",
			misfit.Field, strings.Fields(misfit.Value)[0])
	case err != nil:
		return v, ToolErrorf("The arguments do not fit the tool's input schema.")
	}
	return v, nil
}

// Refused returns the result of a question that was declined or cancelled. The
// two actions have different meanings (client/elicitation, response actions),
// so the texts differ.
func Refused(a Answer, declined, cancelled string) *ToolResult {
	if a.Action == "decline" {
		return Text("%s", declined)
	}
	return Text("%s", cancelled)
}
