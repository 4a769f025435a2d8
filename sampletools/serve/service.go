package serve

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// Service has the offers of a server, with the code behind them.
type Service struct {
	Name         string // how the server names itself
	Title        string
	Instructions string
	Era          Era
	ID           string // in the origin of its tasks, so that another process finds their service
	Scope        string // what a requestState belongs to besides its call
	Owners       string // stands before the principal in the owner of a task
	Tools        []Tool
	Prompts      []Prompt
	Resources    []Resource
	Runner       *tasks.Runner            // runs the tasks that scripts start; may be nil
	Extensions   []string                 // announced by server/discover
	Extend       func(*mcp.Server, *Host) // adds methods that are no scripts; may be nil
	Handler      Answerer                 // serves instead of the SDK; may be nil
	Lenient      func(*Envelope) bool     // which requests the Handler gets unchecked; may be nil
	Adjust       func(*mcp.ServerOptions) // changes the SDK's options; may be nil
	// Deny answers a checked message that its sender may not send, or returns
	// false; may be nil.
	Deny func(*Envelope, http.ResponseWriter, *http.Request) bool
	// Principal returns who sends a request; nil if that is not known.
	Principal func(http.Header) string
}

// principal returns who sends a request with this header.
func (s *Service) principal(header http.Header) string {
	if s.Principal == nil {
		return Anonymous
	}
	return s.Principal(header)
}

// Anonymous is the principal of requests that name none.
const Anonymous = "anonymous"

// owner returns who owns a task of a principal.
func (s *Service) owner(principal string) string { return s.Owners + principal }

// Answerer answers a request of 2026-07-28 whose message was checked.
type Answerer func(m *Envelope, w http.ResponseWriter, r *http.Request)

// Script is a scenario's code. It runs from the top in every round.
type Script func(ctx context.Context, t *Turn) (Result, error)

// Tool is a tool with its script.
type Tool struct {
	Name, Title, Description string
	Input                    string // JSON Schema of the arguments
	Output                   string // JSON Schema of the structured content; may be empty
	Annotations              *mcp.ToolAnnotations
	Run                      Script
}

// Prompt is a prompt with its script.
type Prompt struct {
	Name, Title, Description string
	Arguments                []*mcp.PromptArgument
	Run                      Script
}

// Resource is a resource with its script.
type Resource struct {
	URI, Name, Title, Description, MIMEType string
	Run                                     Script
}

// newServer builds the SDK's server for one instance.
func (h *Host) newServer(c cluster.Instance) *mcp.Server {
	caps := &mcp.ServerCapabilities{}
	if len(h.Tools) > 0 {
		caps.Tools = &mcp.ToolCapabilities{} // the list never changes
	}
	if len(h.Prompts) > 0 {
		caps.Prompts = &mcp.PromptCapabilities{}
	}
	if len(h.Resources) > 0 {
		caps.Resources = &mcp.ResourceCapabilities{}
	}
	for _, name := range h.Extensions {
		caps.AddExtension(name, nil)
	}
	o := &mcp.ServerOptions{
		Instructions: h.Instructions,
		Capabilities: caps,
		GetSessionID: sessionID(c, h.config.Process),
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	}
	if h.Adjust != nil {
		h.Adjust(o)
	}
	implementation := h.implementation(c)
	s := mcp.NewServer(&implementation, o)
	h.register(s)
	if h.Extend != nil {
		h.Extend(s, h)
	}
	s.AddReceivingMiddleware(h.rounds(c))
	if h.Runner != nil {
		if err := registerTasks(s); err != nil { // fails only if the SDK adds these methods itself
			h.config.Log.Error("register tasks", "err", err)
		}
		s.AddReceivingMiddleware(h.taskMethods())
	}
	return s
}

// register lists the tools, prompts and resources with the SDK. The SDK never
// calls these handlers, because the middleware of rounds runs the scripts.
func (h *Host) register(s *mcp.Server) {
	for _, t := range h.Tools {
		listed := &mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description,
			InputSchema: json.RawMessage(t.Input), Annotations: t.Annotations}
		if t.Output != "" {
			listed.OutputSchema = json.RawMessage(t.Output)
		}
		s.AddTool(listed, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errUnreached
		})
	}
	for _, p := range h.Prompts {
		listed := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description,
			Arguments: p.Arguments}
		s.AddPrompt(listed, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return nil, errUnreached
		})
	}
	for _, r := range h.Resources {
		listed := &mcp.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description,
			MIMEType: r.MIMEType}
		s.AddResource(listed, func(context.Context,
			*mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return nil, errUnreached
		})
	}
}

// missingArgument returns the name of a required argument of a prompt that the
// request lacks, or "".
func (h *Host) missingArgument(t *Turn) string {
	for _, p := range h.Prompts {
		if t.Method != "prompts/get" || p.Name != t.Name {
			continue
		}
		given, err := Object(t.Arguments)
		for _, a := range p.Arguments {
			if _, ok := given[a.Name]; a.Required && (err != nil || !ok) {
				return a.Name
			}
		}
	}
	return ""
}

// script returns the code for a request, or nil if there is none.
func (h *Host) script(method, name string) Script {
	switch method {
	case "tools/call":
		for _, t := range h.Tools {
			if t.Name == name {
				return t.Run
			}
		}
	case "prompts/get":
		for _, p := range h.Prompts {
			if p.Name == name {
				return p.Run
			}
		}
	case "resources/read":
		for _, r := range h.Resources {
			if r.URI == name {
				return r.Run
			}
		}
	}
	return nil
}
