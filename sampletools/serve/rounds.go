package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

var errUnreached = errors.New("a script answers this")

// rounds returns the middleware that runs the scripts: once per request of
// 2026-07-28, and as often as needed within one legacy call.
func (h *Host) rounds(c cluster.Instance) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			t := h.newTurn(method, req, c)
			run := h.script(method, t.Name)
			if run == nil {
				return next(ctx, method, req)
			}
			if name := h.missingArgument(t); name != "" {
				return nil, InvalidParams("The argument " + name + " is required.")
			}
			if retry, ok := retryFromContext(ctx); ok {
				return h.round(ctx, t, retry, run)
			}
			return h.legacyRounds(ctx, t, run)
		}
	}
}

// round answers one request of 2026-07-28.
func (h *Host) round(ctx context.Context, t *Turn, r retry, run Script) (mcp.Result, error) {
	o := optionsFrom(ctx)
	about, err := h.request(t)
	if err != nil {
		return nil, err
	}
	if t.Responses, err = r.answers(); err != nil {
		return nil, err
	}
	if err := h.openState(t, r, o, about); err != nil {
		return nil, err
	}
	res, err := t.run(ctx, run)
	var job *Job
	if errors.As(err, &job) {
		if job.Required || t.KnowsTasks() {
			return h.start(t, job)
		}
		res, err = t.run(ctx, job.runInline)
	}
	var pause *Pause
	if errors.As(err, &pause) {
		return h.inputRequired(t, pause, o, about)
	}
	if res, err = h.conclude(t, res, err); err != nil {
		return nil, err
	}
	res.finish()
	return res, nil
}

// request returns the request that a state of this call is bound to.
func (h *Host) request(t *Turn) (seal.Request, error) {
	digest, err := seal.Digest(t.Arguments)
	if err != nil {
		return seal.Request{}, InvalidParams("arguments: " + err.Error())
	}
	return seal.Request{Sample: h.Scope, Method: t.Method, Name: t.Name, Arguments: digest,
		Principal: t.Principal}, nil
}

// openState opens the requestState of the request. An invalid state is rejected
// with -32602. The message gives the reason only if the state is authentic.
func (h *Host) openState(t *Turn, r retry, o Options, about seal.Request) error {
	text, ok, err := r.state()
	if err != nil || !ok {
		return err
	}
	c, err := h.config.Keys.Open(text, o.Mode, about, h.config.Now())
	var refusal *seal.Refusal
	if errors.As(err, &refusal) {
		h.config.Log.Info("requestState refused", "reason", refusal.Reason)
		return InvalidParams(refusal.Public())
	}
	if err != nil {
		return err
	}
	maps.Copy(t.Answers, c.Answers)
	t.Work = c.Work
	return nil
}

// inputRequired returns an InputRequiredResult. It creates a state only if
// there is something to carry over.
func (h *Host) inputRequired(t *Turn, p *Pause, o Options, about seal.Request) (mcp.Result, error) {
	if missing := p.missing(t.capabilities); len(missing) > 0 {
		return nil, missingCapability(missing)
	}
	res := &inputRequired{ResultType: "input_required"}
	res.InputRequests = p.Questions
	if len(t.Answers) == 0 && t.Work == nil {
		return res, nil
	}
	id, err := h.stateID()
	if err != nil {
		return nil, err
	}
	now := h.config.Now()
	claims := seal.Claims{
		Issued: now.Unix(), Expires: now.Add(max(o.TTL, time.Second)).Unix(), ID: id,
		Request: about, Answers: t.Answers, Work: t.Work,
	}
	state, err := h.config.Keys.Seal(o.Mode, claims)
	if errors.Is(err, seal.ErrTooLong) {
		return nil, InvalidParams("the answers so far are too long to carry on")
	}
	res.RequestState = &state
	return res, err
}

// stateID returns a random id for a state.
func (h *Host) stateID() (string, error) {
	b := make([]byte, 9)
	if _, err := io.ReadFull(h.config.Rand, b); err != nil {
		return "", fmt.Errorf("name state: %w", err)
	}
	return fmt.Sprintf("%x", b), nil
}

// conclude maps the end of a script to a result or a protocol error.
func (h *Host) conclude(t *Turn, res Result, err error) (Result, error) {
	var refused ToolError
	var protocol *jsonrpc.Error
	switch {
	case err == nil:
		return res, nil
	case errors.As(err, &refused) && t.Method == "tools/call":
		return Failure(string(refused)), nil
	case errors.As(err, &refused):
		return nil, InvalidParams(string(refused))
	case errors.As(err, &protocol):
		return nil, protocol
	case errors.Is(err, context.Canceled): // by the client, or because the program ends
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the request was cancelled"}
	}
	h.config.Log.Error("script failed", "method", t.Method, "err", err)
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
}
