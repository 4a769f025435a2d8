package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// branch goes on from Round n of a call: with other answers, which the new page
// asks for, or with something wrong on purpose, which is sent at once.
func (s *app) branch(c echo.Context) error {
	x, form, err := s.loadForm(c)
	if err != nil {
		return err
	}
	n, err := branchFrom(x.Fold(), first(form["round"]))
	if err != nil {
		return err
	}
	id := first(form["experiment"])
	if id == "omit-capability" {
		n = 0 // that is about the first request
	}
	if id == "" && n == 0 {
		return notOpen()
	}
	open, err := s.unlockExchange(c, x)
	if err != nil {
		return err
	}
	if id == "" {
		b, err := s.addBranch(c, open, open.At(n))
		if err != nil {
			return err
		}
		return seeOther(c, "/x/"+b.ID)
	}
	if err := s.allow(c, x.Target, first(form["mine"]) == "yes"); err != nil {
		return err
	}
	return s.experiment(c, open, n, id, form)
}

// branchFrom reads the Round to go on from; 0 is before the first.
func branchFrom(f playground.Transcript, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || len(f.Rounds) == 0 {
		return 0, notOpen()
	}
	if r := f.Round(n); n > 0 && (r == nil || !views.CanBranch(*r)) || f.Rounds[0].Legacy {
		return 0, notOpen()
	}
	return n, nil
}

func notOpen() *refusal {
	return refuse(http.StatusUnprocessableEntity, "no_branch", "Nothing can go on from there.",
		"A branch goes on from a round that asked something or wanted a retry.")
}

// loadForm reads the exchange of the address and what was sent to it.
func (s *app) loadForm(c echo.Context) (playground.Exchange, url.Values, error) {
	x, err := s.load(c, c.Param("id"))
	if err != nil {
		return x, nil, err
	}
	form, err := s.formValues(c)
	return x, form, err
}

// allow refuses experiments on a server that nobody said is theirs.
func (s *app) allow(c echo.Context, t playground.Target, says bool) error {
	if t.Sample != "" {
		return nil
	}
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	if says {
		err := s.Store.SetMine(ctx, workspace, t.ID)
		if errors.Is(err, playground.ErrNotFound) {
			return refuse(http.StatusForbidden, "not_yours", "This server is not among yours.", "Connect to it first, and call it from there.")
		}
		return err
	}
	if !s.mine(c, t) {
		return refuse(http.StatusForbidden, "not_yours", "Experiments are off for this server.",
			"They send it things that are wrong. Tick that it is yours, or that its owner lets you test it.")
	}
	return nil
}

// mine reports whether the user has said that a server may be sent wrong things.
func (s *app) mine(c echo.Context, t playground.Target) bool {
	if t.Sample != "" {
		return true
	}
	mine, err := s.Store.Mine(c.Request().Context(), s.owners.reading(c), t.ID)
	return err == nil && mine
}

// addBranch stores a branch of an unlocked exchange, not sent yet; it counts as
// a call all the same. What comes back is unlocked, too.
func (s *app) addBranch(c echo.Context, parent playground.Exchange, from playground.Origin) (playground.Exchange, error) {
	b := playground.Exchange{ID: s.NewID(), Session: parent.Session, Target: parent.Target, Call: parent.Call, Created: s.Now(), Origin: &from}
	if from.Round == 0 {
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
		err = refuse(http.StatusUnprocessableEntity, "no_branch", "A check keeps its own record.", "Make the call once by itself, and branch off there.")
	}
	return b, err
}

// reopen reads an unlocked exchange again, with what was recorded meanwhile.
func (s *app) reopen(c echo.Context, id string) (playground.Exchange, error) {
	x, err := s.load(c, id)
	if err != nil {
		return x, err
	}
	return s.unlockExchange(c, x)
}

// rerun makes the call again from the beginning and gives the answers that
// were given, as long as the server asks the same; of a sample, with its state
// protected in another way if that is asked for.
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
	b, err := s.again(c, open, playground.MaxRounds)
	if err != nil {
		return err
	}
	return seeOther(c, "/x/"+b.ID)
}

// again drives a fresh run of a call up to Round n, or to where the record of
// answers ends, and no longer than anybody waits for a page.
func (s *app) again(c echo.Context, x playground.Exchange, n int) (playground.Exchange, error) {
	recorded := x.Fold()
	said := recorded.Answers()
	b, err := s.addBranch(c, x, playground.Origin{Exchange: x.ID})
	if err != nil {
		return b, err
	}
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Settle+driveTime)
	defer stop()
	d := playground.Decision{Action: playground.ActionStart, Round: 1}
	for d.Round <= n {
		if err := s.Runner.Decide(ctx, b, d); err != nil {
			return b, err
		}
		s.Runner.Wait(ctx, b.ID)
		if b, err = s.reopen(c, b.ID); err != nil {
			return b, err
		}
		last := b.Fold().Last()
		if !views.CanBranch(*last) || recorded.Round(last.N+1) == nil {
			return b, nil
		}
		if d, err = question.Reply(*last, func(p question.Form) (playground.Answer, error) { return p.Repeat(said) }); err != nil {
			return b, nil //nolint:nilerr // from here on it is the user's turn
		}
	}
	return b, nil
}

// lab is what the page of a call needs for its experiments.
func (s *app) lab(c echo.Context, x playground.Exchange) (*views.LabInput, error) {
	in := &views.LabInput{Mine: s.mine(c, x.Target), Expired: func(r playground.Round) bool {
		at := s.lapses(x.Target, r)
		return !at.IsZero() && !s.Now().Before(at)
	}}
	if x.Origin == nil {
		return in, nil
	}
	n, err := s.Store.Session(c.Request().Context(), s.owners.reading(c), x.Session)
	in.Session = n.Exchanges
	return in, err
}
