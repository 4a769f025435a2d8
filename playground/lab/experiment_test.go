package lab_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestExperiments_AreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range lab.Experiments() {
		if seen[e.ID] {
			t.Errorf("%s stands twice in the table", e.ID)
		}
		seen[e.ID] = true
		for _, sentence := range []string{e.Sends, e.Expects} {
			if !strings.HasSuffix(sentence, ".") {
				t.Errorf("%s: %q is no sentence", e.ID, sentence)
			}
		}
		if e.Title == "" || e.Brief == "" || e.Level == "" || !strings.Contains(e.Clause, "/specification/") {
			t.Errorf("%s: %+v", e.ID, e)
		}
		for _, p := range []lab.Protection{lab.Plain, lab.Signed, lab.Sealed} {
			if e.Expected(p, false) == "" {
				t.Errorf("%s: no expected reaction for %s", e.ID, p)
			}
		}
	}
}

const asked = `{"resultType":"input_required","inputRequests":{
	"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{
		"type":"object","required":["name","age"],"properties":{
		"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":120}}}}},
	"model":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}},
	"requestState":"step-2"}`

// scene is a retry about to be sent, and the Round that it answers.
func scene(t *testing.T) (wire.Request, playground.Round) {
	t.Helper()
	f := playground.Transcript{Rounds: []playground.Round{roundOf(t, asked)}}
	x := playground.Exchange{Target: playground.Target{URL: "http://h/mcp"},
		Call: playground.Call{Method: "tools/call",
			Params: json.RawMessage(`{"name":"greet","arguments":{"text":"hi","n":1}}`)}}
	d := playground.Decision{Action: playground.ActionAnswer, Round: 2, Answers: []playground.Answer{
		{Key: "who", Value: json.RawMessage(`{"action":"accept","content":{"name":"Ada","age":36}}`)},
		{Key: "model", Value: json.RawMessage(`{"role":"assistant"}`)},
	}}
	req, err := playground.Next(x, f, d, playground.Client{Name: "t", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	return req, f.Rounds[0]
}

func roundOf(t *testing.T, result string) playground.Round {
	t.Helper()
	sent := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`
	response := `{"jsonrpc":"2.0","id":1,"result":` + result + `}`
	log := []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Time{}),
		{Conn: 1, Kind: playground.Sent, Data: []byte("POST /mcp HTTP/1.1\r\n\r\n" + sent)},
		{Conn: 1, Kind: playground.Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + response)},
	}
	return *playground.Fold(log).Last()
}

// TestChange_ChangesNothingElse compares the frames with and without it.
func TestChange_ChangesNothingElse(t *testing.T) {
	req, from := scene(t)
	right, err := wire.Encode(req)
	if err != nil {
		t.Fatal(err)
	}
	other := playground.Call{Params: json.RawMessage(`{"name":"other","arguments":{}}`)}
	bob := []wire.Field{{Name: "Authorization", Value: "Bearer bob"}}
	const who = `"who":{"action":"accept","content":{"name":"Ada","age":36}}`
	for id, want := range map[string][2]string{ // removed part, added part
		"skip-answer": {who + `,`, ``},
		"extra-key": {`"model":{"role":"assistant"}`,
			`"model":{"role":"assistant"},"unrequested-key":{"action":"accept","content":{}}`},
		"wrong-key":        {`"who":`, `"who-misspelt":`},
		"wrong-type":       {`"Ada"`, `12345.5`},
		"out-of-range":     {`"age":36`, `"age":121`},
		"malformed-answer": {who, `"who":"just a string"`},
		"early-answer": {`"model":{"role":"assistant"}`,
			`"model":{"role":"assistant"},"sure":{"action":"accept"}`},
		"early-after-gap": {`"model":{"role":"assistant"}`,
			`"model":{"role":"assistant"},"sure":{"action":"accept"}`},
		"flip-state":     {`"step-2"`, `"step-3"`},
		"truncate-state": {`"step-2"`, `"ste"`},
		"drop-state":     {`,"requestState":"step-2"`, ``},
		"state-of-another-call": {`"name":"greet","arguments":{"text":"hi","n":1}`,
			`"name":"other","arguments":{}`},
		"state-of-another-person": {"Connection: close\r\n",
			"Connection: close\r\nAuthorization: Bearer bob\r\n"},
		"omit-capability":     {``, ``},
		"wrong-name-header":   {"Mcp-Name: greet", "Mcp-Name: something-else"},
		"no-name-header":      {"Mcp-Name: greet\r\n", ""},
		"wrong-method-header": {"Mcp-Method: tools/call", "Mcp-Method: tools/list"},
		"no-version-header":   {"MCP-Protocol-Version: 2026-07-28\r\n", ""},
		"malformed-json":      {`}}}`, `}}`},
		"reuse-id":            {`"id":2`, `"id":1`},
		"replay":              {``, ``},
	} {
		e, _ := lab.ExperimentByID(id)
		changed, err := e.Change(req, lab.Material{Round: from, Call: &other, Header: bob,
			Later: []playground.Answer{{Key: "sure", Value: json.RawMessage(`{"action":"accept"}`)}}})
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		wrong, err := wire.Encode(changed)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if id == "malformed-json" { // the end, not the first place
			if got := string(right.Body[:len(right.Body)-1]); got != string(wrong.Body) {
				t.Errorf("%s: %s", id, wrong.Body)
			}
			continue
		}
		if got, want := unframed(wrong), strings.Replace(unframed(right), want[0], want[1], 1); got != want {
			t.Errorf("%s:\n got %s\nwant %s", id, got, want)
		}
	}
}

// unframed leaves out the fields that follow from the length of the body, and
// the one that mirrors the tool's name.
func unframed(f wire.Frame) string {
	var kept []string
	for line := range strings.Lines(string(f.Bytes())) {
		if !strings.HasPrefix(line, "Content-Length:") {
			kept = append(kept, line)
		}
	}
	return strings.Replace(strings.Join(kept, ""), "Mcp-Name: other", "Mcp-Name: greet", 1)
}

func TestChange_NeedsAPlace(t *testing.T) {
	req, _ := scene(t)
	for _, e := range lab.Experiments() {
		_, err := e.Change(req, lab.Material{})
		if e.Needs != "" && !errors.Is(err, lab.ErrNothingToChange) {
			t.Errorf("%s on a first request: %v", e.ID, err)
		}
	}
}

// Every field gets each kind of wrong value once.
func TestChange_HasAWayForEachWrongValue(t *testing.T) {
	req, from := scene(t)
	for id, want := range map[string][]string{
		"wrong-type":   {`"name":12345.5`, `"age":"not a number or boolean"`, `"age":0.5`},
		"out-of-range": {`"age":121`, `"age":-1`},
	} {
		e, _ := lab.ExperimentByID(id)
		var got []string
		for n := range e.Variants(from) {
			changed, err := e.Change(req, lab.Material{Round: from, Variant: n})
			if err != nil {
				t.Fatalf("%s %d: %v", id, n, err)
			}
			params := string(changed.Params)
			i := slices.IndexFunc(want, func(s string) bool { return strings.Contains(params, s) })
			if i < 0 {
				t.Fatalf("%s %d: %s", id, n, params)
			}
			got = append(got, want[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// The later answers of a call are those to questions that were not asked yet.
func TestLater(t *testing.T) {
	f := playground.Transcript{}
	answered := func(keys ...string) (d playground.Decision) {
		for _, k := range keys {
			d.Answers = append(d.Answers, playground.Answer{Key: k})
		}
		return d
	}
	for i, r := range []struct{ answers, asks string }{
		{"", "a b"}, {"a b", "b c"}, {"b c", "a d"}, {"a d", ""},
	} {
		round := playground.Round{N: i + 1, Decision: answered(strings.Fields(r.answers)...)}
		for _, k := range strings.Fields(r.asks) {
			round.Questions = append(round.Questions, playground.Question{Key: k})
		}
		f.Rounds = append(f.Rounds, round)
	}
	for n, want := range []string{"a b c d", "c d", "d", ""} {
		var keys []string
		for _, a := range lab.Later(f, n) {
			keys = append(keys, a.Key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("after round %d: %q, want %q", n, got, want)
		}
	}
}

// TestTampered_StaysReadable: a state that anybody can read is changed so that
// its server can read it too.
func TestTampered_StaysReadable(t *testing.T) {
	encode := base64.RawURLEncoding.EncodeToString
	for state, want := range map[string]string{
		`{"step":1,"price":900}`: `{"step":1,"price":901}`,
		"mrtr1.plain." + encode([]byte(`{"expires":1799,"work":{"primes":12}}`)): "mrtr1.plain." +
			encode([]byte(`{"expires":1799,"work":{"primes":13}}`)),
		encode([]byte(`{"env":"prod"}`)):             encode([]byte(`{"env":"proe"}`)),
		encode([]byte("\x01{\xff" + `{"people":4}`)): encode([]byte("\x01{\xff" + `{"people":5}`)),
		encode([]byte(`{"people":4}` + "\xff\x02")):  encode([]byte(`{"people":5}` + "\xff\x02")),
		"env=prod": "env=proe",
		"step-9":   "step-8",
	} {
		got := lab.Tampered(state)
		if len(got) == 0 || got[0] != want {
			t.Errorf("%s: %q", state, got)
		}
		for _, changed := range got {
			if changed == state {
				t.Errorf("%s: not changed", state)
			}
		}
	}
}

func TestTampered_KeepsTheLength(t *testing.T) {
	for _, state := range []string{"", ".", "\x00", "v1.AAAA.BBBB", strings.Repeat("é", 20), `"a"`,
		`{"a":"\u0041"}`, "~~~"} {
		if i := slices.IndexFunc(lab.Tampered(state), func(s string) bool {
			return len(s) != len(state) ||
				s == state
		}); i >= 0 {
			t.Errorf("%q: %q", state, lab.Tampered(state)[i])
		}
	}
}

// TestTampered_ChangesWhatMeansSomething: never only bits that a Base64 decoder
// ignores, whatever the length of the state.
func TestTampered_ChangesWhatMeansSomething(t *testing.T) {
	decode := base64.RawURLEncoding.DecodeString
	for n := 9; n < 60; n++ {
		blob := make([]byte, n)
		for i := range blob {
			blob[i] = byte(37*i + 11*n)
		}
		state := base64.RawURLEncoding.EncodeToString(blob)
		list := lab.Tampered(state)
		if len(list) == 0 {
			t.Errorf("%d bytes: nothing is changed", n)
		}
		for _, changed := range list {
			if other, err := decode(changed); err == nil && string(other) == string(blob) {
				t.Errorf("%d bytes: only unused bits are changed: %s", n, changed)
			}
		}
	}
}

func TestSpareBits_KeepTheContent(t *testing.T) {
	for n := range 40 {
		blob := make([]byte, n)
		for i := range blob {
			blob[i] = byte(37*i + 11*n)
		}
		for _, e := range []*base64.Encoding{base64.RawURLEncoding, base64.URLEncoding} {
			state := e.EncodeToString(blob)
			list := lab.SpareBits(state)
			if n >= 12 && (len(list) == 1) != (n%3 != 0) {
				t.Errorf("%d bytes: %q", n, list)
			}
			for _, changed := range list {
				if other, err := e.DecodeString(changed); err != nil || string(other) != string(blob) {
					t.Errorf("%d bytes: %s has other content (%v)", n, changed, err)
				}
			}
		}
	}
	for _, state := range []string{"", "step-2", "env=prod", `{"step":"AAAAAAAAAAAAAAAAAA"}`,
		"awaiting-second-confirmation"} {
		if list := lab.SpareBits(state); len(list) > 0 {
			t.Errorf("%q: %q", state, list)
		}
	}
}
