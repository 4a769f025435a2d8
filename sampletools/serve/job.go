package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// Job is work that continues as a task after the call has been answered, if the
// client supports tasks. A script returns it as its error, as it returns a
// [Pause].
type Job struct {
	Required bool // reject clients without tasks instead of running inside the call
	Run      func(ctx context.Context, d JobClient) (*ToolResult, error)
}

// Error implements error.
func (j *Job) Error() string { return "continues as a task" }

// JobClient connects a job with its client: through a task, or inside the call.
type JobClient interface {
	Ask(ctx context.Context, questions ...Question) (map[string]Answer, error)
	SetStatus(ctx context.Context, message string) error
	// Report reports the progress of the job: as the status of the task, or as
	// progress of the call.
	Report(ctx context.Context, done, total int, message string) error
	// Inline reports whether the job runs inside the call.
	Inline() bool
}

// createTaskResult answers the call with the task. Neither keys nor state of
// earlier rounds carry over (SEP-2663, composition).
type createTaskResult struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
	tasks.Task
}

// KnowsTasks reports whether the client declared the extension in this request.
func (t *Turn) KnowsTasks() bool {
	_, ok := t.capabilities.Extensions[tasks.Extension]
	return ok
}

// start turns the call into a task. A server must not return a task to a client
// that did not declare the extension (SEP-2663, capability negotiation).
func (h *Host) start(t *Turn, j *Job) (mcp.Result, error) {
	if !t.KnowsTasks() {
		return nil, missingTasks()
	}
	origin, err := json.Marshal(t.origin(h.ID))
	if err != nil {
		return nil, fmt.Errorf("start task: %w", err)
	}
	if len(origin) > maxOrigin {
		origin = nil
	}
	task, err := h.Runner.Start(h.owner(t.Principal), t.Caller, origin, h.work(t, j))
	if errors.Is(err, tasks.ErrFull) {
		h.config.Refuse(RefusedTask)
		return nil, internalError(err)
	}
	if errors.Is(err, tasks.ErrAway) {
		return nil, internalError(err)
	}
	return &createTaskResult{ResultType: "task", Task: task}, err
}

// internalError returns the JSON-RPC error of a server that cannot do its work now.
func internalError(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// work returns the work of a task that a job continues as.
func (h *Host) work(t *Turn, j *Job) tasks.Work {
	return func(ctx context.Context, handle *tasks.Handle) (any, error) {
		return h.runJob(ctx, t, j, handle)
	}
}

// maxOrigin is how many bytes an origin may have. A task with more is not done
// again.
const maxOrigin = 16 << 10

// origin is the input of a script that became a task: enough to run it again in
// another process.
type origin struct {
	Sample       string // the ID of its service
	Method, Name string
	Arguments    json.RawMessage
	Instance     cluster.Instance
	Capabilities mcp.ClientCapabilities
	Responses    map[string]json.RawMessage
	Answers      map[string]json.RawMessage
	Work         json.RawMessage
}

// ServiceOf returns the ID of the service that a task belongs to.
func ServiceOf(task tasks.Task) (string, error) {
	var o origin
	if err := json.Unmarshal(task.Origin, &o); err != nil {
		return "", fmt.Errorf("read origin: %w", err)
	}
	return o.Sample, nil
}

func (t *Turn) origin(sample string) origin {
	return origin{sample, t.Method, t.Name, t.Arguments, t.Instance, t.capabilities, t.Responses,
		t.Answers, t.Work}
}

// Redo returns the work of a task whose process is gone: the script runs again
// and gives the same job.
func (h *Host) Redo(task tasks.Task) (tasks.Work, error) {
	var o origin
	if err := json.Unmarshal(task.Origin, &o); err != nil {
		return nil, fmt.Errorf("read origin: %w", err)
	}
	t := &Turn{
		Method: o.Method, Name: o.Name, Arguments: o.Arguments, Instance: o.Instance,
		Principal: strings.TrimPrefix(task.Owner, h.owner("")), Caller: task.Caller,
		capabilities: o.Capabilities, Responses: o.Responses, Answers: o.Answers, Work: o.Work,
	}
	if t.Answers == nil {
		t.Answers = map[string]json.RawMessage{}
	}
	run := h.script(t.Method, t.Name)
	if run == nil {
		return nil, fmt.Errorf("there is no %s any more", t.Name)
	}
	var j *Job
	if _, err := t.run(h.closing, run); !errors.As(err, &j) {
		return nil, fmt.Errorf("%s gave no job again: %w", t.Name, err)
	}
	return h.work(t, j), nil
}

// missingTasks returns the error for a client that did not declare tasks.
func missingTasks() error {
	return missingCapability(map[string]any{"extensions": map[string]any{tasks.Extension: map[string]any{}}})
}

// Inline runs the job inside the call, for clients without tasks.
func (j *Job) Inline(ctx context.Context, t *Turn) (*ToolResult, error) {
	return j.Run(ctx, inlineClient{t})
}

func (j *Job) runInline(ctx context.Context, t *Turn) (Result, error) {
	return ResultOf(j.Inline(ctx, t))
}

// ResultOf returns r as a Result. It keeps a nil *ToolResult from becoming a
// non-nil interface.
func ResultOf(r *ToolResult, err error) (Result, error) {
	if r == nil || err != nil {
		return nil, err
	}
	return r, nil
}

// runJob maps the end of a job to the end of a task: a tool error is a
// completed task, a protocol error a failed one.
func (h *Host) runJob(ctx context.Context, t *Turn, j *Job, handle *tasks.Handle) (any, error) {
	res, err := t.run(ctx, func(ctx context.Context, _ *Turn) (Result, error) {
		return ResultOf(j.Run(ctx, &taskClient{handle: handle, capabilities: t.capabilities}))
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

// inlineClient runs a job inside the call. Its questions pause the call like
// those of any script.
type inlineClient struct{ t *Turn }

func (d inlineClient) Ask(_ context.Context, q ...Question) (map[string]Answer, error) {
	return d.t.Ask(q...)
}
func (d inlineClient) SetStatus(context.Context, string) error { return nil }
func (d inlineClient) Inline() bool                            { return true }
func (d inlineClient) Report(ctx context.Context, done, total int, message string) error {
	d.t.Progress(ctx, float64(done), float64(total), message)
	return nil
}

// taskClient puts a job's questions on its task.
type taskClient struct {
	handle       *tasks.Handle
	capabilities mcp.ClientCapabilities
	attempt      int
}

// Ask numbers the keys, since a key must be unique within a task, and repeats a
// question whose answer is invalid.
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
		responses, err := d.handle.Ask(ctx, open)
		if err != nil {
			return nil, err
		}
		questions = d.readAnswers(questions, responses, answers)
	}
	return answers, nil
}

func (d *taskClient) key(q Question) string { return fmt.Sprintf("%s-%d", q.Key, d.attempt) }

// readAnswers adds the valid answers to answers. It returns the questions, with
// the problem added to those whose answer was invalid.
func (d *taskClient) readAnswers(questions []Question, responses map[string]json.RawMessage,
	answers map[string]Answer) []Question {
	next := make([]Question, len(questions))
	for i, q := range questions {
		next[i] = q
		raw, ok := responses[d.key(q)]
		if !ok {
			continue
		}
		a, problem, err := q.Read(raw)
		switch {
		case err != nil:
			next[i] = q.WithProblem("The last answer was malformed.")
		case problem != "":
			next[i] = q.WithProblem(problem)
		default:
			answers[q.Key] = a
		}
	}
	return next
}

func (d *taskClient) SetStatus(_ context.Context, message string) error {
	return d.handle.SetStatusMessage(message)
}

func (d *taskClient) Inline() bool { return false }

func (d *taskClient) Report(ctx context.Context, _, _ int, message string) error {
	return d.SetStatus(ctx, message)
}
