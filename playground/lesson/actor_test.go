package lesson_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	written "github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver/authtest"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const base = "http://samples.test"

// clock is the clock of the servers.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// actor executes a script against the real samples, over HTTP without a port.
type actor struct {
	*testing.T
	where   string
	catalog *sampletools.Catalog
	caller  *wire.Client
	clock   *clock

	x        playground.Exchange
	declared json.RawMessage
	bearer   string
	scopes   []string // of the token; none for notes:read
	instance string
	answers  []playground.Answer
	edits    []jsontree.Pair
	header   []wire.Field // of the next request
	drop     []string     // headers that the next request leaves out
	conn     int

	frame     wire.Frame     // the last request
	sent, got *jsontree.Node // the last messages of any kind
	status    int            // HTTP status of the last response
	answered  wire.Head      // the head of the last response
	task      string
	plain     *jsontree.Node // the last response of the plain API that had a state
	legacy    legacyCall
	connected server.Connection

	whole bool // examples must show or mark every member, see lesson.Example
}

func newActor(t *testing.T) *actor {
	t.Helper()
	keys := seal.Generate()
	c := &clock{now: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)}
	catalog, err := sampletools.New(sampletools.Config{
		Keys: keys, Now: c.Now, BaseURL: base,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, Flows: exampleFlow,
	})
	if err != nil {
		t.Fatal(err)
	}
	l := wire.NewListener("samples")
	srv := &http.Server{Handler: catalog}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close(); catalog.Close() })
	caller := wire.New(wire.Config{InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
		conn, err := l.Dial(ctx)
		return conn, err == nil
	}})
	return &actor{T: t, catalog: catalog, caller: caller, clock: c}
}

// exampleFlow returns the starting points of flows.
func exampleFlow(_ context.Context, token string) (sampletools.FlowText, error) {
	x, ok := written.FindExample(token)
	if !ok {
		return sampletools.FlowText{}, sampletools.ErrNoFlow
	}
	return sampletools.FlowText{Digest: token, Source: x.Source, Example: true}, nil
}

func (a *actor) fail(format string, args ...any) {
	a.Helper()
	a.Errorf(a.where+": "+format, args...)
}

func (a *actor) must(err error) {
	a.Helper()
	if err != nil {
		a.Fatalf("%s: %v", a.where, err)
	}
}

// token returns a token of the person who acts. The protected sample gives one
// out; the others know two.
func (a *actor) token() string {
	if a.x.Target.Sample != "protected" {
		return "demo-" + a.bearer
	}
	scopes := a.scopes
	if scopes == nil {
		scopes = []string{"notes:read"}
	}
	token, err := authtest.Token(a.Context(), a.catalog, a.bearer, scopes...)
	a.must(err)
	return token
}

// begin starts a call: "SAMPLE[?QUERY] [METHOD PARAMS]".
func (a *actor) begin(rest string) {
	target, call, _ := strings.Cut(rest, " ")
	slug, query, _ := strings.Cut(target, "?")
	sample, ok := a.catalog.Lookup(slug)
	if !ok {
		a.Fatalf("%s: no sample %q", a.where, slug)
	}
	method, params := sample.Start.Method, sample.Start.Params
	if call != "" {
		name, text, _ := strings.Cut(call, " ")
		method, params = name, json.RawMessage(text)
	}
	url := base + sample.Path()
	if query != "" {
		url += "?" + query
	}
	declared := a.declared
	if declared == nil {
		declared = json.RawMessage(`{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`)
	}
	a.x = playground.Exchange{
		ID: "x", Call: playground.Call{Method: method, Params: params},
		Target: playground.Target{ID: slug, Sample: slug, Name: sample.Title, URL: url,
			Capabilities: declared},
	}
	a.conn, a.answers = 0, nil
	a.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
}

// decide sends what Next builds, with the edits of the script.
func (a *actor) decide(d playground.Decision) { a.send(d, a.next(d)) }

func (a *actor) next(d playground.Decision) wire.Request {
	d.Instance = a.instance
	a.x.Target.Header = a.authorization()
	req, err := playground.Next(a.x, playground.Fold(a.x.Log), d,
		playground.Client{Name: "test", Version: "1"})
	a.must(err)
	return req
}

// authorization returns the header of the person who acts.
func (a *actor) authorization() []wire.Field {
	if a.bearer == "" {
		return nil
	}
	return []wire.Field{{Name: "Authorization", Value: "Bearer " + a.token()}}
}

func (a *actor) send(d playground.Decision, req wire.Request) {
	var err error
	req.Params, err = jsontree.Set(req.Params, a.edits...)
	a.must(err)
	a.edits, a.answers, a.instance = nil, nil, ""
	frame, err := a.encode(req)
	a.must(err)
	a.conn++
	a.log(d.Event(a.clock.Now()))
	a.log(playground.Event{At: a.clock.Now(), Conn: a.conn, Kind: playground.Sent,
		Data: slices.Concat(frame.Head, frame.Body)})
	conn := a.conn
	a.caller.Send(a.Context(), req.URL, frame, func(p wire.Part) error {
		a.log(playground.PartEvent(p, conn))
		return nil
	})
	last := a.last()
	a.frame, a.sent, a.got, a.status = frame, last.Sent, nil, last.Head.Status
	a.answered = last.Head
	for _, m := range last.Messages {
		if m.IsResponse() {
			a.got = m.Node
		}
	}
	if last.Kind == playground.OutcomeTask {
		a.task = last.Result.Get("taskId").Str()
	}
}

// encode returns the frame of a request with the script's changes of its headers.
func (a *actor) encode(req wire.Request) (wire.Frame, error) {
	req.Header, req.Drop = append(req.Header, a.header...), a.drop
	a.header, a.drop = nil, nil
	return wire.Encode(req)
}

func (a *actor) log(e playground.Event) {
	e.Seq = len(a.x.Log) + 1
	a.x.Log = append(a.x.Log, e)
}

func (a *actor) last() playground.Round { return *playground.Fold(a.x.Log).Last() }

// retry sends the answers. "partial" and "extra" send them unchecked, which a
// correct client would not do.
func (a *actor) retry(how string) {
	last := a.last()
	d := playground.Decision{Action: playground.ActionAnswer, Round: last.N + 1, Answers: a.answers}
	if last.Kind == playground.OutcomeRetry {
		d.Action = playground.ActionRetry
	}
	if how == "" {
		a.decide(d)
		return
	}
	responses := json.RawMessage("{}")
	for _, r := range a.answers {
		var err error
		responses, err = jsontree.Set(responses, jsontree.Pair{Key: r.Key, Value: r.Value})
		a.must(err)
	}
	a.edits = append(a.edits, jsontree.Pair{Key: "inputResponses", Value: responses})
	whole := d
	whole.Answers = nil
	for _, q := range last.Questions {
		whole.Answers = append(whole.Answers, playground.Answer{Key: q.Key, Value: json.RawMessage("{}")})
	}
	a.send(d, a.next(whole))
}

// retryWhile sends retries while the last outcome is the given one.
func (a *actor) retryWhile(outcome string) {
	for string(a.last().Kind) == outcome {
		a.retry("")
	}
}

// resend sends the last request again with a new id.
func (a *actor) resend() {
	last := a.last()
	d := playground.Decision{Action: playground.ActionResend, Round: last.N + 1,
		Answers: last.Decision.Answers}
	a.send(d, wire.Request{URL: a.x.Target.URL, Method: last.Method, Header: a.authorization(),
		ID: strconv.AppendInt(nil, int64(d.Round), 10), Params: last.Sent.Get("params").Raw()})
}
