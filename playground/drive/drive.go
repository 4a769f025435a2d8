// Package drive drives a Call to a Round or to its end, and makes experiments
// on the way. It decides by the answerer that it is given; requests are sent
// and recorded by package run.
//
// The pages (answers, reruns, experiments, stages), the check and the terminal
// all drive calls with it, so that a call has the same Rounds from each of them.
//
// A Driver stops where nothing is open any more, and at a Round for which its
// Decider has no decision (UnansweredError): it invents no answer. It has no
// state of its own and may be used from several goroutines if its functions
// may. If two of them drive one exchange, the second decision for a Round is
// refused with playground.ErrNotOpen.
package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Runner sends Rounds; *run.Runner is one.
type Runner interface {
	Decide(ctx context.Context, x playground.Exchange, d playground.Decision) (run.Run, error)
	Try(ctx context.Context, x playground.Exchange, d playground.Decision, req wire.Request) (run.Run, error)
	Cancel(id string) bool
	Wait(ctx context.Context, id string)
	Note(ctx context.Context, x playground.Exchange, n playground.Note) (playground.Exchange, error)
}

// Answerer answers one question.
type Answerer func(question.Form) (playground.Answer, error)

// Decider decides what follows an open Round.
type Decider func(last playground.Round) (playground.Decision, error)

// Driver drives exchanges. Runner is required; what else a method needs, its
// comment says.
type Driver struct {
	Runner Runner

	// Decide returns the decision that follows an open Round.
	Decide Decider

	// Observe is called after each Round that was opened. It may be nil.
	Observe func(playground.Exchange)

	// Follow is called with the transcript as it grows while a Round is waited for.
	// It may be nil.
	Follow func(playground.Transcript)

	// Experiment is the id of the experiment that the decisions are made for. It
	// is empty for none.
	Experiment string

	// Settle is how long Open waits for a response. 0 waits for the end of the
	// Round.
	Settle time.Duration

	Client playground.Client

	// Begin stores a new exchange and returns it ready for requests.
	Begin func(ctx context.Context, x playground.Exchange) (playground.Exchange, error)

	// Expiry returns when the state of a Round expires, or the zero time if that
	// is unknown.
	Expiry func(playground.Target, playground.Round) time.Time

	Now  func() time.Time
	Wait func(ctx context.Context, d time.Duration) error
	Most time.Duration // longest wait for a state to expire
	Late time.Duration // how long to wait with a state whose expiry is unknown; 0 for not at all
}

// Answers returns a Decider that answers every question with answer.
func Answers(answer Answerer) Decider {
	return func(last playground.Round) (playground.Decision, error) { return question.Reply(last, answer) }
}

// UnansweredError is for a Round that the Decider has no decision for.
type UnansweredError struct {
	Round int
	Err   error // of the Decider
}

func (e *UnansweredError) Error() string { return fmt.Sprintf("decide round %d: %v", e.Round+1, e.Err) }

func (e *UnansweredError) Unwrap() error { return e.Err }

// IsUnanswered reports whether err is an *UnansweredError.
func IsUnanswered(err error) bool {
	var unanswered *UnansweredError
	return errors.As(err, &unanswered)
}

// To drives x until Round n has ended, or until nothing is open, and returns x
// with its log as it came. A task may be working then. The error is an
// *UnansweredError, the Runner's, or that of ctx.
func (d Driver) To(ctx context.Context, x playground.Exchange, n int) (playground.Exchange, error) {
	return d.to(ctx, x, n, ended(n))
}

// ToTask drives x as To does, until it has become a task or nothing is open.
func (d Driver) ToTask(ctx context.Context, x playground.Exchange) (playground.Exchange, error) {
	return d.to(ctx, x, playground.MaxRounds, hasTask)
}

// to drives x as To does, and waits in each Round until enough.
func (d Driver) to(ctx context.Context, x playground.Exchange, n int,
	enough condition) (playground.Exchange, error) {
	for {
		decision, open, err := d.next(x.Fold(), n)
		if err != nil || !open {
			return x, err
		}
		decision.Experiment = d.Experiment
		running, err := d.Runner.Decide(ctx, x, decision)
		if x, err = d.wait(ctx, x, running, err, enough); err != nil {
			return x, err
		}
	}
}

// condition reports whether a transcript has the event that a driver waits for,
// although the log may go on.
type condition = func(playground.Transcript) bool

// ended returns the condition that Round n has ended.
func ended(n int) condition {
	return func(f playground.Transcript) bool {
		r := f.Round(n)
		return r != nil && r.Kind != playground.OutcomePending
	}
}

// hasTask is the condition that the call became a task.
func hasTask(f playground.Transcript) bool {
	last := f.Last()
	return last != nil && last.Task != nil && last.Kind != playground.OutcomePending
}

// whole is the condition to wait until nothing is running.
func whole(playground.Transcript) bool { return false }

// next returns the decision that opens the next Round, and false if none is
// opened up to Round n.
func (d Driver) next(f playground.Transcript, n int) (playground.Decision, bool, error) {
	last := f.Last()
	switch {
	case last == nil:
		return playground.Decision{Action: playground.ActionStart, Round: 1}, n > 0, nil
	case last.N < n && last.HeadersRejected() && last.Decision.Action != playground.ActionResend &&
		d.Experiment == "":
		// with the tool's definition as the server lists it now
		return playground.Decision{Action: playground.ActionResend, Round: last.N + 1}, true, nil
	case last.N >= n || f.Status != playground.StatusWaiting || !last.Open():
		return playground.Decision{}, false, nil
	}
	decision, err := d.Decide(*last)
	if err != nil {
		err = &UnansweredError{last.N, err}
	}
	return decision, true, err
}

// Open opens the Round of a decision and waits until nothing of the exchange is
// running, or as long as d.Settle says. It returns the exchange with its log as
// it came. If ctx ends first, the error is that of ctx and the Round goes on.
func (d Driver) Open(ctx context.Context, x playground.Exchange,
	decision playground.Decision) (playground.Exchange, error) {
	decision.Experiment = d.Experiment
	running, err := d.Runner.Decide(ctx, x, decision)
	return d.wait(ctx, x, running, err, whole)
}

// try is Open for a request of an experiment. It waits until enough.
func (d Driver) try(ctx context.Context, x playground.Exchange, decision playground.Decision,
	req wire.Request, enough condition) (playground.Exchange, error) {
	decision.Experiment = d.Experiment
	running, err := d.Runner.Try(ctx, x, decision, req)
	return d.wait(ctx, x, running, err, enough)
}

// Pause waits for a time, or until ctx ends, and then returns the error of ctx.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d Driver) wait(ctx context.Context, x playground.Exchange, r run.Run, err error,
	enough condition) (playground.Exchange, error) {
	switch {
	case err != nil:
		return x, err
	case d.Settle > 0:
		x = r.Settle(ctx, d.Settle)
	default:
		x = r.Until(ctx, func(f playground.Transcript) bool {
			if d.Follow != nil {
				d.Follow(f)
			}
			return enough(f)
		})
	}
	if d.Observe != nil {
		d.Observe(x)
	}
	return x, ctx.Err()
}

// GiveUp ends the running work of x: a task is cancelled at its server, any
// other request by closing its connection. It returns once that is in the
// record, or ctx has ended.
func (d Driver) GiveUp(ctx context.Context, x playground.Exchange) {
	if _, err := d.Runner.Decide(ctx, x, playground.Decision{Action: playground.ActionStop}); err != nil {
		d.Runner.Cancel(x.ID)
	}
	d.Runner.Wait(ctx, x.ID)
}

// Leave cancels the task of x at its server if it is still working, and returns
// once that has been answered. Until the task has ended it is polled in the
// background; rest waits for that and returns x with its log as it came. It is
// nil if x has no such task. The error is the Runner's, or that of ctx.
//
// A client should poll a task until it ends or is cancelled (ext-tasks,
// tasks/get), so an experiment does not just forget one.
func (d Driver) Leave(ctx context.Context, x playground.Exchange) (
	left playground.Exchange, rest func(context.Context) playground.Exchange, err error) {
	if x.Fold().Task() == nil {
		return x, nil, nil
	}
	d.Settle = 0
	running, err := d.Runner.Decide(ctx, x, playground.Decision{
		Action: playground.ActionStop, Experiment: d.Experiment,
	})
	if errors.Is(err, playground.ErrNotOpen) || errors.Is(err, playground.ErrCapped) {
		return x, nil, nil // it has ended in between
	}
	x, err = d.wait(ctx, x, running, err, cancelled)
	return x, running.Wait, err
}

// cancelled is the condition that tasks/cancel has been answered.
func cancelled(f playground.Transcript) bool {
	i := slices.IndexFunc(f.Rounds, func(r playground.Round) bool {
		return r.Method == playground.TasksCancel && r.Decision.Action == playground.ActionStop
	})
	return i >= 0 && f.Rounds[i].Kind != playground.OutcomePending
}

// Rerun makes the call of x again in an exchange of its own, up to Round n,
// with the recorded answers. It stops early where the server asks something
// else, where the record ends, and when ctx ends. It needs Begin.
func (d Driver) Rerun(ctx context.Context, x playground.Exchange, n int) (playground.Exchange, error) {
	recorded := x.Fold()
	answers := recorded.Answers()
	if first := recorded.Round(1); first != nil && first.Legacy {
		x.Target.Era = playground.Legacy
	}
	again, err := d.Begin(ctx, playground.Exchange{
		Session: x.Session, Target: x.Target, Call: x.Call, Origin: &playground.Origin{Exchange: x.ID},
	})
	if err != nil {
		return again, err
	}
	d.Decide = func(last playground.Round) (playground.Decision, error) {
		if recorded.Round(last.N+1) == nil || !last.Branchable() && !last.Legacy {
			return playground.Decision{}, errRecordEnds
		}
		return question.Reply(last,
			func(f question.Form) (playground.Answer, error) { return f.Repeat(answers) })
	}
	again, err = d.To(ctx, again, n)
	if IsUnanswered(err) || errors.Is(err, context.DeadlineExceeded) {
		err = nil // from here on it is the user's turn
	}
	return again, err
}

var errRecordEnds = errors.New("the record ends here")
