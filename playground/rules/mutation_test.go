package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver/authtest"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// TestMutants puts single faults into good exchanges with the samples. A good
// exchange has no finding; each mutant has exactly those that it must have.
func TestMutants(t *testing.T) {
	recordings := recordSamples(t)
	made := map[string]int{}
	total := 0
	for name, x := range recordings {
		if found := findings(x); len(found) > 0 {
			t.Errorf("%s, unchanged: %s", name, found)
			continue
		}
		trips := tripsOf(x)
		for _, m := range mutants {
			for i, changed := range trips {
				changed.log, changed.responses = slices.Clone(changed.log), slices.Clone(changed.responses)
				if !m.change(&changed) {
					continue
				}
				made[m.name]++
				total++
				for seq := range changed.log {
					changed.log[seq].Seq = seq + 1
				}
				mutated := x
				mutated.Log = changed.log
				want := slices.Sorted(slices.Values(m.want))
				if got := findings(mutated); !slices.Equal(got, want) {
					t.Errorf("%s, request %d (%s), %s: %v, want %v", name, i+1, changed.method,
						m.name, got, want)
				}
				if clause := ownClauses[m.name]; !cites(mutated, clause) {
					t.Errorf("%s, %s: no finding cites %s", name, m.name, clause)
				}
			}
		}
	}
	for _, m := range mutants {
		if made[m.name] == 0 {
			t.Errorf("no good exchange has a place for %q", m.name)
		}
	}
	t.Logf("%d mutants of %d kinds from %d good exchanges", total, len(mutants), len(recordings))
}

// overTime are the rules that a single fault in a good exchange of the samples
// cannot break, with the reason. Recordings hold them.
var overTime = map[string]string{
	"C1":                   "a client that goes on after a result without resultType",
	"S1":                   "a method that is not a call",
	"S5":                   "a server that rejects a missing answer",
	"S6":                   "a server that rejects an extra answer",
	"same-question":        "a server that repeats its question",
	"state-moves":          "a server that loses answers",
	"state-personal":       "a second user",
	"unique-keys":          "the edits of this test keep keys unique",
	"version-unknown":      "a request of another version",
	"client-params":        "a call without its parameters also lacks its headers",
	"client-param-headers": "no sample has annotated arguments at its start",
	"structured-content":   "these recordings do not have the definition of the tool",
	"annotations":          "no result of a start has annotations",
	"resource-uri":         "no result of a start has one that can be mutated alone",
	"sampling-context":     "held by a recording",
	"roots-params":         "no sample sends params with roots/list",
	"client-task-interval": "the pace of the client",
	"client-era":           "of all that a client sends",
	"task-keys":            "a task that asks again",
	"task-terminal":        "a task that goes on",
	"task-where":           "only tools/call creates tasks here",
	"task-unknown":         "a task that does not exist",
	"tool-schema":          "of connecting", "tool-name": "of connecting", "list-pages": "of connecting",
	"declared-lists": "of connecting", "x-mcp-header": "of connecting",
	"extension-names": "of connecting", "server-discover": "of connecting",
	"listen-acknowledged": "of subscriptions", "listen-requested": "of subscriptions",
	"listen-id":            "of subscriptions",
	"client-legacy-cancel": "a cancelled call", "client-legacy-answers": "a client that answers at random",
	"legacy-progress": "no legacy start of a sample reports progress",
}

// TestMutants_EveryRuleIsBroken: every rule is broken by a mutant, or listed. The
// mutants are exchanges over HTTP.
func TestMutants_EveryRuleIsBroken(t *testing.T) {
	broken := map[string]bool{}
	for _, m := range mutants {
		for _, want := range m.want {
			rule, _, _ := strings.Cut(want, " ")
			broken[rule] = true
		}
	}
	for _, r := range rules.All() {
		if _, listed := overTime[r.ID]; listed == broken[r.ID] && r.Transport != rules.Stdio {
			t.Errorf("%s: broken by a mutant: %v, listed: %v", r.ID, broken[r.ID], listed)
		}
	}
}

// findings returns the fails and hints of an exchange as "rule verdict",
// sorted.
func findings(x playground.Exchange) []string {
	var list []string
	for _, f := range rules.Judge(x) {
		if f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory {
			list = append(list, f.Rule+" "+string(f.Verdict))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ownClauses are those of faults that another clause than that of their rule is about.
var ownClauses = map[string]string{"answer of a model without its name": "client/sampling#messages"}

// cites reports whether a fault of an exchange has that clause, if there is one.
func cites(x playground.Exchange, clause string) bool {
	return clause == "" || slices.ContainsFunc(rules.Judge(x), func(f rules.Finding) bool {
		return f.Verdict == verdict.Failed && strings.HasSuffix(f.Link, clause)
	})
}

// recordSamples returns a recorded exchange with every good sample, in every
// era that it supports, with JSON and with streams.
func recordSamples(t *testing.T) map[string]playground.Exchange {
	t.Helper()
	recordings := map[string]playground.Exchange{}
	synctest.Test(t, func(t *testing.T) {
		driver, _, catalog := newStage(t)
		for _, sample := range catalog.Samples() {
			if strings.HasPrefix(sample.Slug, "naughty") {
				continue
			}
			var header []wire.Field
			if sample.Slug == "protected" {
				token, err := authtest.Token(t.Context(), catalog, "alice", "notes:read")
				if err != nil {
					t.Fatal(err)
				}
				header = []wire.Field{{Name: "Authorization", Value: "Bearer " + token}}
			}
			driver.Decide = drive.Answers(prepared(sample.Start.Answers))
			for _, call := range callsOf(sample) {
				for _, x := range exchangesOf(sample, call) {
					x.Target.Header = header
					x, err := driver.To(t.Context(), x, playground.MaxRounds)
					if err != nil && !drive.IsUnanswered(err) {
						t.Errorf("%s: %v", x.ID, err)
					}
					recordings[x.ID] = x
				}
			}
		}
	})
	return recordings
}

// callsOf returns the calls that are made of a sample: that of its start
// button, and the resource of the sample that has one.
func callsOf(s sampletools.Sample) []playground.Call {
	calls := []playground.Call{{Method: s.Start.Method, Params: s.Start.Params}}
	if s.Start.Method == playground.PromptsGet {
		calls = append(calls, playground.Call{Method: playground.ResourcesRead,
			Params: json.RawMessage(`{"uri":"report://sales"}`)})
	}
	return calls
}

// exchangesOf returns the exchanges of a call in every era of its sample, with
// JSON and with streams. They have not begun.
func exchangesOf(s sampletools.Sample, call playground.Call) []playground.Exchange {
	var list []playground.Exchange
	for _, era := range erasOf(s) {
		for _, stream := range []string{"0", "1"} {
			list = append(list, playground.Exchange{
				ID: fmt.Sprintf("%s of %s, %s, stream=%s", call.Method, s.Slug, era, stream),
				Target: playground.Target{
					URL: "http://samples/mcp/" + s.Slug + "?stream=" + stream + "&" + s.Start.Query,
					Era: era, Capabilities: json.RawMessage(everything),
				},
				Call: call,
			})
		}
	}
	return list
}

func erasOf(s sampletools.Sample) []playground.Era {
	switch s.Era {
	case sampletools.Legacy:
		return []playground.Era{playground.Legacy}
	case sampletools.Modern:
		return []playground.Era{playground.Modern}
	}
	return []playground.Era{playground.Modern, playground.Legacy}
}

// prepared answers with the prepared answers of a sample, else with
// placeholders.
func prepared(answers json.RawMessage) drive.Answerer {
	var byKey map[string]json.RawMessage
	_ = json.Unmarshal(answers, &byKey)
	return func(f question.Form) (playground.Answer, error) {
		if value, ok := byKey[f.Key]; ok {
			return f.FromJSON(value)
		}
		if f.Kind == question.KindRoots {
			return f.FromJSON(json.RawMessage(`{"roots":[{"uri":"file:///home/ada"}]}`))
		}
		return f.Placeholder()
	}
}

// newStage returns a driver that reaches the samples in memory, the settings of
// its Runner, and the samples.
func newStage(t *testing.T) (drive.Driver, run.Config, *sampletools.Catalog) {
	t.Helper()
	keys := seal.Generate()
	catalog, err := sampletools.New(sampletools.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	memory := wire.NewListener("samples")
	site := &http.Server{Handler: catalog}
	go func() { _ = site.Serve(memory) }()
	dial := func(ctx context.Context, _ string) (net.Conn, bool) {
		conn, err := memory.Dial(ctx)
		return conn, err == nil
	}
	config := run.Config{
		Log: run.NewMemory(), Client: playground.Client{Name: "recorder", Version: "1"},
		Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Caller: wire.New(wire.Config{Limits: wire.DefaultLimits(), InMemory: dial}),
	}
	runner := run.New(config)
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		_ = runner.Close(ctx)
		_ = site.Close()
		catalog.Close()
	})
	return drive.Driver{
		Runner: runner, Client: playground.Client{Name: "recorder", Version: "1"}, Now: time.Now,
		Wait: func(_ context.Context, d time.Duration) error { time.Sleep(d); return nil },
	}, config, catalog
}

// everything declares all capabilities.
const everything = `{
	"elicitation":{"form":{},"url":{}}, "sampling":{"tools":{}}, "roots":{},
	"extensions":{"io.modelcontextprotocol/tasks":{}}
}`
