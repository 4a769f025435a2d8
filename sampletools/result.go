package sampletools

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inputRequired is an InputRequiredResult as the specification draws it. The SDK's own types cannot
// leave inputRequests out next to a state, and put an empty content beside it.
type inputRequired struct {
	mcp.ResultBase
	ResultType    string              `json:"resultType"`
	InputRequests map[string]Question `json:"inputRequests,omitempty"`
	RequestState  *string             `json:"requestState,omitempty"`
}

// A Result is what a script ends with. The SDK sets resultType only on what its own handlers
// return, so these are types of our own.
type Result interface {
	mcp.Result
	finish() // marks the result complete, as 2026-07-28 wants and older revisions do not know
}

type toolResult struct {
	mcp.ResultBase
	ResultType        string        `json:"resultType,omitempty"`
	Content           []mcp.Content `json:"content"`
	StructuredContent any           `json:"structuredContent,omitempty"`
	IsError           bool          `json:"isError,omitempty"`
}

func (r *toolResult) finish() { r.ResultType = "complete" }

type promptResult struct {
	mcp.ResultBase
	ResultType  string               `json:"resultType,omitempty"`
	Description string               `json:"description,omitempty"`
	Messages    []*mcp.PromptMessage `json:"messages"`
}

func (r *promptResult) finish() { r.ResultType = "complete" }

// resourceResult is private to the person who answered, and stale at once.
type resourceResult struct {
	mcp.ResultBase
	ResultType string                  `json:"resultType,omitempty"`
	Contents   []*mcp.ResourceContents `json:"contents"`
	TTLMs      *int                    `json:"ttlMs,omitempty"`
	CacheScope string                  `json:"cacheScope,omitempty"`
}

func (r *resourceResult) finish() {
	r.ResultType, r.TTLMs, r.CacheScope = "complete", new(int), "private"
}

// text is a result of one piece of text.
func text(format string, a ...any) *toolResult {
	return &toolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, a...)}}}
}

// failure is a result that says the tool could not do it.
func failure(message string) *toolResult {
	r := text("%s", message)
	r.IsError = true
	return r
}

// A toolError is the caller's mistake, said in words a model can act on: isError for a tool,
// -32602 where a result has no such flag.
type toolError string

func (e toolError) Error() string { return string(e) }

func toolErrorf(format string, a ...any) error { return toolError(fmt.Sprintf(format, a...)) }

// arguments reads a call's arguments.
func arguments[T any](t *Turn) (T, error) {
	var v T
	if len(t.Arguments) == 0 {
		return v, nil
	}
	if err := json.Unmarshal(t.Arguments, &v); err != nil {
		return v, toolErrorf("The arguments do not fit the tool's input schema: %v.", err)
	}
	return v, nil
}

// refused ends a call whose question got no yes. Declining and walking away are different things
// (client/elicitation, response actions), so the texts differ.
func refused(a Answer, declined, cancelled string) *toolResult {
	if a.Action == "decline" {
		return text("%s", declined)
	}
	return text("%s", cancelled)
}
