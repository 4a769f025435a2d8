package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// older is a server of the official SDK from before 2026-07-28 that asks
// whatever the tool's name says.
func older(t *testing.T, stateless bool) http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "older", Title: "Older", Version: "3"}, &mcp.ServerOptions{
		SupportedProtocolVersions: playground.LegacyVersions(), Instructions: "Ask away.",
	})
	add := func(name string, run func(ctx context.Context, s *mcp.ServerSession) (string, error)) {
		tool := &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}
		s.AddTool(tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text, err := run(ctx, r.Session)
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})
	}
	add("plain", func(context.Context, *mcp.ServerSession) (string, error) { return "done", nil })
	add("form", askForm)
	add("model", func(ctx context.Context, s *mcp.ServerSession) (string, error) {
		r, err := s.CreateMessage(ctx,
			&mcp.CreateMessageParams{MaxTokens: 5,
				Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "hi"}}}})
		if err != nil {
			return "", err
		}
		return r.Model, nil
	})
	add("roots", func(ctx context.Context, s *mcp.ServerSession) (string, error) {
		r, err := s.ListRoots(ctx, nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d roots", len(r.Roots)), nil
	})
	add("roots aside", func(_ context.Context, s *mcp.ServerSession) (string, error) {
		r, err := s.ListRoots(context.Background(), nil) // on the stream that belongs to no call
		for err != nil && strings.Contains(err.Error(), "stream not connected") {
			time.Sleep(time.Second) // the client opens it when it likes
			r, err = s.ListRoots(context.Background(), nil)
		}
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d roots", len(r.Roots)), nil
	})
	add("twice", func(ctx context.Context, s *mcp.ServerSession) (string, error) {
		first, err := askForm(ctx, s)
		if err != nil {
			return "", err
		}
		second, err := askForm(ctx, s)
		return first + " " + second, err
	})
	t.Cleanup(func() {
		for session := range s.Sessions() {
			session.Close()
		}
	})
	options := &mcp.StreamableHTTPOptions{Stateless: stateless, DisableLocalhostProtection: true}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, options)
}

func askForm(ctx context.Context, s *mcp.ServerSession) (string, error) {
	ctx, stop := context.WithTimeout(ctx, time.Hour) // the SDK waits on in a session that is closed
	defer stop()
	r, err := s.Elicit(ctx, &mcp.ElicitParams{Message: "Which?", RequestedSchema: json.RawMessage(
		`{"type":"object","properties":{"word":{"type":"string","default":"so"}},"required":["word"]}`)})
	if err != nil {
		return "", err
	}
	word, _ := r.Content["word"].(string)
	return r.Action + " " + word, nil
}

func olderPeer(t *testing.T, h http.Handler) *peer {
	p := newPeer(t, h)
	p.x.Target.Era = playground.Legacy
	return p
}

func TestAnOlderServerAsksInTheSameRounds(t *testing.T) {
	tests := []struct{ tool, outcomes, text string }{
		{"plain", "tools/call complete", "done"},
		{"form", "tools/call input_required,  complete", "accept so"},
		{"model", "tools/call input_required,  complete", "a-person"},
		{"roots", "tools/call input_required,  complete", "0 roots"},
		{"roots aside", "tools/call complete", "1 roots"}, // no question of the call
		{"twice", "tools/call input_required,  input_required,  complete", "accept so accept so"},
	}
	for _, test := range tests {
		t.Run(test.tool, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := olderPeer(t, older(t, false))
				p.tool("/", test.tool, `{}`)
				f := p.finish()
				want(t, f, playground.StatusComplete, test.outcomes)
				if got := text(f.Last()); got != test.text {
					t.Errorf("result %q", got)
				}
				if !f.Last().Legacy || len(f.Round(1).Others) == 0 {
					t.Errorf("round 1 has %d other requests", len(f.Round(1).Others))
				}
			})
		})
	}
}

// TestOnlyWhatTheUserDeclaresIsDeclared: extensions came with 2026-07-28.
func TestOnlyWhatTheUserDeclaresIsDeclared(t *testing.T) {
	for capabilities, want := range map[string]string{
		everything: `"capabilities":{"sampling":{},"elicitation":{"form":{},` +
			`"url":{}},"roots":{}}`,
		`{}`:                                   `"capabilities":{}`,
		`{"roots":{},"sampling":{"tools":{}}}`: `"capabilities":{"sampling":{"tools":{}},"roots":{}}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			p := olderPeer(t, older(t, false))
			p.x.Target.Capabilities = json.RawMessage(capabilities)
			p.tool("/", "plain", `{}`)
			p.finish()
			for _, e := range p.log.Events("x") {
				if body := string(e.Data); e.Kind == playground.Sent &&
					strings.Contains(body, `"initialize"`) && !strings.Contains(body, want) {
					t.Errorf("declared %s: sent %s", capabilities, body)
				}
			}
		})
	}
}

func TestTheAnswerIsSentAsTheUserDecided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, false))
		p.tool("/", "form", `{}`)
		f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		value := json.RawMessage(`{"action":"accept","content":{"word":"<é>","n":1.0,  "n":1e400}}`)
		d := playground.Decision{Action: playground.ActionAnswer, Round: 2,
			Answers: []playground.Answer{{Key: f.Last().Questions[0].Key, Value: value}}}
		f = p.decide(d)
		if body := string(f.Last().Request.Body); !strings.Contains(body, string(value)) {
			t.Errorf("sent %s", body)
		}
	})
}

// awayLog is a Log whose storage is away for the next requests.
type awayLog struct {
	*run.Memory
	refuses atomic.Int64
}

func (l *awayLog) Append(ctx context.Context, id string, sum playground.Summary,
	events ...playground.Event) error {
	if events[len(events)-1].Kind == playground.Sent && l.refuses.Add(-1) >= 0 {
		return fmt.Errorf("append: %w", playground.ErrStorage)
	}
	return l.Memory.Append(ctx, id, sum, events...)
}

// TestAnAnswerWaitsForTheStorage: the answers to a call that is open are on record as
// decided, so they are sent once their request can be recorded too.
func TestAnAnswerWaitsForTheStorage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, false))
		p.stop()
		log := &awayLog{Memory: p.log}
		p.runner = run.New(run.Config{Log: log, Caller: p.wire, Open: p.wire.WithLimits(legacy.Limits()),
			Client: playground.Client{Name: "test", Version: "1"}, Now: time.Now, Logger: logger()})
		p.tool("/", "form", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		log.refuses.Store(5)
		f := p.decide(p.answers())
		want(t, f, playground.StatusComplete, "tools/call input_required,  complete")
	})
}

func TestAStatelessOlderServerCannotAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, true))
		p.tool("/", "form", `{}`)
		f := p.finish()
		if f.Status != playground.StatusComplete && f.Status != playground.StatusFailed ||
			len(f.Rounds) != 1 {
			t.Errorf("got %s: %s", f.Status, path(f))
		}
	})
}

// TestACutOffCallOfAnOlderServerStaysOne: the process ended between the decision and the
// handshake, and the stored target has no era.
func TestACutOffCallOfAnOlderServerStaysOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole := olderPeer(t, older(t, false))
		whole.tool("/", "plain", `{}`)
		whole.finish()
		start := whole.log.Events("x")[0]
		p := newPeer(t, older(t, false))
		p.tool("/", "plain", `{}`)
		cut := playground.Event{At: start.At, Kind: playground.Interrupted}
		if err := p.log.Append(t.Context(), "x", playground.Summary{}, start, cut); err != nil {
			t.Fatal(err)
		}
		f := p.decide(playground.Decision{Action: playground.ActionResend, Round: 2})
		if f.Status != playground.StatusComplete || !f.Last().Legacy {
			t.Errorf("sent again: %s, %s", f.Status, path(f))
		}
	})
}

// TestAPersonMayThinkLonger than any limit of an answer.
func TestAPersonMayThinkLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, false))
		p.tool("/", "form", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		time.Sleep(5 * time.Minute)
		want(t, p.decide(p.answers()), playground.StatusComplete, "tools/call input_required,  complete")
	})
}

func TestAnOpenCallCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, false))
		p.tool("/", "form", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		if !p.runner.Cancel("x") {
			t.Fatal("nothing to cancel")
		}
		p.runner.Wait(t.Context(), "x")
		if f := p.folded(); f.Status != playground.StatusCancelled {
			t.Errorf("got %s: %s", f.Status, path(f))
		}
	})
}

// TestAnOpenCallIsLostWithItsProcess, whether it ends in peace or not, and can
// be started from the beginning.
func TestAnOpenCallIsLostWithItsProcess(t *testing.T) {
	for name, killed := range map[string]bool{"ended": false, "killed": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := olderPeer(t, older(t, false))
				p.tool("/", "twice", `{}`)
				p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
				p.decide(p.answers())
				log, began := p.log.Events("x"), time.Now()
				p.stop()
				if time.Since(began) > 2*time.Second {
					t.Errorf("closing took %s", time.Since(began))
				}
				p.start()
				if killed {
					p.log.Replace("x", log)
					p.x.Log = log
					if err := p.runner.Resume(t.Context(), p.x); err != nil {
						t.Fatal(err)
					}
				}
				f := p.folded()
				last := f.Last()
				if f.Status != playground.StatusInterrupted || last.Class != playground.CallLost ||
					!last.Resendable() || len(last.Questions) > 0 {
					t.Fatalf("got %s %s: %s", f.Status, last.Class, path(f))
				}
				f = p.decide(playground.Decision{Action: playground.ActionResend, Round: last.N + 1})
				for f.Status == playground.StatusWaiting {
					f = p.decide(p.answers())
				}
				if f.Status != playground.StatusComplete || text(f.Last()) != "accept so accept so" {
					t.Errorf("got %s: %s", f.Status, path(f))
				}
			})
		})
	}
}

func TestAnAnswerThatReachesAnotherCopyIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, samples(t))
		p.tool("/mcp/before-mrtr", "update_work_item",
			`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`)
		p.x.Target.Sample = "before-mrtr"
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		d := p.answers()
		d.Instance = "b"
		f := p.decide(d)
		last := f.Last()
		if f.Status != playground.StatusComplete || !last.IsError ||
			!strings.Contains(last.Lost, "instance b") || !strings.Contains(last.Lost, "404") {
			t.Errorf("got %s: %s; %s; %s", f.Status, path(f), last.Lost, text(last))
		}
	})
}

func TestAnOlderServerIsKnownByItsAnswer(t *testing.T) {
	for name, h := range map[string]func(*testing.T) (http.Handler, string){
		"sdk, stateful":  func(t *testing.T) (http.Handler, string) { return older(t, false), "/" },
		"sdk, stateless": func(t *testing.T) (http.Handler, string) { return older(t, true), "/" },
		"sample":         func(t *testing.T) (http.Handler, string) { return samples(t), "/mcp/before-mrtr" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler, at := h(t)
				p := newPeer(t, handler)
				target := playground.Target{ID: "t", URL: "http://peer" + at,
					Capabilities: json.RawMessage(everything)}
				if err := p.runner.Connect(t.Context(), target, nil); err != nil {
					t.Fatal(err)
				}
				p.runner.Wait(t.Context(), "t")
				stored := server.FoldConnection(p.log.Events("t"))
				if c := stored; c.Era != playground.Legacy || c.Status != server.Connected ||
					len(c.Tools) == 0 || c.Name == "" {
					t.Errorf("got %q %s, %d tools, %s %s", c.Era, c.Status, len(c.Tools), c.Class, c.Detail)
				}
			})
		})
	}
}

// TestConnect_ChosenEra: a server has the era that the user chose.
func TestConnect_ChosenEra(t *testing.T) {
	connect := func(t *testing.T, p *peer, era playground.Era) (server.Connection, string) {
		target := playground.Target{ID: "t", URL: "http://peer/", Era: era,
			Capabilities: json.RawMessage(everything)}
		if err := p.runner.Connect(t.Context(), target, nil); err != nil {
			t.Fatal(err)
		}
		p.runner.Wait(t.Context(), "t")
		var sent strings.Builder
		for _, e := range p.log.Events("t") {
			if e.Kind == playground.Sent {
				sent.Write(e.Data)
			}
		}
		return server.FoldConnection(p.log.Events("t")), sent.String()
	}
	synctest.Test(t, func(t *testing.T) {
		c, sent := connect(t, newPeer(t, older(t, false)), playground.Legacy)
		if c.Status != server.Connected || c.Era != playground.Legacy || len(c.Tools) == 0 ||
			strings.Contains(sent, "server/discover") {
			t.Errorf("legacy: %s %s %s\n%s", c.Era, c.Status, c.Detail, sent)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Method") != "tools/list" {
				http.Error(w, "unknown", http.StatusNotFound)
				return
			}
			mcptest.Complete(`"tools":[{"name":"t"}]`).Write(w, mcptest.Read(r))
		}))
		c, sent := connect(t, p, playground.Modern)
		if c.Status != server.Connected || c.Era != playground.Modern || len(c.Tools) != 1 ||
			strings.Contains(sent, "initialize") {
			t.Errorf("modern: %s %s %s\n%s", c.Era, c.Status, c.Detail, sent)
		}
	})
}

// TestConnect_AgainInAnotherEra: the end of the session of an earlier attempt is no part of
// the next one.
func TestConnect_AgainInAnotherEra(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, release := older(t, false), make(chan struct{})
		results := map[string]string{
			"server/discover": `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}`,
			"tools/list":      `"tools":[{"name":"t"}]`,
		}
		p := newPeer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			result, modern := results[r.Header.Get("Mcp-Method")]
			switch {
			case r.Method == http.MethodDelete:
				<-release
				w.WriteHeader(http.StatusNoContent)
			case modern:
				mcptest.Complete(result).Write(w, mcptest.Read(r))
			default:
				old.ServeHTTP(w, r)
			}
		}))
		target := playground.Target{ID: "t", URL: "http://peer/", Capabilities: json.RawMessage(everything)}
		for _, target.Era = range []playground.Era{playground.Legacy, playground.Modern} {
			if err := p.runner.Connect(t.Context(), target, nil); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			c := server.FoldConnection(p.log.Events("t"))
			if c.Status != server.Connected || c.Era != target.Era {
				t.Errorf("%s: %q %s (%s %s)", target.Era, c.Era, c.Status, c.Class, c.Detail)
			}
		}
		close(release)
		p.runner.Wait(t.Context(), "t")
		c := server.FoldConnection(p.log.Events("t"))
		if c.Status != server.Connected || len(c.Trips) != len(results) {
			t.Errorf("%s after %d requests (%s %s)", c.Status, len(c.Trips), c.Class, c.Detail)
		}
	})
}
