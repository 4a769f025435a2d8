package check

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// whole is where to stop a run that is not to be stopped.
const whole = playground.MaxRounds

// driver makes one exchange.
type driver struct {
	Config
	plan    Plan
	before  map[string]json.RawMessage // what the right call answered, by key
	e       lab.Experiment
	variant int
	x       playground.Exchange
	conn    int
}

// begin stores the exchange, not sent yet.
func (d *driver) begin(ctx context.Context) error {
	d.x = playground.Exchange{ID: d.NewID(), Session: d.plan.Session, Target: d.plan.Target, Call: d.plan.Call, Created: d.Now()}
	if err := d.Record.Begin(ctx, d.x.Redacted()); err != nil {
		d.x.ID = ""
		return fmt.Errorf("begin exchange: %w", err)
	}
	return nil
}

// honest sends what an honest client sends, until nothing is open or so many
// Rounds were made.
func (d *driver) honest(ctx context.Context, rounds int) error {
	decision := playground.Decision{Action: playground.ActionStart, Round: 1}
	for decision.Round <= rounds {
		req, err := d.next(decision)
		if err != nil {
			return err
		}
		last, err := d.send(ctx, decision, req)
		if err != nil || !last.Open() {
			return err
		}
		var answered bool
		if decision, answered = d.decide(last); !answered {
			return nil
		}
	}
	return nil
}

// next is the right request.
func (d *driver) next(decision playground.Decision) (wire.Request, error) {
	return playground.Next(d.x, playground.Fold(d.x.Log), decision, d.Client)
}

// decide answers an open Round with what was given, else with stand-ins; false
// when neither fits.
func (d *driver) decide(last playground.Round) (playground.Decision, bool) {
	decision, err := question.Reply(last, d.answer)
	return decision, err == nil
}

func (d *driver) answer(p question.Form) (playground.Answer, error) {
	if given, ok := d.plan.Answers[p.Key]; ok {
		return p.FromJSON(given)
	}
	if said, err := p.Repeat(d.before); err == nil {
		return said, nil
	}
	return p.Placeholder()
}

// make drives a fresh run up to the Round n that the experiment's request
// answers (0: none), and sends the changed one.
func (d *driver) make(ctx context.Context, n int) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	if err := d.honest(ctx, n); err != nil {
		return err
	}
	decision := playground.Decision{Action: playground.ActionStart, Round: 1}
	var from playground.Round
	if last := playground.Fold(d.x.Log).Last(); last != nil {
		var answered bool
		from = *last
		if decision, answered = d.decide(from); !answered || from.N != n || !d.e.Fits(from) {
			return nil // the report says so, because the change is not in the record
		}
	}
	req, err := d.next(decision)
	if err != nil {
		return nil //nolint:nilerr // the same: nothing is open here this time
	}
	return d.wrong(ctx, from, decision, req)
}

// wrong changes the request and sends it.
func (d *driver) wrong(ctx context.Context, from playground.Round, decision playground.Decision, req wire.Request) error {
	material, _ := d.material(from)
	changed, err := d.change(req, material)
	if err != nil {
		return err
	}
	decision.Changed = true
	switch d.e.ID {
	case "expired-state":
		if err := d.Wait(ctx, d.untilLapsed(from)); err != nil {
			return err
		}
	case "replay":
		decision.Changed = false
		if _, err := d.send(ctx, decision, req); err != nil {
			return err
		}
		decision.Action, decision.Answers, decision.Changed = playground.ActionResend, nil, true
		decision.Round++
	}
	_, err = d.send(ctx, decision, changed)
	return err
}

// change makes the wrong request; of the several changes to a state, its own.
func (d *driver) change(req wire.Request, m lab.Material) (wire.Request, error) {
	if d.e.ID == "flip-state" {
		changes := lab.Tampered(m.Round.StateText())
		if d.variant >= len(changes) {
			return req, lab.ErrNothingToChange
		}
		return lab.WithState(req, changes[d.variant])
	}
	return d.e.Change(req, m)
}

// material is what the experiment is made of; false when the plan has none for it.
func (d *driver) material(from playground.Round) (lab.Material, bool) {
	m := lab.Material{Round: from}
	switch d.e.ID {
	case "state-of-another-call":
		other, ok := lab.OtherArguments(d.plan.Call)
		m.Call = &other
		return m, ok
	case "state-of-another-tool":
		m.Call = d.plan.Other
		return m, m.Call != nil
	case "state-of-another-person":
		m.Header = d.plan.Person
		return m, len(m.Header) > 0
	case "expired-state":
		wait := d.untilLapsed(from)
		return m, wait > 0 && wait <= d.plan.Patient
	}
	return m, true
}

// untilLapsed is how long the state of a Round is still good, and a second
// more; 0 when that cannot be known.
func (d *driver) untilLapsed(from playground.Round) time.Duration {
	if d.Expires == nil || from.State == nil {
		return 0
	}
	at := d.Expires(from.StateText())
	if at.IsZero() {
		return 0
	}
	return max(at.Sub(d.Now()), 0) + time.Second
}
