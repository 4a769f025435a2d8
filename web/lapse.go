package web

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// driveTime is how long the Rounds before an experiment may take together.
const driveTime = 10 * time.Second

// fresh is the call as the experiment needs it at Round n: with a state that is
// still good, made anew if the recorded one is not; or with one that is not.
func (s *app) fresh(c echo.Context, x playground.Exchange, n int, e lab.Experiment, anew bool) (playground.Exchange, error) {
	r := roundOf(x, n)
	lapses := s.lapses(x.Target, r)
	lapsed := !lapses.IsZero() && !s.Now().Before(lapses)
	switch {
	case lapsed && e.ID == "expired-state" || n == 0:
		return x, nil
	case lapsed || e.ID != "expired-state" && (anew || counts(x.Target)):
		return s.sameRound(c, x, n)
	case e.ID != "expired-state":
		return x, nil
	case x.Target.Sample != "":
		var err error
		x.Target.URL = playground.SetQuery(x.Target.URL, "ttl", "1s")
		if x, err = s.sameRound(c, x, n); err != nil {
			return x, err
		}
		lapses = s.lapses(x.Target, roundOf(x, n))
	}
	wait := lapses.Sub(s.Now())
	if lapses.IsZero() || wait > patience {
		return x, refuse(http.StatusUnprocessableEntity, "no_material", "This state cannot be waited for.", check.NotMade(e, x))
	}
	return x, pause(c.Request().Context(), wait+time.Second/10)
}

// counts reports whether a sample takes a state only once, so that what was
// recorded is used up.
func counts(t playground.Target) bool {
	replay, _ := lab.ExperimentByID("replay")
	return t.Sample != "" && replay.Outcome(lab.Sealed, t.Sample) == lab.Rejected
}

// sameRound makes the call again up to Round n.
func (s *app) sameRound(c echo.Context, x playground.Exchange, n int) (playground.Exchange, error) {
	again, err := s.again(c, x, n)
	if err != nil {
		return again, err
	}
	if !views.CanBranch(roundOf(again, n)) {
		return again, refuse(http.StatusConflict, "elsewhere", "The server did not come to the same point again.",
			"The recorded state has lapsed, and the call was made once more for a new one; the history shows where that led.")
	}
	return again, nil
}

// lapses is when the state of a Round ends, as far as that can be known; the
// zero time when it cannot.
func (s *app) lapses(t playground.Target, r playground.Round) time.Time {
	switch {
	case r.State == nil:
		return time.Time{}
	case t.Sample != "":
		return s.Explain(r.StateText()).Expires
	}
	return check.Visible(r.StateText())
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
