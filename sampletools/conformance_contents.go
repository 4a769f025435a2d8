package sampletools

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// conformanceContents returns the suite's fixtures for kinds of content.
func conformanceContents() []tool {
	return []tool{
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
			func(context.Context, *Turn) (Result, error) {
				return nil, toolErrorf("This tool intentionally returns an error for testing")
			}),
		fixture("greet", "Greets at once, never as a task.", greet),
		fixture("test_tool_with_progress", "Reports progress.", progressFixture),
		fixture("test_tool_with_logging", "Logs three messages.",
			loggingFixture("Tool execution started", "Tool processing data", "Tool execution completed")),
		fixture("test_logging_tool", "Logs one message, if the request has a log level.",
			loggingFixture("test_logging_tool executed")),
		{name: "json_schema_2020_12_tool", description: "Has a schema with much of JSON Schema 2020-12.",
			input: schema202012,
			run:   contents(&mcp.TextContent{Text: "called"})},
		{name: "test_x_mcp_header", description: "Mirrors an argument into a header.",
			input: `{"type":"object","properties":{"region":{"type":"string","description":"mirrored ` +
				`into Mcp-Param-Region","x-mcp-header":"Region"},"level":{"type":"integer"}}}`,
			run: contents(&mcp.TextContent{Text: "called"})},
		{name: "mirrored_types", description: "Mirrors arguments of every type that a header can have.",
			input: `{"type":"object","properties":{"level":{"type":"integer","x-mcp-header":"Level"},` +
				`"dry":{"type":"boolean","x-mcp-header":"Dry-Run"},"place":{"type":"object","properties":{` +
				`"city":{"type":"string","x-mcp-header":"City"}}}}}`,
			run: contents(&mcp.TextContent{Text: "called"})},
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
func contents(c ...mcp.Content) script {
	return func(context.Context, *Turn) (Result, error) { return &toolResult{Content: c}, nil }
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

func greet(_ context.Context, t *Turn) (Result, error) {
	args, err := arguments[struct {
		Name string `json:"name"`
	}](t)
	return result(text("Hello, %s!", args.Name), err)
}

func progressFixture(ctx context.Context, t *Turn) (Result, error) {
	for _, done := range []float64{0, 50, 100} {
		t.Progress(ctx, done, 100, fmt.Sprintf("Completed step %v of 100", done))
	}
	if t.progressToken == nil {
		return text("The request has no progress token."), nil
	}
	return text("%v", t.progressToken), nil
}

// loggingFixture returns a script that logs the messages.
func loggingFixture(messages ...string) script {
	return func(ctx context.Context, t *Turn) (Result, error) {
		for _, m := range messages {
			// The SDK drops the message if the client did not ask for logs. A
			// delivery error does not change the result.
			_ = t.session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: m})
		}
		return text("Logged %d messages.", len(messages)), nil
	}
}
