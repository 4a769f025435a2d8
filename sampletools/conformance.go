package sampletools

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// conformance has every fixture that the official conformance suite calls, so
// that the suite tests the layers which all samples share. Names and texts are
// the suite's.
func conformance(c Config) scenario {
	changes := &atomic.Int64{}
	return scenario{
		Sample: Sample{
			Slug:    "conformance",
			Title:   "Conformance",
			Summary: "All fixtures of the official conformance suite.",
			Teaches: "The official suite tests what all samples share: 2026-07-28, 2025-11-25 and tasks.",
			Try: []string{
				"Run the suite: npx @modelcontextprotocol/conformance server --url …/mcp/conformance",
				"Call json_schema_2020_12_tool: its input schema uses most of JSON Schema 2020-12.",
			},
			Replay:    "The same retry gives the same result again. Tasks are kept for ten minutes.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1",
			Stream:    true,
			Start: Start{
				Label:  "Three rounds",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"test_input_required_result_multi_round","arguments":{}}`),
			},
		},
		runner:     newRunner(c, "conformance"),
		extensions: []string{tasks.Extension},
		tools: slices.Concat(conformanceRounds(), conformanceContents(), conformanceQuestions(),
			conformanceTasks(c)),
		prompts:   conformancePrompts(),
		resources: conformanceResources(changes),
		extend: func(s *mcp.Server, h *serve.Host) {
			extendConformance(c, s, h.Change)
			s.AddTool(plainTool("test_trigger_resource_change", "Changes the watched resource."),
				func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					changes.Add(1)
					return textResult("resource changed"), h.ResourceChanged(ctx, watchedURI)
				})
		},
		adjust: adjustConformance,
	}
}

const noArguments = `{"type":"object"}`

// fixture returns a tool without arguments.
func fixture(name, description string, run serve.Script) serve.Tool {
	return serve.Tool{Name: name, Description: description, Input: noArguments, Run: run}
}

// adjustConformance announces capabilities that the other samples do not use.
func adjustConformance(o *mcp.ServerOptions) {
	o.Capabilities.Logging = &mcp.LoggingCapabilities{}
	o.Capabilities.Tools = &mcp.ToolCapabilities{ListChanged: true}
	o.Capabilities.Prompts = &mcp.PromptCapabilities{ListChanged: true}
	o.Capabilities.Resources = &mcp.ResourceCapabilities{Subscribe: true} // the list never changes
	o.CompletionHandler = func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
	}
	o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
}

// extendConformance adds the fixtures that change the server itself or need the
// SDK's own handlers.
func extendConformance(c Config, s *mcp.Server, change func(string, func(*mcp.Server))) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: "test://template/{id}/data", Name: "template",
		Description: "A resource with a parameter.", MIMEType: "application/json",
	}, readTemplate)
	s.AddTool(plainTool("test_trigger_tool_change", "Changes the list of tools."),
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			change("tool", func(s *mcp.Server) {
				s.AddTool(plainTool("transient_tool", "Appears when the list of tools is changed."),
					answerText("called"))
			})
			return textResult("tools changed"), nil
		})
	s.AddTool(plainTool("test_trigger_prompt_change", "Changes the list of prompts."),
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			change("prompt", func(s *mcp.Server) {
				s.AddPrompt(&mcp.Prompt{Name: "transient_prompt",
					Description: "Appears when the list of prompts is changed."}, emptyPrompt)
			})
			return textResult("prompts changed"), nil
		})
	s.AddTool(plainTool("test_reconnection", "Closes the stream in the middle of the call."),
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Extra != nil && req.Extra.CloseSSEStream != nil {
				req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: sleepStep})
			}
			if err := c.Wait(ctx, sleepStep/5); err != nil {
				return nil, err
			}
			return textResult("Reconnection test completed successfully"), nil
		})
}

func emptyPrompt(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
}

// plainTool returns a tool for the SDK's own handlers.
func plainTool(name, description string) *mcp.Tool {
	return &mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(noArguments)}
}

func answerText(s string) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return textResult(s), nil
	}
}

func textResult(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}
