package main

import (
	"context"
	"crypto/rand"
	"log"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const tasksExtension = "io.modelcontextprotocol/tasks"

// taskStore holds the answer of each task by its handle, "" until there is one.
// With several instances, it has to be a store that all of them share.
type taskStore struct {
	mu      sync.Mutex
	created map[string]time.Time
	tone    map[string]string
}

type taskParams struct {
	mcp.ParamsBase
	TaskID         string               `json:"taskId"`
	InputResponses mcp.InputResponseMap `json:"inputResponses"`
}

type taskResult struct {
	mcp.ResultBase
	ResultType    string              `json:"resultType"`
	TaskID        string              `json:"taskId,omitempty"`
	Status        string              `json:"status,omitempty"`
	CreatedAt     *time.Time          `json:"createdAt,omitempty"`
	LastUpdatedAt *time.Time          `json:"lastUpdatedAt,omitempty"`
	TTLMs         int                 `json:"ttlMs,omitempty"`
	PollMs        int                 `json:"pollIntervalMs,omitempty"`
	InputRequests mcp.InputRequestMap `json:"inputRequests,omitempty"`
	Result        *toolResult         `json:"result,omitempty"`
}

type toolResult struct {
	Content []mcp.Content `json:"content"`
}

func taskOptions() *mcp.ServerOptions {
	caps := &mcp.ServerCapabilities{}
	caps.AddExtension(tasksExtension, nil)
	return &mcp.ServerOptions{Capabilities: caps}
}

// addTasks adds the tool report, which becomes a task. go-sdk v1.8.0 has no
// tasks: the methods are custom, and a middleware returns the handle.
func (s *server) addTasks(m *mcp.Server) {
	s.tasks = taskStore{created: map[string]time.Time{}, tone: map[string]string{}}
	mcp.AddTool(m, &mcp.Tool{Name: "report"}, func(context.Context, *mcp.CallToolRequest,
		none) (*mcp.CallToolResult, any, error) {
		return say("A report without questions.")
	})
	m.AddReceivingMiddleware(s.startTasks)
	for method, handler := range map[string]func(context.Context, *mcp.ServerSession,
		*taskParams) (*taskResult, error){"tasks/get": s.getTask, "tasks/update": s.updateTask} {
		if err := mcp.AddReceivingCustomMethod(m, method, handler); err != nil {
			log.Fatal(err)
		}
	}
}

// startTasks answers a call of report with a handle, if the request declared
// the extension.
func (s *server) startTasks(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.(*mcp.CallToolRequest)
		if !ok || call.Params.Name != "report" || call.ClientCapabilities() == nil {
			return next(ctx, method, req)
		}
		if _, ok := call.ClientCapabilities().Extensions[tasksExtension]; !ok {
			return next(ctx, method, req)
		}
		s.tasks.mu.Lock()
		defer s.tasks.mu.Unlock()
		id := rand.Text()
		s.tasks.created[id] = time.Now().UTC()
		return s.describe(id, "task", "working"), nil
	}
}

func (s *server) getTask(_ context.Context, _ *mcp.ServerSession, p *taskParams) (*taskResult, error) {
	s.tasks.mu.Lock()
	defer s.tasks.mu.Unlock()
	// [tasks]
	if _, ok := s.tasks.created[p.TaskID]; !ok {
		return nil, invalid("unknown taskId")
	}
	tone := s.tasks.tone[p.TaskID] // tasks/update stored the answer
	if tone == "" {
		// The request is complete. The task is what needs input.
		t := s.describe(p.TaskID, "complete", "input_required")
		t.InputRequests = mcp.InputRequestMap{"tone-1": toneQuestion}
		return t, nil
	}
	t := s.describe(p.TaskID, "complete", "completed")
	t.Result = content("A " + tone + " report.")
	return t, nil
	// [/tasks]
}

func (s *server) updateTask(_ context.Context, _ *mcp.ServerSession, p *taskParams) (*taskResult, error) {
	s.tasks.mu.Lock()
	defer s.tasks.mu.Unlock()
	if _, ok := s.tasks.created[p.TaskID]; !ok {
		return nil, invalid("unknown taskId")
	}
	if answer := form(p.InputResponses, "tone-1"); answer != nil && answer.Action == "accept" {
		s.tasks.tone[p.TaskID], _ = answer.Content["tone"].(string)
	}
	return &taskResult{ResultType: "complete"}, nil
}

var toneQuestion = &mcp.ElicitParams{Message: "Which tone?", RequestedSchema: field("tone", "string")}

func content(text string) *toolResult {
	return &toolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func (s *server) describe(id, resultType, status string) *taskResult {
	created := s.tasks.created[id]
	return &taskResult{ResultType: resultType, TaskID: id, Status: status, CreatedAt: &created,
		LastUpdatedAt: &created, TTLMs: 600000, PollMs: 200}
}
