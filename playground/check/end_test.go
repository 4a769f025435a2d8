package check_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestRun_RarePolls: a task that is to be polled only every few weeks does not
// hold a check up. The report names the interval, the experiments are made all the
// same, and the tasks that were begun are cancelled.
func TestRun_RarePolls(t *testing.T) {
	parallel(t, "rare", func(t *testing.T) {
		p := peers.RareTasks(1_000_000 * time.Second)
		m := inMemory(t, p.Handler)
		cfg := checkConfig(t, newClock(), run.NewMemory(), m)
		runner := run.New(run.Config{
			Log: run.NewMemory(), Client: cfg.Client, Now: cfg.Now, Logger: slog.New(slog.DiscardHandler),
			Caller: wire.New(wire.Config{InMemory: m.dial}), Limits: run.Limits{Interval: 3 * time.Second},
		})
		t.Cleanup(func() { _ = runner.Close(context.Background()) })
		cfg.Runner = runner
		exchanges, err := check.Run(t.Context(), cfg, check.Plan{
			Target: playground.Target{ID: p.Name, URL: m.url(), Capabilities: p.Capabilities},
			Call:   playground.Call{Method: p.Method, Params: p.Params},
		})
		if err != nil {
			t.Fatal(err)
		}
		r := lab.NewReport(exchanges, server.Connection{}, false)
		if r.Status != lab.Complete || r.Worked || r.Verdict().OK() ||
			!strings.Contains(r.Detail, "11 days 13 h") {
			t.Errorf("%s: %s", r.Status, r.Detail)
		}
		if diff := cmp.Diff(map[string]verdict.Outcome{}, remarks(r)); diff != "" {
			show(t, r)
			t.Error(diff)
		}
		for _, p := range r.Results {
			if made := len(p.Exchanges) > 0; made != (p.Verdict == verdict.Passed) &&
				p.ID != "no-version-header" {
				t.Errorf("%s: %d exchanges, %s: %s", p.ID, len(p.Exchanges), p.Verdict, p.Text)
			}
		}
		for _, x := range exchanges {
			if f := x.Fold(); f.Task() != nil && f.Last().Method != playground.TasksCancel {
				t.Errorf("%s: the task was not cancelled, %s", x.Experiment(), f.Last().Method)
			}
		}
	})
}

// TestRun_RarePollsWithoutCancel: the interval stays the reason if the server does not
// know how to cancel the task.
func TestRun_RarePollsWithoutCancel(t *testing.T) {
	p := peers.RareTasks(1_000_000 * time.Second)
	m := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") != playground.TasksCancel {
			p.Handler.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`)
	}))
	cfg := checkConfig(t, newClock(), run.NewMemory(), m)
	runner := run.New(run.Config{
		Log: run.NewMemory(), Client: cfg.Client, Now: cfg.Now, Logger: slog.New(slog.DiscardHandler),
		Caller: wire.New(wire.Config{InMemory: m.dial}), Limits: run.Limits{Interval: 3 * time.Second},
	})
	t.Cleanup(func() { _ = runner.Close(context.Background()) })
	cfg.Runner = runner
	exchanges, err := check.Run(t.Context(), cfg, check.Plan{
		Target: playground.Target{ID: p.Name, URL: m.url(), Capabilities: p.Capabilities},
		Call:   playground.Call{Method: p.Method, Params: p.Params},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := lab.NewReport(exchanges, server.Connection{}, false)
	if !strings.Contains(r.Detail, "11 days 13 h") {
		t.Errorf("%s: %s", r.Status, r.Detail)
	}
}

// TestJobs_SaysWhyACheckEnded: the report of a check that ended early says why, as
// the record does.
func TestJobs_SaysWhyACheckEnded(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(*check.Jobs)
		want string
	}{
		"stopped": {func(j *check.Jobs) { j.Stop("s") }, "Its user stopped it."},
		"closed":  {(*check.Jobs).Close, "The program was ended or restarted."},
		"too long": {func(j *check.Jobs) { j.Wait(context.Background(), "s") },
			"It took longer than its limit of 5.0 s."},
	} {
		for _, n := range []int{1, 9} {
			parallel(t, name, func(t *testing.T) {
				jobs, record, asked := startedFor(t, n, 5*time.Second)
				<-asked
				tt.end(jobs)
				jobs.Wait(t.Context(), "s")
				r := lab.NewReport(record.all(), server.Connection{}, false)
				if r.Status != lab.Stopped || !strings.Contains(r.Detail, tt.want) {
					t.Errorf("request %d: %s: %s", n, r.Status, r.Detail)
				}
			})
		}
	}
}

// TestRun_EndsWithAPartialReport: an error of the playground ends a check, and the
// calls until then are reported with the error.
func TestRun_EndsWithAPartialReport(t *testing.T) {
	clock := newClock()
	m := inMemory(t, http.Handler(fakeServer{now: clock.Now}))
	cfg := checkConfig(t, clock, run.NewMemory(), m)
	for want, failure := range map[string]error{
		"There is no room left to store more.": playground.ErrFull,
		"An error ended it: experiment wrong-type: begin exchange: " +
			"the disk is gone.": errors.New("the disk is gone"),
	} {
		n := 0
		cfg.Begin = func(context.Context, playground.Exchange) error {
			if n++; n > 5 {
				return failure
			}
			return nil
		}
		exchanges, err := check.Run(t.Context(), cfg, planOf(m.url()+"/mcp"))
		r := lab.NewReport(exchanges, server.Connection{}, false)
		if !errors.Is(err, failure) || r.Status != lab.Stopped || !strings.Contains(r.Detail, want) ||
			r.Verdict().Counts().Passed == 0 {
			t.Errorf("%v: %s: %s, %+v", err, r.Status, r.Detail, r.Verdict().Counts())
		}
	}
}
