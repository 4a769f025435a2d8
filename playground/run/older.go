package run

import (
	"context"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// decideOlder opens a Round of a call that stays open: the call itself, in a
// session of its own, or the answers to what its server asked. j is locked.
func (r *Runner) decideOlder(ctx context.Context, j *job, x playground.Exchange, d playground.Decision) error {
	if err := j.folded.Allows(d); err != nil {
		return err
	}
	session := j.session
	if d.Action == playground.ActionAnswer && session == nil {
		return playground.ErrNotOpen
	}
	if err := j.append(ctx, r, d.Event(r.cfg.Now())); err != nil {
		return err
	}
	r.hold(j)
	if d.Action == playground.ActionAnswer {
		r.wg.Go(func() { r.answerOlder(j, session, x, d) })
		return nil
	}
	call, cancel := context.WithCancel(r.ctx)
	j.flight = &flight{cancel: cancel}
	r.wg.Go(func() { r.callOlder(call, j, x) })
	return nil
}

// callOlder holds a session for as long as its call is open.
func (r *Runner) callOlder(ctx context.Context, j *job, x playground.Exchange) {
	defer r.leave(j)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	defer close(done)
	r.wg.Go(func() { r.endOlder(j, done, stop) })
	session, err := legacy.Open(ctx, r.sessionOf(j, x.Target))
	if err == nil {
		j.mu.Lock()
		j.session = session
		j.mu.Unlock()
		err = session.Call(ctx, x.Call)
		j.mu.Lock()
		j.session = nil
		j.mu.Unlock()
		session.Close()
	}
	r.closeOlder(j, err)
}

// endOlder ends a call that nobody can go on with: the exchange is over for us,
// though the SDK may wait for ever (for the right id, say), or the program ends
// while a question is open.
func (r *Runner) endOlder(j *job, done <-chan struct{}, stop context.CancelFunc) {
	closing := r.closing
	for {
		changed, status := j.stands()
		switch {
		case status == playground.StatusWaiting && closed(r.closing):
			r.interruptOlder(j)
			stop()
			return
		case status == playground.StatusCapped, status == playground.StatusDeclined, status == playground.StatusFailed:
			stop()
			return
		}
		select {
		case <-changed:
		case <-closing:
			closing = nil
		case <-done:
			return
		}
	}
}

// stands tells where the exchange of an older server's call stands. What is
// wrong below JSON-RPC the SDK ends itself, or resumes on another connection;
// and more of it may still be recorded.
func (j *job) stands() (changed <-chan struct{}, s playground.Status) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s = playground.Status(j.last.Status)
	if s == playground.StatusFailed && !ignored(j.folded.Last().Class) {
		s = playground.StatusRunning
	}
	return j.changed, s
}

// ignored reports whether the SDK waits on after an answer of that class.
func ignored(c playground.Class) bool {
	return c == playground.Violation || c == playground.RPCFailed
}

// interruptOlder says in the log that the process ends, and not the user, before
// the connections are closed.
func (r *Runner) interruptOlder(j *job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.conn++
	e := playground.Event{At: r.cfg.Now(), Conn: j.conn, Kind: playground.Interrupted}
	if err := j.append(r.ctx, r, e); err != nil {
		r.cfg.Logger.Error("interrupt", "log", j.id, "err", err)
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// closeOlder closes the Round of a call whose session is over, so that none
// stays open for ever.
func (r *Runner) closeOlder(j *job, err error) {
	conn, open := j.left()
	if !open || r.ctx.Err() != nil {
		return
	}
	lost := wire.Failure{Class: playground.CallLost, Detail: "The server ended the call without a result."}
	if err != nil {
		r.cfg.Logger.Info("older call ended", "log", j.id, "err", err)
	}
	if err := r.persist(j, playground.PartEvent(wire.Part{Kind: wire.Failed, At: r.cfg.Now(), Failure: &lost}, conn)); err != nil {
		r.cfg.Logger.Error("close round", "log", j.id, "err", err)
	}
}

// left is a new connection number to close an open call with, if it is open. j
// is not locked.
func (j *job) left() (conn int, open bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.running() && j.last.Status != string(playground.StatusWaiting) {
		return 0, false
	}
	j.conn++
	return j.conn, true
}

// answerOlder posts the answers, one after the other.
func (r *Runner) answerOlder(j *job, session *legacy.Session, x playground.Exchange, d playground.Decision) {
	defer r.leave(j)
	for _, a := range d.Answers {
		if err := session.Answer(r.ctx, x.Target.ToInstance(d.Instance), []byte(a.Key), a.Value); err != nil {
			r.cfg.Logger.Error("answer", "log", j.id, "err", err)
		}
	}
}

// connectOlder reads the lists of an older server, in a session of its own.
func (r *Runner) connectOlder(ctx context.Context, j *job, t playground.Target) {
	defer r.leave(j)
	next := func() (string, string, bool) {
		j.mu.Lock()
		defer j.mu.Unlock()
		return server.NextList(server.FoldConnection(j.log))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	defer close(done)
	r.wg.Go(func() { endConnecting(j, done, stop) })
	err := lists(ctx, r.sessionOf(j, t), next)
	j.mu.Lock()
	defer j.mu.Unlock()
	if e, ok := unfinished(server.FoldConnection(j.log), j.conn+1, err); ok && r.ctx.Err() == nil {
		e.At = r.cfg.Now()
		j.conn++
		if err := j.append(r.ctx, r, e); err != nil {
			r.cfg.Logger.Error("close connecting", "target", t.ID, "err", err)
		}
	}
}

// endConnecting ends a session that the record has no use for any more.
func endConnecting(j *job, done <-chan struct{}, stop context.CancelFunc) {
	for {
		j.mu.Lock()
		changed, c := j.changed, server.FoldConnection(j.log)
		j.mu.Unlock()
		if c.Status == server.ConnectFailed && ignored(c.Class) {
			stop()
			return
		}
		select {
		case <-changed:
		case <-done:
			return
		}
	}
}

// lists asks for every list that next names.
func lists(ctx context.Context, c legacy.Config, next func() (string, string, bool)) error {
	session, err := legacy.Open(ctx, c)
	if err != nil {
		return err
	}
	defer session.Close()
	for {
		method, cursor, ok := next()
		if !ok {
			return nil
		}
		before := method + cursor
		err := session.List(ctx, method, cursor)
		if method, cursor, ok = next(); ok && method+cursor == before {
			return err // the record did not get further, so neither do we
		}
	}
}

// unfinished is the event that closes a log of connecting which did not get to
// an end of its own.
func unfinished(c server.Connection, conn int, err error) (playground.Event, bool) {
	if c.Status != server.Connecting {
		return playground.Event{}, false
	}
	failure := wire.Failure{Class: playground.Violation, Detail: "The session with the server could not be kept up."}
	if err != nil {
		failure.Detail = "The session with the server could not be kept up: " + wire.FailureOf(err).Detail + "."
	}
	return playground.PartEvent(wire.Part{Kind: wire.Failed, Failure: &failure}, conn), true
}

// sessionOf is a session whose every byte goes to the log of j.
func (r *Runner) sessionOf(j *job, t playground.Target) legacy.Config {
	return legacy.Config{
		Target: t, Client: r.cfg.Client, Short: r.cfg.Caller, Open: r.open(),
		Record: func(f wire.Frame) (func(wire.Part) error, error) {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.conn++
			conn := j.conn
			sent := playground.Event{At: r.cfg.Now(), Conn: conn, Kind: playground.Sent, Data: slices.Concat(f.Head, f.Body)}
			return r.recorder(j, conn), j.append(r.ctx, r, sent)
		},
	}
}

func (r *Runner) open() Caller {
	if r.cfg.Open != nil {
		return r.cfg.Open
	}
	return r.cfg.Caller
}
