package app

import (
	"context"
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// BeginCheck runs a check and returns its Session.
func (s *App) BeginCheck(v *Visit, p check.Plan) (session string, err error) {
	p.Session = s.NewID()
	return p.Session, s.hold(v, p.Session, func() error { return s.openCheck(v, p) })
}

// hold begins a check that holds a place of the pool until it ends. It returns after the
// end of a short check.
func (s *App) hold(v *Visit, session string, begin func() error) error {
	release, err := s.Checks.Acquire(v.Context(), v.Account().Holder())
	if errors.Is(err, places.ErrFull) {
		return s.TooManyChecks()
	}
	if err != nil {
		return err
	}
	if err := begin(); err != nil {
		release()
		return err
	}
	go func() {
		defer release()
		s.Checker.Wait(context.Background(), session) // until it ends or is stopped
	}()
	settled, stop := context.WithTimeout(v.Context(), s.Settle)
	defer stop()
	s.Checker.Wait(settled, session)
	return nil
}

// openCheck stores a check and starts it.
func (s *App) openCheck(v *Visit, p check.Plan) error {
	ctx := v.Context()
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	if err := s.Admit(v, playground.Exchange{ID: p.Session, Target: p.Target}); err != nil {
		return err
	}
	p.Target = p.Target.WithSecrets(slices.Concat(p.Person, p.Narrow), nil)
	p.Call.Wait, p.Peer, p.Turn = s.Times.CheckAnswer, wire.PeerOf(ctx), redact.TurnOf(ctx)
	x := playground.Exchange{
		ID: s.NewID(), Session: p.Session, Target: p.Target, Call: p.Call, Created: s.Now(),
	}
	hidden, err := x.RedactWithin(ctx)
	if err != nil {
		return err
	}
	if err := s.Store.AddCheck(ctx, workspace, "Check of "+Title(hidden.Call), hidden); err != nil {
		return err
	}
	err = s.Checker.Start(p, x)
	if err == nil {
		return nil
	}
	if failed := s.Store.DeleteSession(ctx, workspace, p.Session); failed != nil {
		s.Logger.Warn("delete a check that did not start", "session", p.Session, "err", failed)
	}
	if errors.Is(err, check.ErrBusy) {
		return s.TooManyChecks()
	}
	return err
}

// IsTesting reports whether all experiments are being run in the session of x.
func (s *App) IsTesting(ctx context.Context, x playground.Exchange) bool {
	_, running := s.Checker.Watch(ctx, x.Session)
	return running
}

// BeginTests makes the right call of x again and then every experiment, in its session. They
// are a check, with its limits. person is the token of another person, or "".
func (s *App) BeginTests(v *Visit, x playground.Exchange, person string) error {
	if s.IsTesting(v.Context(), x) {
		return StillRunning()
	}
	if sessions, limit := s.Checker.Running(); len(sessions) >= limit {
		return s.TooManyChecks()
	}
	p := check.Plan{
		Session: x.Session, Target: x.Target, Call: x.Call, Answers: x.Fold().Answers(),
		MaxWait: MaxExpiryWait, Late: LateWait, ShortLived: s.ShortLived(x.Target),
	}
	for _, e := range lab.Experiments() {
		more := s.supplies(v, x, e, person)
		if more.Tool != nil {
			p.Other = more.Tool
		}
		if len(more.Person) > 0 {
			p.Person = more.Person
		}
		if len(more.Narrow) > 0 {
			p.Narrow = more.Narrow
		}
	}
	return s.hold(v, p.Session, func() error { return s.openTests(v, x, p) })
}

// openTests stores the right call of a check as a branch of x and starts the check.
func (s *App) openTests(v *Visit, x playground.Exchange, p check.Plan) error {
	ctx := v.Context()
	b, err := s.AddBranch(v, playground.Exchange{
		Session: x.Session, Target: x.Target, Call: x.Call, Origin: &playground.Origin{Exchange: x.ID},
	})
	if err != nil {
		return err
	}
	p.Control, p.Peer, p.Turn = b.ID, wire.PeerOf(ctx), redact.TurnOf(ctx)
	p.Call.Wait = s.Times.CheckAnswer
	others := slices.Concat(p.Person, p.Narrow)
	p.Target = p.Target.WithSecrets(others, nil)
	if len(b.Sealed) > 0 {
		b.Target = b.Target.WithSecrets(others, v.Vault().Of(b.ID))
	}
	err = s.Checker.Start(p, b)
	switch {
	case errors.Is(err, check.ErrRunning):
		return StillRunning()
	case errors.Is(err, check.ErrBusy):
		return s.TooManyChecks()
	}
	return err
}

// StillRunning is the refusal of what changes a call whose experiments are being run.
func StillRunning() *Refusal {
	return Refuse(Conflict, "still_running", "The experiments of this call are still running.",
		"Nothing was sent. Wait until they have ended, or stop them.")
}
