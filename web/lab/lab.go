package lab

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Branch continues a call from Round n: with other answers, for which the page
// of the branch asks, or with an experiment, which runs at once.
func (s *Pages) Branch(c echo.Context) error {
	v := web.VisitOf(c)
	x, form, err := s.LoadForm(c)
	if err != nil {
		return err
	}
	id, at, named := strings.Cut(web.First(form["experiment"]), "@") // the board names the Round of each row
	if !named {
		at = web.First(form["round"])
	}
	n, err := branchFrom(x.Fold(), at)
	if err != nil {
		return err
	}
	if id == "" && n == 0 {
		return notBranchable()
	}
	open, err := s.UnlockExchange(v, x)
	if err != nil {
		return err
	}
	if id == "" {
		b, err := s.AddBranch(v, branchOf(open, n))
		if err != nil {
			return err
		}
		return web.SeeOther(c, "/x/"+b.ID)
	}
	e, ok := lab.ExperimentByID(id)
	if !ok {
		return app.NotFound()
	}
	if s.IsTesting(v.Context(), x) {
		return app.StillRunning()
	}
	if err := s.Allow(v, x.Target, web.First(form["mine"]) == "yes"); err != nil {
		return err
	}
	if e.FromStart() {
		n = 0
	} else if from, why := lab.Place(e, open); e.Group == lab.GroupTask && why == "" {
		n = from.N
	}
	return s.experiment(c, open, n, e, form)
}

// branchFrom returns the Round to branch from; 0 is before the first.
func branchFrom(f playground.Transcript, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || len(f.Rounds) == 0 {
		return 0, notBranchable()
	}
	if r := f.Round(n); n > 0 && (r == nil || !r.Branchable()) || f.Rounds[0].Legacy {
		return 0, notBranchable()
	}
	return n, nil
}

func notBranchable() *app.Refusal {
	return app.Refuse(http.StatusUnprocessableEntity, "no_branch", "You can't branch from there.",
		"A branch goes on from a round that asked something or that can be retried.")
}

// branchOf returns a branch from Round n of an unlocked exchange, not stored
// yet.
func branchOf(x playground.Exchange, n int) playground.Exchange {
	from := x.At(n)
	return playground.Exchange{Session: x.Session, Target: x.Target, Call: x.Call, Origin: &from}
}

// Rerun makes the call again from Round 1 with the recorded answers, as long as
// the server asks the same questions. For a sample, the form may choose how its
// state is protected.
func (s *Pages) Rerun(c echo.Context) error {
	v := web.VisitOf(c)
	x, form, err := s.LoadForm(c)
	if err != nil {
		return err
	}
	open, err := s.UnlockExchange(v, x)
	if err != nil {
		return err
	}
	if mode := web.First(form["state"]); mode != "" && x.Target.Sample != "" {
		open.Target.URL = playground.SetQuery(open.Target.URL, "state", mode)
	}
	ctx, stop := context.WithTimeout(v.Context(), s.Settle+s.Times.Rerun)
	defer stop()
	var b playground.Exchange
	if form.Has("kill") {
		b, err = s.rerunWithKill(ctx, c, open)
	} else {
		b, err = s.Driver(v).Rerun(ctx, open, playground.MaxRounds)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/x/"+b.ID)
}

// rerunWithKill makes the call of x again up to its last question, kills the
// instance that asked it, and goes on with the recorded answer. What was killed
// is data in the URL of the requests that follow.
func (s *Pages) rerunWithKill(
	ctx context.Context, c echo.Context, x playground.Exchange,
) (playground.Exchange, error) {
	f := x.Fold()
	n := len(f.Rounds) - 1
	if x.Target.Sample == "" || n < 1 || !f.Rounds[n-1].Branchable() {
		return x, notBranchable()
	}
	b, err := s.Driver(web.VisitOf(c)).Rerun(ctx, x, n)
	if err != nil {
		return b, err
	}
	last := b.Fold().Last()
	if last == nil || last.N != n || !last.Branchable() {
		return b, nil // it went another way, which its page shows
	}
	asker, _ := last.ServedBy()
	t, ok := server.Change{Do: server.Kill, Instance: asker}.Apply(s.Topology(b))
	if !ok || t.Other(asker) == "" {
		return b, notBranchable()
	}
	killed := b
	killed.Target.URL = t.URL(b.Target.URL)
	_, err = s.repeater(c, x).To(ctx, killed, n+1)
	return b, err
}

// experiment runs an experiment on a branch from Round n.
func (s *Pages) experiment(
	c echo.Context, x playground.Exchange, n int, e lab.Experiment, form url.Values,
) error {
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Times.Experiment)
	defer stop()
	d := s.repeater(c, x)
	anew := web.First(form["fresh"]) == "yes" || s.onceOnly(x.Target)
	x, err := d.Fresh(ctx, x, n, e, anew, s.shortLived(x.Target))
	if err != nil {
		return experimentRefusal(err, e, x)
	}
	supplies := s.supplies(c, x, e, web.First(form["person"]))
	m, ok := e.Material(x.Call, supplies)
	if !ok {
		return experimentRefusal(drive.ErrTooLate, e, x)
	}
	m.Later = lab.Later(x.Fold(), n)
	return s.try(ctx, c, d, x, n, e, m)
}

// repeater returns what drives a call as x was: with its answers, or with
// placeholders for questions that it did not answer.
func (s *Pages) repeater(c echo.Context, x playground.Exchange) drive.Driver {
	d, answers := s.Driver(web.VisitOf(c)), x.Fold().Answers()
	d.Decide = drive.Answers(func(f question.Form) (playground.Answer, error) {
		if answer, err := f.Repeat(answers); err == nil {
			return answer, nil
		}
		return f.Placeholder()
	})
	return d
}

// try makes an experiment on a new branch from Round n of x and leads to it.
func (s *Pages) try(
	ctx context.Context, c echo.Context, d drive.Driver, x playground.Exchange, n int, e lab.Experiment,
	m lab.Material,
) error {
	b, err := s.tryBranch(ctx, c, d, x, n, e, m)
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/x/"+b.ID)
}

// tryBranch tries an experiment as try does and returns its branch.
func (s *Pages) tryBranch(
	ctx context.Context, c echo.Context, d drive.Driver, x playground.Exchange, n int, e lab.Experiment,
	m lab.Material,
) (playground.Exchange, error) {
	b := branchOf(x, n)
	if err := hasPlace(d, b, x, e, m); err != nil {
		return b, experimentRefusal(err, e, x)
	}
	b, err := s.AddBranch(web.VisitOf(c), b)
	if err != nil {
		return b, err
	}
	if (b.Target.Sample == "" || e.Wants == lab.WantsNarrowToken) && len(m.Header) > 0 {
		b.Target = b.Target.WithSecrets(m.Header, web.VisitOf(c).Vault().Of(b.ID))
	}
	switch b, err = d.Try(ctx, b, n, e, m); {
	case errors.Is(err, context.DeadlineExceeded) && c.Request().Context().Err() == nil:
		return b, s.taskTooSlow(c, d, b)
	case err != nil && !app.IsStale(err):
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

// taskTooSlow cancels the task of a branch that an experiment waited for.
func (s *Pages) taskTooSlow(c echo.Context, d drive.Driver, b playground.Exchange) error {
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Settle)
	defer stop()
	if _, _, err := d.Leave(ctx, b); err != nil {
		s.Logger.Warn("cancel task", "exchange", b.ID, "err", err)
	}
	return app.Refuse(http.StatusConflict, "no_question", "The task did not ask in time.",
		"The experiment changes an answer to the task's question. "+
			"The task of the new call did not ask it soon enough and was cancelled. "+
			"See the new call in the history.")
}

// experimentRefusal returns the refusal of an experiment that cannot be made.
func experimentRefusal(err error, e lab.Experiment, x playground.Exchange) error {
	switch {
	case errors.Is(err, drive.ErrElsewhere):
		return app.Refuse(http.StatusConflict, "elsewhere", "The server did not reach the same point again.",
			"The recorded state has expired, so the call was run again. See the new call in the history.")
	case errors.Is(err, drive.ErrTooLate):
		return app.Refuse(http.StatusUnprocessableEntity, "no_material",
			"This experiment can't be made here.",
			lab.NotRunReason(e, x))
	case errors.Is(err, lab.ErrNothingToChange):
		return app.Refuse(http.StatusUnprocessableEntity, "nothing_to_change",
			"This experiment doesn't apply to this request.",
			"Choose another round or another experiment.")
	}
	return err
}

// supplies returns what an experiment needs besides the call itself.
func (s *Pages) supplies(c echo.Context, x playground.Exchange, e lab.Experiment, token string) lab.Supplies {
	v := web.VisitOf(c)
	var supplies lab.Supplies
	switch e.Wants {
	case lab.WantsOtherTool:
		if k, err := s.Find(v, x.Target.ID); err == nil {
			supplies.Tool = server.SecondTool(k.Connection, app.Title(x.Call), k.Sample != nil)
		}
	case lab.WantsOtherPerson:
		if x.Target.Sample != "" {
			token = otherIdentity(x.Target)
		}
		supplies.Person = person(token)
	case lab.WantsNarrowToken:
		supplies.Narrow = s.NarrowToken(v, x.Target)
	}
	return supplies
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

// onceOnly reports whether a sample accepts a state only once, so that recorded
// states are used up.
func (s *Pages) onceOnly(t playground.Target) bool {
	sample, ok := s.Samples.Lookup(t.Sample)
	return ok && sample.OnceOnly
}

// shortLived returns a function that makes the states of a sample expire within
// a second, so that an experiment can wait for it. It is nil for other servers.
func (s *Pages) shortLived(t playground.Target) func(playground.Target) playground.Target {
	if t.Sample == "" {
		return nil
	}
	return func(t playground.Target) playground.Target {
		t.URL = playground.SetQuery(t.URL, "ttl", "1s")
		return t
	}
}

// Board returns what the page of a call needs for its experiments: the recordings
// of its session only where they are shown, on a branch and in the Lab.
func (s *Pages) Board(c echo.Context, x playground.Exchange, panel views.Panel) (*views.LabInput, error) {
	v := web.VisitOf(c)
	ctx, workspace := v.Context(), v.Workspace()
	in := &views.LabInput{Mine: s.Mine(v, x.Target), OnceOnly: s.onceOnly(x.Target)}
	in.Expired = func(r playground.Round) bool {
		at := s.Expiry(x.Target, r)
		return !at.IsZero() && !s.Now().Before(at)
	}
	in.Running = s.IsTesting(v.Context(), x) // before the recordings are read: they only grow
	var err error
	if in.Rows, err = s.Store.ExchangeRows(ctx, workspace, x.Session); err != nil {
		return in, err
	}
	shown, known := x.Origin != nil || panel == views.PanelLab, true
	if web.HasExperiment(in.Rows) {
		in.Showed, known = s.Verdicts.Get(x.Session, in.Rows)
	}
	if !shown && known {
		return in, nil
	}
	n, err := s.Store.Session(ctx, workspace, x.Session)
	if err == nil {
		err = s.TakeTurn(v, n)
	}
	if err == nil && !known {
		in.Showed = s.Verdicts.Judge(x.Session, in.Rows, n.Exchanges)
	}
	if !shown {
		return in, err
	}
	in.Session = n.Exchanges
	if k, err := s.Find(v, x.Target.ID); err == nil { // not for a removed server
		in.Connection = k.Connection
	}
	return in, err
}
