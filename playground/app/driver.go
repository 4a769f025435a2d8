package app

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Checker runs checks in the background. Start returns check.ErrBusy if too
// many are running.
type Checker interface {
	Start(p check.Plan, first playground.Exchange) error
	Run(ctx context.Context, session string, work func(ctx context.Context, changed func()) error) error
	Watch(ctx context.Context, session string) (changed <-chan struct{}, running bool)
	IsRunning(session string) bool // in this process
	Wait(ctx context.Context, session string)
	Stop(session string) bool
	Running() (sessions []string, limit int)
}

// checkRetry is when to try again if too many checks are running.
const checkRetry = 30 * time.Second

// TooManyChecks returns the refusal of a check that would be one too many.
func (s *App) TooManyChecks() *Refusal {
	if !s.Mode.Shared() {
		return TooMany(checkRetry, "too_many_checks", "Too many checks are in progress.", "Nothing was sent.")
	}
	return TooMany(checkRetry, "too_many_checks", "Too many checks are in progress.",
		"Nothing was sent. Visitors who share an address can run "+
			text.Plural(usage.Share(s.Limits.Checks), "check")+" at once.")
}

// Driver returns what drives calls for a visit.
func (s *App) Driver(v *Visit) drive.Driver {
	return drive.Driver{
		Runner: s.Runner, Client: s.Client, Settle: s.Settle, Now: s.Now, Wait: drive.Pause,
		Most: MaxExpiryWait, Late: LateWait, Expiry: s.Expiry,
		Begin: func(_ context.Context, x playground.Exchange) (playground.Exchange, error) {
			return s.AddBranch(v, x)
		},
	}
}

// Allow refuses experiments on a server that the user has not confirmed to own.
func (s *App) Allow(v *Visit, t playground.Target, confirms bool) error {
	if IsTestable(t) {
		return nil
	}
	ctx, workspace := v.Context(), v.Workspace()
	if confirms {
		err := s.Store.SetMine(ctx, workspace, t.ID)
		if errors.Is(err, playground.ErrNotFound) {
			return Refuse(Forbidden, "not_yours", "This server is not in your list.",
				"Connect to it first, then make the call from its page.")
		}
		return err
	}
	if !s.Mine(v, t) {
		return Refuse(Forbidden, "not_yours", "Experiments are off for this server.",
			"They send it invalid requests. "+
				"Confirm that the server is yours, or that its owner allows tests.")
	}
	return nil
}

// IsTestable reports whether a server may be tested without a confirmation: samples, and
// the commands that the program was started with.
func IsTestable(t playground.Target) bool { return t.Sample != "" || t.IsCommand() }

// Mine reports whether a server may be tested, if need be by confirmation of the user.
func (s *App) Mine(v *Visit, t playground.Target) bool {
	if IsTestable(t) {
		return true
	}
	mine, err := s.Store.Mine(v.Context(), v.Workspace(), t.ID)
	return err == nil && mine
}

// AddBranch stores a branch, not sent yet, and returns it with its secrets. It
// counts as a call.
func (s *App) AddBranch(v *Visit, b playground.Exchange) (playground.Exchange, error) {
	b.ID, b.Created = s.NewID(), s.Now()
	if b.Origin.Round == 0 {
		b.Origin.Parent = nil
	}
	if err := s.Admit(v, b); err != nil {
		return b, err
	}
	b, err := s.LockExchange(v, b)
	if err != nil {
		return b, err
	}
	hidden, err := b.RedactWithin(v.Context())
	if err != nil {
		return b, err
	}
	err = s.Store.AddBranch(v.Context(), v.Workspace(), hidden)
	if errors.Is(err, playground.ErrNotFound) {
		err = Refuse(Invalid, "no_branch", "You can't branch inside a check.",
			"Make the call on its own first, then branch from that.")
	}
	return b, err
}

// Expiry returns when the state of a Round expires, or the zero time if that
// cannot be known.
func (s *App) Expiry(t playground.Target, r playground.Round) time.Time {
	switch {
	case r.State == nil:
		return time.Time{}
	case t.Sample != "":
		return s.Explain(r.StateText()).Expires
	}
	return check.Expiry(t, r)
}
