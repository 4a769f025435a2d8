package client_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestCapture_Files: the report is there as files, with the verdicts of the page.
func TestCapture_Files(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	c := s.Capture("client-test", "")
	c.Get(c.Page).HasNot(t, "#client-export")
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	none := map[string]any{}
	first := c.Send(playground.ToolsCall, map[string]any{"name": "echo_quotes", "arguments": none})
	c.Send(playground.ToolsCall, map[string]any{"name": "echo_quotes", "arguments": none,
		"inputResponses": answersTo(t, first), "requestState": stateIn(t, first) + "x"})
	c.Send(playground.ToolsCall, map[string]any{"name": secret, "arguments": map[string]any{"key": secret}},
		"Mcp-Name", secret+"-not")
	c.Send(playground.ToolsList, map[string]any{}, "X-Note", secret)
	page := c.Get(c.Page)
	page.Has(t, `#client-export a[href$=".json"]`, `#client-export a[href$=".xml"]`,
		`#client-export a[href$=".md"]`)

	file := c.Get(c.Page + ".json")
	var d pure.Document
	sitetest.Check(t, json.Unmarshal([]byte(file.Body), &d))
	shown := page.HTML().Values(`[data-verdict="fail"][data-tick]`, "data-tick")
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
	junit := c.Get(c.Page + ".xml").Body
	sitetest.Check(t, xml.Unmarshal([]byte(junit), &suites))
	// A fault that a rule and a check see is a failure of both, and counts once in the summary.
	n := strings.Count(junit, "<failure")
	if suites.Failures != n || n < len(failed) || n < d.Summary.Failed {
		t.Errorf("%d failures, %d elements, %d failed", suites.Failures, n, d.Summary.Failed)
	}
	c.Get(c.Page+".md").Contains(t, "# Report on tester 3\n", "echo\\_quotes: echo")
	for _, suffix := range []string{".json", ".xml", ".md"} {
		got := c.Get(c.Page + suffix)
		if strings.Contains(got.Body, secret) || got.Header.Get("Content-Disposition") == "" {
			t.Errorf("%s has a secret, or is no file", suffix)
		}
	}
	if !strings.Contains(file.Body, "***") {
		t.Error("nothing is masked")
	}
	if got := c.Get(c.Page + ".pdf"); got.Status != http.StatusNotFound {
		t.Errorf("pdf: %d", got.Status)
	}
	c.Post(c.Page+"/end", "")
	c.Get(c.Page+".json").Contains(t, "the address has ended")
	c.NoErrors()
}

// answersTo accepts every question of a result.
func answersTo(t *testing.T, a sitetest.Answer) map[string]any {
	t.Helper()
	var message struct {
		Result struct{ InputRequests map[string]any }
	}
	sitetest.Check(t, json.Unmarshal([]byte(a.Body), &message))
	answers := map[string]any{}
	for key := range message.Result.InputRequests {
		answers[key] = map[string]any{"action": "accept", "content": map[string]any{}}
	}
	return answers
}
