package endpoint_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/mock/endpoint"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// mostRounds is where a call is left that asks for ever.
const mostRounds = 6

const capabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// clientOf is the program's own client of a server in memory.
func clientOf(t *testing.T, h http.Handler) (run.Config, drive.Driver) {
	t.Helper()
	memory := wire.NewListener("memory")
	site := &http.Server{Handler: h, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	go func() { _ = site.Serve(memory) }()
	c := run.Config{
		Log: run.NewMemory(), Client: playground.Client{Name: "test", Version: "1"}, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler),
		Caller: wire.New(wire.Config{InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
			conn, err := memory.Dial(ctx)
			return conn, err == nil
		}}),
	}
	runner := run.New(c)
	t.Cleanup(func() {
		_ = runner.Close(context.Background())
		_ = site.Close()
	})
	return c, drive.Driver{
		Runner: runner, Client: c.Client, Now: time.Now, Most: time.Minute, Late: time.Second,
		Decide: drive.Answers(question.Form.Placeholder),
		Wait:   func(_ context.Context, d time.Duration) error { time.Sleep(d); return nil },
	}
}

// summary is what a call came to: each Round, without what a clock or a random number decides.
func summary(x playground.Exchange) string {
	var b strings.Builder
	f := x.Fold()
	for _, r := range f.Rounds {
		fmt.Fprintf(&b, "%d %s %s %s", r.N, r.Kind, r.Class, r.Cause)
		for _, q := range r.Questions {
			fmt.Fprintf(&b, " %s=%s", q.Key, q.Params.Raw())
		}
		fmt.Fprintf(&b, " %s", r.Final.Raw())
		if r.Error != nil {
			fmt.Fprintf(&b, " %d %s", r.Error.Code, r.Error.Message)
		}
		b.WriteByte('\n')
	}
	return b.String() + string(f.Status)
}

// TestEndpoint_ServesEachSample: every tool of every sample is called, recorded, and called
// again at the recording, which a file has kept.
func TestEndpoint_ServesEachSample(t *testing.T) {
	catalog, err := sampletools.New(sampletools.Config{Keys: seal.Generate()})
	if err != nil {
		t.Fatal(err)
	}
	list := catalog.Samples()
	catalog.Close()
	calls := 0
	for _, sample := range list {
		for _, era := range []playground.Era{playground.Modern, playground.Legacy} {
			if sample.Era == sampletools.Legacy && era == playground.Modern {
				continue
			}
			t.Run(sample.Slug+"/"+string(era), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { calls += serveAgain(t, sample, era) })
			})
		}
	}
	if calls < 250 {
		t.Errorf("%d calls", calls)
	}
}

// notServed are the tools whose answers are neither JSON nor an event stream, and what a client
// is told instead.
var notServed = map[string]string{
	"not_json": "The recorded answer is text/html.",
	"busy":     "The recorded answer is text/plain.",
}

func isWithheld(tool, said string) bool {
	words, ok := notServed[tool]
	return ok && strings.Contains(said, words)
}

// serveAgain calls every tool of a sample, and what was recorded of it. It returns how many
// calls there were.
func serveAgain(t *testing.T, sample sampletools.Sample, era playground.Era) (calls int) {
	catalog, err := sampletools.New(sampletools.Config{
		Keys: seal.Generate(), Now: time.Now,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(catalog.Close)
	config, driver := clientOf(t, catalog)
	target := playground.Target{
		ID: "sample", URL: "http://memory" + sample.Path(), Capabilities: []byte(capabilities), Era: era,
	}
	asked := target
	asked.Era = ""
	connection := drive.Discover(t.Context(), config, asked)
	for _, call := range callsOf(sample, connection.Tools) {
		x := playground.Exchange{ID: fmt.Sprintf("x%d", calls), Target: target, Call: call,
			Created: time.Now()}
		was, err := driver.To(t.Context(), x, mostRounds)
		if err != nil && !drive.IsUnanswered(err) || strings.HasPrefix(call.Name(), "asks_undeclared") {
			continue // the client cannot answer it, or is answered before it has
		}
		is := again(t, was)
		if a, b := summary(was), summary(is); a != b && !isWithheld(call.Name(), b) {
			t.Errorf("%s was\n%s\nis\n%s", call.Name(), a, b)
		}
		calls++
	}
	return calls
}

// callsOf returns a call of each tool, and the sample's own.
func callsOf(sample sampletools.Sample, tools []server.Tool) []playground.Call {
	own := playground.Call{Method: sample.Start.Method, Params: sample.Start.Params}
	list := []playground.Call{own}
	for _, tool := range tools {
		if tool.Name == own.Name() || tool.Excluded != "" {
			continue
		}
		params, err := json.Marshal(map[string]any{"name": tool.Name, "arguments": map[string]any{}})
		if err == nil {
			list = append(list, playground.Call{Method: playground.ToolsCall, Params: params,
				Tool: tool.Definition})
		}
	}
	return list
}

// again writes a call to a file, reads it, serves it, and makes it again.
func again(t *testing.T, was playground.Exchange) playground.Exchange {
	t.Helper()
	file, err := export.JSON(session.Session{Title: "t", Exchanges: []playground.Exchange{was}})
	if err != nil {
		t.Fatal(err)
	}
	read, err := export.Import(file, 10<<20)
	if err != nil {
		t.Fatal(err)
	}
	e := &endpoint.Endpoint{Recording: mock.New(read, mock.Usual()), Turns: &endpoint.Counter{}}
	_, driver := clientOf(t, e)
	x := was
	x.Log, x.Reading = nil, nil
	is, err := driver.To(t.Context(), x, mostRounds)
	if err != nil && !drive.IsUnanswered(err) {
		t.Fatal(was.Call.Name(), err)
	}
	return is
}
