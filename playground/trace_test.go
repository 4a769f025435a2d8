package playground

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	traceID    = "0af7651916cd43dd8448eb211c80319c"
	tracedSpan = "00f067aa0ba902b7"
)

func TestParseTrace(t *testing.T) {
	for s, want := range map[string]bool{
		"00-" + traceID + "-" + tracedSpan + "-01":                  true,
		"00-" + traceID + "-" + tracedSpan + "-00":                  true,
		"cc-" + traceID + "-" + tracedSpan + "-03":                  true,
		"ff-" + traceID + "-" + tracedSpan + "-01":                  false,
		"00-" + strings.Repeat("0", 32) + "-" + tracedSpan + "-01":  false,
		"00-" + traceID + "-" + strings.Repeat("0", 16) + "-01":     false,
		"00-" + strings.ToUpper(traceID) + "-" + tracedSpan + "-01": false,
		"00-" + traceID + "-" + tracedSpan + "-01-more":             false,
		"00-" + traceID + "-" + tracedSpan + "-1":                   false,
		"00-" + traceID + "-" + tracedSpan + "-01\n":                false,
		"00-" + traceID[1:] + "\n-" + tracedSpan + "-01":            false,
		"0-" + traceID + "-" + tracedSpan + "-01":                   false,
		"00-x":                         false,
		"":                             false,
		"00" + strings.Repeat("-", 53): false,
		"00-" + traceID + "-" + tracedSpan[1:] + "\u0660" + "-01":     false,
		strings.Join([]string{"00", traceID, tracedSpan, "zz"}, "-"):  false,
		strings.Join([]string{"00", traceID, tracedSpan, "01"}, "--"): false,
	} {
		got, ok := ParseTrace(s)
		if ok != want || ok && got.String() != s {
			t.Errorf("%q: %v, %v", s, got, ok)
		}
	}
}

func TestNewTrace_IsValid(t *testing.T) {
	for _, random := range [][24]byte{{}, {1, 2, 3}, {23: 9}} {
		made := NewTrace(random)
		if got, ok := ParseTrace(made.String()); !ok || got != made || made.Flags != "01" {
			t.Errorf("%v: %s", random, made)
		}
	}
	if a, b := NewTrace([24]byte{1}), NewTrace([24]byte{2}); a.ID == b.ID {
		t.Errorf("twice the trace %s", a.ID)
	}
}

func TestSpanID_IsNeverZero(t *testing.T) {
	if got := spanID([8]byte{}); got != "0000000000000001" {
		t.Errorf("got %s", got)
	}
}

// TestNext_Traces: each request of an exchange is a span of its own in the trace
// of the Call, the same whenever it is built.
func TestNext_Traces(t *testing.T) {
	s := newStory(t)
	s.x.ID = "one"
	s.x.Call.Params = json.RawMessage(
		`{"name":"t","_meta":{"a":1,"traceparent":"cc-` + traceID + `-` + tracedSpan + `-03"}}`)
	spans := map[string]string{tracedSpan: "the call"}
	check := func(name string, params json.RawMessage) Trace {
		t.Helper()
		meta := parse(t, params).Get("_meta")
		got, ok := ParseTrace(meta.Get("traceparent").Str())
		if !ok || got.Version != "cc" || got.ID != traceID || got.Flags != "03" {
			t.Errorf("%s: %s", name, meta.Raw())
		}
		if other := spans[got.Span]; other != "" {
			t.Errorf("%s has the span %s of %s", name, got.Span, other)
		}
		spans[got.Span] = name
		return got
	}
	start := Decision{Action: ActionStart, Round: 1}
	for _, id := range []string{"two", "one"} { // such as that of a branch
		other := s.x
		other.ID = id
		first, err := Next(other, Fold(nil), start, Client{})
		again, _ := Next(other, Fold(nil), start, Client{Name: "other"})
		if err != nil || traceIn(t, first.Params) != traceIn(t, again.Params) {
			t.Fatalf("%s, then %s, %v", first.Params, again.Params, err)
		}
		if id != s.x.ID {
			check("the same call of exchange "+id, first.Params)
		}
	}
	check("round 1", s.start().Params)
	s.result(asks)
	check("round 2", s.answer(accept("k", `{"a":"x"}`)).Params)
	s.add(Event{At: s.tick(), Conn: s.conn, Kind: Interrupted})
	check("the same round, sent again",
		s.decide(Decision{Action: ActionResend, Round: Fold(s.x.Log).Last().N + 1}).Params)
	f := Fold(s.x.Log)
	if got, ok := f.Last().Trace(); !ok || spans[got.Span] != "the same round, sent again" {
		t.Errorf("round %d: %v, %v", f.Last().N, got, ok)
	}
	listed, err := listTools(s.x, 3, 1, "", Client{})
	if err != nil {
		t.Fatal(err)
	}
	check("the list of tools", listed.Params)
}

func traceIn(t *testing.T, params json.RawMessage) string {
	return parse(t, params).At("_meta", "traceparent").Str()
}

// TestNext_OtherTraceparent: an invalid value is sent unchanged, and nothing is
// sent unless the Call has it.
func TestNext_OtherTraceparent(t *testing.T) {
	for _, test := range []struct{ name, meta, want string }{
		{"none", `{}`, ``},
		{"not hexadecimal", `{"traceparent":"00-x"}`, `"00-x"`},
		{"all zero", `{"traceparent":"00-` + strings.Repeat("0", 32) + `-` + tracedSpan + `-01"}`,
			`"00-` + strings.Repeat("0", 32) + `-` + tracedSpan + `-01"`},
		{"no string", `{"traceparent":[7]}`, `[7]`},
	} {
		s := newStory(t)
		s.x.Call.Params = json.RawMessage(`{"name":"t","_meta":` + test.meta + `}`)
		got := parse(t, s.start().Params).At("_meta", "traceparent")
		if string(got.Raw()) != test.want {
			t.Errorf("%s: %s", test.name, got.Raw())
		}
		s.result(asks)
		if _, ok := Fold(s.x.Log).Last().Trace(); ok {
			t.Errorf("%s: the round has a trace", test.name)
		}
	}
}

// TestNextPoll_Traces: each poll is a span of its own, and still counts as a
// repetition of the one before.
func TestNextPoll_Traces(t *testing.T) {
	s := newStory(t)
	s.x.Call.Params = json.RawMessage(
		`{"name":"t","_meta":{"traceparent":"00-` + traceID + `-` + tracedSpan + `-01"}}`)
	spans := map[string]bool{traceIn(t, s.start().Params): true}
	s.result(tasked)
	for range 3 {
		req, _, ok := NextPoll(s.x, Fold(s.x.Log), Client{"test", "1"})
		span := traceIn(t, req.Params)
		if !ok || spans[span] || !strings.HasPrefix(span, "00-"+traceID) {
			t.Errorf("span %s in %v", span, spans)
		}
		spans[span] = true
		s.poll(stands("working", ""))
	}
	log := s.x.Log
	newest := len(log) - 2
	var p Polls
	p.Read(log[:newest])
	if _, ok := find(&p, log[newest], log[newest+1]); !ok {
		t.Error("an equal poll with another span is no repetition")
	}
}
