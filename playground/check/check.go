// Package check tests a server with one of its own tools: it makes the call as
// it should be made, then once more for every Experiment, each on a fresh run
// that goes wrong in one place on purpose. What was sent and what came back is
// recorded as ordinary Exchanges; the Report is a pure function of them, so it
// can be made again from a stored or shared Session.
//
// A probe fails only where its clause says MUST. What a client cannot know, as
// whether anything depends on a requestState, is said and not judged. The
// package never changes what an honest client sends: playground.Next builds
// every request, and playground.Experiment changes one.
package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Plan is what to check.
type Plan struct {
	Session string // that the exchanges belong to
	Target  playground.Target
	Call    playground.Call
	Answers map[string]json.RawMessage // by key, as Prompt.Given takes them; other questions get stand-ins
	Person  []wire.Field               // credentials of a second person, to be among Target.Secrets; none leaves that probe out
	Other   *playground.Call           // a call of another tool of the same server; nil leaves that probe out
	Patient time.Duration              // how long may be waited for a state to lapse
}

// Record stores exchanges as they happen; Append is atomic.
type Record interface {
	Begin(ctx context.Context, x playground.Exchange) error
	Append(ctx context.Context, id string, sum playground.Summary, events ...playground.Event) error
}

// Caller sends one request and hands over the parts of the answer as they
// come. It returns when nothing more can come.
type Caller interface {
	Send(ctx context.Context, url string, f wire.Frame, record func(wire.Part) error) wire.Timing
}

// Config is what a check needs from outside.
type Config struct {
	Record  Record
	Caller  Caller
	Client  playground.Client
	Now     func() time.Time
	Wait    func(ctx context.Context, d time.Duration) error
	NewID   func() string
	Expires func(state string) time.Time // when a state lapses; zero when that cannot be known
}

// Run makes the call and every probe, one after the other, and returns what
// was recorded, the right call first. An error is our own failure or the end of
// ctx; what a server does wrong is in the record.
func Run(ctx context.Context, cfg Config, p Plan) ([]playground.Exchange, error) {
	first, err := Begin(ctx, cfg, p)
	if err != nil {
		return nil, err
	}
	made, err := Go(ctx, cfg, p, first)
	for i, x := range made {
		made[i] = redacted(x)
	}
	return made, err
}

// redacted is an exchange as it may be shown: without the user's secrets.
func redacted(x playground.Exchange) playground.Exchange {
	log := make([]playground.Event, len(x.Log))
	for i, e := range x.Log {
		log[i] = e.Redact(x.Target.Secrets)
	}
	x = x.Redacted()
	x.Log = log
	return x
}

// Begin stores the exchange of the right call, not sent yet, so that the check
// has something to be seen by.
func Begin(ctx context.Context, cfg Config, p Plan) (playground.Exchange, error) {
	d := &driver{Config: cfg, plan: p}
	err := d.begin(ctx)
	return d.x, err
}

// Go sends the right call that Begin stored, then makes the probes. What it
// returns is as it was sent, secrets included; the Record has it without.
func Go(ctx context.Context, cfg Config, p Plan, first playground.Exchange) ([]playground.Exchange, error) {
	base := &driver{Config: cfg, plan: p, x: first}
	if err := base.honest(ctx, whole); err != nil {
		return nil, err
	}
	if !lab.Answers(playground.Fold(base.x.Log)) {
		return []playground.Exchange{base.x}, nil
	}
	list, err := explore(ctx, cfg, p, base.x)
	if err != nil {
		return list, err
	}
	right := lab.Base(list)
	for _, e := range lab.Experiments() {
		made, err := probe(ctx, cfg, p, right, e)
		list = append(list, made...)
		if err != nil {
			return list, fmt.Errorf("probe %s: %w", e.ID, err)
		}
	}
	return list, nil
}

// probe makes one experiment: one exchange, or one for each way to change a
// state. Without a place for it nothing is sent.
func probe(ctx context.Context, cfg Config, p Plan, base playground.Exchange, e lab.Experiment) ([]playground.Exchange, error) {
	from, why := lab.Place(e, base)
	if why != "" {
		return nil, nil
	}
	var list []playground.Exchange
	for variant := range variants(e, from) {
		d := &driver{Config: cfg, plan: p, before: playground.Fold(base.Log).Answers(), e: e, variant: variant}
		if _, ready := d.material(from); !ready {
			return list, nil
		}
		err := d.make(ctx, from.N)
		if d.x.ID != "" {
			list = append(list, d.x)
		}
		if err != nil && !errors.Is(err, lab.ErrNothingToChange) {
			return list, err
		}
	}
	return list, nil
}

// variants is how many ways of one change there are.
func variants(e lab.Experiment, from playground.Round) int {
	if e.ID == "flip-state" {
		return len(lab.Tampered(from.StateText()))
	}
	return 1
}
