package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// The tests in this file are a table: the work in progress, the action of the
// user, and how long the storage is away. Whatever comes while it is away
// waits, and whatever is done then or afterwards comes to an end without a
// restart.

// patchy is a Log whose storage is away until a time.
type patchy struct {
	*run.Memory
	until atomic.Int64
}

func (l *patchy) leave(d time.Duration) { l.until.Store(time.Now().Add(d).UnixNano()) }

func (l *patchy) Append(ctx context.Context, id string, sum playground.Summary,
	events ...playground.Event) error {
	if time.Now().UnixNano() < l.until.Load() {
		return fmt.Errorf("append: %w", playground.ErrStorage)
	}
	return l.Memory.Append(ctx, id, sum, events...)
}

// outage is one cell of the table.
type outage struct {
	*peer
	storage *patchy
	path    string // of the server
}

func newOutage(t *testing.T, h http.Handler) *outage {
	o := &outage{peer: newPeer(t, h), path: "/"}
	o.peer.stop()
	o.storage = &patchy{Memory: o.log}
	o.config(run.Config{Caller: o.wire, Open: o.wire.WithLimits(legacy.Limits())})
	return o
}

// config makes the runner one with the callers of c.
func (o *outage) config(c run.Config) {
	c.Log, c.Client = o.storage, playground.Client{Name: "test", Version: "1"}
	c.Now, c.Logger = time.Now, logger()
	o.peer.runner = run.New(c)
}

func (o *outage) start(tool, arguments string, then time.Duration) {
	o.tool(o.path, tool, arguments)
	if o.path == onLines {
		o.x.Target.URL = onLines
	}
	o.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
	time.Sleep(then)
}

func (o *outage) try(ctx context.Context, method string, params json.RawMessage) error {
	o.x.Log = o.log.Events("x")
	d := playground.Decision{Action: playground.ActionResend, Experiment: "e"}
	_, err := o.runner.Try(ctx, o.x, d, wire.Request{
		URL: o.x.Target.URL, Method: method, ID: []byte(`"t"`), Params: params,
	})
	return err
}

// command is something that the user does with the exchange x.
type command struct {
	name string
	do   func(ctx context.Context, o *outage) error
	ends []playground.Status // possible ends; any if there is none
}

var (
	completes = []playground.Status{playground.StatusComplete}
	stops     = []playground.Status{playground.StatusComplete, playground.StatusCancelled}
)

func decision(d playground.Decision) func(context.Context, *outage) error {
	return func(ctx context.Context, o *outage) error {
		o.x.Log = o.log.Events("x")
		_, err := o.runner.Decide(ctx, o.x, d)
		return err
	}
}

var commands = []command{
	{"nothing", func(context.Context, *outage) error { return nil }, completes},
	{"stop", decision(playground.Decision{Action: playground.ActionStop}), stops},
	{"cancel", func(_ context.Context, o *outage) error { o.runner.Cancel("x"); return nil }, stops},
	{"answer", func(ctx context.Context, o *outage) error {
		f := o.folded()
		if f.Status != playground.StatusWaiting {
			return decision(playground.Decision{Action: playground.ActionAnswer, Round: f.Next()})(ctx, o)
		}
		return decision(o.answers())(ctx, o)
	}, completes},
	{"start", decision(playground.Decision{Action: playground.ActionStart, Round: 1}), completes},
	{"send again", decision(playground.Decision{Action: playground.ActionResend, Round: 2}), completes},
	{"retry", decision(auto), completes},
	{"refuse", decision(playground.Decision{Action: playground.ActionRefuse, Round: 1}), nil},
	{"note", func(ctx context.Context, o *outage) error {
		o.x.Log = o.log.Events("x")
		_, err := o.runner.Note(ctx, o.x, playground.Note{Check: "It was stopped."})
		return err
	}, completes},
	{"try", func(ctx context.Context, o *outage) error {
		return o.try(ctx, o.x.Call.Method, o.x.Call.Params)
	}, nil},
	{"try a poll", func(ctx context.Context, o *outage) error {
		return o.try(ctx, playground.TasksGet, []byte(`{"taskId":"unknown"}`))
	}, nil},
	{"resume", func(ctx context.Context, o *outage) error {
		o.x.Log = o.log.Events("x")
		return o.runner.Resume(ctx, o.x)
	}, nil},
}

// refusals are the errors that a command may have: those that a page has words for.
var refusals = []error{playground.ErrStorage, playground.ErrNotOpen, playground.ErrAnswers,
	playground.ErrLegacy, playground.ErrLocked}

// scenes are the kinds of work that are in progress when the storage goes away.
// Something comes a moment later.
var scenes = map[string]func(t *testing.T) *outage{
	"a call": func(t *testing.T) *outage {
		o := newOutage(t, answering(time.Second, 0, false))
		o.start("t", `{}`, 100*time.Millisecond)
		return o
	},
	"a stream with a late comment": func(t *testing.T) *outage {
		o := newOutage(t, answering(0, 200*time.Millisecond, false))
		o.start("t", `{}`, 100*time.Millisecond)
		return o
	},
	"a question with a late comment": func(t *testing.T) *outage {
		o := newOutage(t, answering(0, 200*time.Millisecond, true))
		o.start("t", `{}`, 100*time.Millisecond)
		return o
	},
	"retries": func(t *testing.T) *outage {
		o := newOutage(t, shedding(4))
		o.start("t", `{}`, 0)
		o.runner.Wait(t.Context(), "x")
		o.begin(auto)
		time.Sleep(2900 * time.Millisecond)
		return o
	},
	"a task": func(t *testing.T) *outage {
		o := newOutage(t, samples(t))
		o.path = "/mcp/tasks"
		o.start("build", `{"seconds":20}`, 2900*time.Millisecond)
		return o
	},
	"a task whose poll is slow": func(t *testing.T) *outage {
		inner := samples(t)
		o := newOutage(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Method") == playground.TasksGet {
				time.Sleep(900 * time.Millisecond)
			}
			inner.ServeHTTP(w, r)
		}))
		o.path = "/mcp/tasks"
		o.start("build", `{"seconds":20}`, 1500*time.Millisecond)
		return o
	},
	"a legacy call": func(t *testing.T) *outage {
		o := newOutage(t, late(older(t, false)))
		o.x.Target.Era = playground.Legacy
		o.start("twice", `{}`, 100*time.Millisecond)
		return o
	},
	"a legacy call that asks": func(t *testing.T) *outage {
		o := newOutage(t, older(t, false))
		o.x.Target.Era = playground.Legacy
		o.start("twice", `{}`, time.Second)
		return o
	},
	"lines": func(t *testing.T) *outage {
		o := newOutage(t, http.NotFoundHandler())
		o.config(run.Config{Caller: lineServer{}})
		o.path = onLines
		o.start("t", `{}`, 100*time.Millisecond)
		return o
	},
}

// answering is a server that takes a time to answer, with a stream that goes on after
// the response for another if that is not 0. It may ask first.
func answering(before, after time.Duration, asks bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := mcptest.Read(r)
		time.Sleep(before)
		answer := mcptest.Complete(`"content":[]`)
		if asks && m.Params.RequestState == nil {
			answer = mcptest.Ask(`"k":{"method":"roots/list"}`, "s")
		}
		answer.Stream = after > 0
		answer.Write(w, m)
		if answer.Stream {
			w.(http.Flusher).Flush()
			time.Sleep(after)
			_, _ = io.WriteString(w, ": a late comment\n\n")
		}
	})
}

// late makes a server take a second for each message.
func late(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			time.Sleep(time.Second)
		}
		h.ServeHTTP(w, r)
	})
}

const onLines = "stdio:0123456789abcdef"

// lineServer is a server on standard input that answers after a second.
type lineServer struct{}

func (lineServer) Send(
	ctx context.Context, _ string, f wire.Frame, record func(wire.Part) error,
) wire.Timing {
	message, _ := jsontree.Parse(f.Body, jsontree.Limits{})
	if !playground.IsRequest(message) {
		return wire.Timing{}
	}
	select {
	case <-time.After(time.Second):
		line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",`+
			`"content":[]}}`+"\n", message.Get("id").Raw())
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(), Bytes: wire.Line(line).Bytes()})
	case <-ctx.Done():
		_ = record(wire.Part{Kind: wire.Cancelled, At: time.Now()})
	}
	return wire.Timing{}
}

// away is how long the storage is away.
var away = []time.Duration{100 * time.Millisecond, 5 * time.Second, 20 * time.Second, time.Minute}

// eachOutage calls f in a bubble for each time that the storage is away, with the moment of
// the command: while it is away, and when it is back but was not tried again yet.
func eachOutage(t *testing.T, f func(t *testing.T, away, command time.Duration)) {
	for _, d := range away {
		for name, at := range map[string]time.Duration{"during": d / 2, "after": d + 2*time.Second} {
			t.Run(fmt.Sprintf("%s/%s", name, d), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { f(t, d, at) })
			})
		}
	}
}

// aWhile is longer than anything takes once the storage is back, and shorter than an open
// call may last.
const aWhile = 2 * time.Minute

// within returns the result of a command, which must return.
func within(t *testing.T, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		known := func(refusal error) bool { return errors.Is(err, refusal) }
		if err != nil && !slices.ContainsFunc(refusals, known) {
			t.Errorf("the command is refused with %v", err)
		}
		return err
	case <-time.After(time.Hour):
		t.Fatal("the command has not returned")
		return nil
	}
}

func TestOutage_EveryCommandOfAnExchange(t *testing.T) {
	for name, scene := range scenes {
		for _, c := range commands {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				eachOutage(t, func(t *testing.T, away, command time.Duration) {
					o := scene(t)
					o.storage.leave(away)
					time.Sleep(command)
					err := within(t, func() error { return c.do(t.Context(), o) })
					if command > away && errors.Is(err, playground.ErrStorage) {
						t.Errorf("refused although the storage is back: %v", err)
					}
					time.Sleep(aWhile)
					f := o.folded()
					for f.Status == playground.StatusWaiting {
						o.begin(o.again(f))
						time.Sleep(aWhile)
						f = o.folded()
					}
					if f.Status == playground.StatusRunning || o.runner.Busy("x") {
						t.Fatalf("a while later: %s, busy %v: %s", f.Status, o.runner.Busy("x"), path(f))
					}
					if c.ends != nil && !slices.Contains(c.ends, f.Status) {
						t.Errorf("%s: %s", f.Status, path(f))
					}
				})
			})
		}
	}
}

// again is the decision that follows in an exchange that waits.
func (o *outage) again(f playground.Transcript) playground.Decision {
	if len(f.Last().Questions) > 0 {
		return o.answers()
	}
	return playground.Decision{Action: playground.ActionRetry, Round: f.Next(), Auto: true}
}

// TestOutage_EveryCommandOfAConnection: a server is connected to, of either era.
func TestOutage_EveryCommandOfAConnection(t *testing.T) {
	target := playground.Target{ID: "t", URL: "http://peer/", Capabilities: json.RawMessage(everything)}
	connect := func(ctx context.Context, o *outage) error {
		return o.runner.Connect(ctx, target, o.log.Events("t"))
	}
	commands := map[string]func(context.Context, *outage) error{
		"nothing": func(context.Context, *outage) error { return nil },
		"connect": connect,
		"cancel":  func(_ context.Context, o *outage) error { o.runner.Cancel("t"); return nil },
		"disconnect": func(ctx context.Context, o *outage) error {
			return o.runner.Disconnect(ctx, target, o.log.Events("t"))
		},
	}
	for name, do := range commands {
		for _, begun := range []time.Duration{500 * time.Millisecond, 3500 * time.Millisecond} {
			t.Run(name, func(t *testing.T) {
				eachOutage(t, func(t *testing.T, away, command time.Duration) {
					o := newOutage(t, late(older(t, false)))
					within(t, func() error { return connect(t.Context(), o) })
					time.Sleep(begun)
					o.storage.leave(away)
					time.Sleep(command)
					refused := within(t, func() error { return do(t.Context(), o) })
					time.Sleep(aWhile)
					c := server.FoldConnection(o.log.Events("t"))
					if c.Status == server.Connecting || o.runner.Busy("t") {
						t.Fatalf("a while later: %s, busy %v", c.Status, o.runner.Busy("t"))
					}
					goesOn := name == "nothing" || name == "connect" && refused == nil
					if c.Status != server.Connected && goesOn {
						t.Errorf("%s: %s %s", c.Status, c.Class, c.Detail)
					}
				})
			})
		}
	}
}

// relay is a request of a foreign client: an exchange of its own, or a message.
func (o *outage) relay(whole bool) run.Relay {
	q := newRelay()
	q.URL = "http://peer/mcp"
	q.Frame.Head = fmt.Appendf(nil,
		"POST /mcp HTTP/1.1\r\nHost: peer\r\nContent-Length: %d\r\n\r\n", len(relayed))
	if !whole {
		q.Exchange, q.Decision = nil, nil
	}
	return q
}

// TestOutage_EveryCommandOfACapture: a foreign client has a stream open, and its server
// sends something.
func TestOutage_EveryCommandOfACapture(t *testing.T) {
	commands := map[string]func(context.Context, *outage) error{
		"nothing": func(context.Context, *outage) error { return nil },
		"relay": func(ctx context.Context, o *outage) error {
			q := o.relay(false)
			q.Events = o.log.Events("x")
			_, err := o.runner.Relay(ctx, q)
			return err
		},
		"cancel": func(_ context.Context, o *outage) error { o.runner.Cancel("x"); return nil },
		"interrupt": func(ctx context.Context, o *outage) error {
			return o.runner.Interrupt(ctx, "x", o.log.Events("x"))
		},
	}
	for _, whole := range []bool{false, true} {
		for name, do := range commands {
			t.Run(fmt.Sprintf("%s/%v", name, whole), func(t *testing.T) {
				eachOutage(t, func(t *testing.T, away, command time.Duration) {
					o := newOutage(t, answering(time.Second, time.Second, false))
					ended := make(chan error, 1)
					go func() {
						_, err := o.runner.Relay(t.Context(), o.relay(whole))
						ended <- err
					}()
					time.Sleep(500 * time.Millisecond)
					o.storage.leave(away)
					time.Sleep(command)
					within(t, func() error { return do(t.Context(), o) })
					within(t, func() error { return <-ended })
					time.Sleep(aWhile)
					if log := o.log.Events("x"); len(playground.Unanswered(log)) > 0 || o.runner.Busy("x") {
						t.Errorf("a while later: %v, busy %v", kinds(log), o.runner.Busy("x"))
					}
				})
			})
		}
	}
}

// TestConnect_AfterALegacySession: the end of a session with a legacy server is recorded
// where it belongs, and never in the attempt that follows.
func TestConnect_AfterALegacySession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, modern := older(t, false), samples(t)
		p := newPeer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Header.Get("Mcp-Method") != "":
				r.URL.Path = "/mcp/azure-devops"
				modern.ServeHTTP(w, r)
			case r.Method == http.MethodDelete:
				time.Sleep(5 * time.Second)
				fallthrough
			default:
				old.ServeHTTP(w, r)
			}
		}))
		target := playground.Target{ID: "t", URL: "http://peer/", Capabilities: json.RawMessage(everything)}
		for _, era := range []playground.Era{playground.Legacy, playground.Modern} {
			target.Era = era
			if err := p.runner.Connect(t.Context(), target, p.log.Events("t")); err != nil {
				t.Fatal(err)
			}
			p.runner.Wait(t.Context(), "t")
			c := server.FoldConnection(p.log.Events("t"))
			if c.Status != server.Connected || c.Era != era {
				t.Errorf("%s: %s %s, %s %s", era, c.Era, c.Status, c.Class, c.Detail)
			}
		}
		time.Sleep(time.Minute)
		c := server.FoldConnection(p.log.Events("t"))
		if c.Status != server.Connected || c.Era != playground.Modern {
			t.Errorf("a minute later: %s %s, %s %s", c.Era, c.Status, c.Class, c.Detail)
		}
		for _, trip := range c.Trips {
			if !strings.Contains(trip.Method, "/") || trip.Kind != playground.OutcomeComplete {
				t.Errorf("%s %s is in the modern attempt", trip.Method, trip.Kind)
			}
		}
	})
}
