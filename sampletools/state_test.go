package sampletools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// askedTwice sends the first answer to azure-devops and returns the state of
// the second question.
func askedTwice(t *testing.T, p *peer, query string) string {
	t.Helper()
	r := p.send("/mcp/azure-devops"+query, "tools/call", resolve4522, map[string]any{
		"inputResponses": map[string]any{"resolution": accept(`{"resolution":"Duplicate"}`)}})
	if r.state() == "" {
		t.Fatalf("no state: %s", r.body)
	}
	return r.state()
}

func retryWith(p *peer, path, method, params, state string) reply {
	p.t.Helper()
	return p.send(path, method, params, map[string]any{
		"requestState":   state,
		"inputResponses": map[string]any{"duplicate_of": accept(`{"duplicateOfId":4301}`)},
	})
}

// Clients get one code and one text for every forged state.
func TestState_ForgedOnesGetOneText(t *testing.T) {
	for _, query := range []string{"?state=sealed", "?state=signed"} {
		p := newPeer(t)
		state := askedTwice(t, p, query)
		texts := map[string]bool{}
		for _, forged := range []string{
			state[:len(state)-1], state + "A", state + "\n", strings.ToUpper(state), "", "x",
			"mrtr1.plain.e30", strings.Repeat("A", 100000),
			strings.Replace(state, "mrtr1.", "mrtr2.", 1), flip(state, len(state)/2),
			flip(state, len(state)-2), flip(state, 15),
		} {
			r := retryWith(p, "/mcp/azure-devops"+query, "tools/call", resolve4522, forged)
			if r.code() != -32602 || r.status != 400 {
				t.Errorf("%.40q: %d %s", forged, r.status, r.body)
				continue
			}
			texts[r.Error.Message] = true
		}
		if len(texts) != 1 {
			t.Errorf("forged states can be told apart: %v", texts)
		}
	}
}

func flip(s string, at int) string {
	b := []byte(s)
	if b[at] == 'A' {
		b[at] = 'B'
	} else {
		b[at] = 'A'
	}
	return string(b)
}

// An authentic state is refused with -32602 and the reason.
func TestState_OfAnotherCallIsRefused(t *testing.T) {
	tests := []struct {
		name, path, method, params, auth string
		pass                             time.Duration
		want                             string
	}{
		{"another user", "/mcp/azure-devops", "tools/call", resolve4522, "demo-bob", 0, "another user"},
		{"no bearer", "/mcp/azure-devops", "tools/call", resolve4522, "", 0, "another user"},
		{"other arguments", "/mcp/azure-devops", "tools/call",
			strings.Replace(resolve4522, "4522", "4301", 1), "demo-alice", 0, "other arguments"},
		{"another tool", "/mcp/azure-devops", "tools/call", `{"name":"list_work_items",` +
			`"arguments":{}}`, "demo-alice", 0, "another tool"},
		{"another server", "/mcp/wizard", "tools/call", `{"name":"create_project"}`, "demo-alice", 0,
			"another server"},
		{"too late", "/mcp/azure-devops", "tools/call", resolve4522, "demo-alice", time.Hour, "expired"},
		{"too early", "/mcp/azure-devops", "tools/call", resolve4522, "demo-alice", -time.Minute, "future"},
		{"in time", "/mcp/azure-devops", "tools/call", resolve4522, "demo-alice",
			time.Hour - time.Second, ""},
	}
	for _, tt := range tests {
		p := newPeer(t)
		p.auth = "demo-alice"
		state := askedTwice(t, p, "")
		p.auth = tt.auth
		p.clock.pass(tt.pass)
		r := retryWith(p, tt.path, tt.method, tt.params, state)
		if tt.want == "" && r.Error == nil {
			continue
		}
		if r.code() != -32602 || !strings.Contains(r.Error.Message, tt.want) {
			t.Errorf("%s: %s", tt.name, r.body)
		}
	}
}

func TestState_LifetimeIsInTheURL(t *testing.T) {
	p := newPeer(t)
	state := askedTwice(t, p, "?ttl=5s")
	p.clock.pass(4 * time.Second)
	if r := retryWith(p, "/mcp/azure-devops", "tools/call", resolve4522, state); r.Error != nil {
		t.Errorf("after 4 s: %s", r.body)
	}
	p.clock.pass(time.Second)
	if r := retryWith(p, "/mcp/azure-devops", "tools/call", resolve4522, state); r.code() != -32602 {
		t.Errorf("after 5 s: %s", r.body)
	}
}

func TestState_RetiredKeyAsksToStartAgain(t *testing.T) {
	first := newPeer(t)
	state := askedTwice(t, first, "")
	rotated := first.keys.Rotate()
	retired := rotated.Retire()
	second := newPeer(t, func(c *sampletools.Config) { c.Keys = retired })
	r := retryWith(second, "/mcp/azure-devops", "tools/call", resolve4522, state)
	if r.code() != -32602 || !strings.Contains(r.Error.Message, "start the call again") {
		t.Errorf("retired key: %s", r.body)
	}
}

// A retry that is sent twice gives the same result again, unless the sample
// says OnceOnly.
func TestState_ReplayDoesAsDocumented(t *testing.T) {
	p := newPeer(t)
	c, err := sampletools.New(sampletools.Config{Keys: p.keys})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, s := range stories() {
		sample, _ := c.Lookup(s.slug)
		p.enter(s.slug)
		var retry map[string]any
		first := p.send("/mcp/"+s.slug, s.method, s.params, nil)
		for first.resultType() == "input_required" {
			retry = p.answers(first)
			first = p.send("/mcp/"+s.slug, s.method, s.params, retry)
		}
		if retry == nil {
			continue
		}
		second := p.send("/mcp/"+s.slug+"?next=b&instances=a,b", s.method, s.params, retry)
		refused := second.Error != nil || string(second.Result["isError"]) == "true"
		if refused != sample.OnceOnly {
			t.Errorf("%s: OnceOnly is %t, and the second retry gives %s", s.slug,
				sample.OnceOnly, second.body)
		}
	}
}

// An answer without a state has no ticket or number to belong to.
func TestAnswers_WithoutStateAreIgnored(t *testing.T) {
	p := newPeer(t)
	for slug, call := range map[string][3]string{
		"voucher": {`{"name":"redeem_voucher","arguments":{"value":25}}`, "redeem", `{"redeem":true}`},
		"checkout": {`{"name":"place_order","arguments":{"item":"bike",` +
			`"amount":900}}`, "second_factor", `{"number":"47"}`},
	} {
		r := p.send("/mcp/"+slug, "tools/call", call[0],
			map[string]any{"inputResponses": map[string]any{call[1]: accept(call[2])}})
		if r.resultType() != "input_required" {
			t.Errorf("%s: %s", slug, r.body)
		}
	}
}

// A plain state can be changed by anyone, and the server trusts it.
func TestState_PlainIsTrusted(t *testing.T) {
	p := newPeer(t)
	const count = `{"name":"count_primes","arguments":{"below":1000000}}`
	shed := p.send("/mcp/load-shedding?state=plain", "tools/call", count, nil)
	forged := changeClaims(t, shed.state(), `"primes":49098`, `"primes":1`)
	r := p.send("/mcp/load-shedding?state=plain", "tools/call", count,
		map[string]any{"requestState": forged})
	if !strings.HasPrefix(r.text(), "29401 primes") {
		t.Errorf("changed plain state: %s", r.body)
	}
	broken := changeClaims(t, shed.state(), `"stage":6`, `"stage":99`)
	if r := p.send("/mcp/load-shedding?state=plain", "tools/call", count,
		map[string]any{"requestState": broken}); r.code() != -32602 {
		t.Errorf("plain state out of bounds: %s", r.body)
	}
}
