package agent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAgent_ReportNamesExchanges: each finding of a report, each missed requirement and the
// correct call have an exchange, which the text names too and read_exchange takes, also as
// a URL.
func TestAgent_ReportNamesExchanges(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table("books after no"))
	t.Cleanup(server.Close)
	a := sitetest.New(t, app.Local).Agent()
	got := checked(a, map[string]any{"url": server.URL, "tool": exercise.Tool}, true)
	type named struct{ ID, Exchange, Standing string }
	var r struct {
		Exchange, URL          string
		Findings, Requirements []named
		NotJudged              []struct{ ID, Why string }
		Counts                 struct{ WithoutVerdict int }
	}
	got.Read(t, &r)
	if n := len(r.NotJudged); n != r.Counts.WithoutVerdict || n == 0 {
		t.Errorf("%d are not judged: %+v", r.Counts.WithoutVerdict, r.NotJudged)
	}
	for _, u := range r.NotJudged {
		if u.ID == "" || u.Why == "" {
			t.Errorf("not judged: %+v", u)
		}
	}
	for _, want := range []string{
		"This server fails 1 check in ", "13 of 14 requirements met.", "- failed requirement cleared: ",
		"A check sees messages only.", "A server checks the Origin header",
		"experiments: the call did not become a task",
	} {
		if !strings.Contains(got.Words(), want) {
			t.Errorf("no %q: %s", want, got.Words())
		}
	}
	read := func(id string) string {
		return a.Call("read_exchange", map[string]any{"id": id}, sitetest.ToolResult{}).Words()
	}
	if words := read(sitetest.Base + "/x/" + r.Exchange + "?round=2#raw"); !strings.Contains(words,
		"Round 3.") {
		t.Errorf("the correct call: %s", words)
	}
	if words := read(r.URL); !strings.Contains(words, "This is a board") {
		t.Errorf("%s: %s", r.URL, words)
	}
	for _, q := range r.Requirements {
		missed := q.ID == "cleared"
		if missed != (q.Standing == "fail") || missed != (q.Exchange != "") {
			t.Errorf("%+v", q)
		}
		if missed && !strings.Contains(read(q.Exchange), `"confirm":false`) {
			t.Errorf("%s is not the call that shows it: %s", q.Exchange, read(q.Exchange))
		}
		if !strings.Contains(got.Words(), "Exchange: "+q.Exchange) {
			t.Errorf("no exchange of %s: %s", q.ID, got.Words())
		}
	}
	for _, f := range r.Findings {
		if f.Exchange == "" || !strings.Contains(got.Words(), "Exchange: "+f.Exchange) {
			t.Errorf("%+v: %s", f, got.Words())
		}
	}
}

// TestAgent_SaysWhyConnectingFailed: the method that failed, what it must return and what
// came, without the words of a page.
func TestAgent_SaysWhyConnectingFailed(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	for name, one := range map[string]struct {
		status     int
		body, want string
	}{
		"unknown method": {404, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method"}}`,
			"server/discover failed: The server returned error -32601: unknown method. " +
				"Two requests were tried, server/discover of MCP 2026-07-28 and initialize of earlier " +
				"revisions. The server answered both in the same way. " +
				"Every server answers server/discover."},
		"no versions": {200, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","capabilities":{}}}`,
			"The result of server/discover has no supportedVersions."},
		"no JSON": {200, `{"jsonrpc":`, `The body of the response: {"jsonrpc":`},
		"status":  {418, `I'm a teapot`, "The body says: I'm a teapot."},
		"other id": {200, `{"jsonrpc":"2.0","id":"7","result":{}}`,
			`The body of the response: {"jsonrpc":"2.0","id":"7"`},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(one.status)
			fmt.Fprint(w, one.body)
		}))
		t.Cleanup(server.Close)
		got := a.Call("call_tool", map[string]any{"url": server.URL, "tool": "x"},
			sitetest.ToolResult{}).Words()
		if !strings.HasPrefix(got, "The server answered, but server/discover failed: ") ||
			!strings.Contains(got, one.want) || strings.Contains(got, "Wire") ||
			strings.Contains(got, "bytes") || strings.Contains(got, "not reachable") || repeats(got) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// repeats reports whether a sentence stands twice in a text.
func repeats(text string) bool {
	seen := map[string]bool{}
	for sentence := range strings.SplitSeq(strings.TrimSuffix(text, "."), ". ") {
		if seen[sentence] {
			return true
		}
		seen[sentence] = true
	}
	return false
}

// TestAgent_MendPromptNamesTheServer: the prompt is of use without the call that made it.
func TestAgent_MendPromptNamesTheServer(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	in := map[string]any{"url": sitetest.Base + "/mcp/naughty", "tool": "no_content"}
	got := a.Ask(playground.PromptsGet, map[string]any{"name": "mend", "arguments": in}).Words()
	if !strings.HasPrefix(got, "Mend the MCP server at "+sitetest.Base+"/mcp/naughty.") ||
		!strings.Contains(got, `its tool "no_content"`) {
		t.Errorf("%s", got)
	}
}
