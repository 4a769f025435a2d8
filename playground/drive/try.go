package drive

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Errors of experiments.
var (
	// ErrElsewhere is for a call that was made again and did not come to the
	// same Round.
	ErrElsewhere = errors.New("the server did not come to the same point again")
	// ErrTooLate is for a state whose expiry is unknown or too far away.
	ErrTooLate = errors.New("the state cannot be waited for")
)

// Trial is an experiment about to be made on an exchange.
type Trial struct {
	Experiment lab.Experiment
	Decision   playground.Decision // that the right request would follow from
	Right      wire.Request
	Changed    wire.Request
	material   lab.Material
}

// Plan returns the experiment on the request that follows from where x stands.
// The error is lab.ErrNothingToChange if the request has no place for it. It
// needs Decide and Client.
func (d Driver) Plan(x playground.Exchange, e lab.Experiment, m lab.Material) (Trial, error) {
	t := Trial{Experiment: e}
	if last := x.Fold().Last(); last != nil {
		m.Round = *last
		if !e.Fits(*last) {
			return t, lab.ErrNothingToChange
		}
	}
	t.material = m
	var err error
	if t.Decision, t.Right, err = d.follow(x); err != nil {
		return t, err
	}
	t.Changed, err = e.Change(t.Right, m)
	return t, err
}

// Make makes an experiment that was planned on x, and returns x with its log as
// it came. It needs Expiry, Now and Wait for experiments with an expired state.
func (d Driver) Make(ctx context.Context, x playground.Exchange, t Trial) (playground.Exchange, error) {
	d.Experiment = t.Experiment.ID
	decision := t.Decision
	var err error
	switch t.Experiment.When {
	case lab.AfterExpiry:
		if err = d.waitForExpiry(ctx, x); err != nil {
			return x, err
		}
	case lab.AfterWait:
		if d.Late <= 0 {
			return x, ErrTooLate
		}
		if err = d.Wait(ctx, d.Late); err != nil {
			return x, err
		}
	case lab.Twice:
		if x, err = d.try(ctx, x, decision, t.Right, processed(decision.Round)); err != nil {
			return x, err
		}
		f := x.Fold()
		decision.Action, decision.Answers, decision.Round = playground.ActionResend, nil, next(f)
	case lab.AfterGap:
		if x, err = d.leaveGap(ctx, x, t); err != nil {
			return x, err
		}
		if decision, t.Right, err = d.follow(x); err != nil {
			return x, err
		}
		if t.Changed, err = t.Experiment.Change(t.Right, t.material); err != nil {
			return x, err
		}
	}
	decision.Changed = true
	if !t.Experiment.Follow {
		return d.try(ctx, x, decision, t.Changed, tried)
	}
	if t.Experiment.AnswersTask() {
		if x, err = d.try(ctx, x, decision, t.Changed, asksOrWorks(decision.Round)); err != nil {
			return x, err
		}
		return d.restOfTask(ctx, x)
	}
	if x, err = d.try(ctx, x, decision, t.Changed, paused); err != nil {
		return x, err
	}
	return d.rest(ctx, x)
}

// paused is the condition that the changed request has been answered and nothing
// follows by itself, or that the call became a task.
func paused(f playground.Transcript) bool {
	return tried(f) && (f.Status != playground.StatusRunning || hasTask(f))
}

// errAskedAgain stops a call at a question that was answered wrongly.
var errAskedAgain = errors.New("the question is asked again")

// rest drives x on with right answers after the changed request, until the call
// ends, has become a task, or asks a question again whose answer was changed.
func (d Driver) rest(ctx context.Context, x playground.Exchange) (playground.Exchange, error) {
	wrong := changed(x.Fold())
	if wrong == nil {
		return x, nil
	}
	keys, decide := lab.ChangedAnswers(*wrong), d.Decide
	d.Decide = func(last playground.Round) (playground.Decision, error) {
		if lab.Asks(last, keys) {
			return playground.Decision{}, errAskedAgain
		}
		return decide(last)
	}
	return d.to(ctx, x, playground.MaxRounds, paused)
}

// leaveGap sends the right request without one answer, so that the server asks
// for it again.
func (d Driver) leaveGap(ctx context.Context, x playground.Exchange, t Trial) (playground.Exchange, error) {
	gap, err := lab.Gap(t.Right)
	if err != nil {
		return x, err
	}
	return d.try(ctx, x, t.Decision, gap, ended(t.Decision.Round))
}

// follow returns the decision that follows from where x stands, and its request.
func (d Driver) follow(x playground.Exchange) (decision playground.Decision, right wire.Request, err error) {
	f := x.Fold()
	decision = playground.Decision{Action: playground.ActionStart, Round: 1}
	if last := f.Last(); last != nil {
		if decision, err = d.Decide(*last); err != nil {
			return decision, right, lab.ErrNothingToChange
		}
	}
	right, err = playground.Next(x, f, decision, d.Client)
	return decision, right, err
}

// next returns the number of the Round that a decision opens: 0 for the next
// one, whatever it is, while a task is working and its polls open Rounds too.
func next(f playground.Transcript) int {
	if f.Status == playground.StatusRunning {
		return 0
	}
	return f.Next()
}

// tried is the condition that the changed request has been answered.
func tried(f playground.Transcript) bool {
	r := changed(f)
	return r != nil && r.Kind != playground.OutcomePending
}

// changed returns the Round of the changed request, or nil.
func changed(f playground.Transcript) *playground.Round {
	i := slices.IndexFunc(f.Rounds, func(r playground.Round) bool {
		return r.N > f.Inherited && r.Decision.Changed
	})
	if i < 0 {
		return nil
	}
	return &f.Rounds[i]
}

// Try makes an experiment on a fresh run of x: it drives x to Round n, whose
// result the changed request answers (0: none), and changes the next request. An
// experiment on a task drives x to its task instead, whatever n is. If the
// server does not come to the same point again, or there is nothing to change,
// nothing changed is sent; the log shows that.
//
// It returns once the changed request has been answered. What the call became
// may go on: see Leave.
func (d Driver) Try(ctx context.Context, x playground.Exchange, n int, e lab.Experiment,
	m lab.Material) (playground.Exchange, error) {
	d.Experiment = e.ID
	var err error
	if e.OfTask() {
		x, err = d.tryTask(ctx, x, e, m)
	} else {
		x, err = d.tryCall(ctx, x, n, e, m)
	}
	if errors.Is(err, lab.ErrNothingToChange) || IsUnanswered(err) || isRefusal(err) {
		err = nil
	}
	return x, err
}

// tryCall makes an experiment on the request that follows Round n of a call.
func (d Driver) tryCall(ctx context.Context, x playground.Exchange, n int, e lab.Experiment,
	m lab.Material) (playground.Exchange, error) {
	x, err := d.To(ctx, x, n)
	if err != nil {
		return x, err
	}
	if last := x.Fold().Last(); n > 0 && (last.N != n || !last.Open()) {
		return x, nil
	}
	t, err := d.Plan(x, e, m)
	if err != nil {
		return x, err
	}
	return d.Make(ctx, x, t)
}

// isRefusal reports whether the next request was refused because nothing is
// open this time.
func isRefusal(err error) bool {
	return errors.Is(err, playground.ErrNotOpen) || errors.Is(err, playground.ErrCapped) ||
		errors.Is(err, playground.ErrAnswers)
}

// Fresh returns the exchange that an experiment on Round n of x can be made on:
// x itself, or a rerun of it if the recorded state has expired, is used up, or
// again is set. ttl, if not nil, gives the target states of so short a life
// that their expiry can be waited for. The error is ErrElsewhere if the rerun
// led elsewhere, and ErrTooLate if the state cannot be waited for.
func (d Driver) Fresh(ctx context.Context, x playground.Exchange, n int, e lab.Experiment, again bool,
	ttl func(playground.Target) playground.Target,
) (playground.Exchange, error) {
	round := x.Fold().Round(n)
	if round == nil {
		return x, nil
	}
	expiry := d.Expiry(x.Target, *round)
	expired := !expiry.IsZero() && !d.Now().Before(expiry)
	switch {
	case e.When != lab.AfterExpiry && !expired && !again, e.When == lab.AfterExpiry && expired:
		return x, nil
	case e.When != lab.AfterExpiry:
		return d.sameRound(ctx, x, n)
	case ttl != nil:
		x.Target = ttl(x.Target)
		var err error
		if x, err = d.sameRound(ctx, x, n); err != nil {
			return x, err
		}
		round = x.Fold().Round(n)
	}
	if !d.Expires(x.Target, *round) {
		return x, ErrTooLate
	}
	return x, nil
}

// sameRound makes the call again up to Round n.
func (d Driver) sameRound(ctx context.Context, x playground.Exchange, n int) (playground.Exchange, error) {
	again, err := d.Rerun(ctx, x, n)
	if err != nil {
		return again, err
	}
	if r := again.Fold().Round(n); r == nil || !r.Branchable() {
		return again, ErrElsewhere
	}
	return again, nil
}

// Expires reports whether an experiment with an expired state can be made on
// Round r: its expiry is known and near.
func (d Driver) Expires(t playground.Target, r playground.Round) bool {
	_, ok := d.delay(t, r)
	return ok
}

// CanWait reports whether the time of an experiment on Round r can be waited
// for.
func (d Driver) CanWait(t playground.Target, r playground.Round, e lab.Experiment) bool {
	switch e.When {
	case lab.AfterExpiry:
		return d.Expires(t, r)
	case lab.AfterWait:
		return d.Late > 0
	}
	return true
}

// delay returns how long the state of a Round is still good, and a little more.
func (d Driver) delay(t playground.Target, r playground.Round) (time.Duration, bool) {
	at := d.Expiry(t, r)
	if r.State == nil || at.IsZero() {
		return 0, false
	}
	wait := max(at.Sub(d.Now()), 0)
	return wait + expiryMargin, wait <= d.Most
}

// expiryMargin makes up for expiries that are rounded to a second.
const expiryMargin = time.Second

func (d Driver) waitForExpiry(ctx context.Context, x playground.Exchange) error {
	last := x.Fold().Last()
	if last == nil {
		return ErrTooLate
	}
	wait, ok := d.delay(x.Target, *last)
	if !ok {
		return ErrTooLate
	}
	return d.Wait(ctx, wait)
}
