package sampletools

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// adjustConformance announces what the other samples have no use for.
func adjustConformance(o *mcp.ServerOptions) {
	o.Capabilities.Logging = &mcp.LoggingCapabilities{}
	o.Capabilities.Tools = &mcp.ToolCapabilities{ListChanged: true}
	o.Capabilities.Prompts = &mcp.PromptCapabilities{ListChanged: true}
	o.Capabilities.Resources = &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true}
	o.CompletionHandler = func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
	}
	o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
}

// extendConformance adds the fixtures that change the server itself, or need the SDK's own handlers.
func extendConformance(c Config, s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: "test://template/{id}/data", Name: "template", Description: "A resource with a parameter.", MIMEType: "application/json",
	}, readTemplate)
	s.AddTool(plainTool("test_trigger_tool_change", "Changes the list of tools."), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(plainTool("transient_tool", "Comes when the list of tools is changed."), answerText("called"))
		return said("tools changed"), nil
	})
	s.AddTool(plainTool("test_trigger_prompt_change", "Changes the list of prompts."), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddPrompt(&mcp.Prompt{Name: "transient_prompt", Description: "Comes when the list of prompts is changed."},
			func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
			})
		return said("prompts changed"), nil
	})
	s.AddTool(plainTool("test_reconnection", "Closes the stream in the middle of the call."), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Extra != nil && req.Extra.CloseSSEStream != nil {
			req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: sleepStep})
		}
		if err := c.Wait(ctx, sleepStep/5); err != nil {
			return nil, err
		}
		return said("Reconnection test completed successfully"), nil
	})
}

func plainTool(name, description string) *mcp.Tool {
	return &mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(noArguments)}
}

func answerText(s string) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return said(s), nil }
}

func said(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}
