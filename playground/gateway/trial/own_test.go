package trial_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
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
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// TestNames_AreListed: the server for the test lists what is called, and nothing else.
func TestNames_AreListed(t *testing.T) {
	server := clienttest.New(clienttest.Config{Gateway: true})
	var listed []string
	for method, member := range map[string][2]string{
		"tools/list": {"tools", "name"}, "prompts/list": {"prompts", "name"},
		"resources/list": {"resources", "uri"},
	} {
		for cursor := any(""); cursor != nil; {
			w := httptest.NewRecorder()
			server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader(text(object{
				"jsonrpc": "2.0", "id": 1, "method": method, "params": object{"cursor": cursor},
			}))))
			page := get(read(w.Body.Bytes()), "result")
			for _, x := range page[member[0]].([]any) {
				listed = append(listed, x.(object)[member[1]].(string))
			}
			cursor = page["nextCursor"]
		}
	}
	called := trial.Names()
	slices.Sort(listed)
	slices.Sort(called)
	if called = slices.Compact(called); !slices.Equal(listed, called) {
		t.Errorf("listed are %v, called are %v", listed, called)
	}
}

// storage keeps exchanges as a database does.
type storage struct {
	*run.Memory
	mu    sync.Mutex
	begun []playground.Exchange
	full  bool
}

func (s *storage) begin(_ context.Context, x playground.Exchange) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return playground.ErrFull
	}
	s.begun = append(s.begun, x)
	return nil
}

func (s *storage) events(_ context.Context, id string) ([]playground.Event, error) {
	return s.Events(id), nil
}

// azure are calls at the sample azure-devops: the first has the keys that the sample asks.
func azure() []trial.OwnCall {
	return []trial.OwnCall{{
		Method: playground.ToolsCall, Name: "update_work_item",
		Arguments: json.RawMessage(`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`),
		Answers: map[string]json.RawMessage{
			"resolution":   json.RawMessage(`{"resolution":"Duplicate"}`),
			"duplicate_of": json.RawMessage(`{"duplicateOfId":4301}`),
		},
	}, {
		Method: playground.ToolsCall, Name: "update_work_item",
		Arguments: json.RawMessage(`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`),
	}}
}

// own runs the test of a gateway at a sample, with stored calls.
func own(
	t *testing.T, s *storage, sample string, calls []trial.OwnCall, gate func(*url.URL) http.Handler,
) (gateway.Recording, []gateway.Call, error) {
	t.Helper()
	catalog, err := sampletools.New(sampletools.Config{Keys: seal.Generate()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(catalog.Close)
	up := upstream.New(catalog, time.Now)
	behind := httptest.NewServer(up)
	t.Cleanup(behind.Close)
	at, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(gate(at))
	t.Cleanup(front.Close)
	target := front.URL + "/mcp/" + sample
	engine := run.Config{
		Caller: wire.New(wire.Config{}), Client: playground.Client{Name: "test", Version: "1"},
		Now: time.Now, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Log: s.Memory,
	}
	runner := run.New(engine)
	t.Cleanup(func() { _ = runner.Close(context.WithoutCancel(t.Context())) })
	var ended []gateway.Call
	rec, err := trial.Run(t.Context(), trial.Config{
		Engine: engine, Target: playground.Target{Name: target, URL: target}, Upstream: up, NewID: rand.Text,
		Runner: runner, Begin: s.begin, Events: s.events, Session: "session", Own: calls,
		Called: func(c gateway.Call) error {
			ended = append(ended, c)
			return nil
		},
		Wait: time.Minute, Limit: time.Minute, Patience: patient, Pause: drive.Pause,
	})
	return rec, ended, err
}

// TestRun_Own: a foreign upstream is called without a mark, each call twice, and a fault of the
// gateway is named by its line.
func TestRun_Own(t *testing.T) {
	hops := append(faulty(), fault{name: "a plain one", gate: func(at *url.URL) http.Handler {
		return hop{at: at}
	}})
	for _, name := range []string{
		"a plain one", "alters the state", "drops the state of a result", "renames the keys of answers",
		"words the question anew", "adds an argument", "drops the answers", "answers a call from a cache",
	} {
		f := hops[slices.IndexFunc(hops, func(f fault) bool { return f.name == name })]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &storage{Memory: run.NewMemory()}
			rec, ended, err := own(t, s, "azure-devops", azure(), f.gate)
			if err != nil || len(rec.Calls) != 5 || len(s.begun) != 4 || len(ended) != 5 {
				t.Fatalf("%v, %d calls, %d stored, %d ended", err, len(rec.Calls), len(s.begun), len(ended))
			}
			r := gateway.Report(rec)
			want := []string{f.line}
			if f.line == "" {
				want = []string{}
			}
			if got := failures(t, r); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			passed := r.Counts().Of(verdict.Passed)
			if passed < 5 || passed > 25 {
				t.Errorf("%d lines passed", passed)
			}
			for i, x := range s.begun {
				if x.ID != rec.Calls[i+1].Exchange || x.Session != "session" || bytes.Contains(x.Call.Params,
					[]byte("mark")) {
					t.Errorf("%+v", x)
				}
			}
		})
	}
}

// TestRun_OwnPromptAndResource: calls of other methods are made with placeholders as answers, and
// judged; a server without tools is one too.
func TestRun_OwnPromptAndResource(t *testing.T) {
	calls := []trial.OwnCall{
		{Method: playground.PromptsGet, Name: "review_code", Arguments: json.RawMessage(`{"language":"go"}`)},
		{Method: playground.ResourcesRead, Name: "report://sales"},
	}
	for line, gate := range map[string]func(*url.URL) http.Handler{
		"": func(at *url.URL) http.Handler { return hop{at: at} },
		"arguments": sendsFor("prompts/get", func(_ *http.Request, p object) {
			get(p, "arguments")["language"] = "java"
		}),
		"header-name": sendsFor("resources/read", func(r *http.Request, _ object) {
			r.Header.Del("Mcp-Name")
		}),
		"called": sendsFor("resources/read", func(_ *http.Request, p object) {
			p["uri"] = "report://others"
		}),
	} {
		s := &storage{Memory: run.NewMemory()}
		rec, _, err := own(t, s, "prompt-resource", calls, gate)
		if err != nil || len(rec.Calls) < 6 || len(s.begun) != 4 {
			t.Fatalf("%v, %d calls, %d stored", err, len(rec.Calls), len(s.begun))
		}
		r := gateway.Report(rec)
		if got := strings.Join(failures(t, r), " "); got != line {
			t.Errorf("%s, want %s", got, line)
		}
		if passed := r.Counts().Of(verdict.Passed); line == "" && (passed < 10 || r.ExitCode() != 0) {
			t.Errorf("%d passed, exit code %d", passed, r.ExitCode())
		}
	}
}

// TestRun_Stored: calls that were stored as JSON, and their logs by the ids of the exchanges, give
// the same report.
func TestRun_Stored(t *testing.T) {
	s := &storage{Memory: run.NewMemory()}
	rec, ended, err := own(t, s, "client-test?for=gateway", nil, func(at *url.URL) http.Handler {
		return hop{at: at}
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(ended)
	if err != nil {
		t.Fatal(err)
	}
	again := gateway.Recording{Gateway: rec.Gateway, Upstream: rec.Upstream}
	if err := json.Unmarshal(b, &again.Calls); err != nil {
		t.Fatal(err)
	}
	for i, c := range again.Calls {
		again.Calls[i].Log = s.Events(c.Exchange)
	}
	var one, two bytes.Buffer
	r := gateway.Report(rec)
	if err := r.WriteText(&one); err != nil {
		t.Fatal(err)
	}
	if err := gateway.Report(again).WriteText(&two); err != nil || one.String() != two.String() {
		t.Errorf("%v\n%s\nis not\n%s", err, one.String(), two.String())
	}
	if got := failures(t, r); len(got) > 0 || r.Counts().Of(verdict.Passed) < 30 {
		t.Errorf("%v failed\n%s", got, one.String())
	}
}

// TestRun_StorageIsFull: the test ends with the error of the storage, and nothing is called.
func TestRun_StorageIsFull(t *testing.T) {
	s := &storage{Memory: run.NewMemory(), full: true}
	rec, _, err := own(t, s, "azure-devops", azure(), func(at *url.URL) http.Handler { return hop{at: at} })
	if err == nil || len(rec.Calls) != 1 || rec.Calls[0].Exchange != "" { // that is the list
		t.Errorf("%v, %d calls", err, len(rec.Calls))
	}
}
