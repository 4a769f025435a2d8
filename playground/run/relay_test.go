package run_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// relayCaller answers as a test says.
type relayCaller func(ctx context.Context, record func(wire.Part) error)

func (c relayCaller) Send(
	ctx context.Context, _ string, _ wire.Frame, record func(wire.Part) error,
) wire.Timing {
	c(ctx, record)
	return wire.Timing{}
}

// mute is a server that must not be asked.
func mute(t *testing.T) relayCaller {
	return func(context.Context, func(wire.Part) error) { t.Error("something was sent") }
}

func newRelayer(t *testing.T, c run.Caller) (*run.Runner, *run.Memory) {
	t.Helper()
	memory := run.NewMemory()
	r := run.New(run.Config{Log: memory, Caller: c, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r, memory
}

const (
	relayed    = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`
	streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
	jsonHead   = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
)

func newRelay() run.Relay {
	return run.Relay{
		Log:      "x",
		Exchange: &playground.Exchange{ID: "x", Call: playground.Call{Method: playground.ToolsCall}},
		Decision: &playground.Decision{Action: playground.ActionStart, Round: 1, By: playground.ByClient},
		URL:      "http://h/mcp", Frame: wire.Frame{Head: []byte("POST /mcp HTTP/1.1\r\n\r\n"),
			Body: []byte(relayed)},
	}
}

func kinds(log []playground.Event) []playground.EventKind {
	var list []playground.EventKind
	for _, e := range log {
		list = append(list, e.Kind)
	}
	return list
}

func TestRelay_IsRecordedBeforeItReturns(t *testing.T) {
	r, memory := newRelayer(t, relayCaller(func(_ context.Context, record func(wire.Part) error) {
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(),
			Bytes: []byte(jsonHead + `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`)})
	}))
	came, err := r.Relay(t.Context(), newRelay())
	if err != nil || came.Failure != nil || string(came.Response.Head) != jsonHead {
		t.Fatal(came, err)
	}
	want := []playground.EventKind{playground.Decided, playground.Sent, playground.Received}
	if got := kinds(memory.Events("x")); !slices.Equal(got, want) {
		t.Error(got)
	}
	if f := playground.Fold(memory.Events("x")); !f.Foreign() || f.Status != playground.StatusComplete {
		t.Error(f.Status)
	}
}

// TestRelay_ProgramEndsInAStream: the client sees an end, and the record says why.
func TestRelay_ProgramEndsInAStream(t *testing.T) {
	begun := make(chan struct{})
	r, memory := newRelayer(t, relayCaller(func(ctx context.Context, record func(wire.Part) error) {
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(), Bytes: []byte(streamHead)})
		_ = record(wire.Part{Kind: wire.Message, At: time.Now(), Bytes: []byte(": hi\n\n")})
		close(begun)
		<-ctx.Done()
		_ = record(wire.Part{Kind: wire.Cancelled, At: time.Now()})
	}))
	ended := make(chan run.Relayed)
	go func() {
		came, _ := r.Relay(context.Background(), newRelay())
		ended <- came
	}()
	<-begun
	now, stop := context.WithCancel(t.Context())
	stop()
	_ = r.Close(now)
	if came := <-ended; came.Failure == nil {
		t.Error("the response counts as whole")
	}
	log := memory.Events("x")
	if log[len(log)-1].Kind != playground.Interrupted {
		t.Error(kinds(log))
	}
}

// noTee is a Tee that takes everything.
type noTee struct{}

func (noTee) Head(wire.Head) error { return nil }
func (noTee) Body([]byte) error    { return nil }

// TestRelay_BombIsRecordedInPart: the client gets a body as it came that decompresses to more
// than the limit. The record has a part of it, and why.
func TestRelay_BombIsRecordedInPart(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write(make([]byte, 4<<20))
	_ = z.Close()
	answer := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s",
		bomb.Len(), bomb.Bytes())
	r, memory := newRelayer(t, wire.New(wire.Config{
		InMemory: func(context.Context, string) (net.Conn, bool) {
			here, there := net.Pipe()
			go func() {
				defer there.Close()
				_, _ = io.ReadFull(there, make([]byte, len(newRelay().Frame.Bytes())))
				_, _ = there.Write(answer)
			}()
			return here, true
		},
	}))
	came, err := r.Relay(wire.WithTee(t.Context(), noTee{}), newRelay())
	if err != nil || came.Failure != nil || !bytes.Equal(came.Response.Bytes(), answer) {
		t.Errorf("%d of %d bytes are passed on, %v, %v", len(came.Response.Bytes()), len(answer),
			came.Failure, err)
	}
	log := memory.Events("x")
	if n := len(log); n != 4 || log[3].Kind != playground.Failed || len(log[2].Data) >= len(answer) {
		t.Fatal(kinds(log))
	}
	if last := playground.Fold(log).Last(); last.Class != wire.TooLarge {
		t.Errorf("%s: %s", last.Class, last.Detail)
	}
}

func TestRelay_ClientLeaves(t *testing.T) {
	begun := make(chan struct{})
	r, memory := newRelayer(t, relayCaller(func(ctx context.Context, record func(wire.Part) error) {
		close(begun)
		<-ctx.Done()
		_ = record(wire.Part{Kind: wire.Cancelled, At: time.Now()})
	}))
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-begun; leave() }()
	if _, err := r.Relay(ctx, newRelay()); err != nil {
		t.Fatal(err)
	}
	if f := playground.Fold(memory.Events("x")); f.Status != playground.StatusCancelled {
		t.Error(f.Status)
	}
}

// TestRelay_EarlierProcessDied: an unanswered request of it is interrupted, and
// nothing is sent again.
func TestRelay_EarlierProcessDied(t *testing.T) {
	r, memory := newRelayer(t, mute(t))
	q, at := newRelay(), time.Now()
	x := *q.Exchange
	d := q.Decision.Event(at)
	d.Seq = 1
	x.Log = []playground.Event{d, {Seq: 2, At: at, Conn: 1, Kind: playground.Sent, Data: q.Frame.Bytes()}}
	memory.Replace("x", x.Log)
	if err := r.Resume(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	if f := playground.Fold(memory.Events("x")); f.Status != playground.StatusInterrupted {
		t.Error(f.Status)
	}
	sent := func(seq, conn int) playground.Event {
		return playground.Event{Seq: seq, At: at, Conn: conn, Kind: playground.Sent, Data: q.Frame.Bytes()}
	}
	log := []playground.Event{sent(1, 1), sent(2, 2), sent(3, 3),
		{Seq: 4, At: at, Conn: 2, Kind: playground.Received, Data: []byte(jsonHead + "{}")}}
	memory.Replace("k", log)
	for range 2 { // a second time there is nothing left
		if err := r.Interrupt(t.Context(), "k", memory.Events("k")); err != nil {
			t.Fatal(err)
		}
	}
	log = memory.Events("k")
	if len(log) != 6 || log[4].Conn != 1 || log[5].Conn != 3 || len(playground.Unanswered(log)) > 0 {
		t.Error(kinds(log))
	}
}

func TestRelay_NothingIsSentForAForeignClient(t *testing.T) {
	const task = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"T","status":"working",` +
		`"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z",` +
		`"ttlMs":null,"pollIntervalMs":1}}`
	sends := 0
	r, memory := newRelayer(t, relayCaller(func(_ context.Context, record func(wire.Part) error) {
		sends++
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(), Bytes: []byte(jsonHead + task)})
	}))
	q := newRelay()
	q.Frame.Body = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{` +
		`"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`)
	if _, err := r.Relay(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if f := playground.Fold(memory.Events("x")); f.Task() == nil || f.Status != playground.StatusRunning {
		t.Fatal(f.Status)
	}
	r.Wait(t.Context(), "x")
	x := *q.Exchange
	x.Log = memory.Events("x")
	_, err := r.Decide(t.Context(), x, playground.Decision{Action: playground.ActionStop})
	if !errors.Is(err, playground.ErrForeign) || sends != 1 {
		t.Error(err, sends)
	}
}

func TestRelay_MasksCredentials(t *testing.T) {
	const before, secret = "an-earlier-secret", "the-secret-of-now"
	echo := before
	r, memory := newRelayer(t, relayCaller(func(_ context.Context, record func(wire.Part) error) {
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(),
			Bytes: []byte(jsonHead + `{"jsonrpc":"2.0","id":1,"result":"` + echo + `"}`)})
	}))
	q := newRelay()
	q.Exchange, q.Decision, q.Secrets = nil, nil, []string{"token-of-the-capture"}
	for _, value := range []string{before, secret} {
		q.Credentials = []wire.Field{{Name: "Authorization", Value: "Bearer " + value}}
		q.Frame.Head = []byte("POST /mcp HTTP/1.1\r\nAuthorization: Bearer " + value +
			"\r\nX: token-of-the-capture\r\n\r\n")
		q.Events, echo = memory.Events("x"), value
		if _, err := r.Relay(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range memory.Events("x") {
		for _, hidden := range []string{before, secret, "token-of-the-capture"} {
			if bytes.Contains(e.Data, []byte(hidden)) {
				t.Errorf("%s is in %s %q", hidden, e.Kind, e.Data)
			}
		}
	}
}

// TestRelay_OneRequestOpensARound: of two that were placed at once, the second is placed
// again.
func TestRelay_OneRequestOpensARound(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	r, memory := newRelayer(t, relayCaller(func(_ context.Context, record func(wire.Part) error) {
		close(asked)
		<-answer
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(), Bytes: []byte(jsonHead + "{}")})
	}))
	done := make(chan error)
	go func() {
		_, err := r.Relay(context.Background(), newRelay())
		done <- err
	}()
	<-asked
	if _, err := r.Relay(t.Context(), newRelay()); !errors.Is(err, playground.ErrNotOpen) {
		t.Error(err)
	}
	close(answer)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := len(memory.Events("x")); n != 3 {
		t.Errorf("%d events", n)
	}
}

// TestRelay_KeepsOnlyWhatIsOpen: the numbers of requests and events go on although the
// runner forgets those that have ended, and an open one outlives them.
func TestRelay_KeepsOnlyWhatIsOpen(t *testing.T) {
	letGo, open := make(chan struct{}), make(chan struct{}, 1)
	r, memory := newRelayer(t, relayCaller(func(ctx context.Context, record func(wire.Part) error) {
		if ctx.Value(openKey{}) == nil {
			_ = record(wire.Part{Kind: wire.Received, At: time.Now(), Bytes: []byte(jsonHead + `{}`)})
			return
		}
		_ = record(wire.Part{Kind: wire.Received, At: time.Now(), Bytes: []byte(streamHead)})
		open <- struct{}{}
		<-letGo
		_ = record(wire.Part{Kind: wire.Message, At: time.Now(), Bytes: []byte(": hi\n\n")})
	}))
	send := func(ctx context.Context) {
		q := newRelay()
		q.Exchange, q.Decision, q.Events = nil, nil, memory.Events("x")
		if _, err := r.Relay(ctx, q); err != nil {
			t.Error(err)
		}
	}
	send(t.Context())
	ended := make(chan struct{})
	go func() {
		send(context.WithValue(t.Context(), openKey{}, true))
		close(ended)
	}()
	<-open
	send(t.Context())
	send(t.Context())
	close(letGo)
	<-ended
	send(t.Context())
	log := memory.Events("x")
	var conns []int
	for _, e := range log {
		if e.Kind == playground.Sent {
			conns = append(conns, e.Conn)
		}
	}
	last := log[len(log)-1]
	if !slices.Equal(conns, []int{1, 2, 3, 4, 5}) || last.Conn != 5 || len(playground.Unanswered(log)) > 0 {
		t.Errorf("connections %v, %v", conns, kinds(log))
	}
}

type openKey struct{}

// TestRelay_MasksInATurn holds fault 132: a request of a client that has left before its turn is
// neither recorded nor sent, and a response is masked in a turn of its request, also after that has
// ended. One for which there is no turn waits.
func TestRelay_MasksInATurn(t *testing.T) {
	const secret = "planted-token-0123456789"
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		r, memory := newRelayer(t, relayCaller(func(ctx context.Context, record func(wire.Part) error) {
			sent++
			<-ctx.Done() // the client has left
			_ = record(wire.Part{Kind: wire.Received, At: time.Now(),
				Bytes: []byte(jsonHead + `{"jsonrpc":"2.0","id":1,"result":{"said":"` + secret + `"}}`)})
		}))
		q := newRelay()
		q.Credentials = []wire.Field{{Name: "Authorization", Value: "Bearer " + secret}}
		free, full := make(chan struct{}), true
		sizes, taken := []int{}, 0
		ctx, leave := context.WithCancel(redact.WithTurn(t.Context(),
			func(ctx context.Context, size int) (func(), error) {
				if size < 100 || taken > 0 {
					return func() {}, nil
				}
				if sizes = append(sizes, size); len(sizes) > 2 && full {
					full = false
					return nil, errors.New("no turn is free")
				}
				select {
				case <-free:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
				taken++
				return func() { taken-- }, nil
			}))
		done := make(chan error)
		ask := func() {
			_, err := r.Relay(ctx, q)
			done <- err
		}
		go ask()
		synctest.Wait()
		leave()
		if err := <-done; !errors.Is(err, context.Canceled) || sent > 0 || len(memory.Events("x")) > 0 {
			t.Fatalf("%v: %d requests sent, %d events", err, sent, len(memory.Events("x")))
		}
		ctx, leave = context.WithCancel(redact.WithTurn(t.Context(), redact.TurnOf(ctx)))
		go ask()
		free <- struct{}{} // for the request
		synctest.Wait()
		leave()
		synctest.Wait() // the response is refused a turn, and waits for the next
		if len(memory.Events("x")) != 2 || full {
			t.Errorf("%v is recorded", kinds(memory.Events("x")))
		}
		free <- struct{}{}
		if err := <-done; err != nil || sent != 1 || taken != 0 || len(sizes) != 4 {
			t.Errorf("%v: %d requests sent, %d turns are held, %d were asked for",
				err, sent, taken, len(sizes))
		}
		log := memory.Events("x")
		if len(log) != 3 || bytes.Contains(log[2].Data, []byte(secret)) {
			t.Errorf("%v: %s", kinds(log), log[len(log)-1].Data)
		}
	})
}
