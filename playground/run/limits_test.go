package run_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// endless is a server whose call becomes a task that works for ever.
type endless struct {
	pad      int // bytes in the _meta of each poll
	changing bool
	cancel   int           // status of the answer to tasks/cancel; 0 means 200
	hold     chan struct{} // if not nil, polls are answered once it is closed
	interval int           // pollIntervalMs; 0 means 1
	stream   bool          // polls are answered with a stream: a notification, then the response
	echo     string        // header field of the request whose value is in each poll
	asksAt   int           // the number of the poll that asks a question; its stream stays open
	polls    atomic.Int32
	open     atomic.Int32
}

func (s *endless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	task := fmt.Sprintf(`"taskId":"T","status":"working","createdAt":"2026-11-22T10:00:00Z","ttlMs":null,`+
		`"pollIntervalMs":%d`, max(s.interval, 1))
	answer := mcptest.Answer{Result: `{"resultType":"task",` + task + `}`}
	switch m.Method {
	case playground.TasksGet:
		n := s.polls.Add(1)
		if s.hold != nil {
			s.open.Add(1)
			<-s.hold
			s.open.Add(-1)
		}
		text := "same"
		if s.changing {
			text = fmt.Sprintf("%8d", n)
		}
		if int(n) == s.asksAt {
			task = strings.Replace(task, "working", `input_required","inputRequests":{"k":`+
				`{"method":"roots/list"}},"x":"`, 1)
		}
		answer = mcptest.Complete(fmt.Sprintf(`%s,"lastUpdatedAt":"2026-11-22T10:00:%02dZ",`+
			`"_meta":{"pad":"%s"}`, task, n%60,
			strings.Repeat(text, s.pad/len(text)+1)+r.Header.Get(s.echo)))
		if s.stream {
			s.streamed(w, r, int(n), answer.Message(m))
			return
		}
	case playground.TasksCancel:
		answer = mcptest.Answer{Status: s.cancel}
		if s.cancel == 0 {
			answer.Result = `{"resultType":"complete"}`
		}
	}
	answer.Write(w, m)
}

// streamed answers a poll with a stream.
func (s *endless) streamed(w http.ResponseWriter, r *http.Request, n int, response string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "id: %d\nretry: %d\ndata: %s\n\n", n, n,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"looking"}}`)
	fmt.Fprintf(w, "data: %s\n\n", response)
	if n == s.asksAt {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// limited is a peer whose runner has limits. It keeps the times of looks.
type limited struct {
	*peer
	limits run.Limits
	looked []time.Time
	counts []playground.StopReason
}

func newLimited(t *testing.T, s http.Handler, limits run.Limits) *limited {
	t.Helper()
	p := &limited{peer: newPeer(t, s), limits: limits}
	p.tool("/mcp", "t", "{}")
	p.x.Session, p.x.Created = "s", time.Now()
	p.restart()
	return p
}

func (p *limited) restart() {
	p.stop()
	p.runner = run.New(run.Config{
		Log: p.log, Caller: p.wire, Client: playground.Client{Name: "test", Version: "1"}, Now: time.Now,
		Logger: logger(), Limits: p.limits,
		Size: func(context.Context, string) (int, error) { return p.size(), nil },
		Looked: func(_ context.Context, _ string, at time.Time) error {
			p.looked = append(p.looked, at)
			return nil
		},
		Stopped: func(why playground.StopReason) { p.counts = append(p.counts, why) },
	})
}

func (p *limited) size() int {
	n := 0
	for _, e := range p.log.Events("x") {
		n += len(e.Data)
	}
	return n
}

func (p *limited) stopped() playground.StopReason {
	f := p.folded()
	if f.Last() == nil || f.Status != playground.StatusWaiting {
		return ""
	}
	return f.Last().PollsStopped()
}

var begins = playground.Decision{Action: playground.ActionStart, Round: 1}

// TestPoll_StopsAtTheSizeOfTheSession: no poll is sent once the limit is
// passed, so that at most one answer more is stored, and memory does not grow
// with it.
func TestPoll_StopsAtTheSizeOfTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit, pad = 2 << 20, 1_000_000
		s := &endless{pad: pad, changing: true}
		p := newLimited(t, s, run.Limits{Session: limit})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		p.begin(begins)
		time.Sleep(time.Hour)
		synctest.Wait()
		runtime.GC()
		runtime.ReadMemStats(&after)
		if p.stopped() != playground.StoppedFull || s.polls.Load() != 3 || p.size() > limit+pad+4096 {
			t.Errorf("%q after %d polls, %d bytes", p.stopped(), s.polls.Load(), p.size())
		}
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 20<<20 {
			t.Errorf("memory grew by %d bytes", grown)
		}
		if p.runner.Busy("x") {
			t.Error("the runner is still busy")
		}
		p.limits.Session = p.size()
		p.restart()
		p.begin(playground.Decision{Action: playground.ActionResend, Round: p.folded().Next()})
		time.Sleep(time.Hour)
		if s.polls.Load() != 4 || p.stopped() != playground.StoppedFull {
			t.Errorf("one byte less than too much: %q after %d polls", p.stopped(), s.polls.Load())
		}
	})
}

// TestPoll_UnchangedAnswersAreCounted: a thousand polls are a handful of
// events, the next one is not sent, and their number is in the Round.
func TestPoll_UnchangedAnswersAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &endless{pad: 10}
		p := newLimited(t, s, run.Limits{Session: 2 << 20, Polls: 1000})
		p.begin(begins)
		for s.polls.Load() < 999 {
			time.Sleep(time.Minute)
			synctest.Wait()
			if p.stopped() != "" && s.polls.Load() < 1000 {
				t.Fatalf("%q after %d polls", p.stopped(), s.polls.Load())
			}
		}
		p.runner.Wait(t.Context(), "x")
		log := p.log.Events("x")
		r := p.folded().Last()
		if p.stopped() != playground.StoppedMany || s.polls.Load() != 1000 || r.Polls != 1000 ||
			r.Repeats != 999 {
			t.Errorf("%q after %d polls, %d in the round, %d repeats", p.stopped(), s.polls.Load(), r.Polls,
				r.Repeats)
		}
		if fmt.Sprint(p.counts) != "[many]" {
			t.Errorf("counted as stopped: %v", p.counts)
		}
		if len(log) != 7 || playground.Progress(log) != 7+998 {
			t.Errorf("%d events, progress %d", len(log), playground.Progress(log))
		}
		if id := fmt.Sprint(sameIDs(log)); id != "[]" {
			t.Errorf("ids sent twice: %s", id)
		}
		p.begin(playground.Decision{Action: playground.ActionResend, Round: r.N + 1})
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if s.polls.Load() < 1005 || p.stopped() != "" {
			t.Errorf("after the user asked for it: %q after %d polls", p.stopped(), s.polls.Load())
		}
	})
}

// TestPoll_UnchangedStreamsAreCounted: polls that are answered with a stream of
// the same messages are a count, and a page shows a different answer before its
// stream ends.
func TestPoll_UnchangedStreamsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &endless{pad: 10, stream: true, asksAt: 200}
		p := newLimited(t, s, run.Limits{Session: 2 << 20})
		p.begin(begins)
		for s.polls.Load() < 150 {
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		log, r := p.log.Events("x"), p.folded().Last()
		if len(log) != 8 || playground.Progress(log) != 8+int(s.polls.Load())-2 ||
			r.Polls != int(s.polls.Load()) || r.Repeats != r.Polls-1 {
			t.Errorf("%d events, progress %d, %d polls in the round, %d repeats, %d sent", len(log),
				playground.Progress(log), r.Polls, r.Repeats, s.polls.Load())
		}
		if err := playground.CheckRepetitions(log); err != nil {
			t.Error(err)
		}
		for s.polls.Load() < 200 {
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if f := p.folded(); f.Last().Kind != playground.OutcomeInputRequired || len(f.Last().Messages) != 2 {
			t.Errorf("while its stream is open, the answer that asks is %s", path(f))
		}
	})
}

// TestPoll_IsCountedAfterARestart although the log that the new process reads is
// masked: the credentials in requests, and their echo in answers.
func TestPoll_IsCountedAfterARestart(t *testing.T) {
	for name, stream := range map[string]bool{"JSON": false, "stream": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &endless{stream: stream, echo: "X-Key"}
				p := newLimited(t, s, run.Limits{Session: 2 << 20})
				p.x.Target.Header = []wire.Field{{Name: "X-Key", Value: "s3cret-of-the-user"}}
				p.x.Target = p.x.Target.WithSecrets(nil, nil)
				p.begin(begins)
				time.Sleep(time.Second)
				synctest.Wait()
				p.stop()
				before := len(p.log.Events("x"))
				for _, e := range p.log.Events("x") {
					if strings.Contains(string(e.Data), "s3cret") {
						t.Fatalf("stored in clear: %s", e.Data)
					}
				}
				p.restart()
				p.x.Log = p.log.Events("x")
				polls := s.polls.Load()
				if err := p.runner.Resume(t.Context(), p.x); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if got := len(p.log.Events("x")); got != before || s.polls.Load() < polls+2 {
					t.Errorf("%d events before the restart, %d after it and %d polls", before, got,
						s.polls.Load()-polls)
				}
			})
		})
	}
}

// TestPoll_StopsWhenItIsNotWatched: ten minutes after the last look to the
// second, also between two polls that are far apart.
func TestPoll_StopsWhenItIsNotWatched(t *testing.T) {
	for name, interval := range map[string]int{"often": 1, "every hour": 3_600_000} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &endless{interval: interval}
				p := newLimited(t, s, run.Limits{Unwatched: 10 * time.Minute})
				p.begin(begins)
				for range 3 {
					time.Sleep(10*time.Minute - time.Second)
					p.runner.Look(t.Context(), "x")
				}
				p.runner.Look(t.Context(), "other")
				time.Sleep(10*time.Minute - time.Second)
				synctest.Wait()
				if p.stopped() != "" || !p.runner.Busy("x") {
					t.Fatalf("one second too early: %q", p.stopped())
				}
				time.Sleep(time.Minute) // the polls of many are a minute apart by now
				synctest.Wait()
				if p.stopped() != playground.StoppedUnwatched || p.runner.Busy("x") {
					t.Errorf("stopped %q", p.stopped())
				}
			})
		})
	}
}

// TestLook_IsStoredOnceAMinute while something runs, and never else.
func TestLook_IsStoredOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLimited(t, &endless{}, run.Limits{Unwatched: 10 * time.Minute})
		p.runner.Look(t.Context(), "x")
		p.begin(begins)
		for range 121 {
			p.runner.Look(t.Context(), "x")
			time.Sleep(time.Second)
		}
		if len(p.looked) != 3 {
			t.Errorf("stored %d times", len(p.looked))
		}
	})
}

// TestResume_PollsOnlyWhatWasWatched: the process ends while a task is polled.
func TestResume_PollsOnlyWhatWasWatched(t *testing.T) {
	for ago, want := range map[time.Duration]playground.StopReason{
		10*time.Minute - time.Second: "", 10 * time.Minute: playground.StoppedUnwatched,
	} {
		t.Run(ago.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &endless{}
				p := newLimited(t, s, run.Limits{Unwatched: 10 * time.Minute})
				p.begin(begins)
				time.Sleep(10 * time.Second)
				p.restart()
				polls := s.polls.Load()
				p.x.Log, p.x.Looked = p.log.Events("x"), time.Now()
				time.Sleep(ago)
				if err := p.runner.Resume(t.Context(), p.x); err != nil {
					t.Fatal(err)
				}
				time.Sleep(500 * time.Millisecond)
				synctest.Wait()
				if p.stopped() != want || (s.polls.Load() > polls) != (want == "") {
					t.Errorf("%q, %d polls more", p.stopped(), s.polls.Load()-polls)
				}
				if want != "" {
					p.begin(playground.Decision{Action: playground.ActionResend, Round: p.folded().Next()})
					time.Sleep(time.Second)
					if p.stopped() != "" || s.polls.Load() == polls {
						t.Errorf("after the user asked for it: %q", p.stopped())
					}
				}
			})
		})
	}
}

// TestStop_EndsPollingWhateverTheServerSays: it takes the cancellation and
// works on, or refuses it.
func TestStop_EndsPollingWhateverTheServerSays(t *testing.T) {
	for _, status := range []int{0, 500} {
		for _, after := range []time.Duration{100 * time.Millisecond, 5 * time.Second} {
			t.Run(fmt.Sprint(status, after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &endless{cancel: status, changing: true}
					p := newLimited(t, s, run.Limits{})
					p.begin(begins)
					time.Sleep(after)
					synctest.Wait()
					polls := s.polls.Load()
					p.begin(playground.Decision{Action: playground.ActionStop})
					time.Sleep(time.Hour)
					if s.polls.Load() > polls+1 || p.runner.Busy("x") {
						t.Errorf("%d polls after the cancellation", s.polls.Load()-polls)
					}
					if status == 0 && p.stopped() != playground.StoppedCancelled {
						t.Errorf("stopped %q, %s", p.stopped(), p.folded().Status)
					}
				})
			})
		}
	}
}

// TestPoll_OpenConnectionsAreBounded: a poll that finds too many open ones
// waits, and then it is sent.
func TestPoll_OpenConnectionsAreBounded(t *testing.T) {
	for name, limits := range map[string]run.Limits{"in all": {Open: 2}, "to one host": {OpenToHost: 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &endless{hold: make(chan struct{}), changing: true}
				p := newLimited(t, s, limits)
				for _, id := range []string{"x", "y", "z"} {
					p.x.ID, p.x.Log = id, nil
					if _, err := p.runner.Decide(t.Context(), p.x, begins); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(10 * time.Second)
				if s.open.Load() != 2 || !p.runner.Busy("z") {
					t.Errorf("%d polls are open", s.open.Load())
				}
				asleep := 0
				for _, id := range []string{"x", "y", "z"} {
					if p.runner.Sleeping(id) {
						asleep++
					}
				}
				if asleep != 1 {
					t.Errorf("%d sleep", asleep)
				}
				close(s.hold)
				before := s.polls.Load()
				time.Sleep(5 * time.Second)
				if s.polls.Load() < before+3 {
					t.Errorf("%d polls more", s.polls.Load()-before)
				}
			})
		})
	}
}

// TestStop_AfterACountedPoll: a poll that was counted is not stored once more
// as given up.
func TestStop_AfterACountedPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newLimited(t, &endless{}, run.Limits{})
		p.begin(begins)
		time.Sleep(1500 * time.Millisecond)
		p.begin(playground.Decision{Action: playground.ActionStop})
		time.Sleep(time.Minute)
		kinds := ""
		for _, e := range p.log.Events("x") {
			kinds += string(e.Kind) + " "
		}
		if kinds != "decision sent received sent received repeated decision sent received repeated " {
			t.Errorf("got %s", kinds)
		}
	})
}
