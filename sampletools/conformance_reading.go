package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

func userPrompt(parts ...mcp.Content) *serve.PromptResult {
	r := &serve.PromptResult{}
	for _, p := range parts {
		r.Messages = append(r.Messages, &mcp.PromptMessage{Role: "user", Content: p})
	}
	return r
}

func simplePrompt(context.Context, *serve.Turn) (serve.Result, error) {
	return userPrompt(&mcp.TextContent{Text: "This is a simple prompt for testing."}), nil
}

func argumentsPrompt(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[map[string]string](t)
	if err != nil {
		return nil, err
	}
	return userPrompt(&mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'",
		args["arg1"], args["arg2"])}), nil
}

func resourcePrompt(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[map[string]string](t)
	if err != nil {
		return nil, err
	}
	return userPrompt(
		embedded(args["resourceUri"], "Embedded resource content for testing."),
		&mcp.TextContent{Text: "Please process the embedded resource above."}), nil
}

func imagePrompt(context.Context, *serve.Turn) (serve.Result, error) {
	return userPrompt(redPixel(), &mcp.TextContent{Text: "Please analyze the image above."}), nil
}

const watchedURI = "test://watched-resource"

// conformanceResources returns the suite's resources. extendConformance adds
// the resource template. changes counts the changes of the watched resource.
func conformanceResources(changes *atomic.Int64) []serve.Resource {
	return []serve.Resource{
		{URI: "test://static-text", Name: "static-text", Description: "A static text.",
			MIMEType: "text/plain",
			Run:      contentsOf("This is the content of the static text resource.", nil)},
		{URI: "test://static-binary", Name: "static-binary", Description: "A static image.",
			MIMEType: "image/png",
			Run:      contentsOf("", redPixel().Data)},
		{URI: watchedURI, Name: "watched-resource", Description: "Can be subscribed to.",
			MIMEType: "text/plain",
			Run: func(ctx context.Context, t *serve.Turn) (serve.Result, error) {
				body := "Watched resource content"
				if n := changes.Load(); n > 0 {
					body += fmt.Sprintf(", change %d", n)
				}
				return contentsOf(body, nil)(ctx, t)
			}},
	}
}

// contentsOf returns a script that returns the resource's text, or its image if
// blob is not nil.
func contentsOf(body string, blob []byte) serve.Script {
	return func(_ context.Context, t *serve.Turn) (serve.Result, error) {
		c := &mcp.ResourceContents{URI: t.Name, MIMEType: "text/plain", Text: body, Blob: blob}
		if blob != nil {
			c.MIMEType = "image/png"
		}
		return &serve.ResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
	}
}

var templateURI = regexp.MustCompile(`^test://template/([^/]*)/data$`)

// readTemplate reads test://template/{id}/data.
func readTemplate(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	m := templateURI.FindStringSubmatch(req.Params.URI)
	if m == nil {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	body, err := json.Marshal(map[string]any{"id": m[1], "templateTest": true,
		"data": "Data for ID: " + m[1]})
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI,
		MIMEType: "application/json", Text: string(body)}}}, nil
}
