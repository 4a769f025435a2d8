package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// Trial is an experiment that a user makes on a call.
type Trial struct {
	Experiment lab.Experiment
	Round      int    // that the experiment branches from; 0 is before the first
	Fresh      bool   // the call is made again first, to get a fresh state
	Mine       bool   // the user confirms that the server may be tested
	Person     string // token of another person, for the experiments that need one
}

// Try makes an experiment on a new branch of an exchange. It waits until the server has
// answered, or the time of an experiment is over.
func (s *App) Try(v *Visit, x playground.Exchange, t Trial) (playground.Exchange, error) {
	n, e := t.Round, t.Experiment
	if err := branchable(x.Fold(), n); err != nil {
		return x, err
	}
	open, err := s.UnlockExchange(v, x)
	if err != nil {
		return x, err
	}
	if s.IsTesting(v.Context(), x) {
		return x, StillRunning()
	}
	if err := s.Allow(v, x.Target, t.Mine); err != nil {
		return x, err
	}
	if e.FromStart() {
		n = 0
	} else if from, why := lab.Place(e, open); e.Group == lab.GroupTask && why == "" {
		n = from.N
	}
	ctx, stop := context.WithTimeout(v.Context(), s.Times.Experiment)
	defer stop()
	d := s.repeater(v, open)
	open, err = d.Fresh(ctx, open, n, e, t.Fresh || s.OnceOnly(open.Target), s.ShortLived(open.Target))
	if err != nil {
		return open, experimentRefusal(err, e, open)
	}
	m, ok := e.Material(open.Call, s.supplies(v, open, e, t.Person))
	if !ok {
		return open, experimentRefusal(drive.ErrTooLate, e, open)
	}
	m.Later = lab.Later(open.Fold(), n)
	return s.tryBranch(ctx, v, d, open, n, e, m)
}

// repeater returns what drives a call as x was: with its answers, or with
// placeholders for questions that it did not answer.
func (s *App) repeater(v *Visit, x playground.Exchange) drive.Driver {
	d, answers := s.Driver(v), x.Fold().Answers()
	d.Decide = drive.Answers(func(f question.Form) (playground.Answer, error) {
		if answer, err := f.Repeat(answers); err == nil {
			return answer, nil
		}
		return f.Placeholder()
	})
	return d
}

// tryBranch makes an experiment on a new branch from Round n of x.
func (s *App) tryBranch(
	ctx context.Context, v *Visit, d drive.Driver, x playground.Exchange, n int, e lab.Experiment,
	m lab.Material,
) (playground.Exchange, error) {
	b := BranchOf(x, n)
	if err := hasPlace(d, b, x, e, m); err != nil {
		return b, experimentRefusal(err, e, x)
	}
	b, err := s.AddBranch(v, b)
	if err != nil {
		return b, err
	}
	if (b.Target.Sample == "" || e.Wants == lab.WantsNarrowToken) && len(m.Header) > 0 {
		b.Target = b.Target.WithSecrets(m.Header, v.Vault().Of(b.ID))
	}
	switch b, err = d.Try(ctx, b, n, e, m); {
	case errors.Is(err, context.DeadlineExceeded) && v.Context().Err() == nil:
		return b, s.taskTooSlow(v, d, b)
	case err != nil && !IsStale(err):
		return b, err
	}
	return b, nil
}

// hasPlace returns lab.ErrNothingToChange if the experiment finds nothing to
// change on the branch b of x, so that no branch without it is stored.
func hasPlace(d drive.Driver, b, x playground.Exchange, e lab.Experiment, m lab.Material) error {
	if e.Group == lab.GroupTask {
		if _, why := lab.Places(e, x); why != "" {
			return lab.ErrNothingToChange
		}
		return nil
	}
	_, err := d.Plan(b, e, m)
	return err
}

// taskTooSlow cancels the task of a branch that an experiment waited for, or the call if it
// has not become one yet.
func (s *App) taskTooSlow(v *Visit, d drive.Driver, b playground.Exchange) error {
	ctx, stop := context.WithTimeout(v.Context(), s.Settle)
	defer stop()
	_, rest, err := d.Leave(ctx, b)
	switch {
	case err != nil:
		s.Logger.Warn("cancel task", "exchange", b.ID, "err", err)
	case rest == nil: // there is no task yet, or it has just ended
		d.GiveUp(ctx, b)
	}
	return Refuse(Conflict, "no_question", "The task did not ask in time.",
		"The experiment changes an answer to the task's question. "+
			"The task of the new call did not ask it soon enough and was cancelled. "+
			"See the new call in the history.")
}

// experimentRefusal returns the refusal of an experiment that cannot be made.
func experimentRefusal(err error, e lab.Experiment, x playground.Exchange) error {
	switch {
	case errors.Is(err, drive.ErrElsewhere):
		return Refuse(Conflict, "elsewhere", "The server did not reach the same point again.",
			"The recorded state has expired, so the call was run again. See the new call in the history.")
	case errors.Is(err, drive.ErrTooLate):
		return Refuse(Invalid, "no_material",
			"This experiment can't be made here.",
			lab.NotRunReason(e, x))
	case errors.Is(err, lab.ErrNothingToChange):
		return Refuse(Invalid, "nothing_to_change",
			"This experiment doesn't apply to this request.",
			"Choose another round or another experiment.")
	}
	return err
}

// supplies returns what an experiment needs besides the call itself.
func (s *App) supplies(v *Visit, x playground.Exchange, e lab.Experiment, token string) lab.Supplies {
	var supplies lab.Supplies
	switch e.Wants {
	case lab.WantsOtherTool:
		if k, err := s.Find(v, x.Target.ID); err == nil {
			supplies.Tool = server.SecondTool(k.Connection, Title(x.Call), k.Sample != nil)
		}
	case lab.WantsOtherPerson:
		if x.Target.Sample != "" {
			token = otherIdentity(x.Target)
		}
		supplies.Person = PersonOf(token)
	case lab.WantsNarrowToken:
		supplies.Narrow = s.NarrowToken(v, x.Target)
	}
	return supplies
}

// PersonOf returns the credentials of a second person, if the token can be sent.
func PersonOf(token string) []wire.Field {
	field := wire.Field{Name: "Authorization", Value: "Bearer " + strings.TrimSpace(token)}
	if strings.TrimSpace(token) == "" || wire.CheckField(field) != nil {
		return nil
	}
	return []wire.Field{field}
}

// otherIdentity returns the bearer token of a demo identity that does not make
// the call.
func otherIdentity(t playground.Target) string {
	for _, id := range sampletools.Identities() {
		uses := slices.ContainsFunc(t.Header, func(f wire.Field) bool {
			return f.Value == "Bearer "+id.Bearer
		})
		if id.Bearer != "" && !uses {
			return id.Bearer
		}
	}
	return ""
}

// OnceOnly reports whether a sample accepts a state only once, so that recorded
// states are used up.
func (s *App) OnceOnly(t playground.Target) bool {
	sample, ok := s.Samples.Lookup(t.Sample)
	return ok && sample.OnceOnly
}

// ShortLived returns a function that makes the states of a sample expire within
// a second, so that an experiment can wait for it. It is nil for other servers.
func (s *App) ShortLived(t playground.Target) func(playground.Target) playground.Target {
	if t.Sample == "" {
		return nil
	}
	return func(t playground.Target) playground.Target {
		t.URL = playground.SetQuery(t.URL, "ttl", "1s")
		return t
	}
}
