package sampletools

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// conformanceContents returns the suite's fixtures for kinds of content.
func conformanceContents() []serve.Tool {
	return []serve.Tool{
		// Its name sorts first: the suite's header scenario calls the first
		// tool of the list.
		fixture("at_once", "Answers at once.", contents(&mcp.TextContent{Text: "Done."})),
		fixture("test_simple_text", "Returns text.",
			contents(&mcp.TextContent{Text: "This is a simple text response for testing."})),
		fixture("test_image_content", "Returns an image.", contents(redPixel())),
		fixture("test_audio_content", "Returns audio.", contents(silence())),
		fixture("test_embedded_resource", "Returns a resource.",
			contents(embedded("test://embedded-resource", "This is an embedded resource content."))),
		fixture("test_multiple_content_types", "Returns text, an image and a resource.", contents(
			&mcp.TextContent{Text: "Multiple content types test:"}, redPixel(),
			embedded("test://mixed-content-resource", `{"test":"data","value":123}`))),
		fixture("test_error_handling", "Returns a tool error.",
			func(context.Context, *serve.Turn) (serve.Result, error) {
				return nil, serve.ToolErrorf("This tool intentionally returns an error for testing")
			}),
		fixture("greet", "Greets at once, never as a task.", greet),
		fixture("test_tool_with_progress", "Reports progress.", progressFixture),
		fixture("test_tool_with_logging", "Logs three messages.",
			loggingFixture("Tool execution started", "Tool processing data", "Tool execution completed")),
		fixture("test_logging_tool", "Logs one message, if the request has a log level.",
			loggingFixture("test_logging_tool executed")),
		{Name: "json_schema_2020_12_tool", Description: "Has a schema with much of JSON Schema 2020-12.",
			Input: schema202012,
			Run:   contents(&mcp.TextContent{Text: "called"})},
		{Name: "test_x_mcp_header", Description: "Mirrors an argument into a header.",
			Input: `{"type":"object","properties":{"region":{"type":"string","description":"mirrored ` +
				`into Mcp-Param-Region","x-mcp-header":"Region"},"level":{"type":"integer"}}}`,
			Run: contents(&mcp.TextContent{Text: "called"})},
		{Name: "mirrored_types", Description: "Mirrors arguments of every type that a header can have.",
			Input: `{"type":"object","properties":{"level":{"type":"integer","x-mcp-header":"Level"},` +
				`"dry":{"type":"boolean","x-mcp-header":"Dry-Run"},"place":{"type":"object","properties":{` +
				`"city":{"type":"string","x-mcp-header":"City"}}}}}`,
			Run: contents(&mcp.TextContent{Text: "called"})},
	}
}

// schema202012 is the schema that the suite expects to receive unchanged.
const schema202012 = `{
	"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
	"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},
		"city":{"type":"string"}}}},
	"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
		"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},
			"email":{"type":"string"}},
	"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
	"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
	"then":{"required":["phone"]},"else":{"required":["email"]},
	"additionalProperties":false}`

// contents returns a script that returns the content blocks.
func contents(c ...mcp.Content) serve.Script {
	return func(context.Context, *serve.Turn) (serve.Result, error) {
		return &serve.ToolResult{Content: c}, nil
	}
}

// embedded returns an embedded text resource. A body that starts with a brace
// is JSON.
func embedded(uri, body string) mcp.Content {
	mime := "text/plain"
	if body[0] == '{' {
		mime = "application/json"
	}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: mime, Text: body}}
}

// redPixel returns a PNG of one red pixel.
func redPixel() *mcp.ImageContent {
	return &mcp.ImageContent{MIMEType: "image/png", Data: unbase64(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")}
}

// silence returns a WAV file of one sample.
func silence() *mcp.AudioContent {
	return &mcp.AudioContent{MIMEType: "audio/wav", Data: unbase64(
		"UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")}
}

func unbase64(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil { // a test proves that the constants above are valid
		return nil
	}
	return b
}

func greet(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Name string `json:"name"`
	}](t)
	return serve.ResultOf(serve.Text("Hello, %s!", args.Name), err)
}

func progressFixture(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	for _, done := range []float64{0, 50, 100} {
		t.Progress(ctx, done, 100, fmt.Sprintf("Completed step %v of 100", done))
	}
	if t.ProgressToken == nil {
		return serve.Text("The request has no progress token."), nil
	}
	return serve.Text("%v", t.ProgressToken), nil
}

// loggingFixture returns a script that logs the messages.
func loggingFixture(messages ...string) serve.Script {
	return func(ctx context.Context, t *serve.Turn) (serve.Result, error) {
		for _, m := range messages {
			// The SDK drops the message if the client did not ask for logs. A
			// delivery error does not change the result.
			_ = t.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: m})
		}
		return serve.Text("Logged %d messages.", len(messages)), nil
	}
}
