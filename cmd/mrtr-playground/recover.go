package main

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// recoverEvery is how often a process that shares its database looks for logs of
// processes that are gone.
const recoverEvery = 2 * time.Second

// recover brings the logs that an earlier process left open to an end: tasks
// that were looked at lately are polled again, everything else is interrupted. A full
// disk does not keep the program from starting.
func (a *service) recover(ctx context.Context, baseURL string) error {
	ids, err := a.store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		err := a.resume(ctx, id, baseURL)
		if errors.Is(err, playground.ErrFull) {
			a.logger.Warn("close what an earlier process left; the next start tries again",
				"log", id, "err", err)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// resume goes on with an exchange, or with the connection to a target, if its
// log has not come to an end.
func (a *service) resume(ctx context.Context, id, baseURL string) error {
	x, err := a.store.ExchangeByID(ctx, id)
	switch {
	case errors.Is(err, playground.ErrNotFound):
		return a.disconnect(ctx, id)
	case err != nil:
		return err
	}
	if f := x.Fold(); !f.Foreign() && !f.Held() {
		return nil
	}
	x.Target = x.Target.At(baseURL)
	return a.runner.Resume(ctx, x)
}

// disconnect closes the log of a target that was being connected to, or of a capture,
// which has no decisions.
func (a *service) disconnect(ctx context.Context, id string) error {
	log, err := a.store.Log(ctx, id)
	if err == nil && len(log) > 0 && log[0].Kind != playground.Decided {
		return a.runner.Interrupt(ctx, id, log)
	}
	if err != nil || server.FoldConnection(log).Status != server.Connecting {
		return err
	}
	return a.runner.Disconnect(ctx, playground.Target{ID: id}, log)
}

// together makes the process do its part among those that share the database. It
// does nothing if there are no others.
func (a *service) together(baseURL string) {
	if a.replica == nil {
		return
	}
	a.replica.Serve(func(ctx context.Context, id string, message []byte) []byte {
		if check.IsLease(id) {
			return a.checks.Handle(ctx, id, message)
		}
		return a.runner.Handle(ctx, id, message)
	})
	a.replica.WhenLate(func(ctx context.Context) {
		for ctx.Err() == nil {
			err := errors.Join(a.runner.Recheck(ctx), a.checks.Recheck(ctx))
			if err == nil {
				return
			}
			a.logger.Warn("look for what other processes have taken", "err", err)
			_ = drive.Pause(ctx, recoverEvery)
		}
	})
	idle := map[string]bool{}
	a.replica.Every(recoverEvery, func(ctx context.Context) {
		err := a.takeOver(ctx, baseURL)
		idle, err = a.giveBack(ctx, idle, err)
		if err != nil && ctx.Err() == nil {
			a.logger.Warn("take over from another process", "err", err)
		}
	})
}

// giveBack releases the logs that this process holds without a use, because the
// database was away when they should have been released. It looks twice: idle has
// those of the look before, and the result those of this one.
func (a *service) giveBack(
	ctx context.Context, idle map[string]bool, err error,
) (map[string]bool, error) {
	ids, wrong := a.replica.Mine(ctx)
	err = errors.Join(err, wrong)
	now := map[string]bool{}
	for _, id := range ids {
		if a.does(id) {
			continue
		}
		if now[id] = true; idle[id] {
			err = errors.Join(err, a.replica.Release(ctx, id, ""))
		}
	}
	return now, err
}

// does reports whether this process does the work of a lease.
func (a *service) does(id string) bool {
	return check.IsLease(id) && a.checks.IsRunning(check.SessionOf(id)) ||
		a.replica.Locks(id) || a.runner.Busy(id)
}

// takeOver goes on with the logs of processes that are gone, and with those that
// this process holds and nothing is done with, because the database was away when
// it mattered.
func (a *service) takeOver(ctx context.Context, baseURL string) error {
	ids, err := a.replica.Unfinished(ctx)
	for _, id := range ids {
		if a.runner.Busy(id) {
			continue
		}
		claimed := a.replica.Claim(ctx, id)
		if errors.Is(claimed, playground.ErrElsewhere) {
			continue // another process was faster
		}
		wrong := claimed
		if claimed == nil {
			wrong = a.resume(ctx, id, baseURL)
		}
		if claimed == nil && !a.runner.Busy(id) {
			wrong = errors.Join(wrong, a.replica.Release(ctx, id, ""))
		}
		err = errors.Join(err, wrong)
	}
	return err
}

// exclusive returns the function that makes this process wait for others, or
// nil if there are none.
func (a *service) exclusive() func(context.Context, string) (func(), error) {
	if a.replica == nil {
		return nil
	}
	return a.replica.Lock
}
