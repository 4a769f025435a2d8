package run

import (
	"context"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Try opens the Round that d asks for with a request that was changed on
// purpose, instead of the one that playground.Next builds. What a client may
// not do is the very point, so only the order of Rounds is kept.
func (r *Runner) Try(ctx context.Context, x playground.Exchange, d playground.Decision, req wire.Request) error {
	j := r.join(x.ID, x.Log, summaryOf(x))
	defer r.leave(j)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.with(x.Target.Secrets, x.Call.Wait)
	if x.IsLocked() {
		return playground.ErrLocked
	}
	x.Log = j.log
	f := j.folded
	switch {
	case f.Status == playground.StatusRunning || d.Round != f.Next():
		return playground.ErrNotOpen
	case d.Round > playground.MaxRounds:
		return playground.ErrCapped
	}
	frame, err := wire.Encode(req)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	j.turn++
	j.then = func() { r.goOn(j, x) }
	return r.launch(ctx, j, req.URL, frame, d.Event(r.cfg.Now()))
}
