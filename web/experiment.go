package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// trial is an experiment about to be made.
type trial struct {
	e            lab.Experiment
	decision     playground.Decision
	right, wrong wire.Request
}

// experiment sends something wrong on a branch from Round n.
func (s *app) experiment(c echo.Context, x playground.Exchange, n int, id string, form url.Values) error {
	e, ok := lab.ExperimentByID(id)
	if !ok {
		return notFound()
	}
	said := x.Fold().Answers()
	x, err := s.fresh(c, x, n, e, first(form["fresh"]) == "yes")
	if err != nil {
		return err
	}
	m, err := s.material(c, e, x, first(form["person"]))
	if err != nil {
		return err
	}
	from := x.At(n)
	m.Round = roundOf(x, n)
	t, err := s.plan(e, playground.Exchange{Target: x.Target, Call: x.Call, Origin: &from}, m, said)
	if errors.Is(err, lab.ErrNothingToChange) {
		return refuse(http.StatusUnprocessableEntity, "nothing_to_change", "This request has no place for that.", "Choose another round or another experiment.")
	}
	if err != nil {
		return err
	}
	b, err := s.addBranch(c, x, from)
	if err != nil {
		return err
	}
	return s.makeTrial(c, s.alsoHide(c, b, m.Header), t)
}

// roundOf is Round n; the zero Round stands before the first request.
func roundOf(x playground.Exchange, n int) playground.Round {
	if r := x.Fold().Round(n); r != nil {
		return *r
	}
	return playground.Round{}
}

// plan builds the right request, with what was said before or a stand-in for
// it, and the wrong one.
func (s *app) plan(e lab.Experiment, b playground.Exchange, m lab.Material, said map[string]json.RawMessage) (trial, error) {
	t := trial{e: e, decision: playground.Decision{Action: playground.ActionStart, Round: 1}}
	var err error
	if m.Round.N > 0 {
		t.decision, err = question.Reply(m.Round, func(p question.Form) (playground.Answer, error) {
			if response, err := p.Repeat(said); err == nil {
				return response, nil
			}
			return p.Placeholder()
		})
	}
	if err != nil {
		return t, lab.ErrNothingToChange
	}
	if t.right, err = playground.Next(b, b.Fold(), t.decision, s.Client); err != nil {
		return t, err
	}
	t.wrong, err = e.Change(t.right, m)
	return t, err
}

// material is what the experiment is made of besides the right request.
func (s *app) material(c echo.Context, e lab.Experiment, x playground.Exchange, token string) (lab.Material, error) {
	var m lab.Material
	none := refuse(http.StatusUnprocessableEntity, "no_material", "There is nothing to make this experiment of.", lab.NotMade(e, x))
	switch e.ID {
	case "state-of-another-call":
		other, ok := lab.OtherArguments(x.Call)
		if m.Call = &other; !ok {
			return m, none
		}
	case "state-of-another-tool":
		k, err := s.find(c.Request().Context(), s.owners.reading(c), x.Target.ID)
		if err != nil {
			return m, none
		}
		if m.Call = server.Harmless(k.connection, title(x.Call), k.sample != nil); m.Call == nil {
			return m, none
		}
	case "state-of-another-person":
		if x.Target.Sample != "" {
			token = otherIdentity(x.Target)
		}
		if m.Header = withPerson(check.Plan{}, token).Person; len(m.Header) == 0 {
			return m, none
		}
	}
	return m, nil
}

// otherIdentity is the bearer of somebody whom the samples know, and who does
// not make the call.
func otherIdentity(t playground.Target) string {
	for _, id := range sampletools.Identities() {
		uses := slices.ContainsFunc(t.Header, func(f wire.Field) bool { return f.Value == "Bearer "+id.Bearer })
		if id.Bearer != "" && !uses {
			return id.Bearer
		}
	}
	return ""
}

// alsoHide lets nothing of a second person's credentials be stored; those of
// the samples are no secret.
func (s *app) alsoHide(c echo.Context, b playground.Exchange, person []wire.Field) playground.Exchange {
	if b.Target.Sample == "" && len(person) > 0 {
		both := b.Target
		both.Header = slices.Concat(b.Target.Header, person)
		b.Target.Secrets = redact.New(both.Header, both.URL, s.owners.vault(c).sealer(b.ID))
	}
	return b
}

// makeTrial makes the experiment on a branch that is stored.
func (s *app) makeTrial(c echo.Context, b playground.Exchange, t trial) error {
	ctx, d := c.Request().Context(), t.decision
	d.Experiment, d.Changed = t.e.ID, t.e.ID != "replay"
	err := s.Runner.Try(ctx, b, d, t.wrong)
	s.settle(ctx, b.ID)
	if t.e.ID == "replay" && err == nil { // the very same once more
		if b, err = s.reopen(c, b.ID); err != nil {
			return err
		}
		d.Action, d.Answers, d.Changed, d.Round = playground.ActionResend, nil, true, d.Round+1
		err = s.Runner.Try(ctx, b, d, t.wrong)
		s.settle(ctx, b.ID)
	}
	if err != nil && !isStale(err) {
		return err
	}
	return seeOther(c, "/x/"+b.ID)
}
