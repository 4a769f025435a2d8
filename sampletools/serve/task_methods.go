package serve

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// taskParams are the params of tasks/get, tasks/update and tasks/cancel.
type taskParams struct {
	mcp.ParamsBase
	TaskID         string          `json:"taskId"`
	InputResponses json.RawMessage `json:"inputResponses,omitempty"`
}

type taskResult struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
	tasks.Task
}

// ack is the result of tasks/update and tasks/cancel. The effect is read with
// tasks/get.
type ack struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
}

// registerTasks registers the methods with the SDK, which rejects unknown ones.
// taskMethods answers them, because the handler of a custom method does not get
// the request's headers.
func registerTasks(s *mcp.Server) error {
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		err := mcp.AddReceivingCustomMethod(s, method, unreached)
		if err != nil {
			return err
		}
	}
	return nil
}

// unreached is registered for methods that taskMethods answers.
func unreached(context.Context, *mcp.ServerSession, *taskParams) (*ack, error) {
	return nil, errUnreached
}

// taskMethods returns the middleware that answers the methods of the tasks
// extension.
func (h *Host) taskMethods() mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			p, ok := req.GetParams().(*taskParams)
			if !ok {
				return next(ctx, method, req)
			}
			if !declaresTasks(req) {
				return nil, missingTasks()
			}
			res, err := answerTask(h.Runner, method, h.owner(h.principal(headerOf(req))), p)
			switch {
			case errors.Is(err, tasks.ErrUnknown):
				return nil, InvalidParams("unknown taskId")
			case errors.Is(err, tasks.ErrAway):
				return nil, internalError(err)
			}
			return res, err
		}
	}
}

// declaresTasks reports whether the request declares the tasks extension.
func declaresTasks(req mcp.Request) bool {
	r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	})
	if !ok {
		return false
	}
	capabilities := r.ClientCapabilities() // decoded by each call
	if capabilities == nil {
		return false
	}
	_, declared := capabilities.Extensions[tasks.Extension]
	return declared
}

func answerTask(r *tasks.Runner, method, owner string, p *taskParams) (mcp.Result, error) {
	switch method {
	case "tasks/get":
		t, err := r.Get(owner, p.TaskID)
		return &taskResult{ResultType: "complete", Task: t}, err
	case "tasks/update":
		answers, err := retry{inputResponses: p.InputResponses}.answers()
		if err != nil {
			return nil, err
		}
		return &ack{ResultType: "complete"}, r.Update(owner, p.TaskID, answers)
	}
	return &ack{ResultType: "complete"}, r.Cancel(owner, p.TaskID)
}
