package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// Times of experiments.
const (
	rerunTime     = 10 * time.Second // for the Rounds before an experiment, together
	maxExpiryWait = 10 * time.Second // for a state to expire
	lateWait      = 2 * time.Second  // with a state whose expiry is unknown
)

// driver returns what drives calls for the browser of c.
func (s *app) driver(c echo.Context) drive.Driver {
	return drive.Driver{
		Runner: s.Runner, Client: s.Client, Settle: s.Settle, Now: s.Now, Wait: pause, Most: maxExpiryWait,
		Late:   lateWait,
		Expiry: s.expiry,
		Begin: func(
			_ context.Context, x playground.Exchange,
		) (playground.Exchange, error) {
			return s.addBranch(c, x)
		},
	}
}

// branch continues a call from Round n: with other answers, for which the page
// of the branch asks, or with an experiment, which runs at once.
func (s *app) branch(c echo.Context) error {
	x, form, err := s.loadForm(c)
	if err != nil {
		return err
	}
	id, at, named := strings.Cut(first(form["experiment"]), "@") // the board names the Round of each row
	if !named {
		at = first(form["round"])
	}
	n, err := branchFrom(x.Fold(), at)
	if err != nil {
		return err
	}
	if id == "" && n == 0 {
		return notBranchable()
	}
	open, err := s.unlockExchange(c, x)
	if err != nil {
		return err
	}
	if id == "" {
		b, err := s.addBranch(c, branchOf(open, n))
		if err != nil {
			return err
		}
		return seeOther(c, "/x/"+b.ID)
	}
	e, ok := lab.ExperimentByID(id)
	if !ok {
		return notFound()
	}
	if s.busyWithAll(c.Request().Context(), x) {
		return stillRunning()
	}
	if err := s.allow(c, x.Target, first(form["mine"]) == "yes"); err != nil {
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

func notBranchable() *refusal {
	return refuse(http.StatusUnprocessableEntity, "no_branch", "You can't branch from there.",
		"A branch goes on from a round that asked something or that can be retried.")
}

// branchOf returns a branch from Round n of an unlocked exchange, not stored
// yet.
func branchOf(x playground.Exchange, n int) playground.Exchange {
	from := x.At(n)
	return playground.Exchange{Session: x.Session, Target: x.Target, Call: x.Call, Origin: &from}
}

// loadForm reads the exchange of the address and the form that was sent.
func (s *app) loadForm(c echo.Context) (playground.Exchange, url.Values, error) {
	x, err := s.load(c, c.Param("id"))
	if err != nil {
		return x, nil, err
	}
	form, err := s.formValues(c)
	return x, form, err
}

// allow refuses experiments on a server that the user has not confirmed to own.
func (s *app) allow(c echo.Context, t playground.Target, confirms bool) error {
	if t.Sample != "" {
		return nil
	}
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	if confirms {
		err := s.Store.SetMine(ctx, workspace, t.ID)
		if errors.Is(err, playground.ErrNotFound) {
			return refuse(http.StatusForbidden, "not_yours", "This server is not in your list.",
				"Connect to it first, then make the call from its page.")
		}
		return err
	}
	if !s.mine(c, t) {
		return refuse(http.StatusForbidden, "not_yours", "Experiments are off for this server.",
			"They send it invalid requests. "+
				"Confirm that the server is yours, or that its owner allows tests.")
	}
	return nil
}

// mine reports whether the user has confirmed that a server may be tested.
func (s *app) mine(c echo.Context, t playground.Target) bool {
	if t.Sample != "" {
		return true
	}
	mine, err := s.Store.Mine(c.Request().Context(), s.owners.reading(c), t.ID)
	return err == nil && mine
}

// addBranch stores a branch, not sent yet, and returns it with its secrets. It
// counts as a call.
func (s *app) addBranch(c echo.Context, b playground.Exchange) (playground.Exchange, error) {
	b.ID, b.Created = s.NewID(), s.Now()
	if b.Origin.Round == 0 {
		b.Origin.Parent = nil
	}
	if err := s.admit(c, b); err != nil {
		return b, err
	}
	b, err := s.lockExchange(c, b)
	if err != nil {
		return b, err
	}
	err = s.Store.AddBranch(c.Request().Context(), s.owners.reading(c), b.Redacted())
	if errors.Is(err, playground.ErrNotFound) {
		err = refuse(http.StatusUnprocessableEntity, "no_branch", "You can't branch inside a check.",
			"Make the call on its own first, then branch from that.")
	}
	return b, err
}

// rerun makes the call again from Round 1 with the recorded answers, as long as
// the server asks the same questions. For a sample, the form may choose how its
// state is protected.
func (s *app) rerun(c echo.Context) error {
	x, form, err := s.loadForm(c)
	if err != nil {
		return err
	}
	open, err := s.unlockExchange(c, x)
	if err != nil {
		return err
	}
	if mode := first(form["state"]); mode != "" && x.Target.Sample != "" {
		open.Target.URL = playground.SetQuery(open.Target.URL, "state", mode)
	}
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Settle+rerunTime)
	defer stop()
	var b playground.Exchange
	if form.Has("kill") {
		b, err = s.rerunWithKill(ctx, c, open)
	} else {
		b, err = s.driver(c).Rerun(ctx, open, playground.MaxRounds)
	}
	if err != nil {
		return err
	}
	return seeOther(c, "/x/"+b.ID)
}

// rerunWithKill makes the call of x again up to its last question, kills the
// instance that asked it, and goes on with the recorded answer. What was killed
// is data in the URL of the requests that follow.
func (s *app) rerunWithKill(
	ctx context.Context, c echo.Context, x playground.Exchange,
) (playground.Exchange, error) {
	f := x.Fold()
	n := len(f.Rounds) - 1
	if x.Target.Sample == "" || n < 1 || !f.Rounds[n-1].Branchable() {
		return x, notBranchable()
	}
	b, err := s.driver(c).Rerun(ctx, x, n)
	if err != nil {
		return b, err
	}
	last := b.Fold().Last()
	if last == nil || last.N != n || !last.Branchable() {
		return b, nil // it went another way, which its page shows
	}
	asker, _ := last.ServedBy()
	t, ok := server.Change{Do: server.Kill, Instance: asker}.Apply(s.topology(b))
	if !ok || t.Other(asker) == "" {
		return b, notBranchable()
	}
	killed := b
	killed.Target.URL = t.URL(b.Target.URL)
	_, err = s.repeater(c, x).To(ctx, killed, n+1)
	return b, err
}

// experiment runs an experiment on a branch from Round n.
func (s *app) experiment(
	c echo.Context, x playground.Exchange, n int, e lab.Experiment, form url.Values,
) error {
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Patience)
	defer stop()
	d := s.repeater(c, x)
	anew := first(form["fresh"]) == "yes" || s.onceOnly(x.Target)
	x, err := d.Fresh(ctx, x, n, e, anew, s.shortLived(x.Target))
	if err != nil {
		return experimentRefusal(err, e, x)
	}
	supplies := s.supplies(c, x, e, first(form["person"]))
	m, ok := e.Material(x.Call, supplies)
	if !ok {
		return experimentRefusal(drive.ErrTooLate, e, x)
	}
	m.Later = lab.Later(x.Fold(), n)
	return s.try(ctx, c, d, x, n, e, m)
}

// repeater returns what drives a call as x was: with its answers, or with
// placeholders for questions that it did not answer.
func (s *app) repeater(c echo.Context, x playground.Exchange) drive.Driver {
	d, answers := s.driver(c), x.Fold().Answers()
	d.Decide = drive.Answers(func(f question.Form) (playground.Answer, error) {
		if answer, err := f.Repeat(answers); err == nil {
			return answer, nil
		}
		return f.Placeholder()
	})
	return d
}

// try makes an experiment on a new branch from Round n of x and leads to it.
func (s *app) try(
	ctx context.Context, c echo.Context, d drive.Driver, x playground.Exchange, n int, e lab.Experiment,
	m lab.Material,
) error {
	b, err := s.tryBranch(ctx, c, d, x, n, e, m)
	if err != nil {
		return err
	}
	return seeOther(c, "/x/"+b.ID)
}

// tryBranch tries an experiment as try does and returns its branch.
func (s *app) tryBranch(
	ctx context.Context, c echo.Context, d drive.Driver, x playground.Exchange, n int, e lab.Experiment,
	m lab.Material,
) (playground.Exchange, error) {
	b := branchOf(x, n)
	if err := hasPlace(d, b, x, e, m); err != nil {
		return b, experimentRefusal(err, e, x)
	}
	b, err := s.addBranch(c, b)
	if err != nil {
		return b, err
	}
	if (b.Target.Sample == "" || e.Wants == lab.WantsNarrowToken) && len(m.Header) > 0 {
		b.Target = b.Target.WithSecrets(m.Header, s.owners.vault(c).of(b.ID))
	}
	switch b, err = d.Try(ctx, b, n, e, m); {
	case errors.Is(err, context.DeadlineExceeded) && c.Request().Context().Err() == nil:
		return b, s.taskTooSlow(c, d, b)
	case err != nil && !isStale(err):
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
func (s *app) taskTooSlow(c echo.Context, d drive.Driver, b playground.Exchange) error {
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Settle)
	defer stop()
	if _, _, err := d.Leave(ctx, b); err != nil {
		s.Logger.Warn("cancel task", "exchange", b.ID, "err", err)
	}
	return refuse(http.StatusConflict, "no_question", "The task did not ask in time.",
		"The experiment changes an answer to the task's question. The task of the new call did not ask "+
			"it soon enough and was cancelled. See the new call in the history.")
}

// experimentRefusal returns the refusal of an experiment that cannot be made.
func experimentRefusal(err error, e lab.Experiment, x playground.Exchange) error {
	switch {
	case errors.Is(err, drive.ErrElsewhere):
		return refuse(http.StatusConflict, "elsewhere", "The server did not reach the same point again.",
			"The recorded state has expired, so the call was run again. See the new call in the history.")
	case errors.Is(err, drive.ErrTooLate):
		return refuse(http.StatusUnprocessableEntity, "no_material", "This experiment can't be made here.",
			lab.NotRunReason(e, x))
	case errors.Is(err, lab.ErrNothingToChange):
		return refuse(http.StatusUnprocessableEntity, "nothing_to_change",
			"This experiment doesn't apply to this request.",
			"Choose another round or another experiment.")
	}
	return err
}

// supplies returns what an experiment needs besides the call itself.
func (s *app) supplies(c echo.Context, x playground.Exchange, e lab.Experiment, token string) lab.Supplies {
	var supplies lab.Supplies
	switch e.Wants {
	case lab.WantsOtherTool:
		if k, err := s.find(c, x.Target.ID); err == nil {
			supplies.Tool = server.SecondTool(k.connection, title(x.Call), k.sample != nil)
		}
	case lab.WantsOtherPerson:
		if x.Target.Sample != "" {
			token = otherIdentity(x.Target)
		}
		supplies.Person = person(token)
	case lab.WantsNarrowToken:
		supplies.Narrow = s.narrowToken(c, x.Target)
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
func (s *app) onceOnly(t playground.Target) bool {
	sample, ok := s.samples.lookup(t.Sample)
	return ok && sample.OnceOnly
}

// shortLived returns a function that makes the states of a sample expire within
// a second, so that an experiment can wait for it. It is nil for other servers.
func (s *app) shortLived(t playground.Target) func(playground.Target) playground.Target {
	if t.Sample == "" {
		return nil
	}
	return func(t playground.Target) playground.Target {
		t.URL = playground.SetQuery(t.URL, "ttl", "1s")
		return t
	}
}

// expiry returns when the state of a Round expires, or the zero time if that
// cannot be known.
func (s *app) expiry(t playground.Target, r playground.Round) time.Time {
	switch {
	case r.State == nil:
		return time.Time{}
	case t.Sample != "":
		return s.Explain(r.StateText()).Expires
	}
	return check.Expiry(t, r)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lab returns what the page of a call needs for its experiments: the recordings
// of its session only where they are shown, on a branch and in the Lab.
func (s *app) lab(c echo.Context, x playground.Exchange, panel views.Panel) (*views.LabInput, error) {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	in := &views.LabInput{Mine: s.mine(c, x.Target), OnceOnly: s.onceOnly(x.Target)}
	in.Expired = func(r playground.Round) bool {
		at := s.expiry(x.Target, r)
		return !at.IsZero() && !s.Now().Before(at)
	}
	in.Running = s.busyWithAll(c.Request().Context(), x) // before the recordings are read: they only grow
	var err error
	if in.Rows, err = s.Store.ExchangeRows(ctx, workspace, x.Session); err != nil {
		return in, err
	}
	shown, known := x.Origin != nil || panel == views.PanelLab, true
	if hasExperiment(in.Rows) {
		in.Showed, known = s.verdicts.get(x.Session, in.Rows)
	}
	if !shown && known {
		return in, nil
	}
	n, err := s.Store.Session(ctx, workspace, x.Session)
	if err == nil {
		err = s.takeTurn(c, n)
	}
	if err == nil && !known {
		in.Showed = s.verdicts.judge(x.Session, in.Rows, n.Exchanges)
	}
	if !shown {
		return in, err
	}
	in.Session = n.Exchanges
	if k, err := s.find(c, x.Target.ID); err == nil { // not for a removed server
		in.Connection = k.connection
	}
	return in, err
}
