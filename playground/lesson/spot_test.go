package lesson_test

import (
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

var record = flag.Bool("record", false, "record the exchanges of content/spot again")

// The rules find in each recording what the right choice says, and nothing else.
func TestSpots_AgreeWithTheRules(t *testing.T) {
	if *record {
		recordSpots(t)
		return // the recordings are embedded, so the next run judges them
	}
	spots := book(t).Spots
	if len(spots) != 10 {
		t.Errorf("%d exchanges", len(spots))
	}
	for _, s := range spots {
		var got []string
		for _, f := range rules.Judge(s.Exchange()) {
			if f.Verdict == rules.Fail || f.Verdict == rules.Hint {
				got = append(got, f.Rule)
			}
		}
		slices.Sort(got)
		var want []string
		if s.Rule != "" {
			want = []string{s.Rule}
		}
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: the rules find %v, want %v", s.Title, got, want)
		}
		if end := playground.Fold(s.Log).Status; s.Rule == "" && end != playground.StatusComplete {
			t.Errorf("%s: ends %s", s.Title, end)
		}
		for _, m := range s.Messages {
			if s.Fault != "" && (strings.Contains(m.JSON, s.Fault) || strings.Contains(m.JSON, "aughty")) {
				t.Errorf("%s: a name tells what is wrong: %s", s.Title, m.JSON)
			}
		}
		for _, c := range s.Choices {
			if says := c.Text == "Nothing is wrong."; c.Right && says != (s.Rule == "") {
				t.Errorf("%s: %q is marked right, and the rule is %q", s.Title, c.Text, s.Rule)
			}
		}
	}
}

// recordSpots makes the calls of the exchanges to the samples.
func recordSpots(t *testing.T) {
	keys, err := seal.Generate()
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := sampletools.New(sampletools.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	memory := wire.NewListener("samples")
	site := &http.Server{Handler: catalog}
	go func() { _ = site.Serve(memory) }()
	defer func() { _ = site.Close() }()
	me := playground.Client{Name: "mrtr-playground", Version: "1"}
	log := run.NewMemory()
	runner := run.New(run.Config{Log: log, Client: me, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler), Caller: wire.New(wire.Config{
			Limits: wire.DefaultLimits(), InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
				conn, err := memory.Dial(ctx)
				return conn, err == nil
			}})})
	defer func() { _ = runner.Close(context.Background()) }()
	spots, err := lesson.ParseSpots()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range spots {
		x := spotCall(t, catalog, s)
		driver := drive.Driver{Runner: runner, Client: me, Now: time.Now,
			Wait: func(context.Context, time.Duration) error { return nil }}
		sample, _ := catalog.Lookup(s.Sample)
		var answers map[string]json.RawMessage
		_ = json.Unmarshal(sample.Start.Answers, &answers)
		driver.Decide = drive.Answers(func(f question.Form) (playground.Answer, error) {
			if value, ok := answers[f.Key]; ok {
				return f.FromJSON(value)
			}
			return f.Placeholder()
		})
		if _, err := driver.To(t.Context(), x, 3); err != nil {
			t.Logf("%s: %v", s.Title, err)
		}
		data, err := json.MarshalIndent(log.Events(x.ID), "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("content/spot", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.Recording(i+1), append(data, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func spotCall(t *testing.T, catalog *sampletools.Catalog, s lesson.Spot) playground.Exchange {
	t.Helper()
	sample, ok := catalog.Lookup(s.Sample)
	if !ok {
		t.Fatalf("no sample %s", s.Sample)
	}
	x := playground.Exchange{ID: strings.ReplaceAll(s.Title, " ", "-"),
		Target: playground.Target{ID: s.Sample, URL: "http://samples/mcp/" + s.Sample,
			Era: playground.Modern, Capabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}},` +
				`"sampling":{"tools":{}},"roots":{}}`)},
		Call: playground.Call{Method: sample.Start.Method, Params: sample.Start.Params}}
	for _, f := range sample.Faults {
		if f.Name != s.Fault {
			continue
		}
		x.Call = playground.Call{Method: f.Method,
			Params: json.RawMessage(`{"name":"` + f.Name + `","arguments":{}}`)}
		x.Target.Capabilities = json.RawMessage(`{"elicitation":{"form":{}}}`)
		if f.Capabilities != nil {
			x.Target.Capabilities = f.Capabilities
		}
	}
	return x
}
