package check_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// shelf keeps exchanges as a store would.
type shelf struct {
	mu   sync.Mutex
	list []playground.Exchange
}

func (s *shelf) Begin(_ context.Context, x playground.Exchange) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, x)
	return nil
}

func (s *shelf) Append(_ context.Context, id string, _ playground.Summary, events ...playground.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.list {
		if s.list[i].ID == id {
			s.list[i].Log = append(s.list[i].Log, events...)
		}
	}
	return nil
}

func (s *shelf) all() []playground.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]playground.Exchange(nil), s.list...)
}

// started is a check in the background of a server that stops answering at the
// n-th request; asked is closed then.
func started(t *testing.T, n int) (jobs *check.Jobs, record *shelf, asked chan struct{}) {
	t.Helper()
	return startedFor(t, n, time.Minute)
}

// startedFor is started with a limit for the check.
func startedFor(
	t *testing.T,
	n int,
	limit time.Duration,
) (jobs *check.Jobs, record *shelf, asked chan struct{}) {
	t.Helper()
	clock := newClock()
	good := fakeServer{now: clock.Now}
	asked = make(chan struct{})
	requests := 0
	peer := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests++; requests == n {
			_, _ = io.Copy(io.Discard, r.Body) // only then is a hang-up noticed
			close(asked)
			<-r.Context().Done()
			return
		}
		good.ServeHTTP(w, r)
	}))
	record = &shelf{}
	cfg := checkConfig(t, clock, record, peer)
	jobs = check.NewJobs(cfg, 1, limit, slog.New(slog.DiscardHandler))
	t.Cleanup(jobs.Close)
	p := planOf(peer.url() + "/mcp")
	p.Session = "s"
	first := playground.Exchange{ID: cfg.NewID(), Session: "s", Target: p.Target, Call: p.Call,
		Created: clock.Now()}
	if err := cfg.Begin(t.Context(), first.Redacted()); err != nil {
		t.Fatal(err)
	}
	if err := jobs.Start(p, first); err != nil {
		t.Fatal(err)
	}
	if err := jobs.Start(p, first); !errors.Is(err, check.ErrRunning) {
		t.Errorf("twice in a session: %v", err)
	}
	p.Session = "other"
	if err := jobs.Start(p, first); !errors.Is(err, check.ErrBusy) {
		t.Errorf("one too many: %v", err)
	}
	return jobs, record, asked
}

// TestJobs_StoppedCheckJudgesNothingUnfinished: an experiment that was running
// when the check stopped is no failure of the server.
func TestJobs_StoppedCheckJudgesNothingUnfinished(t *testing.T) {
	for _, n := range []int{1, 2, 9, 40} {
		jobs, record, asked := started(t, n)
		<-asked
		if _, running := jobs.Watch(t.Context(), "s"); !running {
			t.Error("not running")
		}
		if r := lab.NewReport(record.all(), server.Connection{}, true); r.Status != lab.Running {
			t.Errorf("request %d: %s", n, r.Status)
		}
		if !jobs.Stop("s") {
			t.Error("nothing to stop")
		}
		jobs.Wait(t.Context(), "s")
		r := lab.NewReport(record.all(), server.Connection{}, false)
		if r.Status != lab.Stopped || r.Detail == "" || r.Verdict().OK() {
			t.Errorf("request %d: %s %s", n, r.Status, r.Detail)
		}
		for id, v := range remarks(r) {
			t.Errorf("request %d: %s: %s", n, id, v)
		}
		if jobs.Stop("s") {
			t.Error("stopped twice")
		}
	}
}

// TestNewReport_StoredEqualsReturned: the record gives the same report later.
func TestNewReport_StoredEqualsReturned(t *testing.T) {
	jobs, record, _ := started(t, 0)
	jobs.Wait(t.Context(), "s")
	r := lab.NewReport(record.all(), server.Connection{}, false)
	if !r.Verdict().OK() {
		show(t, r)
		t.Error(r.Status)
	}
	for _, p := range r.Results {
		if p.ID == "state-of-another-person" && p.Verdict != verdict.Passed {
			t.Errorf("%s: %s", p.Verdict, p.Text)
		}
	}
}

// TestJobs_MaskInTurns holds fault 132: what a server sends to a check is masked in turns of who
// began it.
func TestJobs_MaskInTurns(t *testing.T) {
	clock, record := newClock(), &shelf{}
	peer := inMemory(t, fakeServer{now: clock.Now})
	cfg := checkConfig(t, clock, record, peer)
	jobs := check.NewJobs(cfg, 1, time.Hour, slog.New(slog.DiscardHandler))
	t.Cleanup(jobs.Close)
	p := planOf(peer.url() + "/mcp")
	p.Session, p.RightOnly = "s", true
	p.Target = p.Target.WithSecrets([]wire.Field{{Name: "X-Key", Value: "planted-token-0123456789"}}, nil)
	var turns, held atomic.Int32
	p.Turn = func(context.Context, int) (func(), error) {
		turns.Add(1)
		held.Add(1)
		return func() { held.Add(-1) }, nil
	}
	first := playground.Exchange{ID: cfg.NewID(), Session: "s", Target: p.Target, Call: p.Call,
		Created: clock.Now()}
	if err := errors.Join(cfg.Begin(t.Context(), first.Redacted()), jobs.Start(p, first)); err != nil {
		t.Fatal(err)
	}
	jobs.Wait(t.Context(), "s")
	messages := 0
	for _, e := range record.all()[0].Log {
		if e.Kind == playground.Sent || e.Kind == playground.Received {
			messages++
		}
	}
	if messages == 0 || int(turns.Load()) < messages || held.Load() != 0 {
		t.Errorf("%d turns for %d messages, %d are held", turns.Load(), messages, held.Load())
	}
}
