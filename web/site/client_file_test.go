package site_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	pure "github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestCapture_Files: the report is there as files, with the verdicts of the page.
func TestCapture_Files(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	c := s.capture("client-test", "")
	c.get(c.page).hasNot(t, "#client-export")
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	none := map[string]any{}
	first := c.send(playground.ToolsCall, map[string]any{"name": "echo_quotes", "arguments": none})
	c.send(playground.ToolsCall, map[string]any{"name": "echo_quotes", "arguments": none,
		"inputResponses": answersTo(t, first), "requestState": stateIn(t, first) + "x"})
	c.send(playground.ToolsCall, map[string]any{"name": secret, "arguments": map[string]any{"key": secret}},
		"Mcp-Name", secret+"-not")
	c.send(playground.ToolsList, map[string]any{}, "X-Note", secret)
	page := c.get(c.page)
	page.has(t, `#client-export a[href$=".json"]`, `#client-export a[href$=".xml"]`,
		`#client-export a[href$=".md"]`)

	file := c.get(c.page + ".json")
	var d pure.Document
	check(t, json.Unmarshal([]byte(file.body), &d))
	shown := page.html().Values(`[data-verdict="fail"][data-tick]`, "data-tick")
	var failed []string
	for _, l := range d.Checks {
		if l.Verdict == verdict.Failed {
			failed = append(failed, l.Scenario+"/"+l.ID)
		}
	}
	if d.OK || !d.Judged || len(d.Runs) != 1 || len(d.Runs[0].Requests) != 4 || d.Clients[0] != "tester 3" ||
		!slices.Equal(failed, shown) || !slices.Contains(failed, "echo_quotes/echo") {
		t.Errorf("%v, failed %v, shown %v", d.OK, failed, shown)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	junit := c.get(c.page + ".xml").body
	check(t, xml.Unmarshal([]byte(junit), &suites))
	// A fault that a rule and a check see is a failure of both, and counts once in the summary.
	n := strings.Count(junit, "<failure")
	if suites.Failures != n || n < len(failed) || n < d.Summary.Failed {
		t.Errorf("%d failures, %d elements, %d failed", suites.Failures, n, d.Summary.Failed)
	}
	c.get(c.page+".md").contains(t, "# Report on tester 3\n", "echo\\_quotes: echo")
	for _, suffix := range []string{".json", ".xml", ".md"} {
		got := c.get(c.page + suffix)
		if strings.Contains(got.body, secret) || got.header.Get("Content-Disposition") == "" {
			t.Errorf("%s has a secret, or is no file", suffix)
		}
	}
	if !strings.Contains(file.body, "***") {
		t.Error("nothing is masked")
	}
	if got := c.get(c.page + ".pdf"); got.status != http.StatusNotFound {
		t.Errorf("pdf: %d", got.status)
	}
	c.post(c.page+"/end", "")
	c.get(c.page+".json").contains(t, "the address has ended")
	c.noErrors()
}

// answersTo accepts every question of a result.
func answersTo(t *testing.T, a answer) map[string]any {
	t.Helper()
	var message struct {
		Result struct{ InputRequests map[string]any }
	}
	check(t, json.Unmarshal([]byte(a.body), &message))
	answers := map[string]any{}
	for key := range message.Result.InputRequests {
		answers[key] = map[string]any{"action": "accept", "content": map[string]any{}}
	}
	return answers
}
