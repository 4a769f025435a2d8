package run

import (
	"context"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Relay is a request of a foreign client that is passed on and recorded.
type Relay struct {
	Log    string             // where it is recorded
	Events []playground.Event // of that log, as they are stored; of a capture's own log its Tail is enough
	// Exchange is the Exchange of the log; nil if the log is that of a capture, which has
	// everything that belongs to no call.
	Exchange *playground.Exchange
	// Decision opens a Round of the Exchange; nil for a request that belongs to the
	// newest one, such as a poll.
	Decision *playground.Decision

	URL         string
	Frame       wire.Frame   // the request, byte for byte
	Credentials []wire.Field // of the client, masked before anything is stored
	Secrets     []string     // further values to mask
	Open        bool         // the response is a stream without an end of its own
	// Refused is why the request is recorded but not passed on; else nil.
	Refused *wire.Failure
}

// Relayed is the response of a Relay.
type Relayed struct {
	Response wire.Frame    // of a stream only the head
	Failure  *wire.Failure // why it is not complete; else nil
}

// Relay passes a request on and records both sides. A stream is also written to the tee
// of ctx (wire.WithTee) as it comes. It returns once the response is recorded; or with
// the refusal of the Log, before anything was sent. When ctx ends, the client has closed
// its connection, and so is that to the server.
func (r *Runner) Relay(ctx context.Context, q Relay) (Relayed, error) {
	s := subject(captured{})
	if q.Exchange != nil {
		s = call{*q.Exchange, r.cfg.Client}
	}
	c := relay{ctx: ctx, q: q, ended: make(chan Relayed, 1)}
	if _, err := r.send(q.Log, q.Events, s, c); err != nil {
		return Relayed{}, err
	}
	return <-c.ended, nil
}

// Interrupt closes the requests that an earlier process left unanswered in the
// log of a foreign client, whose requests are not sent again.
func (r *Runner) Interrupt(ctx context.Context, id string, log []playground.Event) error {
	_, err := r.send(id, log, captured{}, interrupt{ctx})
	return err
}

// captured is the subject of a capture's own log. Nothing follows by itself
// from a request of a foreign client.
type captured struct{}

func (captured) read(log []playground.Event, _ *playground.Reader) state {
	return state{summary: playground.Summary{Held: len(playground.Unanswered(log)) > 0}}
}
func (captured) next([]playground.Event, state) (step, bool) { return step{}, false }
func (captured) spent(state) bool                            { return true }

// keep returns the events of a log that the actor needs. A stream of a capture may stay open
// for long, and its log has everything that belongs to no call.
func (a *actor) keep(log []playground.Event) []playground.Event {
	if _, is := a.subject.(captured); is {
		return Tail(log)
	}
	return log
}

// endOf returns how many events a log has, of which the actor may keep only some.
func endOf(log []playground.Event) int {
	if n := len(log); n > 0 {
		return max(n, log[n-1].Seq)
	}
	return 0
}

// Tail returns what is needed to go on with a log of a capture: the heads of the connections
// whose responses have not ended, of the others the newest one, as if it was cancelled, and the
// newest event, for the numbers that come next. The events that come after a Tail make a log
// with it.
func Tail(log []playground.Event) []playground.Event {
	var list []playground.Event
	open, newest := playground.Unanswered(log), 0
	for i, e := range log {
		if e.Conn >= log[newest].Conn {
			newest = i
		}
	}
	for i, e := range log {
		head := e.Kind == playground.Sent || e.Kind == playground.Received
		switch {
		case head && slices.Contains(open, e.Conn):
			list = append(list, e)
		case i == newest && !slices.Contains(open, e.Conn):
			e.Kind, e.Data = playground.Cancelled, nil
			list = append(list, e)
		case i == len(log)-1:
			e.Data = nil
			list = append(list, e)
		}
	}
	return list
}

// relay is the command of Runner.Relay.
type relay struct {
	ctx   context.Context
	q     Relay
	ended chan Relayed // when the connection has ended and everything is recorded
}

func (c relay) run(a *actor) error {
	if c.q.Exchange != nil {
		a.subject = call{*c.q.Exchange, a.r.cfg.Client}
	}
	if d := c.q.Decision; d != nil && a.state.transcript.Next() != d.Round {
		return playground.ErrNotOpen // another request of the client was faster
	}
	a.guard(c.q)
	a.turn = redact.TurnOf(c.ctx)
	conn := a.conn + 1
	var events []playground.Event
	if c.q.Decision != nil {
		events = append(events, c.q.Decision.Event(a.r.cfg.Now()))
	}
	events = append(events, playground.Event{
		At: a.r.cfg.Now(), Conn: conn, Kind: playground.Sent, Data: c.q.Frame.Bytes(),
	})
	if err := a.append(c.ctx, events...); err != nil {
		return err
	}
	sending, cancel := context.WithCancel(c.ctx)
	stop := context.AfterFunc(a.r.ctx, cancel) // the end of the program
	a.flights[conn] = &flight{conn: conn, cancel: cancel, whole: true, relayed: true}
	caller, held := a.r.cfg.Caller, a.held
	if c.q.Open && a.r.cfg.Open != nil {
		caller = a.r.cfg.Open
	}
	a.r.wg.Go(func() {
		defer cancel()
		defer stop()
		var came Relayed
		whole := false // although the record is not
		record := a.recorder(conn)
		if c.q.Refused != nil {
			came.Failure = c.q.Refused
			_ = record(wire.Part{Kind: wire.Failed, At: a.r.cfg.Now(), Failure: c.q.Refused})
		} else if err := a.confirm(sending, held); err == nil {
			caller.Send(sending, c.q.URL, c.q.Frame, func(p wire.Part) error {
				err := record(p)
				switch {
				case err != nil:
					came.Failure = wire.FailureOf(err)
				case p.Kind == wire.Received:
					came.Response = wire.Split(p.Bytes)
					if whole = p.Whole != nil; whole {
						came.Response = wire.Split(p.Whole)
					}
				case p.Failure != nil && whole:
				case p.Failure != nil:
					came.Failure = p.Failure
				case p.Kind == wire.Cancelled:
					came.Failure = &wire.Failure{Class: wire.Reset, Detail: "the connection was closed"}
				}
				return err
			})
		} else {
			came.Failure = wire.FailureOf(err)
			a.tell(unsent{conn})
		}
		stored := make(chan error, 1)
		if a.tell(end{conn, stored}) {
			<-stored
		}
		c.ended <- came
	})
	return nil
}

// Bounds of the values that an actor masks beside the credentials of the newest
// message: how many fields, of how many bytes.
const mostCredentials, mostCredentialBytes = 32, 16 << 10

// guard makes the actor mask the credentials of a request, beside those of the requests
// and responses before it, which a response may repeat.
func (a *actor) guard(q Relay) {
	credentials := remember(a.credentials, q.Credentials)
	if a.secrets != nil && slices.Equal(credentials, a.credentials) && slices.Equal(q.Secrets, a.more) {
		return
	}
	a.credentials, a.more = credentials, q.Secrets
	a.secrets = redact.New(slices.Concat(a.credentials, a.given), "", nil, a.more...)
}

// guardResponse makes the actor mask the credentials in the head of a response, and returns
// the response with their values masked there, however short they are.
func (a *actor) guardResponse(response []byte) []byte {
	fields, masked := redact.MaskCredentials(response)
	if given := remember(a.given, fields); !slices.Equal(given, a.given) {
		a.given = given
		a.secrets = redact.New(slices.Concat(a.credentials, a.given), "", nil, a.more...)
	}
	return masked
}

// remember returns a list of credentials with those of a message at its end, and drops the
// oldest of the others.
func remember(list, fields []wire.Field) []wire.Field {
	list = slices.DeleteFunc(slices.Clone(list), func(f wire.Field) bool {
		return slices.Contains(fields, f)
	})
	size := 0
	for i := len(list); i > 0; i-- {
		if size += len(list[i-1].Value); len(list)-i == mostCredentials || size > mostCredentialBytes {
			list = list[i:]
			break
		}
	}
	return append(list, fields...)
}

// interrupt closes a log of a foreign client whose process is gone.
type interrupt struct{ ctx context.Context }

func (c interrupt) run(a *actor) error {
	if a.busy() {
		return nil // another request of the client has come by now
	}
	var events []playground.Event
	for _, conn := range playground.Unanswered(a.log) {
		events = append(events, playground.Event{
			At: a.r.cfg.Now(), Conn: conn, Kind: playground.Interrupted,
		})
	}
	if len(events) == 0 {
		return nil
	}
	return a.append(c.ctx, events...)
}
