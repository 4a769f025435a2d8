package trial_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
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

// changed runs the test through a gateway with a changed Config.
func changed(
	t *testing.T, gate func(*url.URL) http.Handler, change func(*trial.Config),
) (gateway.Recording, error) {
	t.Helper()
	up := upstream.New(clienttest.New(clienttest.Config{Hold: patient, Gateway: true}), time.Now)
	behind := httptest.NewServer(up)
	t.Cleanup(behind.Close)
	at, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(gate(at))
	t.Cleanup(front.Close)
	c := trial.Config{
		Engine: run.Config{
			Caller: wire.New(wire.Config{}), Client: playground.Client{Name: "test", Version: "1"},
			Now: time.Now, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		},
		Target: playground.Target{URL: front.URL + "/mcp"}, Upstream: up, NewID: rand.Text,
		Wait: time.Minute, Limit: time.Minute, Patience: patient, Pause: drive.Pause,
	}
	change(&c)
	c.Target.Name = c.Target.URL
	c.Target = c.Target.WithSecrets(nil, nil)
	return trial.Run(t.Context(), c)
}

// few is a hop that lists some tools only.
func few(h hop, names ...string) hop {
	h.message = func(_ *http.Request, _, m object) bool {
		list, ok := get(m, "result")["tools"].([]any)
		if ok {
			get(m, "result")["tools"] = slices.DeleteFunc(list, func(e any) bool {
				return !slices.Contains(names, e.(object)["name"].(string))
			})
		}
		return true
	}
	return h
}

// refuses is a hop that answers requests with a method with an error.
func refuses(method string, message func(*http.Request) string) func(at *url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return hop{at: at, answer: func(w http.ResponseWriter, r *http.Request, m object) bool {
			if m["method"] != method {
				return false
			}
			answer(w, object{"jsonrpc": "2.0", "id": m["id"], "error": object{
				"code": -32000, "message": message(r),
			}})
			return true
		}}
	}
}

// once does not wait.
func once(context.Context, time.Duration) error { return context.Canceled }

const secret = "verysecrettoken123"

// holds reports whether a recording has a text anywhere.
func holds(t *testing.T, rec gateway.Recording, text string) bool {
	t.Helper()
	b, err := json.Marshal(rec.Calls)
	if err != nil {
		t.Fatal(err)
	}
	parts := [][]byte{b, []byte(rec.Gap), []byte(rec.Gateway)}
	for _, c := range rec.Calls {
		for _, e := range slices.Concat(c.Log, c.Fetched) {
			parts = append(parts, e.Data)
		}
	}
	for _, e := range rec.Upstream {
		parts = append(parts, e.Data)
	}
	for _, l := range gateway.Report(rec).Group(gateway.GroupLines).Lines {
		parts = append(parts, []byte(l.Sentence))
	}
	return slices.ContainsFunc(parts, func(p []byte) bool { return bytes.Contains(p, []byte(text)) })
}

// TestRun_MasksWhatAGatewayEchoes: the credentials of the client are nowhere in the recording, though
// the gateway has them in a message, in names and in definitions, whose calls are made all the same.
func TestRun_MasksWhatAGatewayEchoes(t *testing.T) {
	header := func(c *trial.Config) {
		c.Target.Header = []wire.Field{{Name: "Authorization", Value: "Bearer " + secret}}
		c.Pause = once
	}
	rec, err := changed(t, refuses("tools/list", func(r *http.Request) string {
		return strings.Repeat("x", 165) + "bad credentials: " + r.Header.Get("Authorization")
	}), header)
	if err != nil || !strings.Contains(rec.Gap, "bad cred") || holds(t, rec, secret[:8]) {
		t.Errorf("%v, %s", err, rec.Gap)
	}

	names := func(at *url.URL) http.Handler {
		return hop{
			at: at,
			message: func(_ *http.Request, _, m object) bool {
				list, _ := get(m, "result")["tools"].([]any)
				for _, e := range list {
					if e.(object)["name"] == "hop_result" {
						e.(object)["name"], e.(object)["description"] = secret+"_hop_result", secret
						get(m, "result")["tools"] = []any{e}
					}
				}
				return true
			},
			request: func(r *http.Request, m object) bool {
				if p := get(m, "params"); p["name"] == secret+"_hop_result" {
					p["name"] = "hop_result"
					r.Header.Set("Mcp-Name", "hop_result")
					return true
				}
				return false
			},
		}
	}
	rec, err = changed(t, names, header)
	called := slices.IndexFunc(rec.Calls, func(c gateway.Call) bool { return c.Tool == "hop_result" })
	if err != nil || called < 0 || holds(t, rec, secret) {
		t.Fatalf("%v, call %d", err, called)
	}
	rounds := playground.Connections(rec.Calls[called].Log)
	if c := rec.Calls[called]; c.Name != strings.Repeat("*", len(secret))+"_hop_result" || c.Def == nil ||
		len(rounds) == 0 || rounds[0].Kind != playground.OutcomeComplete {
		t.Errorf("%s, %+v", c.Name, rounds)
	}
}

// TestRun_MasksTheAddress: a secret in the address of the gateway is not in the recording, and the
// metadata about this address are right.
func TestRun_MasksTheAddress(t *testing.T) {
	for _, key := range []string{secret, "short"} {
		var own string
		rec, err := changed(t, func(at *url.URL) http.Handler {
			return few(hop{
				at: at, answer: func(w http.ResponseWriter, r *http.Request, _ object) bool {
					if r.Method == http.MethodGet {
						answer(w, object{"resource": own})
					}
					return r.Method == http.MethodGet
				},
			}, "hop_challenge")
		}, func(c *trial.Config) {
			c.Target.URL += "?api_key=" + key
			own = c.Target.URL
		})
		if err != nil || holds(t, gateway.Recording{Calls: rec.Calls, Gateway: rec.Gateway},
			"api_key="+key) &&
			key == secret {
			t.Errorf("%v, the key is in the recording", err)
		}
		i := slices.IndexFunc(rec.Calls, func(c gateway.Call) bool { return c.Metadata != "" })
		if i < 0 || strings.Contains(rec.Calls[i].Metadata, key) || strings.Contains(rec.Gateway, key) {
			t.Errorf("%d, %+v", i, rec.Calls)
		}
		for _, l := range gateway.Report(rec).Group(gateway.GroupLines).Lines {
			if strings.Contains(l.Sentence, "The metadata") {
				t.Error(l.Sentence)
			}
		}
	}
}

// TestRun_NamesTheListThatFailed: the sentence is about the list that was asked for.
func TestRun_NamesTheListThatFailed(t *testing.T) {
	for method, want := range map[string]string{
		playground.PromptsGet:    "The gateway does not list the prompts of the upstream: error -32000, no",
		playground.ResourcesRead: "The gateway does not list the resources of the upstream: error -32000, no",
	} {
		list := map[string]string{"prompts/get": "prompts/list", "resources/read": "resources/list"}[method]
		refusing := refuses(list, func(*http.Request) string { return "no" })
		rec, err := changed(t, refusing, func(c *trial.Config) {
			c.Own, c.Pause = []trial.OwnCall{{Method: method, Name: "x"}}, once
		})
		if err != nil || rec.Gap != want+"." {
			t.Errorf("%v, %s", err, rec.Gap)
		}
	}
}

// TestRun_MetadataAreCutOff: metadata that do not arrive whole are served.
func TestRun_MetadataAreCutOff(t *testing.T) {
	rec, err := changed(t, func(at *url.URL) http.Handler {
		return few(hop{
			at: at,
			answer: func(w http.ResponseWriter, r *http.Request, _ object) bool {
				if r.Method == http.MethodGet {
					w.Header().Set("Content-Length", "1000")
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, `{"resource":`)
				}
				return r.Method == http.MethodGet
			},
		}, "hop_challenge")
	}, func(*trial.Config) {})
	if err != nil {
		t.Fatal(err)
	}
	lines := gateway.Report(rec).Group(gateway.GroupLines).Lines
	i := slices.IndexFunc(lines, func(l verdict.Line) bool { return l.ID == gateway.Challenge })
	if !strings.Contains(lines[i].Sentence, "did not arrive whole: ") {
		t.Error(lines[i].Sentence)
	}
}

// TestRun_TaskDoesNotEnd: a call that should become a task and gets no answer is given up after the
// limit of a call.
func TestRun_TaskDoesNotEnd(t *testing.T) {
	var asked atomic.Int32
	rec, err := changed(t, func(at *url.URL) http.Handler {
		return few(hop{at: at, answer: func(_ http.ResponseWriter, r *http.Request, m object) bool {
			holds := get(m, "params")["name"] == "task_cancel"
			if holds {
				asked.Add(1)
				<-r.Context().Done()
			}
			return holds
		}}, "hop_result", "task_cancel")
	}, func(c *trial.Config) { c.Limit = 2 * time.Second })
	if err != nil || asked.Load() == 0 || rec.Interrupted {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
}

// deleted is an upstream whose record was deleted.
type deleted struct{ trial.Upstream }

func (deleted) Log(context.Context) ([]playground.Event, error) { return nil, playground.ErrNotFound }

// TestRun_RecordIsDeleted: the test ends when nothing can be compared any more.
func TestRun_RecordIsDeleted(t *testing.T) {
	rec, err := changed(t, func(at *url.URL) http.Handler { return hop{at: at} }, func(c *trial.Config) {
		c.Upstream = deleted{c.Upstream}
	})
	tools := 0
	for _, c := range rec.Calls {
		if c.Method == playground.ToolsCall {
			tools++
		}
	}
	if !errors.Is(err, playground.ErrNotFound) || !rec.Interrupted || tools != 3 {
		t.Errorf("%v, %d calls", err, tools)
	}
}

// TestRun_ListsWithoutEnd: of lists that are too large, no more is kept.
func TestRun_ListsWithoutEnd(t *testing.T) {
	rec, err := changed(t, func(at *url.URL) http.Handler {
		return hop{at: at, message: func(_ *http.Request, _, m object) bool {
			list, ok := get(m, "result")["tools"].([]any)
			if ok {
				list[0].(object)["description"] = strings.Repeat("x", 1_000_000)
				get(m, "result")["nextCursor"] = "more"
			}
			return true
		}, request: func(_ *http.Request, m object) bool {
			delete(get(m, "params"), "cursor")
			return m["method"] == "tools/list"
		}}
	}, func(*trial.Config) {})
	size := 0
	for _, c := range rec.Calls {
		for _, e := range c.Fetched {
			size += len(e.Data)
		}
	}
	if err != nil || !strings.Contains(rec.Gap, "larger than 2 MiB") || size == 0 || size > 2<<20 {
		t.Errorf("%v, %s, %d bytes", err, rec.Gap, size)
	}
}

// TestRun_CallIsNotKept: the test ends with the error of Called.
func TestRun_CallIsNotKept(t *testing.T) {
	failed, n := errors.New("the disk is full"), 0
	rec, err := changed(t, func(at *url.URL) http.Handler { return hop{at: at} }, func(c *trial.Config) {
		c.Called = func(call gateway.Call) error {
			if call.Exchange == "" {
				return nil
			}
			n++
			return failed
		}
	})
	if !errors.Is(err, failed) || n != 1 || !rec.Interrupted {
		t.Errorf("%v, %d calls", err, n)
	}
}
