package run_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// turns is a queue for masking in which large work waits.
type turns struct {
	free      chan struct{}
	held, out int // places
}

func (q *turns) take(ctx context.Context, size int) (release func(), err error) {
	if size < 1000 || q.held > 0 {
		return func() {}, nil
	}
	select {
	case <-q.free:
	case <-ctx.Done():
		q.out++
		return nil, ctx.Err()
	}
	q.held++
	return func() { q.held-- }, nil
}

// streamOf answers with one message, and ends when it is cancelled.
func streamOf(message []byte) relayCaller {
	return func(ctx context.Context, record func(wire.Part) error) {
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(), Bytes: []byte(streamHead)})
		_ = record(wire.Part{Kind: wire.Message, At: time.Now(), Bytes: message})
		<-ctx.Done()
		_ = record(wire.Part{Kind: wire.Cancelled, At: time.Now()})
	}
}

// closeNow ends a runner and its requests.
func closeNow(r *run.Runner) {
	now, stop := context.WithCancel(context.Background())
	stop()
	_ = r.Close(now)
}

// TestTurn_NothingWaitsThatEndsTheLog: while a response waits for its turn to
// be masked, a command that ends the log does not wait for others, and the
// response is recorded all the same, masked. Any other command runs after the
// response has had its turn.
func TestTurn_NothingWaitsThatEndsTheLog(t *testing.T) {
	const secret = "planted-token-0123456789"
	message := []byte(`data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"` + secret +
		strings.Repeat(" and more", 200) + `"}}` + "\n\n")
	stopped := []playground.EventKind{playground.Decided, playground.Sent, playground.Received,
		playground.Message, playground.Cancelled}
	ended := slices.Concat(stopped[:4], []playground.EventKind{playground.Interrupted})
	for name, tt := range map[string]struct {
		do    func(r *run.Runner, x playground.Exchange) error
		waits bool
		log   []playground.EventKind
	}{
		"cancel": {func(r *run.Runner, _ playground.Exchange) error {
			if !r.Cancel("x") {
				return errors.New("nothing was cancelled")
			}
			return nil
		}, false, stopped},
		"stop": {func(r *run.Runner, x playground.Exchange) error {
			_, err := r.Decide(context.Background(), x, playground.Decision{Action: playground.ActionStop})
			if err == nil {
				return errors.New("a call without a task was stopped")
			}
			return nil
		}, false, stopped[:4]},
		"end of the program": {func(r *run.Runner, _ playground.Exchange) error {
			closeNow(r)
			return nil
		}, false, ended},
		"note": {func(r *run.Runner, x playground.Exchange) error {
			_, err := r.Note(context.Background(), x, playground.Note{Check: "It ended."})
			return err
		}, true, ended}, // a note is an event of that kind
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, memory := newRelayer(t, streamOf(message))
				defer closeNow(r)
				queue := &turns{free: make(chan struct{})}
				x := playground.Exchange{ID: "x", Target: playground.Target{URL: "http://h/mcp",
					Header: []wire.Field{{Name: "Authorization", Value: "Bearer " + secret}}},
					Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"t"}`)}}
				x.Target = x.Target.WithSecrets(nil, nil)
				_, err := r.Decide(redact.WithTurn(t.Context(), queue.take), x,
					playground.Decision{Action: playground.ActionStart, Round: 1})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if got := kinds(memory.Events("x")); len(got) != 3 {
					t.Fatalf("%v is recorded before the turn", got)
				}
				x.Log = memory.Events("x")
				done := make(chan error, 1)
				go func() { done <- tt.do(r, x) }()
				synctest.Wait()
				if tt.waits {
					if len(memory.Events("x")) != 3 || len(done) > 0 {
						t.Error("it did not wait for the turn")
					}
					queue.free <- struct{}{}
				}
				if err := <-done; err != nil {
					t.Error(err)
				}
				synctest.Wait()
				log := memory.Events("x")
				if got := kinds(log); !slices.Equal(got, tt.log) {
					t.Errorf("%v is recorded, want %v", got, tt.log)
				}
				if data := log[3].Data; bytes.Contains(data, []byte(secret)) || len(data) != len(message) ||
					!bytes.Contains(data, []byte("********")) {
					t.Errorf("recorded as %.200s", data)
				}
				if queue.held != 0 || queue.out == 1 == tt.waits {
					t.Errorf("%d turns are held, %d were left", queue.held, queue.out)
				}
			})
		})
	}
}

// TestTurn_RefusedAndEnded: a response for which there was no turn is stored when the program
// ends, masked.
func TestTurn_RefusedAndEnded(t *testing.T) {
	const secret = "planted-token-0123456789"
	synctest.Test(t, func(t *testing.T) {
		r, memory := newRelayer(t, relayCaller(func(_ context.Context, record func(wire.Part) error) {
			said := secret + strings.Repeat(" more", 300)
			_ = record(wire.Part{Kind: wire.Received, At: time.Now(),
				Bytes: []byte(jsonHead + `{"jsonrpc":"2.0","id":1,"result":{"said":"` + said + `"}}`)})
		}))
		x := playground.Exchange{ID: "x", Target: playground.Target{URL: "http://h/mcp",
			Header: []wire.Field{{Name: "Authorization", Value: "Bearer " + secret}}},
			Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"t"}`)}}
		x.Target = x.Target.WithSecrets(nil, nil)
		refused := 0
		ctx := redact.WithTurn(t.Context(), func(_ context.Context, size int) (func(), error) {
			if size >= 1000 {
				refused++
				return nil, errors.New("no turn is free")
			}
			return func() {}, nil
		})
		_, err := r.Decide(ctx, x, playground.Decision{Action: playground.ActionStart, Round: 1})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
		log := memory.Events("x")
		if len(log) != 3 || bytes.Contains(log[2].Data, []byte(secret)) || refused != 1 {
			t.Errorf("%v, refused %d times", kinds(log), refused)
		}
	})
}
