package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	pure "github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/capture/capturetest"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestCapture_BadClients: the page of a capture names each bad client by its rule and by no
// other, in its first call and in its fifth one, and holds nothing against an unusual one. Of
// those that TestTape_Clients has in both calls, one of each rule is enough in the fifth, as
// it is of all with -short.
func TestCapture_BadClients(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	behind := httptest.NewServer(capturetest.Desk)
	t.Cleanup(behind.Close)
	target := playground.Target{
		ID: "desk", Name: "desk", URL: behind.URL + "/mcp", Capabilities: json.RawMessage(`{}`),
	}
	sitetest.Check(t, s.Store.AddTarget(t.Context(), "local", target, s.Config.App.Now()))
	rules := map[string]bool{}
	for _, b := range slices.Concat(capturetest.Bad(), capturetest.Unusual()) {
		if b.Where == capturetest.OnLines {
			continue
		}
		var calls []int
		if !testing.Short() {
			calls = append(calls, 0)
		}
		if !rules[b.Rule] || b.Where == capturetest.OverHTTP && !testing.Short() {
			calls = append(calls, 4)
		}
		rules[b.Rule] = true
		for _, before := range calls {
			c := s.Capture("desk", "")
			b.Run(before, func(r capturetest.Request) map[string]any { return sendAs(c, r) })
			n, log := c.Recorded()
			name := fmt.Sprintf("%s after %d", b.Name, before)
			if r := pure.NewReport(n, log); r.Unjoined() != b.Lost() {
				t.Errorf("%s: %d retries could not be joined", name, r.Unjoined())
			}
			page := c.Get(c.Page).HTML()
			var got []string
			for _, v := range []verdict.Outcome{verdict.Failed, verdict.Advisory} {
				selector := `[data-side="client"] .client-findings [data-verdict="` + string(v) + `"]`
				for _, id := range page.Values(selector, "data-rule") {
					got = append(got, id+" "+string(v))
				}
			}
			want := []string{b.Rule + " fail"}
			if b.Hint {
				want = []string{b.Rule + " hint"}
			}
			if b.Rule == "" {
				want = nil
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}

// sendAs sends a request of a test client to the address of the capture.
func sendAs(c *sitetest.Capture, r capturetest.Request) map[string]any {
	header := http.Header{}
	for name, value := range r.Fields() {
		header.Set(name, value)
	}
	verb := http.MethodPost
	if r.Verb != "" {
		verb = r.Verb
	}
	got := c.Do(verb, c.Path+r.Query, r.Bodies()[0], header)
	var response map[string]any
	_ = json.Unmarshal([]byte(strings.TrimSpace(got.Body)), &response)
	return response
}
