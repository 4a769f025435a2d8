package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// others are processes of which this one holds nothing.
type others struct {
	Replicas
	lost func() // called while they are asked
}

func (o others) Lost(_ context.Context, ids []string) ([]string, error) {
	o.lost()
	return ids, nil
}

func (others) Confirm(context.Context, string, time.Time) error { return nil }

func (others) Changed(string) {}

func (others) End(context.Context, string) (playground.LogEnd, error) {
	return playground.LogEnd{}, nil
}

// gatedLog takes nothing until its gate is open.
type gatedLog struct {
	*Memory
	gate chan struct{}
}

func (l gatedLog) Append(
	ctx context.Context, id string, sum playground.Summary, events ...playground.Event,
) error {
	<-l.gate
	return l.Memory.Append(ctx, id, sum, events...)
}

// answerLater answers after a second.
func answerLater(ctx context.Context, _ wire.Frame, record func(wire.Part) error) {
	select {
	case <-time.After(time.Second):
		_ = record(result(1, `{"content":[]}`))
	case <-ctx.Done():
	}
}

// TestRecheck_SparesWhatHasJustBegun: its first events are stored while the storage
// is asked what this process holds.
func TestRecheck_SparesWhatHasJustBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, answerLater)
		gate := make(chan struct{})
		r.cfg.Log = gatedLog{c.log, gate}
		r.cfg.Replicas = others{lost: func() {
			close(gate)
			synctest.Wait()
		}}
		go func() { _, _ = r.Decide(context.Background(), exchange(c.log), start) }()
		synctest.Wait()
		if err := r.Recheck(context.Background()); err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Second)
		if s := exchange(c.log).Fold().Status; s != playground.StatusComplete {
			t.Errorf("%s", s)
		}
		_ = r.Close(context.Background())
	})
}

// TestResume_SparesWhatIsRunning here by now.
func TestResume_SparesWhatIsRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := newRunner(t, answerLater)
		if _, err := r.Decide(context.Background(), exchange(c.log), start); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := r.Resume(context.Background(), exchange(c.log)); err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Second)
		if s := exchange(c.log).Fold().Status; s != playground.StatusComplete {
			t.Errorf("%s", s)
		}
		_ = r.Close(context.Background())
	})
}

// faraway is a log that another process runs, without any notification.
type faraway struct {
	Replicas
	mu  sync.Mutex
	log []playground.Event
}

func (f *faraway) add(events ...playground.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, events...)
}

func (f *faraway) End(context.Context, string) (playground.LogEnd, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return playground.LogEnd{Seq: len(f.log), Running: true, Elsewhere: true}, nil
}

func (f *faraway) Log(context.Context, string) ([]playground.Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.log), nil
}

func (*faraway) Changes(string) (changed <-chan struct{}, stop func()) {
	return make(chan struct{}), func() {}
}

// exchanged returns the events of a request and its response.
func exchanged(conn int, method, params, result string) []playground.Event {
	const meta = `"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":` +
		`{"io.modelcontextprotocol/tasks":{}}}}`
	request := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\r\n"+
		`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,%s}}`, conn, method, params, meta)
	response := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Request-Id: %d\r\n\r\n"+
		`{"jsonrpc":"2.0","id":%d,"result":%s}`, conn, conn, result)
	return []playground.Event{
		{Conn: conn, Kind: playground.Sent, Data: []byte(request)},
		{Conn: conn, Kind: playground.Received, Data: []byte(response)},
	}
}

// TestWatch_OfATaskElsewhere is quiet while only polls are added, and hears of
// visible changes although no notification comes.
func TestWatch_OfATaskElsewhere(t *testing.T) {
	const working = `"taskId":"t","status":"working","createdAt":"2026-11-22T10:00:00Z",` +
		`"lastUpdatedAt":"2026-11-22T10:00:00Z","ttlMs":600000,"pollIntervalMs":100}`
	poll := func(conn int) []playground.Event {
		return exchanged(conn, "tasks/get", `"taskId":"t"`, `{"resultType":"complete",`+working)
	}
	synctest.Test(t, func(t *testing.T) {
		r, _ := newRunner(t, nil)
		far := &faraway{log: []playground.Event{start.Event(time.Now())}}
		far.add(exchanged(1, "tools/call", `"name":"x"`, `{"resultType":"task",`+working)...)
		for n := 2; n < 60; n++ {
			far.add(poll(n)...)
		}
		r.cfg.Replicas = far
		if playground.Fold(far.log).Task() == nil {
			t.Fatal("the log has no task")
		}
		changed, _ := r.Watch(t.Context(), "x", playground.Progress(far.log)-6)
		far.add(poll(60)...)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		select {
		case <-changed:
			t.Error("drawn again for a poll")
		default:
		}
		far.add(exchanged(61, "tasks/get", `"taskId":"t"`, `{"resultType":"complete",`+
			`"taskId":"t","status":"completed","createdAt":"2026-11-22T10:00:00Z",`+
			`"lastUpdatedAt":"2026-11-22T10:00:09Z","ttlMs":600000,"pollIntervalMs":100,`+
			`"result":{"content":[]}}`)...)
		<-changed
		_ = r.Close(context.Background())
	})
}

// TestUpTo_EndsWhereThePageWas, also in the middle of a count.
func TestUpTo_EndsWhereThePageWas(t *testing.T) {
	log := []playground.Event{
		{Kind: playground.Sent}, {Kind: playground.Received},
		playground.Repetition{Of: 2, Count: 3}.Event(time.Now(), 2),
		{Kind: playground.Sent},
	}
	for progress, want := range []int{0, 1, 2, 3, 3, 3, 4, 4} {
		if got := len(upTo(log, progress)); got != want {
			t.Errorf("progress %d: %d events, want %d", progress, got, want)
		}
	}
}
