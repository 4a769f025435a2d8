package run_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const everything = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// peer is a server in memory and a runner that talks to it.
type peer struct {
	t      *testing.T
	log    *run.Memory
	wire   *wire.Client
	runner *run.Runner
	limits run.Limits
	x      playground.Exchange
}

// newPeer serves h; nothing of it is left when the test ends.
func newPeer(t *testing.T, h http.Handler) *peer {
	t.Helper()
	memory := wire.NewListener("peer")
	server := &http.Server{Handler: h}
	go func() { _ = server.Serve(memory) }()
	client := wire.New(wire.Config{InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
		conn, err := memory.Dial(ctx)
		return conn, err == nil
	}})
	p := &peer{t: t, log: run.NewMemory(), wire: client}
	p.x = playground.Exchange{ID: "x", Target: playground.Target{Name: "peer", URL: "http://peer/mcp",
		Capabilities: json.RawMessage(everything)}}
	p.start()
	t.Cleanup(func() {
		p.stop()
		_ = server.Close()
	})
	return p
}

// start begins a process; stop ends it. What lasts is in the log.
func (p *peer) start() {
	p.runner = run.New(run.Config{
		Log: p.log, Caller: p.wire, Open: p.wire.WithLimits(legacy.Limits()),
		Client: playground.Client{Name: "test", Version: "1"},
		Now:    time.Now, Logger: logger(), Limits: p.limits,
		Roots: func(context.Context, string) (json.RawMessage, error) {
			return json.RawMessage(`[{"uri":"file:///home/ada"}]`), nil
		},
	})
}

func logger() *slog.Logger {
	if os.Getenv("RUN_TEST_LOG") != "" {
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return slog.New(slog.DiscardHandler)
}

func (p *peer) stop() {
	if p.runner == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = p.runner.Close(ctx)
	p.runner = nil
}

// samples serves the project's own samples.
func samples(t *testing.T) *sampletools.Catalog {
	t.Helper()
	keys := seal.Generate()
	c, err := sampletools.New(sampletools.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func (p *peer) tool(path, name, arguments string) {
	p.x.Target.URL = "http://peer" + path
	p.x.Call = playground.Call{Method: playground.ToolsCall,
		Params: json.RawMessage(`{"name":"` + name + `","arguments":` + arguments + `}`)}
}

func (p *peer) folded() playground.Transcript { return playground.Fold(p.log.Events("x")) }

// decide sends a decision and waits until the next decision is needed.
func (p *peer) decide(d playground.Decision) playground.Transcript {
	p.t.Helper()
	p.begin(d)
	p.runner.Wait(p.t.Context(), "x")
	return p.folded()
}

func (p *peer) begin(d playground.Decision) {
	p.t.Helper()
	p.x.Log = p.log.Events("x")
	if _, err := p.runner.Decide(p.t.Context(), p.x, d); err != nil {
		p.t.Fatalf("%s: %v", d.Action, err)
	}
}

// answers returns a placeholder answer to every question.
func (p *peer) answers() playground.Decision {
	p.t.Helper()
	last := p.folded().Last()
	d := playground.Decision{Action: playground.ActionAnswer, Round: last.N + 1}
	for _, prompt := range question.Forms(*last) {
		response, err := prompt.Placeholder()
		if err != nil {
			p.t.Fatal(err)
		}
		d.Answers = append(d.Answers, response)
	}
	return d
}

// finish answers until nothing is asked.
func (p *peer) finish() playground.Transcript {
	p.t.Helper()
	f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
	for f.Status == playground.StatusWaiting {
		f = p.decide(p.answers())
	}
	return f
}

// path has the methods and outcomes of all Rounds, in order.
func path(f playground.Transcript) string {
	var words []string
	for _, r := range f.Rounds {
		words = append(words, r.Method+" "+string(r.Kind))
	}
	return strings.Join(words, ", ")
}

func text(r *playground.Round) string {
	content := r.Final.Get("content")
	if content.Len() == 0 {
		return ""
	}
	return content.Items[0].Get("text").Str()
}

func want(t *testing.T, f playground.Transcript, status playground.Status, outcomes string) {
	t.Helper()
	if got := path(f); f.Status != status || got != outcomes {
		last := f.Last()
		t.Fatalf("got %s: %s\nwant %s: %s\nlast: %s %s", f.Status, got, status, outcomes,
			last.Class, last.Detail)
	}
}

// sameIDs are JSON-RPC ids that were sent twice.
func sameIDs(log []playground.Event) []string {
	var seen, twice []string
	for _, e := range log {
		if e.Kind != playground.Sent {
			continue
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(wire.Split(e.Data).Body, &m) // a GET has none
		if id := string(m.ID); m.Method != "" && id != "" {
			if slices.Contains(seen, id) {
				twice = append(twice, id)
			}
			seen = append(seen, id)
		}
	}
	return twice
}
