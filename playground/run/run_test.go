package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// caller answers with whatever the test says; it checks that the request was
// stored before it is sent.
type caller struct {
	t      *testing.T
	log    *Memory
	answer func(ctx context.Context, f wire.Frame, record func(wire.Part) error)
	calls  atomic.Int32
}

func (c *caller) Send(ctx context.Context, _ string, f wire.Frame, record func(wire.Part) error) wire.Timing {
	c.calls.Add(1)
	stored := false
	for _, e := range c.log.Events("x") {
		stored = stored || e.Kind == playground.Sent && string(e.Data) == string(f.Head)+string(f.Body)
	}
	if !stored {
		c.t.Error("the request left before it was stored")
	}
	c.answer(ctx, f, record)
	return wire.Timing{}
}

func received(body string) wire.Part {
	return wire.Part{Kind: wire.Received, At: time.Now(),
		Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body)}
}

func result(id int, result string) wire.Part {
	return received(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result))
}

const question = `{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},` +
	`"requestState":"s"}`

func newRunner(t *testing.T, answer func(context.Context, wire.Frame, func(wire.Part) error)) (*Runner,
	*caller) {
	log := NewMemory()
	c := &caller{t: t, log: log, answer: answer}
	r := New(Config{Log: log, Caller: c, Client: playground.Client{Name: "t", Version: "1"}, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler)})
	return r, c
}

func exchange(log *Memory) playground.Exchange {
	return playground.Exchange{
		ID: "x", Target: playground.Target{URL: "http://h/mcp"}, Log: log.Events("x"),
		Call: playground.Call{Method: playground.ToolsCall, Params: json.RawMessage(`{"name":"t"}`)},
	}
}

var (
	start  = playground.Decision{Action: playground.ActionStart, Round: 1}
	answer = playground.Decision{Action: playground.ActionAnswer, Round: 2,
		Answers: []playground.Answer{{Key: "k", Value: json.RawMessage(`{"roots":[]}`)}}}
)

func TestACallRunsToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(_ context.Context, f wire.Frame, record func(wire.Part) error) {
			if strings.Contains(string(f.Body), `"requestState":"s"`) {
				_ = record(result(2, `{"content":[]}`))
				return
			}
			_ = record(result(1, question))
		})
		for _, d := range []playground.Decision{start, answer} {
			if _, err := r.Decide(t.Context(), exchange(c.log), d); err != nil {
				t.Fatal(err)
			}
			r.Wait(t.Context(), "x")
		}
		if got := playground.Fold(c.log.Events("x")).Status; got != playground.StatusComplete {
			t.Errorf("got %s", got)
		}
		if err := r.Close(t.Context()); err != nil || len(r.live) != 0 {
			t.Errorf("%v, %d jobs left", err, len(r.live))
		}
	})
}

// TestADoubleClickSendsOnce: the same decision from many clicks at once is
// sent once; the others hear that the Round is not open.
func TestADoubleClickSendsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(_ context.Context, _ wire.Frame,
			record func(wire.Part) error) {
			_ = record(result(1, question))
		})
		x := exchange(c.log)
		var wg sync.WaitGroup
		var refused atomic.Int32
		for range 10 {
			wg.Go(func() {
				if _, err := r.Decide(context.Background(), x, start); errors.Is(err, playground.ErrNotOpen) {
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		r.Wait(t.Context(), "x")
		if c.calls.Load() != 1 || refused.Load() != 9 {
			t.Errorf("sent %d times, refused %d times", c.calls.Load(), refused.Load())
		}
		_ = r.Close(t.Context())
	})
}

func TestWatchersHearOfEveryEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		more := make(chan struct{})
		r, c := newRunner(t, func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
			_ = record(wire.Part{Kind: wire.Received,
				Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")})
			<-more
			_ = record(wire.Part{Kind: wire.Message,
				Bytes: []byte("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")})
			<-more
			_ = record(wire.Part{Kind: wire.Message,
				Bytes: []byte("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")})
		})
		if _, err := r.Decide(t.Context(), exchange(c.log), start); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			synctest.Wait()
			changed, running := r.Watch(t.Context(), "x", -1)
			if !running {
				t.Fatal("not running")
			}
			more <- struct{}{}
			<-changed
		}
		r.Wait(t.Context(), "x")
		if got := playground.Fold(c.log.Events("x")).Status; got != playground.StatusComplete {
			t.Errorf("got %s", got)
		}
		_ = r.Close(t.Context())
	})
}

func TestAStreamWithoutResponseIsClosedInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
			_ = record(wire.Part{Kind: wire.Received,
				Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")})
		})
		if _, err := r.Decide(t.Context(), exchange(c.log), start); err != nil {
			t.Fatal(err)
		}
		r.Wait(t.Context(), "x")
		last := playground.Fold(c.log.Events("x")).Last()
		if last.Kind != playground.OutcomeTransportError || last.Class != playground.NoResponse {
			t.Errorf("got %s %s", last.Kind, last.Class)
		}
		_ = r.Close(t.Context())
	})
}

func TestCancelClosesTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(ctx context.Context, _ wire.Frame, record func(wire.Part) error) {
			<-ctx.Done()
			_ = record(wire.Part{Kind: wire.Cancelled})
		})
		if r.Cancel("x") {
			t.Error("cancelled nothing")
		}
		if _, err := r.Decide(t.Context(), exchange(c.log), start); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !r.Cancel("x") {
			t.Error("nothing to cancel")
		}
		r.Wait(t.Context(), "x")
		if got := playground.Fold(c.log.Events("x")).Status; got != playground.StatusCancelled {
			t.Errorf("got %s", got)
		}
		_ = r.Close(t.Context())
	})
}

// TestClosingEndsWhatIsUnderWay: after the drain time the connections are
// closed, and no goroutine stays.
func TestClosingEndsWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(ctx context.Context, _ wire.Frame,
			_ func(wire.Part) error) {
			<-ctx.Done()
		})
		if _, err := r.Decide(t.Context(), exchange(c.log), start); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := r.Close(ctx); err == nil {
			t.Error("closed with a request running and no error")
		}
	})
}

func TestAnInterruptedRoundCanBeSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
			_ = record(result(2, `{"content":[]}`))
		})
		sent := playground.Event{Conn: 1, Kind: playground.Sent,
			Data: []byte("POST / HTTP/1.1\r\n\r\n{\"id\":1}")}
		if err := c.log.Append(t.Context(), "x", playground.Summary{}, start.Event(time.Now()),
			sent); err != nil {
			t.Fatal(err)
		}
		if err := r.Resume(t.Context(), exchange(c.log)); err != nil {
			t.Fatal(err)
		}
		if got := playground.Fold(c.log.Events("x")).Status; got != playground.StatusInterrupted {
			t.Fatalf("got %s", got)
		}
		if _, err := r.Decide(t.Context(), exchange(c.log),
			playground.Decision{Action: playground.ActionResend, Round: 2}); err != nil {
			t.Fatal(err)
		}
		r.Wait(t.Context(), "x")
		if got := playground.Fold(c.log.Events("x")).Status; got != playground.StatusComplete {
			t.Errorf("got %s", got)
		}
		_ = r.Close(t.Context())
	})
}

// TestClose_RefusesNewWork: a command after Close is refused, and a second
// Close does nothing.
func TestClose_RefusesNewWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, func(context.Context, wire.Frame, func(wire.Part) error) {
			t.Error("something was sent after Close")
		})
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Errorf("second close: %v", err)
		}
		x := exchange(c.log)
		if _, err := r.Decide(t.Context(), x, start); !errors.Is(err, ErrClosing) {
			t.Errorf("decide: %v", err)
		}
		if _, err := r.Try(t.Context(), x, start, wire.Request{}); !errors.Is(err, ErrClosing) {
			t.Errorf("try: %v", err)
		}
		if err := r.Connect(t.Context(), playground.Target{ID: "t"}, nil); !errors.Is(err, ErrClosing) {
			t.Errorf("connect: %v", err)
		}
		if err := r.Resume(t.Context(), x); !errors.Is(err, ErrClosing) {
			t.Errorf("resume: %v", err)
		}
	})
}

// TestWatch_TellsWhatWasMissed: a page that shows n events hears at once of
// those that came before it asked.
func TestWatch_TellsWhatWasMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		more := make(chan struct{})
		r, c := newRunner(t, func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
			_ = record(wire.Part{Kind: wire.Received,
				Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")})
			<-more
		})
		if _, err := r.Decide(t.Context(), exchange(c.log), start); err != nil {
			t.Fatal(err)
		}
		shown := 2 // the decision and the request
		synctest.Wait()
		if changed, _ := r.Watch(t.Context(), "x", shown); !isClosed(changed) {
			t.Error("the head that came in between is missed")
		}
		if changed, _ := r.Watch(t.Context(), "x", len(c.log.Events("x"))); isClosed(changed) {
			t.Error("told of nothing new")
		}
		close(more)
		_ = r.Close(t.Context())
	})
}

// TestDeletedLog_IsNoFault: a log that is deleted while a request runs ends
// quietly.
func TestDeletedLog_IsNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		log := &deletedLog{Memory: NewMemory()}
		r := New(Config{
			Log: log, Client: playground.Client{Name: "t", Version: "1"}, Now: time.Now,
			Logger: slog.New(slog.NewTextHandler(&out, nil)),
			Caller: &caller{t: t, log: log.Memory,
				answer: func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
					log.deleted.Store(true)
					_ = record(result(1, question))
				}},
		})
		if _, err := r.Decide(t.Context(), exchange(log.Memory), start); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r.Busy("x") || strings.Contains(out.String(), "ERROR") {
			t.Errorf("busy %t, logged %s", r.Busy("x"), out.String())
		}
		_ = r.Close(t.Context())
	})
}

// deletedLog is a Log whose exchange is deleted at some point.
type deletedLog struct {
	*Memory
	deleted atomic.Bool
}

func (l *deletedLog) Append(ctx context.Context, id string, sum playground.Summary,
	events ...playground.Event) error {
	if l.deleted.Load() {
		return playground.ErrNotFound
	}
	return l.Memory.Append(ctx, id, sum, events...)
}

// The samples see whose decision they serve: the newest one's.
func TestDecide_SendsForItsPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var peers []string
		r, c := newRunner(t, func(ctx context.Context, _ wire.Frame, record func(wire.Part) error) {
			peers = append(peers, wire.PeerOf(ctx))
			_ = record(result(len(peers), question))
		})
		for i, d := range []playground.Decision{start, answer} {
			ctx := wire.WithPeer(t.Context(), fmt.Sprintf("192.0.2.%d", i+1))
			if _, err := r.Decide(ctx, exchange(c.log), d); err != nil {
				t.Fatal(err)
			}
			r.Wait(t.Context(), "x")
		}
		if got := strings.Join(peers, " "); got != "192.0.2.1 192.0.2.2" {
			t.Errorf("sent for %q", got)
		}
	})
}
