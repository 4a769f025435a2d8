package app

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// autoSettle is how long the page waits for the first of several automatic
// retries: it shows them as they are sent.
const autoSettle = 300 * time.Millisecond

// Send opens the Round of a decision. It returns the exchange with its
// new log, as it can be shown; f is what x folds to.
func (s *App) Send(v *Visit, x playground.Exchange, f playground.Transcript,
	d playground.Decision) (playground.Exchange, error) {
	open := x
	if d.Action != playground.ActionRefuse { // which sends nothing
		out, err := s.IsSignedOut(v, x, f)
		if err != nil {
			return x, err
		}
		if out {
			return x, signedOut(x)
		}
		if open, err = s.UnlockExchange(v, x); err != nil {
			return x, err
		}
	}
	if err := s.Admit(v, open); err != nil {
		return x, err
	}
	driver := s.Driver(v)
	if d.Auto {
		driver.Settle = min(driver.Settle, autoSettle)
	}
	driven, err := driver.Open(v.Context(), open, d)
	if err != nil {
		return x, err
	}
	if open.Target.Secrets != nil {
		return s.Load(v, x.ID) // the driven log is not redacted
	}
	x.Log = driven.Log
	return x, nil
}

// signedOut is for a request that would be sent without the token of the
// sign-in.
func signedOut(x playground.Exchange) *Refusal {
	return Refuse(Conflict, "signed_out", "You are not signed in to "+x.Target.Name+".",
		"Nothing was sent. Sign in again to go on with the call.")
}
