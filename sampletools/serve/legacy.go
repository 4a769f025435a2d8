package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLegacyRounds stops a script that never finishes.
const maxLegacyRounds = 32

// legacyRounds serves a client from before 2026-07-28. It sends each question
// as a server-initiated request while the call stays open, then runs the script
// again. The answers stay in this instance's memory, so the call is lost if the
// instance is.
func (h *Host) legacyRounds(ctx context.Context, t *Turn, run Script) (mcp.Result, error) {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	defer context.AfterFunc(h.closing, giveUp)() // an open call must not delay the program's exit
	leave, ok := h.config.Open.Enter(t.Caller)
	if !ok {
		h.config.Refuse(RefusedCall)
		return h.conclude(t, nil,
			ToolErrorf("Too many calls are waiting for answers. Try again in a minute."))
	}
	defer leave()
	for range maxLegacyRounds {
		t.resumed = false
		res, err := t.run(ctx, run)
		var job *Job
		if errors.As(err, &job) {
			res, err = t.run(ctx, job.runInline)
		}
		var pause *Pause
		if !errors.As(err, &pause) {
			return h.conclude(t, res, err)
		}
		if err := h.askClient(ctx, t, pause); err != nil {
			return h.conclude(t, nil, err)
		}
	}
	return h.conclude(t, nil, ToolErrorf("The call did not finish within %d rounds.", maxLegacyRounds))
}

// askClient sends the questions of a pause and waits for the answers until the
// timeout.
func (h *Host) askClient(ctx context.Context, t *Turn, p *Pause) error {
	if optionsFrom(ctx).Alone {
		return ToolErrorf("This server has no sessions, so it cannot ask a client of an older revision. "+
			"Call it with a client of %s.", Revision)
	}
	if missing := p.missing(t.capabilities); len(missing) > 0 {
		names := slices.Sorted(maps.Keys(missing))
		return ToolErrorf("The client cannot be asked: it did not declare %s.", strings.Join(names, ", "))
	}
	patience := cmp.Or(optionsFrom(ctx).Wait, h.config.AnswerWait)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	end := endFrom(ctx)
	defer context.AfterFunc(end, cancel)()
	err := t.askEach(ctx, p.Questions)
	switch {
	case err != nil && end.Err() != nil:
		return ToolErrorf("Instance %s stops. The open call existed only in its memory, so it is lost.",
			t.Instance.Name)
	case errors.Is(err, context.DeadlineExceeded):
		return ToolErrorf("No answer reached instance %s within %s. "+
			"If another instance got it, it is lost: the open call exists only in the memory of this one.",
			t.Instance.Name, patience)
	case err != nil:
		return ToolErrorf("The request to the client failed: %v.", err)
	}
	return nil
}

// askEach asks one question at a time: some clients cannot handle two at once.
func (t *Turn) askEach(ctx context.Context, questions []Question) error {
	t.Responses = map[string]json.RawMessage{}
	for _, q := range questions {
		answer, err := q.ask(ctx, t.Session)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Key, err)
		}
		if t.Responses[q.Key], err = json.Marshal(answer); err != nil {
			return fmt.Errorf("%s: %w", q.Key, err)
		}
	}
	return nil
}
