package sampletools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// A Job is work that outlives the call which started it, if the client knows tasks.
type Job struct {
	required bool // refuse clients that do not know tasks, rather than let them wait
	run      func(ctx context.Context, d JobClient) (*toolResult, error)
}

// Error makes a Job the way out of a script, as a [Pause] is.
func (j *Job) Error() string { return "goes on as a task" }

// A JobClient is where a job meets its client: through a task, or in the call itself.
type JobClient interface {
	Ask(ctx context.Context, questions ...Question) (map[string]Answer, error)
	SetStatus(ctx context.Context, message string) error
}

// createTaskResult answers the call with the task. Neither keys nor state of the rounds before
// carry over (SEP-2663, composition).
type createTaskResult struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
	tasks.Task
}

// knowsTasks reports whether the client declared the extension on this request.
func (t *Turn) knowsTasks() bool {
	_, ok := t.capabilities.Extensions[tasks.Extension]
	return ok
}

// start turns the call into a task. A server must not answer with a task whoever did not say that
// they know tasks (SEP-2663, capability negotiation).
func (h *host) start(t *Turn, j *Job) (mcp.Result, error) {
	if !t.knowsTasks() {
		return nil, missingTasks()
	}
	task, err := h.runner.Start(t.Principal, func(ctx context.Context, handle *tasks.Handle) (any, error) {
		return h.runJob(ctx, t, j, handle)
	})
	if errors.Is(err, tasks.ErrFull) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return &createTaskResult{ResultType: "task", Task: task}, err
}

func missingTasks() error {
	return missingCapability(map[string]any{"extensions": map[string]any{tasks.Extension: map[string]any{}}})
}

// runInline runs the job inside the call, for clients that do not know tasks.
func (j *Job) runInline(ctx context.Context, t *Turn) (Result, error) {
	return result(j.run(ctx, inlineClient{t}))
}

// result keeps a nil pointer from becoming a Result that is not nil.
func result(r *toolResult, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// runJob maps the end of a job to the end of a task: a tool's own error is a completed task,
// a protocol error a failed one.
func (h *host) runJob(ctx context.Context, t *Turn, j *Job, handle *tasks.Handle) (any, error) {
	res, err := t.run(ctx, func(ctx context.Context, _ *Turn) (Result, error) {
		return result(j.run(ctx, &taskClient{handle: handle, capabilities: t.capabilities}))
	})
	res, err = h.conclude(t, res, err)
	var protocol *jsonrpc.Error
	if errors.As(err, &protocol) {
		return nil, &tasks.Error{Code: protocol.Code, Message: protocol.Message, Data: protocol.Data}
	}
	if err != nil {
		return nil, err
	}
	res.finish()
	return res, nil
}

// inlineClient lets a job run inside the call. Its questions pause the call like any other.
type inlineClient struct{ t *Turn }

func (d inlineClient) Ask(_ context.Context, q ...Question) (map[string]Answer, error) {
	return d.t.Ask(q...)
}
func (d inlineClient) SetStatus(context.Context, string) error { return nil }

// taskClient puts questions on the task.
type taskClient struct {
	handle       *tasks.Handle
	capabilities mcp.ClientCapabilities
	attempt      int
}

// Ask numbers the keys, since a key may never come twice in one task, and asks again for answers
// that do not fit.
func (d *taskClient) Ask(ctx context.Context, questions ...Question) (map[string]Answer, error) {
	pause := &Pause{Questions: questions}
	if missing := pause.missing(d.capabilities); len(missing) > 0 {
		return nil, missingCapability(missing)
	}
	answers := map[string]Answer{}
	for len(answers) < len(questions) {
		d.attempt++
		open := map[string]json.RawMessage{}
		for _, q := range questions {
			if _, ok := answers[q.Key]; ok {
				continue
			}
			raw, err := json.Marshal(q)
			if err != nil {
				return nil, fmt.Errorf("ask %s: %w", q.Key, err)
			}
			open[d.key(q)] = raw
		}
		given, err := d.handle.Ask(ctx, open)
		if err != nil {
			return nil, err
		}
		questions = d.readAnswers(questions, given, answers)
	}
	return answers, nil
}

func (d *taskClient) key(q Question) string { return fmt.Sprintf("%s-%d", q.Key, d.attempt) }

// readAnswers reads the answers, and returns the questions with what was wrong where something was.
func (d *taskClient) readAnswers(questions []Question, given map[string]json.RawMessage, answers map[string]Answer) []Question {
	next := make([]Question, len(questions))
	for i, q := range questions {
		next[i] = q
		raw, ok := given[d.key(q)]
		if !ok {
			continue
		}
		a, problem, err := q.read(raw)
		switch {
		case err != nil:
			next[i] = q.withProblem("The last answer could not be read.")
		case problem != "":
			next[i] = q.withProblem(problem)
		default:
			answers[q.Key] = a
		}
	}
	return next
}

func (d *taskClient) SetStatus(_ context.Context, message string) error {
	return d.handle.SetStatusMessage(message)
}
