package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// session is a session with a legacy server: an open call, or the reading of
// its lists.
type session struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	open   *legacy.Session // nil before the handshake has ended, and at the end
	conns  []int           // connections that it opened
}

// of reports whether s is the session that a log has now. What comes of one that was
// lost, to another process say, belongs to nothing here.
func (s *session) of(a *actor) bool { return a.session == s }

// decideLegacy opens a Round of a call that stays open: the call itself, in a
// session of its own, or the answers to questions of its server.
func (a *actor) decideLegacy(ctx context.Context, x playground.Exchange, d playground.Decision) error {
	if err := a.state.transcript.Allows(d); err != nil {
		return err
	}
	answers := d.Action == playground.ActionAnswer
	if answers && (a.session == nil || a.session.open == nil) {
		return playground.ErrNotOpen
	}
	if !answers {
		d.Era = playground.Legacy
	}
	if err := a.append(ctx, d.Event(a.r.cfg.Now())); err != nil {
		return err
	}
	if answers {
		open := a.session.open
		a.r.wg.Go(func() { a.answer(open, x.Target.ToInstance(d.Instance), d.Answers) })
		return nil
	}
	s := a.begin()
	a.r.wg.Go(func() { a.holdCall(s, x) })
	return nil
}

// begin makes a session that has not been opened yet.
func (a *actor) begin() *session {
	ctx, cancel := context.WithCancelCause(a.sending())
	a.session = &session{ctx: ctx, cancel: cancel}
	return a.session
}

// Causes to end a session. While its call is in progress, their words go to the
// server as the reason.
var (
	errUserCancelled = errors.New("the user cancelled the call")
	errStopping      = errors.New("the client is stopping")
	errNoMoreRounds  = errors.New("the client answers no more questions of this call")
)

// holdCall holds a session for as long as its call is open.
func (a *actor) holdCall(s *session, x playground.Exchange) {
	config, end := a.sessionConfig(s, x.Target)
	defer end()
	open, err := legacy.Open(s.ctx, config)
	if err == nil {
		a.tell(opened{s, open})
		err = open.Call(s.ctx, x.Call)
		a.tell(opened{s, nil})
		var rare *legacy.RareError
		if errors.As(err, &rare) {
			a.tell(givenUp{s, rare.Asked}) // the record has the reason before the end of the task
			open.CancelTask()
		}
		open.Close()
	}
	a.tell(sessionEnd{s, err, wire.Failure{Class: playground.CallLost,
		Detail: "The server ended the call without a result."}})
}

// givenUp is the error of a call that was given up, because its server asks for
// so much time between two polls of its task.
type givenUp struct {
	s     *session
	asked time.Duration
}

func (m givenUp) deliver(a *actor) {
	if !m.s.of(a) {
		return
	}
	a.conn++
	failure := wire.Failure{Class: wire.TimeoutTotal, Detail: fmt.Sprintf(
		"The server asks for %s between two polls of its task. "+
			"This client does not wait that long, so it gave the call up.",
		text.Duration(m.asked))}
	a.store(&delivery{conn: a.conn, events: []playground.Event{failedPart(a.r.cfg.Now(), a.conn, failure)}})
}

// answer posts the answers, one after the other. Whether the server took them
// is in the record.
func (a *actor) answer(s *legacy.Session, url string, answers []playground.Answer) {
	for _, answer := range answers {
		post, value := s.Answer, answer.Value
		if answer.Error != nil {
			post, value = s.Refuse, answer.Error
		}
		if err := post(a.r.ctx, url, []byte(answer.Key), value); err != nil {
			a.report("post answer", err)
		}
	}
}

// list reads the lists of a legacy server, in a session of its own.
func (a *actor) list() {
	s, target := a.begin(), a.subject.(connection).target
	a.r.wg.Go(func() {
		err := a.readLists(s, target)
		failure := wire.Failure{Class: playground.Violation,
			Detail: "The session with the server could not be kept up."}
		if err != nil {
			failure.Detail = "The session with the server could not be kept up: " +
				wire.FailureOf(err).Detail + "."
		}
		a.tell(sessionEnd{s, err, failure})
	})
}

// readLists asks for every list that the server promised. It ends when the
// record gets no further.
func (a *actor) readLists(s *session, t playground.Target) error {
	config, end := a.sessionConfig(s, t)
	defer end()
	open, err := legacy.Open(s.ctx, config)
	if err != nil {
		return err
	}
	defer open.Close()
	for at, ok := a.nextList(s); ok; {
		err = open.List(s.ctx, at.method, at.cursor) // the list is in the record
		before := at
		if at, ok = a.nextList(s); ok && at == before {
			return err
		}
	}
	return nil
}

// page is a place in the lists of a server.
type page struct{ method, cursor string }

func (a *actor) nextList(s *session) (page, bool) {
	reply := make(chan *page, 1)
	if !a.tell(listQuery{s, reply}) {
		return page{}, false
	}
	p := <-reply
	if p == nil {
		return page{}, false
	}
	return *p, true
}

// listQuery asks which list to read next; the reply is nil if there is none.
type listQuery struct {
	s     *session
	reply chan *page
}

func (m listQuery) deliver(a *actor) {
	method, cursor, ok := server.NextList(a.state.connection)
	if !ok || !m.s.of(a) {
		m.reply <- nil
		return
	}
	m.reply <- &page{method, cursor}
}

// opened reports that the handshake has ended, or that the call has: then open
// is nil.
type opened struct {
	s    *session
	open *legacy.Session
}

func (m opened) deliver(*actor) { m.s.open = m.open }

// sessionEnd reports that a session is over. The failure closes the connections
// that it left open.
type sessionEnd struct {
	s       *session
	err     error
	failure wire.Failure
}

func (m sessionEnd) deliver(a *actor) {
	if !m.s.of(a) {
		return
	}
	if m.err != nil {
		a.r.cfg.Logger.Info("legacy session ended", "log", a.id, "err", m.err)
	}
	cancelled := errors.Is(context.Cause(a.session.ctx), errUserCancelled)
	a.session.cancel(nil)
	for _, conn := range a.session.conns {
		delete(a.flights, conn)
	}
	a.session = nil
	if (a.state.running() || a.state.waiting()) && a.r.ctx.Err() == nil {
		a.conn++
		ended := failedPart(a.r.cfg.Now(), a.conn, m.failure)
		if cancelled {
			ended = playground.Event{At: a.r.cfg.Now(), Conn: a.conn, Kind: playground.Cancelled}
		}
		a.store(&delivery{conn: a.conn, events: []playground.Event{ended}})
	}
}

// settleSession ends a session that has no use any more, though the SDK may
// wait for ever (for the right id, say), and one whose question is open when
// the program ends.
func (a *actor) settleSession() {
	if a.session == nil {
		return
	}
	if a.state.waiting() && isClosed(a.r.closing) {
		held := a.session
		a.interrupt()
		held.cancel(errStopping)
	}
	if a.session != nil && a.subject.spent(a.state) {
		a.session.cancel(a.endOfSession())
	}
}

// endOfSession returns why a session has no use any more.
func (a *actor) endOfSession() error {
	if last := a.state.transcript.Last(); last != nil && last.Open() {
		return errNoMoreRounds
	}
	return legacy.ErrAnswered
}

// interrupt says in the log that the program ends, and not the user, before the
// connections are closed.
func (a *actor) interrupt() {
	a.conn++
	e := playground.Event{At: a.r.cfg.Now(), Conn: a.conn, Kind: playground.Interrupted}
	if err := a.append(a.own(), e); err != nil {
		a.report("interrupt call", err)
	}
}

// sessionConfig returns the settings of a session whose every byte goes to the
// log, and a function that ends the session once nothing is sent in it. A
// request waits until the storage has taken it.
func (a *actor) sessionConfig(s *session, t playground.Target) (legacy.Config, func()) {
	short, open, end := a.r.cfg.Caller, a.r.cfg.Open, func() {}
	if open == nil {
		open = short
	}
	if a.r.cfg.Sessions != nil && t.IsCommand() {
		short, open, end = a.r.cfg.Sessions.Session(t.URL)
	}
	return legacy.Config{
		Target: t, Client: a.r.cfg.Client, Short: short, Open: open, Interval: a.longestInterval(),
		Roots: a.roots,
		Record: func(f wire.Frame) (func(wire.Part) error, error) {
			reply := make(chan frameStored, 1)
			if !a.tell(frameOut{s, f, reply}) {
				return nil, errDropped
			}
			stored := <-reply
			if stored.err == nil {
				stored.err = a.confirm(a.r.ctx, stored.held)
			}
			return a.recorder(stored.conn), stored.err
		},
	}, end
}

// roots returns the roots of the owner, a JSON array.
func (a *actor) roots() json.RawMessage {
	if a.r.cfg.Roots != nil {
		roots, err := a.r.cfg.Roots(a.r.ctx, a.id)
		if err == nil {
			return roots
		}
		a.report("read roots", err)
	}
	return json.RawMessage("[]")
}

// frameOut is a request of a session that is about to be sent.
type frameOut struct {
	s     *session
	frame wire.Frame
	reply chan frameStored
}

type frameStored struct {
	conn int
	held time.Time // when this process held the log
	err  error
}

func (m frameOut) deliver(a *actor) {
	if !m.s.of(a) {
		m.reply <- frameStored{err: errDropped}
		return
	}
	a.conn++
	conn := a.conn
	sent := playground.Event{At: a.r.cfg.Now(), Conn: conn, Kind: playground.Sent, Data: m.frame.Bytes()}
	a.store(&delivery{conn: conn, events: []playground.Event{sent}, done: func(err error) {
		if err == nil && m.s.of(a) {
			a.flights[conn] = &flight{conn: conn}
			m.s.conns = append(m.s.conns, conn)
		}
		m.reply <- frameStored{conn, a.held, err}
	}})
}
