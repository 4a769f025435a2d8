package sampletools

import (
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// scenario is a sample with the code behind it.
type scenario struct {
	Sample
	serverName   string // how the server names itself; empty for the slug
	instructions string
	tools        []serve.Tool
	prompts      []serve.Prompt
	resources    []serve.Resource
	runner       *tasks.Runner                  // runs the tasks that scripts start; may be nil
	extensions   []string                       // announced by server/discover
	extend       func(*mcp.Server, *serve.Host) // adds methods that are no scripts; may be nil
	handler      serve.Answerer                 // serves instead of the SDK; may be nil
	lenient      func(*serve.Envelope) bool     // which requests the handler gets unchecked; may be nil
	pages        http.Handler                   // the sample's own pages and plain API; may be nil
	adjust       func(*mcp.ServerOptions)       // changes the SDK's options; may be nil
	guard        *guard                         // admits requests with access tokens only; may be nil
	scopes       map[string]string              // that a token must have, by tool; others need any token
}
