// Package trial makes the calls of the test of a gateway: through the gateway,
// to an upstream that records them. It judges nothing; package gateway does.
//
// # Contract
//
// Each call is an ordinary exchange. Where exchanges are stored is the matter of
// the caller: of a Runner and of two functions of Config. Without them they are
// kept in memory. The requests for lists and metadata are no exchanges, and their
// logs are in the calls themselves.
package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
)

// Upstream is the record of the server behind the gateway; *upstream.Upstream is one.
type Upstream interface {
	// Log returns what was recorded so far. Its clock is that of Config.Engine unless the Clocks of the
	// recording say otherwise.
	Log(ctx context.Context) ([]playground.Event, error)
	// Arrived waits until a request with a method has arrived whose bytes contain a text, or until
	// ctx ends, and reports whether it has. ended also waits until nothing more is done for any such
	// request.
	Arrived(ctx context.Context, method, text string, ended bool) bool
}

// Config is everything that a test needs.
type Config struct {
	// Engine sends what is no exchange, and the calls too if Runner is nil. Its Log is not used.
	Engine   run.Config
	Target   playground.Target // the gateway
	Upstream Upstream
	NewID    func() string // of marks and exchanges

	// Runner makes the calls, and Events returns the log of one of its exchanges. Begin stores a
	// redacted exchange before its first request. All three are nil for calls in memory.
	Runner drive.Runner
	Begin  func(ctx context.Context, x playground.Exchange) error
	Events func(ctx context.Context, id string) ([]playground.Event, error)
	// Session is that of the exchanges.
	Session string

	// Own are the calls if the upstream is not the server for this test; nil for those of it.
	Own []OwnCall

	// Called gets each call that has ended, in the order of the recording; may be nil. Its error ends
	// the test.
	Called func(gateway.Call) error
	// Wait is how long the gateway may take to answer at all, and Limit how long one call with all
	// its rounds and polls; Patience is how long a cancellation may take to reach the upstream.
	Wait, Limit, Patience time.Duration
	// Pause waits between two attempts to reach the gateway.
	Pause func(ctx context.Context, d time.Duration) error
}

// Capabilities are those that the client declares.
const Capabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// Run makes the calls and returns what both ends recorded, with the secrets of the target masked.
// The error is that of ctx or of the storage; the recording then has the calls that were made
// before.
func Run(ctx context.Context, c Config) (gateway.Recording, error) {
	c.Target.Era, c.Target.Capabilities = playground.Modern, json.RawMessage(Capabilities)
	c.Target.OneClient = true // so that no gateway may take two calls at once for one
	if c.Runner == nil {
		memory := run.NewMemory()
		c.Engine.Log, c.Engine.Replicas = memory, nil
		runner := run.New(c.Engine)
		defer func() { _ = runner.Close(context.WithoutCancel(ctx)) }()
		c.Runner = runner
		c.Begin = func(context.Context, playground.Exchange) error { return nil }
		c.Events = func(_ context.Context, id string) ([]playground.Event, error) {
			return memory.Events(id), nil
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	t := &trial{Config: c, stop: stop}
	r := gateway.Recording{Gateway: redact.MaskURL(c.Target.Secrets.MaskText(c.Target.Name))}
	if r.Gap = t.list(ctx); r.Gap == "" {
		t.makeAll(ctx)
	} else {
		t.add(ctx, t.lists...) // may show why
	}
	r.Calls = t.made
	err := context.Cause(ctx)
	r.Interrupted = err != nil
	log, failed := c.Upstream.Log(context.WithoutCancel(ctx))
	r.Upstream = slices.Clone(log)
	for i, e := range r.Upstream { // a gateway may pass on the credentials of its client
		r.Upstream[i].Data = c.Target.Secrets.Mask(e.Data)
	}
	if failed != nil {
		failed = fmt.Errorf("read the record of the upstream: %w", failed)
	}
	return r, errors.Join(err, failed)
}

// trial is a test that is being made.
type trial struct {
	Config
	stop    context.CancelCauseFunc     // of a test whose storage fails
	offered map[string][]entry          // as the gateway lists it, by the method of the call
	matched map[string]map[string]entry // the same, by the method and the name at the upstream
	lists   []gateway.Call              // the requests for these lists
	listed  int                         // bytes of lists
	made    []gateway.Call
}

// add adds calls to the recording. What was cut off says nothing about the gateway.
func (t *trial) add(ctx context.Context, calls ...gateway.Call) {
	if ctx.Err() != nil {
		return
	}
	for _, c := range calls {
		if t.Called != nil {
			if err := t.Called(c); err != nil {
				t.stop(fmt.Errorf("keep call: %w", err))
				return
			}
		}
		t.made = append(t.made, c)
	}
}

// makeAll makes the calls of all plans, or the calls at an upstream of the user.
func (t *trial) makeAll(ctx context.Context) {
	t.add(ctx, t.lists...)
	for _, own := range t.Own {
		if !t.callable(own) {
			continue
		}
		for range ownTimes {
			if ctx.Err() == nil {
				t.add(ctx, t.own(ctx, own))
			}
		}
	}
	if t.Own != nil {
		return
	}
	made := 0
	for _, p := range plans() {
		if ctx.Err() != nil || !t.offers(p) {
			continue
		}
		if made == enough && !t.reached(ctx) {
			return // nor would the others reach the upstream
		}
		t.add(ctx, t.make(ctx, p)...)
		made++
	}
}

// enough is after how many plans some call has reached the upstream, if any does.
const enough = 3

// reached reports whether a call of the test has reached the upstream.
func (t *trial) reached(ctx context.Context) bool {
	log, err := t.Upstream.Log(ctx)
	if errors.Is(err, playground.ErrNotFound) { // deleted: nothing that is called could be judged
		t.stop(fmt.Errorf("read the record of the upstream: %w", err))
		return false
	}
	return err != nil || slices.ContainsFunc(playground.Connections(log), func(u playground.Round) bool {
		return u.Method == playground.ToolsCall
	})
}

// make makes the calls of a plan.
func (t *trial) make(ctx context.Context, p plan) []gateway.Call {
	mark := "mark-" + t.NewID()
	if p.method == playground.Listen {
		return t.subscribe(ctx, p, mark)
	}
	var list []gateway.Call
	switch p.how {
	case twice:
		list = []gateway.Call{t.call(ctx, p, mark), t.call(ctx, p, mark)}
	case together:
		list = t.both(ctx, p, mark+"-1", mark+"-2")
	case alike:
		list = t.both(ctx, p, mark, mark)
	case givenUp:
		list = []gateway.Call{t.giveUp(ctx, p, mark)}
	case stopped:
		list = []gateway.Call{t.cancel(ctx, p, mark)}
	case released:
		list = t.release(ctx, p, mark)
	default:
		list = []gateway.Call{t.call(ctx, p, mark)}
	}
	if p.focus == gateway.Challenge {
		list = append(list, t.signIn(ctx, p, mark, list[0])...)
	}
	return list
}

// both makes two calls at the same time.
func (t *trial) both(ctx context.Context, p plan, marks ...string) []gateway.Call {
	list := make([]gateway.Call, len(marks))
	var running sync.WaitGroup
	for i, mark := range marks {
		running.Go(func() { list[i] = t.call(ctx, p, mark) })
	}
	running.Wait()
	return list
}
