package trial_test

import (
	"crypto/rand"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/trial"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/upstream"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
)

// through runs the test through a gateway, which gets the address of the upstream, and returns
// what was recorded. A result that waits for the client is held for hold at most, as is the answer
// of a call that the client stops.
func through(t *testing.T, hold time.Duration, gate func(*url.URL) http.Handler) gateway.Recording {
	t.Helper()
	return throughWith(t, hold, nil, gate)
}

// throughWith is through with further header fields of the client.
func throughWith(
	t *testing.T, hold time.Duration, header []wire.Field, gate func(*url.URL) http.Handler,
) gateway.Recording {
	t.Helper()
	up := upstream.New(clienttest.New(clienttest.Config{Hold: hold, Gateway: true}), time.Now)
	behind := httptest.NewServer(up)
	t.Cleanup(behind.Close)
	target := behind.URL + "/mcp"
	if gate != nil {
		at, err := url.Parse(behind.URL)
		if err != nil {
			t.Fatal(err)
		}
		front := httptest.NewServer(gate(at))
		t.Cleanup(front.Close)
		target = front.URL + "/mcp"
	}
	rec, err := trial.Run(t.Context(), trial.Config{
		Engine: run.Config{
			Caller: wire.New(
				wire.Config{},
			), Client: playground.Client{Name: "test", Version: "1"}, Now: time.Now,
			Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		},
		Target: playground.Target{Name: target, URL: target, Header: header}, Upstream: up, NewID: rand.Text,
		Wait: time.Minute, Limit: time.Minute, Patience: patient, Pause: drive.Pause,
	})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// failures returns the ids of the lines that failed.
func failures(t *testing.T, r verdict.Report) []string {
	t.Helper()
	list := []string{}
	for _, l := range r.Group(gateway.GroupLines).Lines {
		if l.Outcome == verdict.Failed {
			list = append(list, l.ID)
			t.Logf("%s: %s", l.ID, l.Sentence)
		}
	}
	return list
}

// patient is time enough for what a right gateway does at once, on any machine.
const patient = 20 * time.Second

// TestRun_NoHop: with the address of the upstream as the gateway, everything is reached and holds,
// and nothing is named.
func TestRun_NoHop(t *testing.T) {
	rec := through(t, patient, nil)
	r := gateway.Report(rec)
	for _, l := range r.Group(gateway.GroupLines).Lines {
		if l.Outcome != verdict.Passed {
			t.Errorf("%s: %s %s", l.ID, l.Outcome, l.Sentence)
		}
	}
	if named := r.Group(gateway.GroupNamed).Lines; len(named) > 0 || !r.OK() || r.ExitCode() != 0 {
		t.Errorf("%v, exit code %d", named, r.ExitCode())
	}
	d := gateway.NewDocument(rec, r)
	requests := 0
	for _, c := range d.Calls {
		requests += len(c.Requests)
	}
	if !d.OK || !d.Judged || len(d.Calls) != len(rec.Calls) || requests < 50 {
		t.Errorf("%d calls, %d requests in the document", len(d.Calls), requests)
	}
}

// TestRun_PlainProxy: the reverse proxy of net/http/httputil is accused of nothing.
func TestRun_PlainProxy(t *testing.T) {
	rec := through(t, patient, func(at *url.URL) http.Handler {
		p := httputil.NewSingleHostReverseProxy(at)
		p.ErrorLog = log.New(io.Discard, "", 0) // a client that is gone is no error
		return p
	})
	if got := failures(t, gateway.Report(rec)); len(got) > 0 {
		t.Error(got)
	}
}
