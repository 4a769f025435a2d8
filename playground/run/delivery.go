package run

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// How long to wait before a refused write is tried again: twice as long every
// time.
const (
	minStoreWait = 100 * time.Millisecond
	maxStoreWait = 15 * time.Second
)

// errDropped ends a request whose answer is of no use any more.
var errDropped = errors.New("answer dropped")

// message is a message of the goroutines beside an actor to it.
type message interface{ deliver(a *actor) }

// tell hands a message to the actor. It returns false if the actor has ended.
func (a *actor) tell(m message) bool {
	select {
	case a.deliveries <- m:
		return true
	case <-a.done:
		return false
	}
}

// tellWithin is tell that gives up when ctx ends.
func (a *actor) tellWithin(ctx context.Context, m message) {
	select {
	case a.deliveries <- m:
	case <-a.done:
	case <-ctx.Done():
	}
}

// recorder returns a function that stores the parts of the answer on a
// connection. It returns once a part is stored, so a full disk holds up the
// sender.
func (a *actor) recorder(conn int) func(wire.Part) error {
	return func(p wire.Part) error {
		reply := make(chan error, 1)
		if !a.tell(part{p, conn, reply}) {
			return errDropped
		}
		return <-reply
	}
}

// part is one part of an answer.
type part struct {
	wire.Part
	conn  int
	reply chan error
}

func (m part) deliver(a *actor) {
	f := a.flights[m.conn]
	if f == nil {
		m.reply <- errDropped
		return
	}
	if _, isCall := a.subject.(call); isCall && m.Failure != nil && m.Failure.Certificate != nil {
		failure := *m.Failure // a certificate is recorded with its server, and exchanges are shared
		failure.Certificate, m.Failure = nil, &failure
	}
	whole := f.whole && isWhole(m.Part)
	if f.relayed && m.Kind == wire.Received {
		m.Bytes = a.guardResponse(m.Bytes)
	}
	e := playground.PartEvent(m.Part, m.conn)
	if e.Kind == playground.Cancelled && a.r.ctx.Err() != nil {
		e.Kind = playground.Interrupted // the program ends; the user cancelled nothing
	}
	f.held = append(f.held, e)
	f.responded = f.responded || e.IsResponse()
	f.abandoned = f.abandoned || abandons(e.Kind, m.Failure)
	if f.answer != nil && a.compare(f.answer, e) != nil {
		f.answer.Disturb()
	}
	if whole || f.answer != nil && f.answer.MayRepeat() {
		m.reply <- nil
		return
	}
	a.store(&delivery{conn: m.conn, events: f.take(), done: replyTo(m.reply)})
}

// compare adds an event to an answer that may repeat an earlier one.
func (a *actor) compare(answer *playground.PollAnswer, e playground.Event) error {
	defer func() { a.polls.Secrets = a.secrets }()
	return a.inTurn(a.own(), len(e.Data), func(masking *redact.Secrets) {
		a.polls.Secrets = masking
		answer.Add(e)
	})
}

// replyTo returns a function that replies once.
func replyTo(reply chan error) func(error) {
	return func(err error) { reply <- err }
}

// take returns the events of a request that are not stored yet.
func (f *flight) take() []playground.Event {
	events := f.held
	if f.sent != nil {
		events = append([]playground.Event{*f.sent}, events...)
	}
	f.sent, f.answer, f.held = nil, nil, nil
	return events
}

// isWhole reports whether a part is an answer that is no stream.
func isWhole(p wire.Part) bool {
	if p.Kind != wire.Received {
		return false
	}
	f := wire.Split(p.Bytes)
	head, err := wire.ParseHead(f.Head)
	return !f.IsLine() && (err != nil || !head.IsStream())
}

// end is delivered when a connection has ended.
type end struct {
	conn  int
	reply chan error // when everything is stored; may be nil
}

func (m end) deliver(a *actor) {
	f := a.flights[m.conn]
	if f == nil {
		if m.reply != nil {
			m.reply <- errDropped
		}
		return
	}
	d := &delivery{conn: m.conn, last: true}
	if m.reply != nil {
		d.done = replyTo(m.reply)
	}
	if f.answer != nil {
		if of, ok := f.answer.Repeats(); ok {
			d.repeats, d.events = of, f.take()[1:]
			a.store(d)
			return
		}
	}
	d.events = f.take()
	a.store(d)
	if f.abandoned && !f.responded {
		a.tellCancelled(f)
	}
}

// delivery has events that are not stored yet, such as a part of a response:
// the server will not send it again. It waits in memory while the storage takes
// nothing.
type delivery struct {
	conn    int
	events  []playground.Event
	repeats int         // number of the response that events repeats; 0 if it is stored itself
	last    bool        // the answer has ended
	done    func(error) // called when it is stored, with nil, or is lost; may be nil
}

func (d *delivery) end(err error) {
	if d.done != nil {
		d.done(err)
	}
}

// store writes a delivery, after those that still wait.
func (a *actor) store(d *delivery) {
	if a.backlog = append(a.backlog, d); len(a.backlog) == 1 {
		a.storeBacklog()
	}
}

// storeBacklog writes the waiting deliveries, up to the first that the storage
// refuses.
func (a *actor) storeBacklog() {
	for len(a.backlog) > 0 {
		d := a.backlog[0]
		err := a.writeDelivery(d)
		switch {
		case len(a.backlog) == 0:
			return // another process holds the log
		case isStorageFault(err) && !isClosed(a.r.closing):
			a.r.cfg.Logger.Warn("storing events waits", "log", a.id, "err", err)
			a.fault, a.pause = err, max(a.pause, minStoreWait)
			a.retry.Reset(a.pause)
			return
		}
		a.backlog = a.backlog[1:]
		if err != nil {
			a.lose(d, err)
			continue
		}
		d.end(nil)
	}
	a.pause = 0
}

// writeDelivery stores one delivery. An answer that ended without a response is closed
// in the log, so that no Round stays pending.
func (a *actor) writeDelivery(d *delivery) error {
	switch {
	case d.repeats > 0:
		if err := a.countRepeat(a.own(), d.repeats, d.conn, d.events[len(d.events)-1].At); err != nil {
			return err
		}
		d.events, d.repeats = nil, 0
		delete(a.flights, d.conn)
		return nil
	case len(d.events) > 0:
		if err := a.appendNow(a.own(), d.events...); err != nil {
			return err
		}
		d.events = nil
	}
	if !d.last {
		return nil
	}
	if f := a.flights[d.conn]; f != nil && !f.lost && a.pending(d.conn) {
		if err := a.appendNow(a.own(), failedPart(a.r.cfg.Now(), d.conn, noResponse)); err != nil {
			return err
		}
	}
	delete(a.flights, d.conn)
	return nil
}

// pending reports whether connection conn still waits for its response. That of a
// plain Round that has ended does not.
func (a *actor) pending(conn int) bool {
	last := a.state.transcript.Last()
	if last != nil && last.Conn == conn && last.Task == nil && !last.Legacy &&
		last.Kind != playground.OutcomePending {
		return false
	}
	return playground.Pending(a.log, conn)
}

// lose gives a delivery up. Its Round stays open in the log, for the next start
// to interrupt.
func (a *actor) lose(d *delivery, err error) {
	if f := a.flights[d.conn]; f != nil {
		f.lost = true
	}
	if d.last {
		delete(a.flights, d.conn)
	}
	d.end(err)
	a.report("store events", err)
}

// noResponse is the failure of an answer that ended without one.
var noResponse = wire.Failure{
	Class: playground.NoResponse, Detail: "The server closed the stream without a response.",
}

// failedPart returns the event of a failure on a connection.
func failedPart(at time.Time, conn int, f wire.Failure) playground.Event {
	return playground.PartEvent(wire.Part{Kind: wire.Failed, At: at, Failure: &f}, conn)
}

// unstored returns the events of a request that are not stored yet. They stay
// with the flight.
func (f *flight) unstored() []playground.Event {
	again := *f
	return again.take()
}
