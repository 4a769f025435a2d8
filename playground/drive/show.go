package drive

import (
	"context"
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
)

// Show makes a call here and now, with answers by key or placeholders, and then an
// experiment on it: for an example of a response. It returns the right call and the
// experiment. Nothing is kept; the Log of c is not used. The error is
// lab.ErrNothingToChange if the call has no place for the experiment, or if that takes
// more than the call, such as a second person or time.
func Show(ctx context.Context, c run.Config, t playground.Target, call playground.Call,
	answers map[string]json.RawMessage, e lab.Experiment) (right, wrong playground.Exchange, err error) {
	m, ok := e.Material(call, lab.Supplies{})
	if !ok || e.OfTask() || e.When == lab.AfterExpiry || e.When == lab.AfterWait {
		return right, wrong, lab.ErrNothingToChange
	}
	c.Log, c.Replicas = run.NewMemory(), nil
	runner := run.New(c)
	defer func() { _ = runner.Close(ctx) }()
	d := Driver{Runner: runner, Client: c.Client, Decide: Answers(
		func(f question.Form) (playground.Answer, error) {
			if value, ok := f.Given(answers); ok {
				return f.FromJSON(value)
			}
			return f.Placeholder()
		})}
	right, err = d.To(ctx, playground.Exchange{ID: "right", Target: t, Call: call}, playground.MaxRounds)
	if err != nil {
		return right, wrong, err
	}
	from, why := lab.Place(e, right)
	if why != "" {
		return right, wrong, lab.ErrNothingToChange
	}
	m.Later = lab.Later(right.Fold(), from.N)
	wrong, err = d.Try(ctx, playground.Exchange{ID: "wrong", Target: t, Call: call}, from.N, e, m)
	return right, wrong, err
}
