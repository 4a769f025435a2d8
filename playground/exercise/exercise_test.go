package exercise_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// checked returns the exchanges of a check of a server in memory.
func checked(t *testing.T, h http.Handler) []playground.Exchange {
	t.Helper()
	listener := wire.NewListener("memory")
	site := &http.Server{Handler: h}
	go func() { _ = site.Serve(listener) }()
	defer site.Close()
	me := playground.Client{Name: "check", Version: "1"}
	runner := run.New(run.Config{
		Log: run.NewMemory(), Client: me, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Caller: wire.New(wire.Config{
			InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
				conn, err := listener.Dial(ctx)
				return conn, err == nil
			},
			Limits: wire.Limits{Grace: time.Millisecond},
		}),
	})
	defer func() { _ = runner.Close(context.Background()) }()
	n := 0
	exchanges, err := check.Run(t.Context(), check.Config{
		Runner: runner, Client: me, Now: time.Now, Expiry: check.Expiry,
		Wait:  func(context.Context, time.Duration) error { return nil },
		NewID: func() string { n++; return fmt.Sprint("x", n) },
		Begin: func(context.Context, playground.Exchange) error { return nil },
	}, check.Plan{
		Target: playground.Target{ID: "table", URL: "http://memory/mcp",
			Capabilities: []byte(`{"elicitation":{"form":{}}}`)},
		Call:    exercise.Call(),
		Answers: exercise.Answers(), Others: exercise.Others(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return exchanges
}

// judged returns the list for the exchanges of a check.
func judged(exchanges []playground.Exchange, running bool) []exercise.Requirement {
	return exercise.Judge(lab.NewReport(exchanges, server.Connection{}, running), exchanges)
}

// missed returns the ids of the requirements that are not met; one that was not judged
// has a question mark.
func missed(list []exercise.Requirement) []string {
	var ids []string
	for _, r := range list {
		switch r.Outcome {
		case verdict.Passed:
		case verdict.NotJudged:
			ids = append(ids, r.ID+"?")
		default:
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// A right server meets everything; each fault is found where it belongs, with a
// sentence that names it.
func TestJudge(t *testing.T) {
	want := map[string]struct{ ids, why string }{
		"": {"", ""},
		"one by one": {"two-questions forms? confirms? remembers? books?",
			"Round 1 ended with input_required: people."},
		"any number": {"forms", "The field `people` is: number."},
		"any time":   {"forms", "The field `time` is: any text."},
		"no summary": {"confirms", "The message does not name Luigi. It is: Are you sure?"},
		"no state": {"remembers books? refused cleared? forged? bound?",
			"has no `requestState`"},
		"other words": {"books",
			"The text must begin with `Booked a table`. Round 3 ended with complete. Its text is: Done."},
		"own words": {},
		"reserves": {"books cleared", "After `confirm` false the result is that of a booking. Round 3 " +
			"ended with complete. Its text is: Reserved a table for 2 at Luigi"},
		"other fields": {
			"forms confirms? remembers? books? missing? wrong? extra? early? refused? cleared? forged? " +
				"bound?",
			"The form of `people` must have one field, with the name `people`.",
		},
		"takes text": {"forms confirms remembers? books? cleared?",
			"Sent: `people` 4, `time` \"19:00\". Round 2 ended with input_required: people."},
		"error for a missing answer": {"missing", "returned an error instead of asking again. Sent: no " +
			"answer to `people`. Round 2 ended with error -32602. Its message is: people is missing"},
		"error for a missing time": {"missing", "Sent: no answer to `time`. " +
			"Round 2 ended with error -32602."},
		"takes any value":           {"wrong", "a value that its own schema does not allow"},
		"error for an extra answer": {"missing extra", "which it should ignore"},
		"books after a decline":     {"refused", "although the user said no"},
		"books after no": {"cleared",
			"After `confirm` false: Round 3 ended with complete. Its text is: Booked a table for 2 at Luigi"},
		"asks again after no":           {"cleared", "asked again after `confirm` false"},
		"plain state":                   {"forged bound", "a requestState that the server did not issue"},
		"plain after a gap":             {"forged", "only the state keeps the answers"},
		"unbound state":                 {"bound", "the requestState of one request with another one"},
		"asks everyone":                 {"capability", "although the client declared no capability"},
		"books when it cannot ask":      {"capability", "The server booked although it could not ask."},
		"tool error when it cannot ask": {},
		"two fields":                    {"forms wrong", "Sent: `people` {\"people\":4,"},
		"optional fields":               {"forms", "The field `people` must be required."},
		"books unasked": {"early",
			"Answer before it is asked: The server did not ask. Sent: `people` 4, `time` \"19:00\", " +
				"`confirm` true. Round 1 ended with complete. Its text is: Booked a table for 4 at Luigi"},
		"any state confirms": {"early",
			"Answer early, with a state: The server did not ask. Sent: `confirm` true. Round 3 ended with"},
		"no minimum": {"wrong", "Sent: `people` 0. Round 3 ended with complete. Its text is: Booked a " +
			"table for 0"},
		"any fraction":    {"wrong", "Answer with a wrong type: "},
		"any time of day": {"wrong", "Answer out of range: "},
		"yes as text": {
			"wrong", "Answer with a wrong type: In round 3: The server continued the call with a value",
		},
		"asks both again":   {"missing", "asked for people, time, although only one answer was missing"},
		"forgets the other": {"missing", "asked for people, without a `requestState`"},
		"asks again after a decline": {"refused",
			"a normal result. Sent: `people` {\"action\":\"decline\"}. Round 2 ended with"},
		"error after a cancel": {"refused", "Cancel an elicitation: The call did not end with a normal " +
			"result."},
		"binds the restaurant": {"bound", "the requestState of one request with another one"},
		"binds the day":        {"bound", "the requestState of one request with another one"},
		"always Luigi": {
			"books",
			"A table for 12 at Roma on Friday at 20:00: The text must name Roma. Round 3 ended with",
		},
		"not for one": {"books", "A table for 1 at Luigi on Saturday at 18:00: "},
	}
	for _, fault := range append([]string{""}, peers.TableFaults...) {
		t.Run(fault, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list := judged(checked(t, peers.Table(fault)), false)
				var why []string
				for _, r := range list {
					judged := r.Outcome != verdict.NotJudged
					if r.Outcome == verdict.Failed != (r.Why != "") || judged != (r.Cause == "") {
						t.Errorf("%s is %s because of %q: %q", r.ID, r.Outcome, r.Cause, r.Why)
					}
					why = append(why, r.Why)
				}
				ids, all := strings.Join(missed(list), " "), strings.TrimSpace(strings.Join(why, "\n"))
				if w := want[fault]; ids != w.ids || !strings.Contains(all, w.why) {
					t.Errorf("missed %q, want %q:\n%s", ids, w.ids, all)
				}
			})
		})
	}
}

// While a check runs, a requirement without a verdict is open; no requirement
// that a right server meets is ever missed, and the number that is met only
// grows.
func TestJudge_WhileTheCheckRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exchanges := checked(t, peers.Table(""))
		met := 0
		for n := range exchanges {
			list := judged(exchanges[:n], true)
			for _, r := range list {
				if r.Outcome == verdict.Failed {
					t.Errorf("after %d calls: %s: %s", n, r.ID, r.Why)
				}
			}
			if now := exercise.Count(list); now < met {
				t.Errorf("after %d calls %d are met, before %d", n, now, met)
			} else {
				met = now
			}
		}
		if all := exercise.Count(judged(exchanges, false)); all != len(exercise.Requirements()) {
			t.Errorf("%d are met at the end", all)
		}
	})
}

// For a server that answers nothing the list says so once: nothing else can be
// judged.
func TestJudge_ABrokenServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 500) })
		list := judged(checked(t, broken), false)
		if r := list[0]; r.Outcome != verdict.Failed || r.Why != "Round 1 ended with HTTP 500." {
			t.Errorf("%s is %s: %q", r.ID, r.Outcome, r.Why)
		}
		for _, r := range list[1:] {
			if r.Outcome != verdict.NotJudged || r.Cause != "two-questions" || r.Why != "" {
				t.Errorf("%s is %s because of %q: %q", r.ID, r.Outcome, r.Cause, r.Why)
			}
		}
		blocks := exercise.Unjudged(list)
		want := "13 requirements cannot be judged until this one is met: " + list[0].Text
		if len(blocks) != 1 || blocks[0].Words() != want {
			t.Errorf("%+v", blocks)
		}
	})
}

// TestVerdict_CountsAFaultOnce: the experiment that shows why a requirement is not met is no
// fault of its own. One of a requirement that is met for other reasons is.
func TestVerdict_CountsAFaultOnce(t *testing.T) {
	e, _ := lab.ExperimentByID("flip-state")
	report := lab.Report{Results: []lab.Result{{Experiment: e, Verdict: verdict.Failed}}}
	for o, want := range map[verdict.Outcome]int{verdict.Failed: 1, verdict.Passed: 1} {
		v := exercise.Verdict([]exercise.Requirement{{ID: "forged", Outcome: o}}, report)
		if n := v.Counts().Failed; n != want {
			t.Errorf("%s: %d faults", o, n)
		}
	}
}

// A check that was stopped says so for the calls that it did not come to.
func TestJudge_AStoppedCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exchanges := checked(t, peers.Table(""))
		list := judged(exchanges[:1], false)
		for _, r := range list {
			if r.Outcome == verdict.Failed || r.Outcome == verdict.NotJudged != (r.Why != "") {
				t.Errorf("%s is %s: %q", r.ID, r.Outcome, r.Why)
			}
		}
		if len(exercise.Unjudged(list)) > 0 {
			t.Error(exercise.Unjudged(list))
		}
	})
}

func TestIs(t *testing.T) {
	for params, want := range map[string]bool{
		string(exercise.Call().Params):                                            true,
		`{"name":"book_table","arguments":{"day":"Friday","restaurant":"Luigi"}}`: true,
		`{"name":"book_table","arguments":{"day":"Monday","restaurant":"Luigi"}}`: false,
		`{"name":"book_room","arguments":{"day":"Friday","restaurant":"Luigi"}}`:  false,
		`{"name":"book_table"}`: false,
		`{`:                     false,
	} {
		if got := exercise.Is(playground.Call{Method: "tools/call", Params: []byte(params)}); got != want {
			t.Errorf("%s: %v", params, got)
		}
	}
}
