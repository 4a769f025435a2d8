package run

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// actor does everything that is done with one log. Only its own goroutine
// touches it, except for the channels and the view.
type actor struct {
	r       *Runner
	id      string
	subject subject
	secrets *redact.Secrets
	// of a foreign client, that secrets masks
	credentials []wire.Field
	given       []wire.Field  // of the server behind it
	more        []string      // further values
	wait        time.Duration // for an answer; 0 means the usual limit
	held        time.Time     // when the storage last took events of this log
	peer        string        // who made the newest decision, see wire.WithPeer; empty after a restart
	turn        redact.Turn   // of the same; nil after a restart

	log     []playground.Event // as it came; it is redacted before it is stored
	reader  playground.Reader  // of log
	state   state              // of log
	conn    int                // the highest connection number of log
	newest  *flight            // the newest request
	flights map[int]*flight    // requests whose answers are still coming, by connection
	session *session           // with a legacy server
	polls   playground.Polls   // of log, that later ones may repeat
	backlog []*delivery        // deliveries that the storage has not taken yet
	fault   error              // why it has not
	retry   *time.Timer        // for the backlog, and for nothing else
	pause   time.Duration      // that retry was last set for
	next    *step              // the step to take when due fires
	due     *time.Timer        // for next, and for nothing else

	commands   chan envelope
	arrived    []envelope // commands that came while the actor waited for a turn
	deferred   []envelope // commands that wait, see mustWait
	hurry      bool       // runs a command that ends the work on the log
	deliveries chan message
	done       chan struct{} // closed when the goroutine has ended
	view       atomic.Pointer[view]
	viewed     lastViewed
	sleeping   atomic.Bool // waits for the next poll, and for nothing else
}

// flight is a request whose answer is still coming.
type flight struct {
	conn   int
	cancel context.CancelFunc
	poll   bool
	// the request and the received part, if they are stored together or not at
	// all, because the answer may repeat an earlier one; else nil
	sent   *playground.Event
	answer *playground.PollAnswer
	// an answer that is no stream is held until its end: half of it must never
	// look whole
	whole bool
	held  []playground.Event // parts that wait for what may follow
	lost  bool               // a part could not be stored before the program ended

	line      json.RawMessage // id of a request on a line, if it has one
	abandoned bool            // its response is not waited for any more

	donePoll  func() // the connection of a poll is closed
	relayed   bool   // for a foreign client
	responded bool   // the response has come; a stream is read on for a moment
}

func newActor(r *Runner, id string, log []playground.Event, s subject) *actor {
	a := &actor{
		r: r, id: id, subject: s, log: log, flights: map[int]*flight{},
		retry: stoppedTimer(), due: stoppedTimer(),
		commands: make(chan envelope), deliveries: make(chan message), done: make(chan struct{}),
	}
	for _, e := range log {
		a.conn = max(a.conn, e.Conn)
	}
	a.state = a.read(log)
	a.log = a.keep(log)
	a.view.Store(a.snapshot())
	return a
}

// stoppedTimer returns a timer that fires only after a Reset.
func stoppedTimer() *time.Timer {
	t := time.NewTimer(0)
	t.Stop()
	return t
}

// run handles one command, then goes on until nothing of the log is running.
func (a *actor) run() {
	a.obey(<-a.commands)
	closing := a.r.closing
	for ; a.busy() || len(a.arrived)+len(a.deferred) > 0; a.settle() {
		if len(a.deferred) > 0 && !a.mustWait(a.deferred[0].command) {
			c := a.deferred[0]
			a.deferred = a.deferred[1:]
			a.obey(c)
			continue
		}
		if len(a.arrived) > 0 {
			c := a.arrived[0]
			a.arrived = a.arrived[1:]
			a.obey(c)
			continue
		}
		select {
		case c := <-a.commands:
			a.obey(c)
		case m := <-a.deliveries:
			m.deliver(a)
		case <-a.retry.C:
			a.pause = min(2*a.pause, maxStoreWait)
			a.storeBacklog()
		case <-a.due.C:
			a.fire()
		case <-closing:
			closing = nil
			a.drain()
		}
	}
	a.r.mu.Lock()
	delete(a.r.live, a.id)
	a.r.mu.Unlock()
	close(a.done)
	close(a.view.Load().changed)
}

// obey runs a command. Its effect can be seen before its sender hears of it. What
// happened before is stored first.
func (a *actor) obey(c envelope) {
	a.hurry = endsLog(c.command)
	defer func() { a.hurry = false }()
	if len(a.backlog) > 0 {
		a.storeBacklog()
		a.settle()
	}
	if _, anew := c.command.(connect); anew && len(a.backlog) == 0 {
		_ = cancel{}.run(a) // errIdle if nothing is running
	}
	if a.mustWait(c.command) {
		a.deferred = append(a.deferred, c)
		return
	}
	err := c.command.run(a)
	a.settle()
	c.reply <- err
}

// mustWait reports whether a command waits for the end of something. An experiment on a
// task waits until the stream has ended that brought the task: only then is it known
// when the next poll is due. What begins anew waits until the session or request before
// has ended, so that its end is recorded where it belongs. While the storage takes
// nothing no command waits, because it is refused.
func (a *actor) mustWait(c command) bool {
	if len(a.backlog) > 0 {
		return false
	}
	switch c := c.(type) {
	case decide:
		over := !a.state.running() && !a.state.waiting()
		return c.changed != nil && a.lingers() && a.state.running() ||
			c.begins() && a.session != nil && over
	case connect:
		return a.session != nil || !a.answered()
	}
	return false
}

// busy reports whether there is anything left to do or to wait for.
func (a *actor) busy() bool {
	return len(a.flights) > 0 || len(a.backlog) > 0 || a.session != nil || a.next != nil
}

// settle takes the steps that follow from the state of the log.
func (a *actor) settle() {
	a.settleSession()
	if a.next == nil && !isClosed(a.r.closing) && len(a.backlog) == 0 && a.session == nil && a.answered() {
		a.plan(a.subject.next(a.log, a.state))
	}
	a.sleeping.Store(a.next != nil && a.next.poll && len(a.flights) == 0 && a.session == nil)
	a.publish()
}

// lingers reports whether the newest request has its response, and its stream is
// still read.
func (a *actor) lingers() bool { return !a.answered() && a.newest.responded }

// answered reports whether the answer to the newest request has ended.
func (a *actor) answered() bool {
	return a.newest == nil || a.flights[a.newest.conn] == nil
}

// plan sets the timer for a step, or for the time when its poll is not sent because
// the exchange was not looked at for long. One that is due at once is taken at once,
// and so is the end of polling that is too rare.
func (a *actor) plan(s step, ok bool) {
	if !ok {
		return
	}
	if most := a.longestInterval(); s.poll && most > 0 && s.wait > most {
		s.wait, s.stop = 0, playground.StoppedInterval
	}
	wait := s.wait
	if left, limited := a.watchedFor(); limited && s.poll {
		wait = min(wait, max(left, 0))
	}
	s.rest = s.wait - wait
	a.next = &s
	a.due.Reset(wait)
}

// fire takes the step that is due, unless it was dropped. What happened before is
// stored first.
func (a *actor) fire() {
	s := a.next
	if a.next = nil; s == nil {
		return
	}
	err := a.takeDue(a.own(), *s)
	switch {
	case errors.Is(err, errCrowded):
		s.wait = pollRetry
		a.plan(*s, true)
		return
	case isStorageFault(err):
		s.wait = max(s.wait, maxStoreWait)
		a.plan(*s, true)
	case err != nil:
		a.subject = ended{a.state}
	}
	if err != nil {
		a.report("send next request", err)
	}
}

// report logs an error that no caller hears of. A log that was deleted while
// something ran, or taken by another process, is no fault.
func (a *actor) report(what string, err error) {
	if errors.Is(err, playground.ErrNotFound) || errors.Is(err, playground.ErrElsewhere) ||
		errors.Is(err, errDropped) {
		a.r.cfg.Logger.Debug(what, "log", a.id, "err", err)
		return
	}
	a.r.cfg.Logger.Error(what, "log", a.id, "err", err)
}

// takeDue takes a step when the timer fires. A poll that a limit forbids is not
// sent; one that is not due yet, because the exchange was looked at again,
// waits on.
func (a *actor) takeDue(ctx context.Context, s step) error {
	a.storeBacklog()
	switch {
	case len(a.backlog) > 0:
		return a.fault
	case !s.poll:
		return a.take(ctx, s)
	case s.stop != "":
		return a.stopPolling(ctx, s.stop)
	}
	why, err := a.stopReason(ctx)
	switch {
	case err != nil:
		return err
	case why != "":
		return a.stopPolling(ctx, why)
	}
	if s.rest > 0 {
		s.wait = s.rest
		a.plan(s, true)
		return nil
	}
	return a.take(ctx, s)
}

// take sends the request of a step, or begins a session.
func (a *actor) take(ctx context.Context, s step) error {
	if s.session {
		a.list()
		return nil
	}
	var before []playground.Event
	if d := s.decision; d != nil {
		if d.Round == 0 {
			d.Round = a.state.transcript.Next()
		}
		before = append(before, d.Event(a.r.cfg.Now()))
	}
	return a.launch(ctx, s.request, s.poll, before...)
}

// launch stores a request, with the events before it, and sends it. A poll that
// is still running has to make room: its answer is of no use any more. The
// request of a poll that may repeat an earlier one is stored with its answer,
// because a repetition is stored as a count. An answer that is a stream is stored
// as it comes once it differs from the earlier ones.
func (a *actor) launch(ctx context.Context, req wire.Request, poll bool, before ...playground.Event) error {
	frame, err := wire.Encode(req)
	if err != nil {
		return err
	}
	conn := a.conn + 1
	next := &flight{conn: conn, poll: poll, whole: true, line: lineID(frame), donePoll: func() {}}
	if c, isCall := a.subject.(call); poll && isCall && !a.r.admitPoll(next, c.x.Target) {
		return errCrowded
	}
	sent := playground.Event{At: a.r.cfg.Now(), Conn: conn, Kind: playground.Sent, Data: frame.Bytes()}
	if poll && len(before) == 0 && a.mayRepeat() {
		next.sent, next.answer, a.conn = &sent, a.polls.Asked(sent), conn
	} else if err := a.append(ctx, append(before, sent)...); err != nil {
		next.donePoll()
		return err
	}
	if old := a.newest; old != nil && old.poll && a.flights[old.conn] != nil {
		old.cancel()
		delete(a.flights, old.conn)
		if !old.responded {
			defer a.tellCancelled(old)
		}
	}
	sending, cancel := context.WithCancel(a.sending())
	a.next = nil
	next.cancel = cancel
	a.newest = next
	a.flights[conn] = next
	caller, held := a.caller(), a.held
	a.r.wg.Go(func() {
		defer cancel()
		if err := a.confirm(sending, held); err == nil {
			caller.Send(sending, req.URL, frame, a.recorder(conn))
		} else {
			a.tell(unsent{conn})
		}
		next.donePoll()
		a.tell(end{conn: conn})
	})
	return nil
}

// sending returns the context of requests.
func (a *actor) sending() context.Context {
	ctx := wire.WithPeer(a.r.ctx, a.peer)
	switch s := a.subject.(type) {
	case call:
		return wire.WithTrust(ctx, s.x.Target.Trust)
	case connection:
		return wire.WithTrust(ctx, s.target.Trust)
	}
	return ctx
}

// caller returns the Caller of the log.
func (a *actor) caller() Caller {
	if a.wait > 0 && a.r.cfg.Patient != nil {
		return a.r.cfg.Patient(a.wait)
	}
	return a.r.cfg.Caller
}

// drain begins the end of the program: nothing new is sent, and a request whose
// answer the storage has not taken by now stays for the next start to
// interrupt. Deliveries that only waited for their turn are stored.
func (a *actor) drain() {
	a.next = nil
	if len(a.backlog) > 0 && errors.Is(a.fault, errNoTurn) {
		a.storeBacklog()
	}
	lost := a.backlog
	a.backlog = nil
	for _, d := range lost {
		a.lose(d, ErrClosing)
	}
}

// own returns the context of the actor's own writes, which must not be cut off
// by the end of the program.
func (a *actor) own() context.Context { return context.WithoutCancel(a.r.ctx) }

// mayRepeat reports whether the next poll may be answered as an earlier one was.
func (a *actor) mayRepeat() bool {
	read := func(masking *redact.Secrets) {
		a.polls.Secrets = masking
		a.polls.Read(a.log)
	}
	if a.inTurn(a.own(), a.polls.Unread(a.log), read) != nil {
		a.polls = playground.Polls{} // the log that it read is not masked as stored events are
	}
	a.polls.Secrets = a.secrets
	return a.polls.Any()
}

// errCrowded is for a poll that would open one connection too many.
var errCrowded = errors.New("too many polls are open")

// read returns the state of a log. Names are masked: a server may repeat a
// secret that it got.
func (a *actor) read(log []playground.Event) state {
	s := a.subject.read(log, &a.reader)
	s.summary.Name = string(a.secrets.Mask([]byte(s.summary.Name)))
	return s
}

// append stores events. What they change is true only afterwards. While others
// wait for the storage, the error is why: events are stored in their order.
func (a *actor) append(ctx context.Context, events ...playground.Event) error {
	if len(a.backlog) > 0 {
		return a.fault
	}
	return a.appendNow(ctx, events...)
}

// appendNow is append for events of the backlog.
func (a *actor) appendNow(ctx context.Context, events ...playground.Event) error {
	for i := range events {
		events[i].Seq = endOf(a.log) + i + 1
	}
	return a.write(ctx, append(a.log[:len(a.log):len(a.log)], events...), events)
}

// countRepeat stores that the poll on connection conn was answered as the
// response with the number of was.
func (a *actor) countRepeat(ctx context.Context, of, conn int, at time.Time) error {
	n := len(a.log)
	last, err := a.log[n-1].Repetition()
	if err != nil || last.Of != of || last.Count == playground.MaxRepeats {
		return a.appendNow(ctx, playground.Repetition{Of: of, Count: 1}.Event(at, conn))
	}
	e := playground.Repetition{Of: of, Count: last.Count + 1}.Event(at, conn)
	e.Seq = n
	return a.write(ctx, append(a.log[:n-1:n-1], e), []playground.Event{e})
}

// serve makes the actor work for who sends a command.
func (a *actor) serve(ctx context.Context) { a.peer, a.turn = wire.PeerOf(ctx), redact.TurnOf(ctx) }

// redact returns events as they are stored.
func (a *actor) redact(ctx context.Context, events []playground.Event) ([]playground.Event, error) {
	size := 0
	for _, e := range events {
		size += len(e.Data)
	}
	redacted := make([]playground.Event, len(events))
	err := a.inTurn(ctx, size, func(secrets *redact.Secrets) {
		for i, e := range events {
			redacted[i] = e.Redact(secrets)
		}
	})
	return redacted, err
}

// write stores events, with which the log becomes log.
func (a *actor) write(ctx context.Context, log, events []playground.Event) error {
	s := a.state
	if slices.ContainsFunc(events, playground.Event.ChangesStatus) {
		s = a.read(log)
	}
	s.summary.Changed = a.r.cfg.Now()
	begun := time.Now() // of this machine: it is compared with renewals, not shown
	redacted, err := a.redact(ctx, events)
	if err != nil {
		return err
	}
	if err := a.r.cfg.Log.Append(ctx, a.id, s.summary, redacted...); err != nil {
		moved := errors.Is(err, playground.ErrElsewhere) || errors.Is(err, playground.ErrNotOpen)
		if a.r.cfg.Replicas != nil && moved {
			a.abandon() // the log is not the one that this actor knows
		}
		return err
	}
	before := a.state.transcript
	a.log, a.state, a.held = a.keep(log), s, begun
	a.reportEnded(before)
	for _, e := range events {
		a.conn = max(a.conn, e.Conn)
	}
	return nil
}
