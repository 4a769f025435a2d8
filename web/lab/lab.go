package lab

import (
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	labview "github.com/mrtr-playground/mrtr-playground/views/lab"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Branch continues a call from Round n: with other answers, for which the page
// of the branch asks, or with an experiment, which runs at once.
func (s *Pages) Branch(r *web.Request) error {
	v := r.Visit
	x, form, err := s.App.LoadForm(r)
	if err != nil {
		return err
	}
	id, at, named := strings.Cut(web.First(form["experiment"]), "@") // the board names the Round of each row
	if !named {
		at = web.First(form["round"])
	}
	n, err := strconv.Atoi(at)
	if err != nil {
		n = -1 // no Round
	}
	var b playground.Exchange
	if id == "" {
		b, err = s.App.Branch(v, x, n)
	} else {
		e, ok := lab.ExperimentByID(id)
		if !ok {
			return app.NotFound()
		}
		b, err = s.App.Try(v, x, app.Trial{
			Experiment: e, Round: n, Fresh: web.First(form["fresh"]) == "yes",
			Mine: web.First(form["mine"]) == "yes", Person: web.First(form["person"]),
		})
	}
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/x/"+b.ID)
}

// Rerun makes the call again from Round 1 with the recorded answers, as long as
// the server asks the same questions. For a sample, the form may choose how its
// state is protected.
func (s *Pages) Rerun(r *web.Request) error {
	x, form, err := s.App.LoadForm(r)
	if err != nil {
		return err
	}
	how := app.Rerun{State: web.First(form["state"]), Kill: form.Has("kill")}
	b, err := s.App.Rerun(r.Visit, x, how)
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/x/"+b.ID)
}

// Board returns the parts that the page of a call needs for its experiments:
// the recordings of its session only where they are shown, on a branch and in
// the Lab.
func (s *Pages) Board(
	r *web.Request, x playground.Exchange, panel selection.Panel,
) (*labview.Input, error) {
	v := r.Visit
	ctx, workspace := v.Context(), v.Workspace()
	in := &labview.Input{Mine: s.App.Mine(v, x.Target), OnceOnly: s.App.OnceOnly(x.Target)}
	in.Expired = func(round playground.Round) bool {
		at := s.App.Expiry(x.Target, round)
		return !at.IsZero() && !s.App.Now().Before(at)
	}
	in.Running = s.App.IsTesting(v.Context(), x) // before the recordings are read: they only grow
	var err error
	if in.Rows, err = s.Store.ExchangeRows(ctx, workspace, x.Session); err != nil {
		return in, err
	}
	shown, known := x.Origin != nil || x.Experiment() != "" || panel == selection.PanelLab, true
	if web.HasExperiment(in.Rows) {
		in.Showed, known = s.App.Verdicts.Get(x.Session, in.Rows)
	}
	if !shown && known {
		return in, nil
	}
	n, err := s.Store.Session(ctx, workspace, x.Session)
	if err == nil {
		err = s.App.TakeTurn(v, n)
	}
	if err == nil && !known {
		in.Showed = s.App.Verdicts.Judge(x.Session, in.Rows, n.Exchanges)
	}
	if !shown {
		return in, err
	}
	in.Session = n.Exchanges
	in.Connection = s.App.ConnectionOf(v, x.Target.ID)
	return in, err
}
