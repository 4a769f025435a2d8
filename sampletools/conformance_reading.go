package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func userPrompt(parts ...mcp.Content) *promptResult {
	r := &promptResult{}
	for _, p := range parts {
		r.Messages = append(r.Messages, &mcp.PromptMessage{Role: "user", Content: p})
	}
	return r
}

func simplePrompt(context.Context, *Turn) (Result, error) {
	return userPrompt(&mcp.TextContent{Text: "This is a simple prompt for testing."}), nil
}

func argumentsPrompt(_ context.Context, t *Turn) (Result, error) {
	args, err := arguments[map[string]string](t)
	if err != nil {
		return nil, err
	}
	return userPrompt(&mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'",
		args["arg1"], args["arg2"])}), nil
}

func resourcePrompt(_ context.Context, t *Turn) (Result, error) {
	args, err := arguments[map[string]string](t)
	if err != nil {
		return nil, err
	}
	return userPrompt(
		embedded(args["resourceUri"], "Embedded resource content for testing."),
		&mcp.TextContent{Text: "Please process the embedded resource above."}), nil
}

func imagePrompt(context.Context, *Turn) (Result, error) {
	return userPrompt(redPixel(), &mcp.TextContent{Text: "Please analyze the image above."}), nil
}

const watchedURI = "test://watched-resource"

// conformanceResources returns the suite's resources. extendConformance adds
// the resource template. changes counts the changes of the watched resource.
func conformanceResources(changes *atomic.Int64) []resource {
	return []resource{
		{uri: "test://static-text", name: "static-text", description: "A static text.",
			mimeType: "text/plain",
			run:      contentsOf("This is the content of the static text resource.", nil)},
		{uri: "test://static-binary", name: "static-binary", description: "A static image.",
			mimeType: "image/png",
			run:      contentsOf("", redPixel().Data)},
		{uri: watchedURI, name: "watched-resource", description: "Can be subscribed to.",
			mimeType: "text/plain",
			run: func(ctx context.Context, t *Turn) (Result, error) {
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
func contentsOf(body string, blob []byte) script {
	return func(_ context.Context, t *Turn) (Result, error) {
		c := &mcp.ResourceContents{URI: t.Name, MIMEType: "text/plain", Text: body, Blob: blob}
		if blob != nil {
			c.MIMEType = "image/png"
		}
		return &resourceResult{Contents: []*mcp.ResourceContents{c}}, nil
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
