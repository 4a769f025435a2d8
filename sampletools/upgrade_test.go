package sampletools_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const linkAccounts = `{"name":"link_accounts","arguments":{"project":"playground"}}`

// The proposal's rolling upgrade: GitHub is asked for once, Google is dropped,
// Microsoft is asked for.
func TestRollingUpgrade_RetryReachesTheNextVersion(t *testing.T) {
	p := newPeer(t)
	one := p.send("/mcp/rolling-upgrade?instances=a:v1,b:v1&next=a", "tools/call", linkAccounts, nil)
	if q := one.questions(); len(q) != 2 || q["github_login"].Method == "" ||
		q["google_login"].Method == "" || one.state() != "" {
		t.Fatalf("version 1 asks: %s", one.body)
	}
	two := p.send("/mcp/rolling-upgrade?instances=a:v1,b:v2&next=b", "tools/call", linkAccounts,
		p.answers(one))
	if q := two.questions(); len(q) != 1 || q["microsoft_login"].Method == "" {
		t.Fatalf("version 2 asks: %s", two.body)
	}
	e := seal.Explain(two.state(), p.keys, p.clock.Now())
	if e.Claims == nil || len(e.Claims.Answers) != 1 || e.Claims.Answers["github_login"] == nil {
		t.Errorf("the state keeps %s", e.JSON)
	}
	three := p.send("/mcp/rolling-upgrade?instances=a:v2,b:v2", "tools/call", linkAccounts, p.answers(two))
	if want := "Linked GitHub as Ada and Microsoft as Ada (by version 2)."; three.text() != want {
		t.Errorf("version 2 ends with %s", three.body)
	}
	back := p.send("/mcp/rolling-upgrade?instances=a:v1,b:v1", "tools/call", linkAccounts, p.answers(two))
	if q := back.questions(); len(q) != 1 || q["google_login"].Method == "" {
		t.Errorf("version 1 asks again: %s", back.body)
	}
}

// Versions that take turns end the call: what one was answered is not lost when the
// other, which does not know the question, gets the answer.
func TestRollingUpgrade_VersionsTakeTurns(t *testing.T) {
	for first, want := range map[string]string{"a": "by version 2", "b": "by version 1"} {
		p := newPeer(t)
		at := first
		last, instances := p.drive(func(int) string {
			path := "/mcp/rolling-upgrade?instances=a:v1,b:v2&next=" + at
			at = map[string]string{"a": "b", "b": "a"}[at]
			return path
		}, "tools/call", linkAccounts)
		if !strings.Contains(last.text(), want) || len(instances) != 4 {
			t.Errorf("from %s: %q over %s", first, last.text(), instances)
		}
	}
}

// An instance that carries on what another version asked for judges the answer as that
// version would: a wrong one is asked for again, a refusal ends the call.
func TestRollingUpgrade_JudgesWhatItCarriesOn(t *testing.T) {
	p := newPeer(t)
	one := p.send("/mcp/rolling-upgrade?instances=a:v1,b:v2&next=a", "tools/call", linkAccounts, nil)
	two := p.send("/mcp/rolling-upgrade?instances=a:v1,b:v2&next=b", "tools/call", linkAccounts,
		p.answers(one))
	answer := func(microsoft string) reply {
		return p.send("/mcp/rolling-upgrade?instances=a:v1,b:v2&next=a", "tools/call", linkAccounts,
			map[string]any{"requestState": two.state(),
				"inputResponses": map[string]any{"microsoft_login": json.RawMessage(microsoft)}})
	}
	wrong := answer(`{"action":"accept","content":{"name":7}}`)
	if q := wrong.questions(); len(q) != 2 || q["microsoft_login"].Method == "" {
		t.Errorf("a wrong answer: %s", wrong.body)
	}
	no := answer(`{"action":"decline"}`)
	if !strings.Contains(no.text(), "the Microsoft account was declined") {
		t.Errorf("a refusal: %s", no.body)
	}
	if bare := answer(`"Ada"`); !strings.Contains(string(bare.body), "-32602") {
		t.Errorf("a bare string: %s", bare.body)
	}
	three := p.send("/mcp/rolling-upgrade?instances=a:v1,b:v2&next=b", "tools/call", linkAccounts,
		p.answers(wrong))
	if want := "Linked GitHub as Ada and Microsoft as Ada (by version 2)."; three.text() != want {
		t.Errorf("after the second answer: %s", three.body)
	}
}

// In 2026-07-28 a client cancels by closing the connection, whether the response
// would be a stream or JSON (basic/patterns/cancellation, "Transport-Specific
// Cancellation").
func TestSlow_ClosingTheStreamStopsTheWork(t *testing.T) {
	for _, query := range []string{"stream=1", "stream=0"} {
		t.Run(query, func(t *testing.T) {
			started, stopped := make(chan struct{}), make(chan struct{})
			p := newPeer(t, func(c *sampletools.Config) {
				c.Wait = func(ctx context.Context, _ time.Duration) error {
					close(started)
					<-ctx.Done()
					close(stopped)
					return ctx.Err()
				}
			})
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, "POST", p.url+"/mcp/slow?"+query, strings.NewReader(
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait",`+meta+`}}`))
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range map[string]string{
				"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
				"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "wait",
			} {
				req.Header.Set(name, value)
			}
			go func() {
				<-started
				cancel()
			}()
			if res, err := http.DefaultClient.Do(req); err == nil {
				_, _ = io.Copy(io.Discard, res.Body) // ends with the context
				res.Body.Close()
			}
			<-stopped
		})
	}
}

// A model that always calls the tool cannot keep a call going forever.
func TestInterview_Ends(t *testing.T) {
	p := newPeer(t)
	const call = `{"name":"prepare_interview","arguments":{"role":"designer"}}`
	r := p.send("/mcp/interview", "tools/call", call, nil)
	for range maxRounds {
		if r.resultType() != "input_required" {
			break
		}
		answers := map[string]any{}
		for key := range r.questions() {
			answers[key] = json.RawMessage(`{"role":"assistant","model":"m",` +
				`"content":[{"type":"tool_use","id":"u","name":"other","input":7}]}`)
		}
		extra := map[string]any{"inputResponses": answers}
		if r.state() != "" {
			extra["requestState"] = r.state()
		}
		r = p.send("/mcp/interview", "tools/call", call, extra)
	}
	if string(r.Result["isError"]) != "true" || !strings.Contains(r.text(), "used the tool 4 times") {
		t.Errorf("ends with %s", r.body)
	}
}

// Answers are kept, and only the missing ones are asked for again.
func TestTrip_AnswersCanComeInParts(t *testing.T) {
	p := newPeer(t)
	const call = `{"name":"plan_trip","arguments":{"destination":"Lisbon"}}`
	one := p.send("/mcp/trip", "tools/call", call, nil)
	all := p.answers(one)["inputResponses"].(map[string]any)
	two := p.send("/mcp/trip", "tools/call", call,
		map[string]any{"inputResponses": map[string]any{"wishes": all["wishes"], "folders": all["folders"]}})
	if q := two.questions(); len(q) != 1 || q["ideas"].Method != "sampling/createMessage" {
		t.Fatalf("asked again: %s", two.body)
	}
	three := p.send("/mcp/trip", "tools/call", call, p.answers(two))
	if !strings.Contains(three.text(), "in Lisbon. The castle. To be saved in file:///home/ada") {
		t.Errorf("ends with %s", three.body)
	}
}
