package lesson_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestClaims executes what the lessons claim. Every lesson claims something.
func TestClaims(t *testing.T) {
	book, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range book.Lessons {
		t.Run(l.Slug, func(t *testing.T) {
			t.Parallel()
			if l.Script.Claims() < 3 {
				t.Errorf("only %d claims", l.Script.Claims())
			}
			play(t, l.Slug, l.Script)
		})
	}
}

// TestReferenceClaims executes what the reference pages claim.
func TestReferenceClaims(t *testing.T) {
	for _, r := range book(t).References {
		t.Run(r.Slug, func(t *testing.T) {
			t.Parallel()
			play(t, r.Slug, r.Script)
		})
	}
}

func play(t *testing.T, page string, script lesson.Script) {
	a := newActor(t)
	for _, step := range script {
		a.where = page + ", " + step.Where
		a.do(step)
	}
}

func (a *actor) do(s lesson.Step) {
	switch s.Verb {
	case "call":
		a.legacy = legacyCall{}
		a.begin(s.Rest)
	case "declare":
		a.declared = json.RawMessage(s.Rest)
	case "as":
		words := strings.Fields(s.Rest)
		a.bearer, a.scopes = strings.TrimPrefix(words[0], "anonymous"), words[1:]
		if len(a.scopes) == 0 {
			a.scopes = nil
		}
	case "to":
		a.instance = s.Rest
	case "answer":
		a.answer(s.Rest)
	case "send":
		if outcome, ok := strings.CutPrefix(s.Rest, "while "); ok {
			a.retryWhile(outcome)
			return
		}
		a.retry(s.Rest)
	case "resend":
		a.resend()
	case "header":
		name, value, _ := strings.Cut(s.Rest, ": ")
		a.header = append(a.header, wire.Field{Name: name, Value: value})
	case "wait":
		d, err := time.ParseDuration(s.Rest)
		a.must(err)
		a.clock.pass(d)
	case "poll":
		a.poll(s.Rest)
	case "request":
		a.request(s.Rest)
	case "post":
		a.post(s.Rest)
	case "get":
		a.get(s.Rest)
	case "visit":
		a.visit(s.Rest)
	case "legacy":
		a.callLegacy(s.Rest)
	case "discover":
		t := playground.Target{URL: base + "/mcp/" + s.Rest, Capabilities: json.RawMessage("{}")}
		a.connected = drive.Discover(a.Context(),
			run.Config{Caller: a.caller, Client: playground.Client{Name: "test", Version: "1"},
				Now: time.Now, Logger: slog.New(slog.DiscardHandler)}, t)
	case "expect":
		a.expect(s.Rest)
	case lesson.Example:
		a.whole = true
		a.expect(s.Rest)
		a.whole = false
	default:
		a.spoil(s.Verb, s.Rest)
	}
}

// answer adds "KEY JSON" to the answers: the content of an accepted form, or a
// whole answer.
func (a *actor) answer(rest string) {
	key, text, _ := strings.Cut(rest, " ")
	if text == "$factor" {
		text = `{"number":"` + number(a.last().Questions[0].Params.Get("message").Str()) + `"}`
	}
	value := json.RawMessage(text)
	switch {
	case text == "accept" || text == "decline" || text == "cancel":
		value = json.RawMessage(`{"action":"` + text + `"}`)
	case strings.HasPrefix(text, "{") && !strings.Contains(text, `"role"`) &&
		!strings.Contains(text, `"roots"`):
		value = json.RawMessage(`{"action":"accept","content":` + text + `}`)
	}
	a.answers = append(a.answers, playground.Answer{Key: key, Value: value})
}

// spoil makes the next retry invalid.
func (a *actor) spoil(verb, text string) {
	what, rest, _ := strings.Cut(text, " ")
	switch verb + " " + what {
	case "drop header":
		a.drop = append(a.drop, rest)
		return
	case "drop meta":
		a.edit("_meta", nil)
		return
	}
	state := a.last().StateText()
	switch verb + " " + what {
	case "tamper state":
		b := []byte(state)
		b[len(b)-5] ^= 1
		a.edit("requestState", jsontree.Quote(string(b)))
	case "drop state":
		a.edit("requestState", nil)
	case "replace state":
		from, to, _ := strings.Cut(rest, " ")
		i := strings.LastIndex(state, ".") + 1
		claims, err := base64.RawURLEncoding.DecodeString(state[i:])
		a.must(err)
		claims = bytes.ReplaceAll(claims, []byte(from), []byte(to))
		a.edit("requestState", jsontree.Quote(state[:i]+base64.RawURLEncoding.EncodeToString(claims)))
	default:
		a.edit("arguments", json.RawMessage(text))
	}
}

func (a *actor) edit(key string, value json.RawMessage) {
	a.edits = append(a.edits, jsontree.Pair{Key: key, Value: value})
}

// poll polls the task until it has the status. The work takes no time here, so
// the number of polls is small.
func (a *actor) poll(status string) {
	for range 5000 {
		a.request(`tasks/get {"taskId":"$task"}`)
		if a.got.At("result", "status").Str() == status {
			return
		}
		runtime.Gosched()
	}
	a.fail("the task is not %s but %s", status, a.got.Raw())
}
