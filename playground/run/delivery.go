package run

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// How long to wait before what the storage refused is tried again: twice as
// long every time.
const (
	minStoreWait = 100 * time.Millisecond
	maxStoreWait = 15 * time.Second
)

// errDropped ends a request whose answer is of no use any more.
var errDropped = errors.New("answer dropped")

// message is what the goroutines beside an actor tell it.
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

// recorder returns what stores the parts of the answer on a connection. It
// returns once a part is stored, so a full disk holds up the sender.
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
		failure := *m.Failure // a certificate is recorded with its server, not with what is shared
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
	if f.answer != nil {
		f.answer.Add(e)
	}
	if whole || f.answer != nil && f.answer.MayRepeat() {
		m.reply <- nil
		return
	}
	a.store(&delivery{conn: m.conn, events: f.take(), reply: m.reply})
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
	if f.answer != nil {
		if of, ok := f.answer.Repeats(); ok {
			a.store(&delivery{conn: m.conn, repeats: of, events: f.take()[1:], last: true})
			return
		}
	}
	a.store(&delivery{conn: m.conn, events: f.take(), last: true, reply: m.reply})
	if f.abandoned && !f.responded {
		a.tellCancelled(f)
	}
}

// delivery is a part of a response that is not stored yet. The server will not send it
// again, so it waits in memory while the storage takes nothing.
type delivery struct {
	conn    int
	events  []playground.Event
	repeats int           // number of the response that events repeats; 0 if it is stored itself
	last    bool          // the answer has ended
	reply   chan error    // may be nil
	wait    time.Duration // before the next try
}

// store writes a delivery, after those that still wait.
func (a *actor) store(d *delivery) {
	if a.backlog = append(a.backlog, d); len(a.backlog) == 1 {
		a.storeBacklog()
	}
}

// storeBacklog writes what waits, up to the first that the storage refuses.
func (a *actor) storeBacklog() {
	for len(a.backlog) > 0 {
		d := a.backlog[0]
		err := a.writeDelivery(d)
		if len(a.backlog) == 0 {
			return // another process holds the log
		}
		switch {
		case err == nil:
			if d.reply != nil {
				d.reply <- nil
			}
		case isStorageFault(err) && !isClosed(a.r.closing):
			d.wait = min(max(2*d.wait, minStoreWait), maxStoreWait)
			a.r.cfg.Logger.Warn("storing an answer waits", "log", a.id, "err", err)
			a.timer.Reset(d.wait)
			return
		default:
			a.lose(d, err)
		}
		a.backlog = a.backlog[1:]
	}
	if a.next != nil {
		a.setTimer()
	}
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
		if err := a.append(a.own(), d.events...); err != nil {
			return err
		}
		d.events = nil
	}
	if !d.last {
		return nil
	}
	if f := a.flights[d.conn]; f != nil && !f.lost && a.pending(d.conn) {
		if err := a.append(a.own(), failedPart(a.r.cfg.Now(), d.conn, noResponse)); err != nil {
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
	if d.reply != nil {
		d.reply <- err
	}
	a.report("store answer", err)
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
