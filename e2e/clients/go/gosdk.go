package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type goSession struct{ *mcp.ClientSession }

// goSDK connects a client of the official Go SDK.
func goSDK(ctx context.Context, url string, u *user) (session, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1.8.0"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{},
				URL: &mcp.URLElicitationCapabilities{}},
			Sampling: &mcp.SamplingCapabilities{},
			RootsV2:  &mcp.RootCapabilities{},
		},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			action, content := u.elicit(r.Params.URL, r.Params.RequestedSchema)
			return &mcp.ElicitResult{Action: action, Content: content}, nil
		},
		CreateMessageHandler: func(context.Context,
			*mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "none",
				Content: &mcp.TextContent{Text: "5"}}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///home/ada/project", Name: "project"})
	s, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, MaxRetries: -1, DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	return goSession{s}, err
}

func (s goSession) tools(ctx context.Context) ([]tool, error) {
	var list []tool
	for t, err := range s.Tools(ctx, nil) {
		if err != nil {
			return list, err
		}
		list = append(list, tool{t.Name, schemaOf(t.InputSchema)})
	}
	return list, nil
}

func (s goSession) prompts(ctx context.Context) (names []string, err error) {
	for p, err := range s.Prompts(ctx, nil) {
		if err != nil {
			return names, err
		}
		names = append(names, p.Name)
	}
	return names, nil
}

func (s goSession) resources(ctx context.Context) (uris []string, err error) {
	for r, err := range s.Resources(ctx, nil) {
		if err != nil {
			return uris, err
		}
		uris = append(uris, r.URI)
	}
	return uris, nil
}

func (s goSession) templates(ctx context.Context) error {
	for _, err := range s.ResourceTemplates(ctx, nil) {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s goSession) call(ctx context.Context, name string, arguments map[string]any) error {
	_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	return err
}

func (s goSession) get(ctx context.Context, prompt string) error {
	_, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: prompt})
	return err
}

func (s goSession) read(ctx context.Context, uri string) error {
	_, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	return err
}

func (s goSession) close() { _ = s.Close() }
