package code_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// check runs a check, which must find nothing.
func (b *balancer) check(v *flow.Version, f *flow.Flow) {
	b.t.Helper()
	made := 0
	exchanges, err := check.Run(b.t.Context(), check.Config{
		Runner: b.runner(), Client: me, Now: time.Now, Expiry: check.Expiry,
		Wait:  func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		NewID: func() string { made++; return fmt.Sprint("x", made) },
		Begin: func(context.Context, playground.Exchange) error { return nil },
	}, check.Plan{Target: b.target(), Call: call(f), Answers: onWire(v, v.ExampleAnswers()),
		Person: bearer("of-bob")})
	if err != nil {
		b.t.Fatal(err)
	}
	report := lab.NewReport(exchanges, server.Connection{}, false)
	found, want := []string{}, []string{}
	if f.State.Protection == "plain" {
		want = []string{"flip-state", "state-protected"} // which is what the flow shows
	}
	for _, r := range report.Results {
		if r.Verdict == rules.Fail || r.Verdict == rules.Hint {
			found = append(found, r.ID)
			b.t.Logf("%s: %s %s", r.ID, r.Verdict, r.Text)
		}
	}
	for _, r := range report.Findings {
		if r.Verdict == rules.Fail || r.Verdict == rules.Hint {
			found = append(found, r.Rule)
			b.t.Logf("%s: %s %s (%s, round %d)", r.Rule, r.Verdict, r.Text, r.Experiment, r.Round)
		}
	}
	slices.Sort(found)
	if !slices.Equal(slices.Compact(found), want) || report.Status != lab.Complete || !report.Worked {
		b.t.Errorf("the check found %q, want %q: %s %s", found, want, report.Status, report.Detail)
	}
}

// post sends a round of the refund and returns its response.
func post(t *testing.T, url, more string) string {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund_order",` +
		`"arguments":{"orderId":"A-1","amount":120},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}` + more + `}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "refund_order",
		"Authorization": "Bearer of-ada",
	} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(canonical(b))
}

const (
	reason  = `"reason":{"action":"accept","content":{"reason":"Late"}}`
	confirm = `"confirm":{"action":"accept","content":{"choice":"all"}}`
)

// An answer that comes before its question is none.
func ignoresEarlyAnswers(t *testing.T, url string) {
	got := post(t, url, `,"inputResponses":{`+reason+","+confirm+`}`)
	if !strings.Contains(got, `"inputRequests":{"confirm"`) {
		t.Error(got)
	}
}

// A state that has expired is refused, in the same words as every other.
func refusesExpired(t *testing.T, url string) {
	got := post(t, url, `,"inputResponses":{`+reason+`}`)
	_, state, _ := strings.Cut(got, `"requestState":"`)
	state, _, _ = strings.Cut(state, `"`)
	got = post(t, url, `,"inputResponses":{`+confirm+`},"requestState":"`+state+`"`)
	if state == "" || !strings.Contains(got, "-32602") || !strings.Contains(got, "was not accepted") {
		t.Error(got)
	}
}
