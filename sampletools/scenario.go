package sampletools

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// scenario is a sample with the code behind it.
type scenario struct {
	Sample
	server       string // how the server names itself; empty for the slug
	instructions string
	tools        []tool
	prompts      []prompt
	resources    []resource
	runner       *tasks.Runner            // runs the tasks that scripts start; may be nil
	extensions   []string                 // announced by server/discover
	extend       func(*mcp.Server, *host) // adds what is not a script; may be nil
	handler      answerer                 // serves instead of the SDK; may be nil
	lenient      func(*envelope) bool     // which requests the handler gets unchecked; may be nil
	pages        http.Handler             // the sample's own pages and plain API; may be nil
	adjust       func(*mcp.ServerOptions) // changes the SDK's options; may be nil
	guard        *guard                   // admits requests with access tokens only; may be nil
}

// answerer answers a request of 2026-07-28 whose message was checked.
type answerer func(m *envelope, w http.ResponseWriter, r *http.Request)

// script is a scenario's code. It runs from the top in every round.
type script func(ctx context.Context, t *Turn) (Result, error)

// tool is a tool with its script.
type tool struct {
	name, title, description string
	input                    string // JSON Schema of the arguments
	output                   string // JSON Schema of the structured content; may be empty
	scope                    string // that a token must have; empty if any will do
	run                      script
}

// prompt is a prompt with its script.
type prompt struct {
	name, title, description string
	arguments                []*mcp.PromptArgument
	run                      script
}

// resource is a resource with its script.
type resource struct {
	uri, name, title, description, mimeType string
	run                                     script
}

// newServer builds the SDK's server for one instance.
func (h *host) newServer(c cluster.Instance) *mcp.Server {
	caps := &mcp.ServerCapabilities{}
	if len(h.tools) > 0 {
		caps.Tools = &mcp.ToolCapabilities{} // the list never changes
	}
	if len(h.prompts) > 0 {
		caps.Prompts = &mcp.PromptCapabilities{}
	}
	if len(h.resources) > 0 {
		caps.Resources = &mcp.ResourceCapabilities{}
	}
	for _, name := range h.extensions {
		caps.AddExtension(name, nil)
	}
	o := &mcp.ServerOptions{
		Instructions: h.instructions,
		Capabilities: caps,
		GetSessionID: sessionID(c, h.config.Process),
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	}
	if h.adjust != nil {
		h.adjust(o)
	}
	implementation := h.implementation(c)
	s := mcp.NewServer(&implementation, o)
	h.register(s)
	if h.extend != nil {
		h.extend(s, h)
	}
	s.AddReceivingMiddleware(h.rounds(c))
	if h.runner != nil {
		if err := registerTasks(s); err != nil { // fails only if the SDK adds these methods itself
			h.config.Log.Error("register tasks", "sample", h.pool(), "err", err)
		}
		s.AddReceivingMiddleware(h.taskMethods())
	}
	return s
}

// register lists the tools, prompts and resources with the SDK. The SDK never
// calls these handlers, because the middleware of rounds runs the scripts.
func (h *host) register(s *mcp.Server) {
	for _, t := range h.tools {
		listed := &mcp.Tool{Name: t.name, Title: t.title, Description: t.description,
			InputSchema: json.RawMessage(t.input)}
		if t.output != "" {
			listed.OutputSchema = json.RawMessage(t.output)
		}
		s.AddTool(listed, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errUnreached
		})
	}
	for _, p := range h.prompts {
		listed := &mcp.Prompt{Name: p.name, Title: p.title, Description: p.description,
			Arguments: p.arguments}
		s.AddPrompt(listed, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return nil, errUnreached
		})
	}
	for _, r := range h.resources {
		listed := &mcp.Resource{URI: r.uri, Name: r.name, Title: r.title, Description: r.description,
			MIMEType: r.mimeType}
		s.AddResource(listed, func(context.Context,
			*mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return nil, errUnreached
		})
	}
}

// missingArgument returns the name of a required argument of a prompt that the
// request lacks, or "".
func (h *host) missingArgument(t *Turn) string {
	for _, p := range h.prompts {
		if t.Method != "prompts/get" || p.name != t.Name {
			continue
		}
		given, err := object(t.Arguments)
		for _, a := range p.arguments {
			if _, ok := given[a.Name]; a.Required && (err != nil || !ok) {
				return a.Name
			}
		}
	}
	return ""
}

// script returns the code for a request, or nil if there is none.
func (h *host) script(method, name string) script {
	switch method {
	case "tools/call":
		for _, t := range h.tools {
			if t.name == name {
				return t.run
			}
		}
	case "prompts/get":
		for _, p := range h.prompts {
			if p.name == name {
				return p.run
			}
		}
	case "resources/read":
		for _, r := range h.resources {
			if r.uri == name {
				return r.run
			}
		}
	}
	return nil
}
