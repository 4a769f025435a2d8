package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
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

const reportPath = "tools/call input_required, tools/call task, tasks/get task_status, tasks/get " +
	"input_required, tasks/update ack, tasks/get task_status, tasks/get complete"

func TestATaskIsPolledForUntilItAsksAndThenToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, samples(t))
		p.tool("/mcp/tasks", "report", `{"topic":"sales"}`)
		f := p.finish()
		want(t, f, playground.StatusComplete, reportPath)
		last := f.Last()
		if got := text(last); !strings.HasPrefix(got, "A plain report on sales over the last week") {
			t.Errorf("result %q", got)
		}
		if r := f.Round(3); r.Polls < 2 || recorded(*r)+counted(*r) != r.Polls || counted(*r) == 0 ||
			r.Task.Messages[0] != "collecting figures" {
			t.Errorf("round 3: %d polls, %d others, %q", r.Polls, len(r.Others), r.Task.Messages)
		}
		if twice := sameIDs(p.log.Events("x")); len(twice) > 0 {
			t.Errorf("ids sent twice: %v", twice)
		}
	})
}

func TestATaskCanBeStoppedBetweenPollsAndDuringOne(t *testing.T) {
	for _, after := range []time.Duration{100 * time.Millisecond, 1100 * time.Millisecond, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			p := newPeer(t, samples(t))
			p.tool("/mcp/tasks", "build", `{"seconds":20}`)
			p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
			time.Sleep(after)
			synctest.Wait()
			f := p.decide(playground.Decision{Action: playground.ActionStop})
			if f.Status != playground.StatusCancelled || f.Last().Method != playground.TasksGet ||
				f.Last().Resendable() {
				t.Errorf("got %s: %s", f.Status, path(f))
			}
		})
	}
}

// TestAPendingTaskIsFoundAgain: the process ends between two polls, during one
// and while a question is open; the next process goes on.
func TestAPendingTaskIsFoundAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, samples(t))
		p.tool("/mcp/tasks", "report", `{"topic":"sales"}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		p.begin(p.answers())
		time.Sleep(700 * time.Millisecond)
		p.stop()
		p.start()
		p.x.Log = p.log.Events("x")
		if err := p.runner.Resume(t.Context(), p.x); err != nil {
			t.Fatal(err)
		}
		p.runner.Wait(t.Context(), "x")
		p.stop()
		p.start()
		want(t, p.decide(p.answers()), playground.StatusComplete, reportPath)
	})
}

func TestAPollThatADeadProcessLeftIsAskedAgainAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, samples(t))
		p.tool("/mcp/tasks", "build", `{"seconds":4}`)
		p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
		time.Sleep(1500 * time.Millisecond)
		p.stop()
		log := p.log.Events("x")
		for i, e := range log { // as if the process had died after sending the last poll
			if e.Kind == playground.Sent && playground.Polling(log, e.Conn) {
				log = log[:i+1]
				break
			}
		}
		p.log.Replace("x", log)
		p.start()
		p.x.Log = log
		if err := p.runner.Resume(t.Context(), p.x); err != nil {
			t.Fatal(err)
		}
		if got := p.folded().Status; got != playground.StatusRunning {
			t.Errorf("after the restart: %s", got)
		}
		p.runner.Wait(t.Context(), "x")
		want(t, p.folded(), playground.StatusComplete,
			"tools/call task, tasks/get task_status, tasks/get complete")
	})
}

func TestATaskWithSecretsWaitsForItsUserAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, samples(t))
		p.tool("/mcp/tasks", "build", `{"seconds":4}`)
		p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
		time.Sleep(1500 * time.Millisecond)
		p.stop()
		p.start()
		p.x.Log, p.x.Sealed = p.log.Events("x"), []byte("locked")
		if err := p.runner.Resume(t.Context(), p.x); err != nil {
			t.Fatal(err)
		}
		f := p.folded()
		if f.Status != playground.StatusInterrupted || !f.Last().Resendable() {
			t.Fatalf("got %s: %s", f.Status, path(f))
		}
		p.x.Sealed = nil
		f = p.decide(playground.Decision{Action: playground.ActionResend, Round: f.Last().N + 1})
		if f.Status != playground.StatusComplete {
			t.Errorf("got %s: %s", f.Status, path(f))
		}
	})
}

// TestWatchersOfATaskHearOfWhatCanBeSeen, not of every poll.
func TestWatchersOfATaskHearOfWhatCanBeSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, samples(t))
		p.tool("/mcp/tasks", "build", `{"seconds":40}`)
		p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
		heard := 0
		for {
			changed, running := p.runner.Watch(t.Context(), "x", -1)
			if !running {
				break
			}
			<-changed
			heard++
		}
		polls := 0
		for _, r := range p.folded().Rounds {
			polls += r.Polls
		}
		if polls < 60 || heard > 25 {
			t.Errorf("%d polls, heard of %d changes", polls, heard)
		}
	})
}

func TestClosingDoesNotWaitForATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, samples(t))
		p.tool("/mcp/tasks", "build", `{"seconds":60}`)
		p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
		time.Sleep(1500 * time.Millisecond)
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := p.runner.Close(ctx); err != nil || time.Since(began) > 2*time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		p.runner = nil
	})
}

// fullDisk is a Log that takes nothing of a decision while it is full.
type fullDisk struct {
	*run.Memory
	full atomic.Bool
}

func (l *fullDisk) Append(ctx context.Context, id string, sum playground.Summary,
	events ...playground.Event) error {
	if l.full.Load() {
		return playground.ErrFull
	}
	return l.Memory.Append(ctx, id, sum, events...)
}

// TestStop_FailsOnAFullDiskAndPollingGoesOn: a stop that cannot be stored
// changes nothing, between two polls and during one.
func TestStop_FailsOnAFullDiskAndPollingGoesOn(t *testing.T) {
	for name, after := range map[string]time.Duration{"between polls": 1500 * time.Millisecond,
		"during a poll": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPeer(t, samples(t))
				p.tool("/mcp/tasks", "build", `{"seconds":20}`)
				log := &fullDisk{Memory: p.log}
				p.stop()
				p.runner = run.New(run.Config{
					Log: log, Caller: p.wire, Client: playground.Client{Name: "test",
						Version: "1"}, Now: time.Now, Logger: logger(),
				})
				p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
				time.Sleep(after)
				log.full.Store(true)
				p.x.Log = p.log.Events("x")
				if _, err := p.runner.Decide(t.Context(), p.x,
					playground.Decision{Action: playground.ActionStop}); !errors.Is(err, playground.ErrFull) {
					t.Fatalf("stop on a full disk: %v", err)
				}
				time.Sleep(time.Second)
				log.full.Store(false)
				if !p.runner.Busy("x") {
					t.Error("the task is polled no more")
				}
				p.runner.Wait(t.Context(), "x")
				if f := p.folded(); f.Status != playground.StatusComplete {
					t.Errorf("got %s: %s", f.Status, path(f))
				}
			})
		})
	}
}

// changedTask is a request of the user in the place of the next poll of a task.
func (p *peer) changedTask() (playground.Decision, wire.Request) {
	return playground.Decision{Action: playground.ActionResend, Changed: true},
		wire.Request{URL: p.x.Target.URL, Method: playground.TasksGet,
			ID:     json.RawMessage(`"changed"`),
			Params: json.RawMessage(`{"taskId":"no-such-task"}`), Header: p.x.Target.Header}
}

// TestAChangedRequestIsSentWhileATaskWorks: between two polls and during one.
func TestAChangedRequestIsSentWhileATaskWorks(t *testing.T) {
	for _, after := range []time.Duration{100 * time.Millisecond, 1100 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			p := newPeer(t, samples(t))
			p.tool("/mcp/tasks", "build", `{"seconds":20}`)
			p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
			time.Sleep(after)
			synctest.Wait()
			p.x.Log = p.log.Events("x")
			d, changed := p.changedTask()
			running, err := p.runner.Try(t.Context(), p.x, d, changed)
			if err != nil {
				t.Fatal(err)
			}
			f := running.Wait(t.Context()).Fold()
			if last := f.Last(); !last.Decision.Changed || last.Kind == playground.OutcomePending {
				t.Errorf("after %s: %s", after, path(f))
			}
		})
	}
}

// TestAChangedRequestDoesNotOvertakeARunningOne: the server holds its reply back
// until the second request has been refused.
func TestAChangedRequestDoesNotOvertakeARunningOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		server := samples(t)
		p := newPeer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-held
			server.ServeHTTP(w, r)
		}))
		p.tool("/mcp/tasks", "build", `{"seconds":20}`)
		p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
		d, changed := p.changedTask()
		if _, err := p.runner.Try(t.Context(), p.x, d, changed); !errors.Is(err, playground.ErrNotOpen) {
			t.Errorf("while the call is running: %v", err)
		}
		close(held)
	})
}

// recorded returns how many polls of a Round are stored whole, counted how many
// as a count.
func recorded(r playground.Round) int { return 1 + len(r.Others) }

func counted(r playground.Round) int {
	n := r.Repeats
	for _, t := range r.Others {
		n += t.Repeats
	}
	return n
}

// TestPoll_RareIsNotWaitedFor: a task that asks for more time between polls than
// the limit, or than the user gives the call, is polled no more until the user
// says so. It can be cancelled.
func TestPoll_RareIsNotWaitedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		limit, wait time.Duration
		stops       bool
	}{
		"no limit":             {0, 0, false},
		"limit":                {time.Hour, 0, true},
		"higher limit":         {300 * time.Hour, 0, false},
		"of the call":          {0, 3 * time.Second, true},
		"the call comes first": {300 * time.Hour, 3 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPeer(t, http.HandlerFunc(rareTask))
				p.limits.Interval = tt.limit
				p.stop()
				p.start()
				p.tool("/", "job", `{}`)
				p.x.Call.Wait = tt.wait
				p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
				synctest.Wait()
				last := p.folded().Last()
				if stopped := last.PollsStopped() == playground.StoppedInterval; stopped != tt.stops {
					t.Fatalf("%s %q", last.Kind, last.PollsStopped())
				}
				if !tt.stops {
					time.Sleep(277*time.Hour + 47*time.Minute)
					synctest.Wait()
					want(t, p.folded(), playground.StatusComplete, "tools/call task, tasks/get complete")
					return
				}
				if last.Task.Named != 1_000_000*time.Second || p.folded().Status != playground.StatusWaiting {
					t.Errorf("%s, %s", last.Task.Named, p.folded().Status)
				}
				p.x.Log = p.log.Events("x")
				f := p.decide(playground.Decision{Action: playground.ActionStop})
				want(t, f, playground.StatusWaiting, "tools/call task, tasks/cancel ack")
				f = p.decide(playground.Decision{Action: playground.ActionResend, Round: 3})
				want(t, f, playground.StatusComplete, "tools/call task, tasks/cancel ack, tasks/get complete")
			})
		})
	}
}

// rareTask is a server whose task asks for 1000000 seconds between polls.
func rareTask(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	const task = `"taskId":"T","createdAt":"2026-11-20T09:00:00Z","lastUpdatedAt":"2026-11-20T09:00:00Z",` +
		`"ttlMs":null,"pollIntervalMs":1000000000`
	result := map[string]string{
		"tools/call":   `{"resultType":"task","status":"working",` + task + `}`,
		"tasks/get":    `{"resultType":"complete","status":"completed","result":{"content":[]},` + task + `}`,
		"tasks/cancel": `{"resultType":"complete"}`,
	}[m.Method]
	mcptest.Answer{Result: result}.Write(w, m)
}
