package drive_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const capabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// stage is the project's samples in memory, and a driver for them.
type stage struct {
	t      *testing.T
	keys   *seal.Keys
	config run.Config
	driver drive.Driver
	stored int // exchanges that Begin has stored
}

func newStage(t *testing.T) *stage {
	t.Helper()
	keys := seal.Generate()
	catalog, err := sampletools.New(sampletools.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	memory := wire.NewListener("samples")
	site := &http.Server{Handler: catalog}
	go func() { _ = site.Serve(memory) }()
	s := &stage{t: t, keys: keys}
	s.config = run.Config{
		Log: run.NewMemory(), Client: playground.Client{Name: "test",
			Version: "1"}, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Caller: wire.New(wire.Config{InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
			conn, err := memory.Dial(ctx)
			return conn, err == nil
		}}),
	}
	runner := run.New(s.config)
	s.driver = drive.Driver{
		Runner: runner, Client: s.config.Client, Now: time.Now, Most: time.Minute, Late: time.Second,
		Decide: drive.Answers(question.Form.Placeholder),
		Expiry: func(_ playground.Target, r playground.Round) time.Time {
			return seal.Explain(r.StateText(), keys, time.Now()).Expires
		},
		Wait: func(_ context.Context, d time.Duration) error { time.Sleep(d); return nil },
		Begin: func(_ context.Context, x playground.Exchange) (playground.Exchange, error) {
			s.stored++
			x.ID = fmt.Sprintf("stored-%d", s.stored)
			return x, nil
		},
	}
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		_ = runner.Close(ctx)
		_ = site.Close()
		catalog.Close()
	})
	return s
}

// duplicate answers the Azure DevOps sample so that it asks twice.
func duplicate(f question.Form) (playground.Answer, error) {
	content := json.RawMessage(`{"resolution":"Duplicate"}`)
	if f.Key == "duplicate_of" {
		content = json.RawMessage(`{"duplicateOfId":4301}`)
	}
	return f.FromJSON(content)
}

func (s *stage) exchange(id, path, tool, arguments string) playground.Exchange {
	return playground.Exchange{
		ID: id,
		Target: playground.Target{URL: "http://samples/mcp/" + path,
			Capabilities: json.RawMessage(capabilities)},
		Call: playground.Call{
			Method: playground.ToolsCall, Params: json.RawMessage(`{"name":"` + tool + `","arguments":` +
				arguments + `}`),
		},
	}
}

func (s *stage) bug(id, query string) playground.Exchange {
	return s.exchange(id, "azure-devops"+query, "update_work_item",
		`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`)
}

func (s *stage) to(x playground.Exchange, n int) playground.Exchange {
	s.t.Helper()
	x, err := s.driver.To(s.t.Context(), x, n)
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

func TestTo_StopsAtTheRoundOrTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.driver.Decide = drive.Answers(duplicate)
		for n, status := range []playground.Status{playground.StatusReady, playground.StatusWaiting,
			playground.StatusWaiting, playground.StatusComplete} {
			f := s.to(s.bug(fmt.Sprint(n), ""), n).Fold()
			if f.Status != status || len(f.Rounds) != n {
				t.Errorf("to round %d: %s after %d rounds", n, f.Status, len(f.Rounds))
			}
		}
		if f := s.to(s.bug("end", ""),
			playground.MaxRounds).Fold(); f.Status != playground.StatusComplete || len(f.Rounds) != 3 {
			t.Errorf("to the end: %s after %d rounds", f.Status, len(f.Rounds))
		}
	})
}

func TestTo_FollowsATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		seen := 0
		s.driver.Observe = func(_ playground.Exchange) { seen++ }
		f := s.to(s.exchange("x", "tasks", "report", `{"topic":"sales"}`), playground.MaxRounds).Fold()
		if f.Status != playground.StatusComplete || f.Last().Task == nil || seen == 0 {
			t.Errorf("%s, observed %d times", f.Status, seen)
		}
	})
}

func TestTo_SaysWhichRoundHasNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		refused := errors.New("no answer for that")
		s.driver.Decide = drive.Answers(func(question.Form) (playground.Answer,
			error) {
			return playground.Answer{}, refused
		})
		x, err := s.driver.To(t.Context(), s.bug("x", ""), playground.MaxRounds)
		if !drive.IsUnanswered(err) || !errors.Is(err, refused) || len(x.Fold().Rounds) != 1 {
			t.Errorf("%v after %d rounds", err, len(x.Fold().Rounds))
		}
	})
}

func TestRerun_EndsWhereTheRecordEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.driver.Decide = drive.Answers(duplicate)
		recorded := s.to(s.bug("x", ""), 2)
		again, err := s.driver.Rerun(t.Context(), recorded, playground.MaxRounds)
		if f := again.Fold(); err != nil || f.Status != playground.StatusWaiting || len(f.Rounds) != 2 ||
			again.Origin.Exchange != "x" {
			t.Errorf("%v, %s after %d rounds", err, f.Status, len(f.Rounds))
		}
		whole, err := s.driver.Rerun(t.Context(), s.to(s.bug("y", ""), 3), playground.MaxRounds)
		if f := whole.Fold(); err != nil || f.Status != playground.StatusComplete || len(f.Rounds) != 3 {
			t.Errorf("%v, %s after %d rounds", err, f.Status, len(f.Rounds))
		}
	})
}

// TestTry_SendsTwiceOrLateAsTheExperimentSays: the timing is data of the
// experiment.
func TestTry_SendsTwiceOrLateAsTheExperimentSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.driver.Decide = drive.Answers(duplicate)
		for _, e := range lab.Experiments() {
			if e.When == lab.Once || e.When == lab.AfterGap || e.OfTask() {
				continue
			}
			x, err := s.driver.Try(t.Context(), s.bug(e.ID, "?ttl=5s"), 2, e, lab.Material{})
			if err != nil {
				t.Fatalf("%s: %v", e.ID, err)
			}
			rounds := x.Fold().Rounds
			last := rounds[len(rounds)-1]
			want := map[lab.Timing]int{lab.Twice: 4, lab.AfterExpiry: 3, lab.AfterWait: 3}[e.When]
			if len(rounds) != want || !last.Decision.Changed || last.Decision.Experiment != e.ID {
				t.Errorf("%s: %d rounds, last %+v", e.ID, len(rounds), last.Decision)
			}
			if reaction := lab.React(last, rounds[:len(rounds)-1]); reaction != e.Expected(lab.Sealed,
				false) {
				t.Errorf("%s: %s", e.ID, reaction)
			}
		}
	})
}

func TestFresh_MakesTheStateAnewOnlyWhenItHasTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.driver.Decide = drive.Answers(duplicate)
		flip, _ := lab.ExperimentByID("flip-state")
		x := s.to(s.bug("x", "?ttl=5s"), 2)
		if got, err := s.driver.Fresh(t.Context(), x, 2, flip, false, nil); err != nil || got.ID != "x" {
			t.Errorf("a good state: %s, %v", got.ID, err)
		}
		if got, err := s.driver.Fresh(t.Context(), x, 2, flip, true, nil); err != nil || got.ID == "x" {
			t.Errorf("when asked to: %s, %v", got.ID, err)
		}
		time.Sleep(6 * time.Second)
		if got, err := s.driver.Fresh(t.Context(), x, 2, flip, false, nil); err != nil || got.ID == "x" {
			t.Errorf("an expired state: %s, %v", got.ID, err)
		}
		s.driver.Most = time.Second
		expired, _ := lab.ExperimentByID("expired-state")
		late := s.to(s.bug("late", "?ttl=1h"), 2)
		if _, err := s.driver.Fresh(t.Context(), late, 2, expired, false, nil); !errors.Is(err,
			drive.ErrTooLate) {
			t.Errorf("a state that lives too long: %v", err)
		}
	})
}

func TestGiveUp_CancelsATaskAtItsServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
		defer stop()
		x, err := s.driver.To(ctx, s.exchange("x", "tasks", "build", `{"seconds":30}`), playground.MaxRounds)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%v", err)
		}
		s.driver.GiveUp(t.Context(), x)
		log := s.config.Log.(*run.Memory).Events("x")
		if f := playground.Fold(log); f.Status != playground.StatusCancelled {
			t.Errorf("%s", f.Status)
		}
	})
}

func TestDiscoverAndAsk_KeepNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		target := s.bug("", "").Target
		if c := drive.Discover(t.Context(), s.config, target); c.Status != server.Connected ||
			len(c.Tools) == 0 {
			t.Errorf("%s %s, %d tools", c.Status, c.Detail, len(c.Tools))
		}
		tool, found, _ := drive.FindTool(t.Context(), s.config, target, "update_work_item")
		if !found || tool.Name != "update_work_item" {
			t.Errorf("found %t, %q", found, tool.Name)
		}
		const none = `The server has no tool "no-such-tool". It has: list_work_items, update_work_item.`
		if _, found, words := drive.FindTool(t.Context(), s.config, target, "no-such-tool"); found ||
			words != none {
			t.Errorf("found a tool that is not there: %t, %q", found, words)
		}
		target.Era = playground.Legacy
		if _, err := drive.Ask(t.Context(), s.config, target, "tools/list", nil); !errors.Is(err,
			playground.ErrLegacy) {
			t.Errorf("a legacy server: %v", err)
		}
		if log := s.config.Log.(*run.Memory).Events("ask"); len(log) > 0 {
			t.Errorf("%d events were kept", len(log))
		}
	})
}

// TestTry_WaitsOnlyForWhatAnExperimentOnATaskNeeds: the id of the task, or its
// question if the experiment changes the answer; for its end only if an experiment
// answers the rest.
func TestTry_WaitsOnlyForWhatAnExperimentOnATaskNeeds(t *testing.T) {
	for _, e := range lab.Experiments() {
		if !e.OfTask() {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			start := s.exchange("x", "tasks", "report", `{"topic":"sales"}`)
			switch e.Needs {
			case lab.NeedsTask:
				start = s.exchange("x", "tasks", "build", `{"seconds":60}`)
			case lab.NeedsUpdates:
				start = s.exchange("x", "conformance", "multi_input", `{}`)
			}
			x, err := s.driver.Try(t.Context(), start, 0, e, lab.Material{})
			if err != nil {
				t.Fatalf("%s: %v", e.ID, err)
			}
			f := x.Fold()
			changed := f.Rounds[slices.IndexFunc(f.Rounds,
				func(r playground.Round) bool { return r.Decision.Changed || r.N == len(f.Rounds) })]
			if !changed.Decision.Changed || lab.React(changed, f.Rounds[:changed.N-1]) !=
				e.Expected(lab.Sealed, false) {
				t.Errorf("%s: %s %s in round %d", e.ID, changed.Kind, changed.Detail, changed.N)
			}
			polls := 0
			for _, r := range f.Rounds {
				if r.Decision.Action == "" {
					polls += r.Polls
				}
			}
			if e.Needs == lab.NeedsTask && polls > 0 {
				t.Errorf("%s: the task was polled %d times first", e.ID, polls)
			}
			if _, rest, err := s.driver.Leave(t.Context(), x); err != nil {
				t.Errorf("%s: leave: %v", e.ID, err)
			} else if rest != nil {
				if f := rest(t.Context()).Fold(); f.Status != playground.StatusCancelled {
					t.Errorf("%s: the task that was left is %s", e.ID, f.Status)
				}
			}
		})
	}
}

func TestLeave_DoesNothingWithoutATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		x := s.to(s.bug("x", ""), 1)
		left, rest, err := s.driver.Leave(t.Context(), x)
		if err != nil || rest != nil || len(left.Log) != len(x.Log) {
			t.Errorf("%v, %d events after %d", err, len(left.Log), len(x.Log))
		}
	})
}

func TestTo_ReturnsAtItsRoundAlthoughATaskWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		x := s.to(s.exchange("x", "tasks", "build", `{"seconds":60}`), 1)
		if f := x.Fold(); f.Status != playground.StatusRunning || f.Last().Kind != playground.OutcomeTask {
			t.Errorf("%s after %s", f.Status, f.Last().Kind)
		}
		s.driver.GiveUp(t.Context(), x)
	})
}
