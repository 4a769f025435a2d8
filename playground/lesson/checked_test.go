package lesson_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestGoListing_PassesTheCheck: a check finds nothing in the Go listing.
func TestGoListing_PassesTheCheck(t *testing.T) {
	program := buildListing(t, "./listings/go")
	for name, flags := range map[string][]string{"sealed": nil, "signed": {"-sign"}} {
		t.Run(name, func(t *testing.T) {
			checkListing(t, startListing(t, program, strings.Repeat("k", 32), flags...))
		})
	}
}

func checkListing(t *testing.T, url string) {
	t.Helper()
	me := playground.Client{Name: "check", Version: "1"}
	runner := run.New(run.Config{Log: run.NewMemory(), Client: me, Now: time.Now,
		Caller: wire.New(wire.Config{}), Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = runner.Close(context.Background()) })
	made := 0
	exchanges, err := check.Run(t.Context(), check.Config{
		Runner: runner, Client: me, Now: time.Now, Expiry: check.Expiry,
		Wait:  func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		NewID: func() string { made++; return fmt.Sprint("x", made) },
		Begin: func(context.Context, playground.Exchange) error { return nil },
	}, check.Plan{
		Target: playground.Target{ID: "listing", URL: url,
			Capabilities: json.RawMessage(`{"elicitation":{}}`)},
		Call: playground.Call{Method: playground.ToolsCall,
			Params: json.RawMessage(`{"name":"deploy","arguments":{"app":"shop"}}`)},
		Answers: map[string]json.RawMessage{
			"when": json.RawMessage(`{"when":"now"}`), "sure": json.RawMessage(`{"sure":true}`),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	report := lab.NewReport(exchanges, server.Connection{}, false)
	bad := func(id string, verdict rules.Verdict, text string) {
		if verdict == rules.Fail || verdict == rules.Hint {
			t.Errorf("%s: %s %s", id, verdict, text)
		}
	}
	for _, r := range report.Results {
		bad(r.ID, r.Verdict, r.Text)
	}
	for _, f := range report.Findings {
		bad(f.Rule, f.Verdict, f.Text)
	}
	if len(report.Results) == 0 || report.Status != lab.Complete {
		t.Errorf("%s: %s", report.Status, report.Detail)
	}
}
