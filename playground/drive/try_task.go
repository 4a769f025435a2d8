package drive

import (
	"context"
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// errTaskAsks stops a call at the first question of its task.
var errTaskAsks = errors.New("the task asks a question")

// tryTask makes an experiment on the task of a call: as soon as there is one,
// or at the first question that fits if the experiment changes the answer.
func (d Driver) tryTask(ctx context.Context, x playground.Exchange, e lab.Experiment,
	m lab.Material) (playground.Exchange, error) {
	asked, enough := d, whole
	asked.Settle = 0 // the task is waited for, as long as ctx allows
	asked.Decide = func(last playground.Round) (playground.Decision, error) {
		if e.Fits(last) {
			return playground.Decision{}, errTaskAsks
		}
		return d.Decide(last)
	}
	if e.Needs == lab.NeedsTask {
		enough = hasTask
	}
	x, err := asked.to(ctx, x, playground.MaxRounds, enough)
	if err != nil && !IsUnanswered(err) {
		return x, err
	}
	f := x.Fold()
	last := f.Last()
	if last == nil || !e.Fits(*last) {
		return x, nil
	}
	if e.AnswersTask() {
		t, err := d.Plan(x, e, m)
		if err != nil {
			return x, err
		}
		return d.Make(ctx, x, t)
	}
	right, _ := lab.PollOf(x, d.Client)
	m.Round = *last
	changed, err := e.Change(right, m)
	if err != nil {
		return x, err
	}
	return d.try(ctx, x, playground.Decision{
		Action: playground.ActionResend, Round: next(f), Changed: true,
	}, changed, tried)
}

// restOfTask answers what the task of x still asks, until it asks nothing more or asks
// for an answer again that it acknowledged.
func (d Driver) restOfTask(ctx context.Context, x playground.Exchange) (playground.Exchange, error) {
	decide := d.Decide
	d.Decide = func(last playground.Round) (playground.Decision, error) {
		if slices.ContainsFunc(last.Questions, func(q playground.Question) bool { return q.Again != "" }) {
			return playground.Decision{}, errAskedAgain
		}
		return decide(last)
	}
	return d.to(ctx, x, playground.MaxRounds, observed)
}

// observed is the condition that a poll shows a task without the questions that were
// answered, or that nothing follows by itself.
func observed(f playground.Transcript) bool {
	last := f.Last()
	return f.Status != playground.StatusRunning || last.Method == playground.TasksGet &&
		last.Kind != playground.OutcomePending && len(last.Unseen()) == 0 && !mayAsk(*last)
}

// processed returns the condition that Round n has ended and, if it answers a
// task, that a later status of the task no longer contains the questions.
func processed(n int) condition {
	return func(f playground.Transcript) bool {
		r, last := f.Round(n), f.Last()
		if r == nil || r.Method != playground.TasksUpdate || r.Kind != playground.OutcomeAck {
			return ended(n)(f)
		}
		return last.N > n && last.Kind != playground.OutcomePending && len(last.Unseen()) == 0
	}
}

// asksOrWorks is processed, but a task that works after Round n gets time to ask again.
func asksOrWorks(n int) condition {
	return func(f playground.Transcript) bool { return processed(n)(f) && !mayAsk(*f.Last()) }
}

// mayAsk reports whether a poll shows a task that works, which may ask soon.
func mayAsk(last playground.Round) bool {
	return last.Kind == playground.OutcomeTaskStatus && last.Polls < patience
}

// patience is how many polls are made of a task that works after an answer.
const patience = 5
