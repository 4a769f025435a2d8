package code_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// upgrades makes calls that come to other versions on their way: a version keeps the
// answers that it can use, unless it asks again.
func upgrades(t *testing.T, urls served, examples []example) {
	for _, test := range []struct {
		name, versions string
		want           []string // the keys of each round, and the result
	}{
		{"rolling-upgrade", "v1 v2 v2", []string{
			"github_login google_login", "microsoft_login",
			`ends "Linked GitHub as octocat and Microsoft as ada@example.org (by version 2)." false`,
		}},
		{"rolling-upgrade", "v2 v1 v1", []string{
			"github_login microsoft_login", "google_login",
			`ends "Linked GitHub as octocat and Google as ada@example.com (by version 1)." false`,
		}},
		{"upgrade.yaml", "v1 v2 v2 v2 v2", []string{
			"size", "size", "colour", "paper", `ends "M red true" false`,
		}},
		{"upgrade.yaml", "v1 v1 v2 v2 v2", []string{
			"size", "colour", "size", "paper", `ends "M red true" false`,
		}},
		{"upgrade.yaml", "v2 v1 v1", []string{"size", "colour", `ends "M red" false`}},
	} {
		f := examples[slices.IndexFunc(examples, func(e example) bool { return e.name == test.name })].Flow
		b := &balancer{t: t, Caller: wire.New(wire.Config{})}
		for version := range strings.SplitSeq(test.versions, " ") {
			b.urls = append(b.urls, urls[test.name+" "+version+" a"])
		}
		given := map[string]json.RawMessage{}
		for i := range f.Versions {
			maps.Copy(given, onWire(&f.Versions[i], f.Versions[i].ExampleAnswers()))
		}
		var got []string
		for _, round := range b.make(f, given) {
			var keys []string
			for line := range strings.Lines(round) {
				key, _, _ := strings.Cut(line, " ")
				keys = append(keys, key)
			}
			if words := strings.Join(keys, " "); words != "ends" {
				round = words
			}
			got = append(got, round)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s at %s: %q, want %q", test.name, test.versions, got, test.want)
		}
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
		"Authorization": "Bearer demo-alice",
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
