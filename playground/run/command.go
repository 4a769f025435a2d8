package run

import (
	"context"
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// command is a request to the actor of a log, which runs it in its own
// goroutine.
type command interface{ run(a *actor) error }

// envelope is a command and where its result goes.
type envelope struct {
	command command
	reply   chan error
}

// decide opens a Round.
type decide struct {
	ctx     context.Context
	x       playground.Exchange
	d       playground.Decision
	changed *wire.Request // sent in place of the request that follows from d
}

// begins reports whether the decision may open a session with a legacy server.
func (c decide) begins() bool {
	return c.changed == nil && c.d.Action != playground.ActionAnswer && c.d.Action != playground.ActionRefuse
}

func (c decide) run(a *actor) error {
	a.use(c.x)
	a.serve(c.ctx)
	legacy := c.x.Target.Era == playground.Legacy || playground.EraOf(a.log) == playground.Legacy
	switch {
	case c.d.Action == playground.ActionRefuse:
		return a.refuse(c.ctx, c.d)
	case c.x.IsLocked():
		return playground.ErrLocked
	case a.state.transcript.Foreign():
		return playground.ErrForeign
	case c.changed != nil && legacy:
		return playground.ErrLegacy
	case c.changed != nil:
		return c.try(a)
	case legacy:
		return a.decideLegacy(c.ctx, c.x, c.d)
	}
	return c.next(a)
}

// refuse closes the last Round, if it is open.
func (a *actor) refuse(ctx context.Context, d playground.Decision) error {
	if last := a.state.transcript.Last(); last == nil || !last.Open() {
		return playground.ErrNotOpen
	}
	return a.append(ctx, d.Event(a.r.cfg.Now()))
}

// next sends the request that follows from the decision. To stop a task, a poll
// that is still running is given up.
func (c decide) next(a *actor) error {
	x, f, d := c.x, a.state.transcript, c.d
	x.Log = a.log
	var before []playground.Event
	if d.Action == playground.ActionStop {
		before, f = a.pausePolls(x)
		x.Log = slices.Concat(a.log, before)
		if d.Round == 0 {
			d.Round = f.Next()
		}
	}
	req, err := playground.Next(x, f, d, a.r.cfg.Client)
	if err != nil {
		return err
	}
	return a.launch(c.ctx, req, false, append(before, d.Event(a.r.cfg.Now()))...)
}

// pausePolls returns the event that ends a running poll, if there is one, and
// the transcript after it.
func (a *actor) pausePolls(x playground.Exchange) ([]playground.Event, playground.Transcript) {
	before := a.givenUpPoll()
	x.Log = slices.Concat(a.log, before)
	return before, x.Fold()
}

// givenUpPoll returns the event that ends a running poll. The next poll asks
// for the same.
func (a *actor) givenUpPoll() []playground.Event {
	if a.newest == nil || !a.newest.poll {
		return nil
	}
	if a.newest.sent != nil { // else the answer is stored, or waits to be
		return append(a.newest.unstored(), playground.Event{At: a.r.cfg.Now(), Conn: a.newest.conn,
			Kind: playground.Cancelled})
	}
	if !playground.Pending(a.log, a.newest.conn) {
		return nil
	}
	return []playground.Event{{At: a.r.cfg.Now(), Conn: a.newest.conn, Kind: playground.Cancelled}}
}

// try sends a request that was changed on purpose. While a task is working, a
// changed poll is sent in place of the next one, at its time; for any other
// request a poll that is still running is given up, as for a cancellation.
func (c decide) try(a *actor) error {
	f, d := a.state.transcript, c.d
	var before []playground.Event
	if a.next != nil && a.next.poll && c.changed.Method == playground.TasksGet {
		a.next.request, a.next.poll, a.next.decision = *c.changed, false, &d
		return nil
	}
	if f.Status == playground.StatusRunning && f.Task() != nil && a.onlyPolls() {
		before, f = a.pausePolls(c.x)
	} else if f.Status == playground.StatusRunning {
		return playground.ErrNotOpen
	}
	if d.Round == 0 {
		d.Round = f.Next()
	}
	switch {
	case d.Round != f.Next():
		return playground.ErrNotOpen
	case d.Round > playground.MaxRounds:
		return playground.ErrCapped
	}
	return a.launch(c.ctx, *c.changed, false, append(before, d.Event(a.r.cfg.Now()))...)
}

// onlyPolls reports whether no request is running but polls of a task.
func (a *actor) onlyPolls() bool {
	return a.answered() || a.newest.poll
}

// use takes over the settings of an exchange for its requests.
func (a *actor) use(x playground.Exchange) {
	a.subject = call{x, a.r.cfg.Client}
	if x.Target.Secrets != nil {
		a.secrets = x.Target.Secrets
	}
	a.wait = x.Call.Wait
	a.viewed.newest.Store(a.r.cfg.Now().UnixNano())
}

// resume continues the work that an earlier process left running.
type resume struct {
	ctx context.Context
	x   playground.Exchange
}

func (c resume) run(a *actor) error {
	if a.busy() || len(a.log) > len(c.x.Log) {
		return nil // something is done with it by now
	}
	a.use(c.x)
	if a.state.transcript.Foreign() {
		return interrupt{c.ctx}.run(a)
	}
	a.viewed.newest.Store(c.x.LookedAt().UnixNano())
	cut := playground.Event{At: a.r.cfg.Now(), Conn: a.conn, Kind: playground.Interrupted}
	if _, _, retries := playground.NextRetry(a.state.transcript); retries {
		return a.append(c.ctx, cut) // the user starts it again
	}
	log, asked := a.log, playground.Pending(a.log, a.conn)
	if asked {
		log = append(log[:len(log):len(log)], cut)
	} else {
		cut.Conn++ // nothing was running on the last one
	}
	s, ok := a.subject.next(log, a.read(log))
	if !ok || !s.poll || len(c.x.Sealed)+len(c.x.Target.Sealed) > 0 {
		return a.append(c.ctx, cut)
	}
	why, err := a.stopReason(c.ctx)
	switch {
	case err != nil:
		return err
	case why != "":
		return a.stopPolling(c.ctx, why)
	case asked:
		return a.launch(c.ctx, s.request, true, cut)
	}
	a.plan(s, true)
	return nil
}

// connect begins to ask a target for its description.
type connect struct {
	ctx context.Context
	t   playground.Target
}

func (c connect) run(a *actor) error {
	a.subject, a.secrets = connection{c.t, a.r.cfg.Client}, c.t.Secrets
	a.serve(c.ctx)
	begin := playground.Decision{Action: playground.ActionStart, Era: c.t.Era}.Event(a.r.cfg.Now())
	a.next = nil // of the attempt before
	log := append(a.log[:len(a.log):len(a.log)], begin)
	s, ok := a.subject.next(log, a.read(log))
	if !ok || s.session {
		return a.append(c.ctx, begin) // a session follows by itself
	}
	return a.launch(c.ctx, s.request, false, begin)
}

// disconnect closes a log of connecting whose process is gone.
type disconnect struct{ ctx context.Context }

func (c disconnect) run(a *actor) error {
	if a.busy() {
		return nil // something is done with it by now
	}
	err := a.append(c.ctx, playground.Event{At: a.r.cfg.Now(), Conn: a.conn, Kind: playground.Interrupted})
	if err == nil {
		a.subject = ended{a.state}
	}
	return err
}

// note adds a note to a log.
type note struct {
	ctx context.Context
	x   playground.Exchange
	n   playground.Note
}

func (c note) run(a *actor) error {
	if !a.busy() {
		a.use(c.x)
	}
	return a.append(c.ctx, c.n.Event(a.r.cfg.Now()))
}

// errIdle is the result of a cancel that finds nothing to cancel.
var errIdle = errors.New("nothing is running")

// cancel ends the work in progress: a session, a request, or automatic retries.
type cancel struct{}

func (cancel) run(a *actor) error {
	switch {
	case a.session != nil:
		a.session.cancel(errUserCancelled)
	case a.newest != nil && a.flights[a.newest.conn] != nil:
		a.newest.cancel()
	case a.next != nil && a.next.decision != nil:
		a.next = nil
		cancelled := playground.Event{At: a.r.cfg.Now(), Conn: a.conn, Kind: playground.Cancelled}
		a.store(&delivery{conn: a.conn, events: []playground.Event{cancelled}})
	default:
		return errIdle
	}
	return nil
}
