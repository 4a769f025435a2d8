package lesson_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestGoListing_PassesTheCheck: a check finds nothing in the Go listing.
func TestGoListing_PassesTheCheck(t *testing.T) {
	program := buildListing(t, "./listings/go")
	key := strings.Repeat("k", 32)
	for name, flags := range map[string][]string{"sealed": nil, "signed": {"-sign"}} {
		t.Run(name, func(t *testing.T) {
			checkListing(t, startListing(t, program, key, flags...), nil, nil)
		})
	}
	t.Run("users", func(t *testing.T) {
		bearer := func(token string) []wire.Field {
			return []wire.Field{{Name: "Authorization", Value: "Bearer " + token}}
		}
		url := startListing(t, program, key, "-users", "demo-ada=ada,demo-bob=bob")
		checkListing(t, url, bearer("demo-ada"), bearer("demo-bob"))
	})
	t.Run("bodies", func(t *testing.T) { refuseBodies(t, startListing(t, program, key)) })
}

// refuseBodies: the fault of a body decides the code of the error. A check
// accepts any.
func refuseBodies(t *testing.T, url string) {
	t.Helper()
	for body, want := range map[string]string{
		`{`:  `{"jsonrpc":"2.0","error":{"code":-32700,"message":"the body is not JSON"}}`,
		`[]`: `{"jsonrpc":"2.0","error":{"code":-32600,"message":"the body is not a request"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`: `{"jsonrpc":"2.0","error":{"code":-32600,"message":` +
			`"the body is not a request"}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"deploy",` +
			`"inputResponses":{"when":"now"}}}`: `{"jsonrpc":"2.0","id":"a","error":{"code":-32602,` +
			`"message":"the params are malformed"}}`,
	} {
		res, err := http.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusBadRequest || string(got) != want {
			t.Errorf("%s: %s %s, %v", body, res.Status, got, err)
		}
	}
}

// checkListing checks the tool deploy of the server at url, with the credentials of
// a user and of another person, if it has any.
func checkListing(t *testing.T, url string, user, other []wire.Field) {
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
		Target: playground.Target{ID: "listing", URL: url, Header: user,
			Capabilities: json.RawMessage(`{"elicitation":{}}`)},
		Person: other,
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
	bad := func(id string, o verdict.Outcome, text string) {
		if o.Wrong() {
			t.Errorf("%s: %s %s", id, o, text)
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
