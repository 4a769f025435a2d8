package lab

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// busyWithAll reports whether all experiments are being run in the session of x.
func (s *Pages) busyWithAll(ctx context.Context, x playground.Exchange) bool {
	_, running := s.Checker.Watch(ctx, x.Session)
	return running
}

func stillRunning() *app.Refusal {
	return app.Refuse(http.StatusConflict, "still_running", "The experiments of this call are still running.",
		"Nothing was sent. Wait until they have ended, or stop them.")
}

// RunAll makes the right call again and then every experiment, in the session of
// the exchange. It is a check, with its limits.
func (s *Pages) RunAll(c echo.Context) error {
	v := web.VisitOf(c)
	x, form, err := s.LoadForm(c)
	if err != nil {
		return err
	}
	f := x.Fold()
	if len(f.Rounds) == 0 || f.Rounds[0].Legacy {
		return app.Refuse(http.StatusUnprocessableEntity, "no_experiments", "There is nothing to run.",
			"Experiments change a request of a call to a server that supports MCP 2026-07-28.")
	}
	open, err := s.UnlockExchange(v, x)
	if err != nil {
		return err
	}
	if err := s.Allow(v, x.Target, web.First(form["mine"]) == "yes"); err != nil {
		return err
	}
	plan := check.Plan{
		Session: x.Session, Target: open.Target, Call: open.Call, Answers: open.Fold().Answers(),
		MaxWait: app.MaxExpiryWait, Late: app.LateWait, ShortLived: s.shortLived(open.Target),
	}
	for _, e := range lab.Experiments() {
		more := s.supplies(c, x, e, web.First(form["person"]))
		if more.Tool != nil {
			plan.Other = more.Tool
		}
		if len(more.Person) > 0 {
			plan.Person = more.Person
		}
		if len(more.Narrow) > 0 {
			plan.Narrow = more.Narrow
		}
	}
	if err := s.beginAll(c, open, plan); err != nil {
		return err
	}
	n, _ := strconv.Atoi(web.First(form["round"]))
	if f.Round(n) == nil {
		n = 0
	}
	return web.SeeOther(c, views.Selection{Round: n, Panel: views.PanelLab}.At("/x/"+x.ID, nil))
}

// beginAll starts a check in the session of x. It holds a place of the pool
// until it ends.
func (s *Pages) beginAll(c echo.Context, x playground.Exchange, p check.Plan) error {
	ctx := c.Request().Context()
	if s.busyWithAll(ctx, x) {
		return stillRunning()
	}
	if sessions, limit := s.Checker.Running(); len(sessions) >= limit {
		return s.TooManyChecks()
	}
	release, err := s.Checks.Acquire(ctx, web.VisitOf(c).Address)
	if errors.Is(err, app.ErrPoolFull) {
		return s.TooManyChecks()
	}
	if err != nil {
		return err
	}
	if err := s.openAll(c, x, p); err != nil {
		release()
		return err
	}
	go func() {
		defer release()
		s.Checker.Wait(context.Background(), p.Session) // until it ends or is stopped
	}()
	settled, stop := context.WithTimeout(ctx, s.Settle)
	defer stop()
	s.Checker.Wait(settled, p.Session)
	return nil
}

// openAll stores the right call of a check as a branch of x and starts the check.
func (s *Pages) openAll(c echo.Context, x playground.Exchange, p check.Plan) error {
	v := web.VisitOf(c)
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
		return stillRunning()
	case errors.Is(err, check.ErrBusy):
		return s.TooManyChecks()
	}
	return err
}
