package main

import (
	"context"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type mcpGoSession struct{ *client.Client }

// mcpGoUser answers for mcp-go.
type mcpGoUser struct{ *user }

func (u mcpGoUser) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	action, content := u.elicit(r.Params.URL, r.Params.RequestedSchema)
	var result mcp.ElicitationResult
	result.Action = mcp.ElicitationResponseAction(action)
	if content != nil {
		result.Content = content
	}
	return &result, nil
}

func (mcpGoUser) CreateMessage(context.Context, mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	return &mcp.CreateMessageResult{Model: "none",
		SamplingMessage: mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent("5")}}, nil
}

func (mcpGoUser) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: "file:///home/ada/project", Name: "project"}}}, nil
}

// mcpGo connects a client of mark3labs/mcp-go.
func mcpGo(ctx context.Context, url string, u *user) (session, error) {
	t, err := transport.NewStreamableHTTP(url)
	if err != nil {
		return nil, err
	}
	answers := mcpGoUser{u}
	c := client.NewClient(t, client.WithElicitationHandler(answers), client.WithSamplingHandler(answers),
		client.WithRootsHandler(answers), client.WithProtocolVersion("2026-07-28"),
		client.WithClientCapabilities(mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{
			Form: &struct{}{}, URL: &struct{}{}}}))
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	var r mcp.InitializeRequest
	r.Params.ClientInfo = mcp.Implementation{Name: "mcp-go", Version: "1.2.1"}
	_, err = c.Initialize(ctx, r)
	return mcpGoSession{c}, err
}

func (s mcpGoSession) tools(ctx context.Context) ([]tool, error) {
	result, err := s.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	var list []tool
	for _, t := range result.Tools {
		list = append(list, tool{t.Name, schemaOf(t.InputSchema)})
	}
	return list, nil
}

func (s mcpGoSession) prompts(ctx context.Context) (names []string, err error) {
	result, err := s.ListPrompts(ctx, mcp.ListPromptsRequest{})
	if err != nil {
		return nil, err
	}
	for _, p := range result.Prompts {
		names = append(names, p.Name)
	}
	return names, nil
}

func (s mcpGoSession) resources(ctx context.Context) (uris []string, err error) {
	result, err := s.ListResources(ctx, mcp.ListResourcesRequest{})
	if err != nil {
		return nil, err
	}
	for _, r := range result.Resources {
		uris = append(uris, r.URI)
	}
	return uris, nil
}

func (s mcpGoSession) templates(ctx context.Context) error {
	_, err := s.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
	return err
}

func (s mcpGoSession) call(ctx context.Context, name string, arguments map[string]any) error {
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = name, arguments
	_, err := s.CallTool(ctx, r)
	return err
}

func (s mcpGoSession) get(ctx context.Context, prompt string) error {
	var r mcp.GetPromptRequest
	r.Params.Name = prompt
	_, err := s.GetPrompt(ctx, r)
	return err
}

func (s mcpGoSession) read(ctx context.Context, uri string) error {
	var r mcp.ReadResourceRequest
	r.Params.URI = uri
	_, err := s.ReadResource(ctx, r)
	return err
}

func (s mcpGoSession) close() { _ = s.Close() }
