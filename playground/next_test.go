package playground

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func parse(t *testing.T, text json.RawMessage) *jsontree.Node {
	t.Helper()
	n, err := jsontree.Parse(text, jsontree.Limits{})
	if err != nil {
		t.Fatalf("parse %.200s: %v", text, err)
	}
	return n
}

func TestNext_RetryHasAnswersAndState(t *testing.T) {
	s := newStory(t)
	first := parse(t, s.start().Params)
	s.result(strings.Replace(asks, `"inputRequests"`, `"requestState":"st\u0061te","inputRequests"`, 1))
	req := s.answer(accept("k", `{"a":"x"}`))
	second := parse(t, req.Params)
	if got := string(second.Get("arguments").Raw()); got != `{"n":1.0}` {
		t.Errorf("arguments changed to %s", got)
	}
	if got := string(second.Get("inputResponses").Raw()); got != `{"k":{"action":"accept",`+
		`"content":{"a":"x"}}}` {
		t.Errorf("inputResponses %s", got)
	}
	if got := string(second.Get("requestState").Raw()); got != `"st\u0061te"` {
		t.Errorf("requestState %s", got)
	}
	if first.Has("inputResponses") || first.Has("requestState") {
		t.Error("the first request looks like a retry")
	}
}

func TestNext_NewIDAndProgressToken(t *testing.T) {
	s := newStory(t)
	requests := []wire.Request{s.start()}
	for range 5 {
		s.result(asks)
		requests = append(requests, s.answer(accept("k", "{}")))
	}
	ids, tokens := map[string]bool{}, map[string]bool{}
	for _, r := range requests {
		ids[string(r.ID)] = true
		tokens[parse(t, r.Params).At("_meta", "progressToken").Str()] = true
	}
	if len(ids) != len(requests) || len(tokens) != len(requests) {
		t.Errorf("%d requests, ids %v, tokens %v", len(requests), ids, tokens)
	}
}

// TestNext_OneClient: ids and progress tokens of Exchanges of one client name the Exchange, those of
// others do not.
func TestNext_OneClient(t *testing.T) {
	for one, want := range map[bool]string{true: `"1-abcdefgh" round-1-abcdefgh`, false: `1 round-1`} {
		x := Exchange{ID: "abcdefghi", Target: Target{URL: "http://127.0.0.1/mcp", OneClient: one},
			Call: Call{Method: ToolsCall, Params: json.RawMessage("{}")}}
		r, err := Next(x, Transcript{}, Decision{Action: ActionStart, Round: 1}, Client{})
		if err != nil {
			t.Fatal(err)
		}
		got := string(r.ID) + " " + parse(t, r.Params).At("_meta", "progressToken").Str()
		if got != want {
			t.Errorf("%t: %s, want %s", one, got, want)
		}
	}
}

// TestNext_EchoesStateByteForByte: 100 random states, the largest 64 KiB, as
// the exact JSON text in which they came; none when none was given.
func TestNext_EchoesStateByteForByte(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 22))
	for i := range 100 {
		state := randomState(random, i)
		s := newStory(t)
		s.start()
		s.result(`{"resultType":"input_required","requestState":` + state + `}`)
		req := s.decide(Decision{Action: ActionRetry, Round: 2})
		frame, err := wire.Encode(req)
		if err != nil {
			t.Fatal(err)
		}
		body := parse(t, frame.Body)
		if got := string(body.At("params", "requestState").Raw()); got != state {
			t.Errorf("state %d: got %.80s, want %.80s", i, got, state)
		}
		if body.Get("params").Has("inputResponses") {
			t.Error("answers to no question")
		}
	}
	s := newStory(t)
	s.start()
	s.result(asks)
	if parse(t, s.answer(accept("k", "{}")).Params).Has("requestState") {
		t.Error("a state was made up")
	}
}

// randomState is JSON text of a string: sometimes empty, unicode, escaped, or
// 64 KiB.
func randomState(random *rand.Rand, i int) string {
	switch i {
	case 0:
		return `""`
	case 1:
		return `"` + strings.Repeat("x", 64<<10) + `"`
	case 2:
		return `"\ud800 lone, \u0000, \/ and \u00e9 é"`
	}
	alphabet := []string{"a", "é", "😀", `\"`, `\\`, `\u00e9`, `\ud83d\ude00`, `\n`, `\/`, " ", "\u202e", "."}
	var b strings.Builder
	for range random.IntN(200) {
		b.WriteString(alphabet[random.IntN(len(alphabet))])
	}
	return `"` + b.String() + `"`
}

func TestNext_KeysAreOpaque(t *testing.T) {
	keys := []string{`"__proto__"`, `""`, `"` + strings.Repeat("k", 10000) + `"`, `"\u006b"`,
		`"😀"`, `"\u202eabc"`}
	requests := make([]string, len(keys))
	for i, k := range keys {
		requests[i] = k + `:{"method":"roots/list"}`
	}
	s := newStory(t)
	s.start()
	f := s.result(`{"resultType":"input_required","inputRequests":{` + strings.Join(requests, ",") + `}}`)
	var answers []Answer
	for _, q := range f.Last().Questions {
		answers = append(answers, Answer{Key: q.Key, Value: json.RawMessage(`{"roots":[]}`)})
	}
	got := parse(t, s.answer(answers...).Params).Get("inputResponses")
	for i, k := range keys {
		if raw := string(got.RawKey(got.Members[i])); raw != k {
			t.Errorf("key %.40s sent as %.40s", k, raw)
		}
	}
}

func TestNext_Errors(t *testing.T) {
	s := newStory(t)
	ready := Fold(nil)
	s.start()
	waiting := s.result(asks)
	done := Transcript{Status: StatusComplete,
		Rounds: []Round{{N: 1, Outcome: Outcome{Kind: OutcomeComplete}}}}
	answers := []Answer{accept("k", "{}")}
	tests := []struct {
		name string
		f    Transcript
		d    Decision
		want error
	}{
		{"answer before the start", ready, Decision{Action: ActionAnswer, Round: 1}, ErrNotOpen},
		{"start twice", waiting, Decision{Action: ActionStart, Round: 2}, ErrNotOpen},
		{"stale round", waiting, Decision{Action: ActionAnswer, Round: 1, Answers: answers}, ErrNotOpen},
		{"retry of a question", waiting, Decision{Action: ActionRetry, Round: 2}, ErrNotOpen},
		{"resend of a question", waiting, Decision{Action: ActionResend, Round: 2}, ErrNotOpen},
		{"answer after the end", done, Decision{Action: ActionAnswer, Round: 2, Answers: answers},
			ErrNotOpen},
		{"missing answer", waiting, Decision{Action: ActionAnswer, Round: 2}, ErrAnswers},
		{"answer to another key", waiting,
			Decision{Action: ActionAnswer, Round: 2,
				Answers: []Answer{answers[0], accept("z", "{}")}}, ErrAnswers},
	}
	for _, test := range tests {
		if _, err := Next(s.x, test.f, test.d, Client{}); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}

func TestNext_Resend(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(strings.Replace(asks, `"inputRequests"`, `"requestState":"s","inputRequests"`, 1))
	sent := parse(t, s.answer(accept("k", `{"a":"x"}`)).Params)
	for range 2 {
		s.add(Event{At: s.tick(), Conn: s.conn, Kind: Interrupted})
		again := parse(t, s.decide(Decision{Action: ActionResend, Round: Fold(s.x.Log).Last().N + 1}).Params)
		for _, name := range []string{"name", "arguments", "inputResponses", "requestState"} {
			if !jsontree.Equal(sent.Get(name), again.Get(name)) {
				t.Errorf("%s: %s, then %s", name, sent.Get(name).Raw(), again.Get(name).Raw())
			}
		}
	}
}

func TestNext_KeepsOwnMeta(t *testing.T) {
	s := newStory(t)
	s.x.Call.Params = json.RawMessage(`{"name":"t","_meta":{"traceparent":"00-x"}}`)
	meta := parse(t, s.start().Params).Get("_meta")
	if meta.Get("traceparent").Str() != "00-x" ||
		meta.Get("io.modelcontextprotocol/protocolVersion").Str() != wire.ProtocolVersion {
		t.Errorf("got %s", meta.Raw())
	}
}

func TestNext_InstanceInURLOfSamplesOnly(t *testing.T) {
	s := newStory(t)
	d := Decision{Action: ActionStart, Round: 1, Instance: "b"}
	for sample, want := range map[string]string{"": "http://127.0.0.1:9/mcp",
		"s": "http://127.0.0.1:9/mcp?next=b"} {
		s.x.Target.Sample = sample
		if req, err := Next(s.x, Fold(nil), d, Client{}); err != nil || req.URL != want {
			t.Errorf("sample %q: %s, %v", sample, req.URL, err)
		}
	}
}

// TestAllows_TheNextRoundOnly: a decision is about the Round that comes next, neither about an
// earlier one nor about one beyond it.
func TestAllows_TheNextRoundOnly(t *testing.T) {
	s := newStory(t)
	s.start()
	f := s.result(asks)
	for round := range 5 {
		err := f.Allows(Decision{Action: ActionAnswer, Round: round, Answers: []Answer{{Key: "k"}}})
		if next := round == f.Next(); errors.Is(err, ErrNotOpen) == next {
			t.Errorf("round %d: %v", round, err)
		}
	}
}
