package run

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Replicas are the processes that share the storage, of which this is one. A log
// that something is done with is held by one of them: the Log of the Config takes
// events of it from no other process, which gets playground.ErrElsewhere. A
// process that was frozen, or cut off from the storage, may lose its logs.
type Replicas interface {
	// ID returns the id of this process.
	ID() string
	// Claim makes this process the holder of a log whose holder is gone.
	Claim(ctx context.Context, id string) error
	// Release gives a log to the process heir, which has asked for it.
	Release(ctx context.Context, id, heir string) error
	// Confirm returns nil if this process still holds a log that it held at some
	// time, so that something may be sent for it, and playground.ErrElsewhere if
	// another one does.
	Confirm(ctx context.Context, id string, held time.Time) error
	// Lost returns which of the logs this process does not hold.
	Lost(ctx context.Context, ids []string) ([]string, error)
	// Ask passes a message to the holder of a log, whose Runner.Handle makes the
	// reply. The error is playground.ErrNotFound if no other process holds it.
	Ask(ctx context.Context, id string, message []byte) (reply []byte, err error)
	// Log returns the events of a log as they are stored.
	Log(ctx context.Context, id string) ([]playground.Event, error)
	// End returns the last state of a log.
	End(ctx context.Context, id string) (playground.LogEnd, error)
	// Changed notifies the other processes of a change that watchers get.
	Changed(id string)
	// Changes returns a channel that is closed at the next Changed of another
	// process, and a function that ends the waiting for it.
	Changes(id string) (changed <-chan struct{}, stop func())
	// NoteLook notes a look for the holder of a log.
	NoteLook(ctx context.Context, id string, at time.Time) error
	// LookedAt returns when a log was last looked at, to the minute.
	LookedAt(ctx context.Context, id string) (time.Time, error)
}

// letter is a request of one process to the holder of a log.
type letter struct {
	Do    string            `json:"do"` // cancel, yield or decide
	Heir  string            `json:"heir,omitempty"`
	Force bool              `json:"force,omitempty"`
	Event *playground.Event `json:"event,omitempty"` // of a decision, redacted
	Reply string            `json:"reply,omitempty"` // in a reply: of replies
}

// replies are the results of a letter. Any other error is one of the storage.
var replies = map[string]error{
	"done": nil, "idle": errIdle, "busy": errBusy, "not_open": playground.ErrNotOpen,
	"answers": playground.ErrAnswers, "capped": playground.ErrCapped, "locked": playground.ErrLocked,
	"full": playground.ErrFull, "closing": ErrClosing,
}

// errBusy is returned by a yield while a request is in flight that only this process can
// finish.
var errBusy = errors.New("a request is running")

// ask passes a letter to the holder of a log and returns its result.
func (r *Runner) ask(ctx context.Context, id string, l letter) error {
	message, err := json.Marshal(l)
	if err != nil {
		return err
	}
	reply, err := r.cfg.Replicas.Ask(ctx, id, message)
	if err != nil {
		return err
	}
	var back letter
	if err := json.Unmarshal(reply, &back); err != nil {
		return errors.Join(playground.ErrStorage, err)
	}
	result, known := replies[back.Reply]
	if !known {
		return playground.ErrStorage
	}
	return result
}

// Handle runs the request of another process about a log that this one holds,
// and returns the reply.
func (r *Runner) Handle(_ context.Context, id string, message []byte) []byte {
	var l letter
	err := json.Unmarshal(message, &l)
	if a := r.actor(id); err == nil && a == nil {
		err = errIdle
	} else if err == nil {
		err = a.ask(l.command())
	}
	back := letter{Reply: "storage"}
	for text, result := range replies {
		if errors.Is(err, result) && (err == nil) == (result == nil) {
			back.Reply = text
		}
	}
	reply, _ := json.Marshal(back) // strings always marshal
	return reply
}

// command returns the command of a letter.
func (l letter) command() command {
	switch {
	case l.Do == "cancel":
		return cancel{}
	case l.Do == "decide" && l.Event != nil:
		return decideHere{*l.Event}
	}
	return yield{l.Heir, l.Force}
}

// ask runs a command and returns its result, or errIdle if the actor has ended.
func (a *actor) ask(c command) error {
	reply := make(chan error, 1)
	select {
	case a.commands <- envelope{c, reply}:
		return <-reply
	case <-a.done:
		return errIdle
	}
}

// yield gives a log to another process, which has a decision for it. What waits
// for its time is dropped: the other process plans it again. A running poll is
// only given up by force.
type yield struct {
	heir  string
	force bool
}

func (c yield) run(a *actor) error {
	polling := a.newest != nil && a.flights[a.newest.conn] != nil
	if a.session != nil || len(a.backlog) > 0 || !a.onlyPolls() || polling && !c.force {
		return errBusy
	}
	if before := a.givenUpPoll(); len(before) > 0 && polling {
		if err := a.append(a.own(), before...); err != nil {
			return err
		}
	}
	if err := a.r.cfg.Replicas.Release(a.own(), a.id, c.heir); err != nil {
		return err
	}
	a.abandon()
	return nil
}

// decideHere is a decision for the open call of a legacy server that another
// process has got.
type decideHere struct{ e playground.Event }

func (c decideHere) run(a *actor) error {
	s, isCall := a.subject.(call)
	e, err := c.e.Reveal(a.secrets)
	switch {
	case !isCall:
		return playground.ErrNotOpen
	case err != nil:
		return err
	}
	a.viewed.newest.Store(a.r.cfg.Now().UnixNano())
	d := e.Decision()
	if d.Action == playground.ActionRefuse {
		return a.refuse(a.own(), d)
	}
	return a.decideLegacy(a.own(), s.x, d)
}

// abandon drops all that is done with a log which another process holds now. What
// was sent and not answered, that process closes in the log.
func (a *actor) abandon() {
	for _, f := range a.flights {
		if f.cancel != nil {
			f.cancel()
		}
	}
	clear(a.flights)
	lost := a.backlog
	a.backlog, a.next, a.newest = nil, nil, nil
	for _, d := range lost {
		d.end(errDropped)
	}
	if a.session != nil {
		a.session.cancel(errDropped)
		a.session = nil
	}
	a.subject = ended{a.state}
}

// taken is the message that another process holds the log of the actor.
type taken struct{}

func (taken) deliver(a *actor) { a.abandon() }

// confirm returns nil if something may be sent for a log, and else ends all
// work on it here. It waits for the storage until ctx or the program ends.
func (a *actor) confirm(ctx context.Context, held time.Time) error {
	if a.r.cfg.Replicas == nil {
		return nil
	}
	for wait := minStoreWait; ; wait = min(2*wait, maxStoreWait) {
		err := a.r.cfg.Replicas.Confirm(ctx, a.id, held)
		if errors.Is(err, playground.ErrElsewhere) {
			a.tell(taken{})
		}
		if !isStorageFault(err) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		case <-a.r.closing:
			return err
		}
	}
}

// unsent reports that nothing was sent on a connection, because it was not
// certain that this process holds the log.
type unsent struct{ conn int }

func (m unsent) deliver(a *actor) {
	f := a.flights[m.conn]
	if f == nil {
		return
	}
	cut := playground.Event{At: a.r.cfg.Now(), Conn: m.conn, Kind: playground.Interrupted}
	a.store(&delivery{conn: m.conn, events: append(f.take(), cut), last: true})
}

// Recheck ends all work here on logs that other processes hold. It is for a
// process that was frozen, or cut off from the storage.
func (r *Runner) Recheck(ctx context.Context) error {
	r.mu.Lock()
	live := make(map[string]*actor, len(r.live))
	var ids []string
	for id, a := range r.live {
		if a.view.Load().held { // else it has only begun, and the storage knows
			live[id], ids = a, append(ids, id)
		}
	}
	r.mu.Unlock()
	lost, err := r.cfg.Replicas.Lost(ctx, ids)
	for _, id := range lost {
		live[id].tellWithin(ctx, taken{})
	}
	return err
}

// adopt plans the next step in a log that another process has given away.
type adopt struct{ x playground.Exchange }

func (c adopt) run(a *actor) error {
	a.use(c.x)
	return nil
}
