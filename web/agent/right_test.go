package agent_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// explained is what the tests read of explain_finding.
type explained struct {
	Kind, Rule  string
	Experiments []string
	Sentences   []struct{ ID string }
	Statuses    []string
	Right       struct{ Experiment, Request, Response string }
	Lesson      struct{ Resource string }
}

func explain(a *sitetest.Agent, id string) (e explained) {
	a.T.Helper()
	a.Call("explain_finding", map[string]any{"id": id}, sitetest.ToolResult{}).Read(a.T, &e)
	return e
}

// TestAgent_ShowsTheRightError: where a server must answer with an error, the explanation
// has what a sample answers to the same request, with the status and the code.
func TestAgent_ShowsTheRightError(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	wanted := regexp.MustCompile(`^(4\d\d), (-32\d{3})$`)
	shown := 0
	for _, x := range lab.Experiments() {
		want := wanted.FindStringSubmatch(x.Brief)
		if want == nil || x.OfTask() {
			continue
		}
		shown++
		e := explain(a, x.ID)
		if !strings.HasPrefix(e.Right.Response, "HTTP/1.1 "+want[1]+" ") ||
			!strings.Contains(e.Right.Response, `"code":`+want[2]) || e.Right.Request == "" {
			t.Errorf("%s, which should get %s: %+v", x.ID, x.Brief, e.Right)
		}
		if !slices.ContainsFunc(e.Statuses, func(s string) bool { return strings.Contains(s, want[1]) }) {
			t.Errorf("%s: the status is not said: %q", x.ID, e.Statuses)
		}
	}
	if shown < 10 {
		t.Errorf("%d experiments expect an error", shown)
	}
	for id, want := range map[string]string{
		"error-data": `"data":{"requiredCapabilities":`, "version-unknown": `"supported":["2026-07-28"`,
		"S7": `"code":-32602`, "S4": `"code":-32602`, "S5": `"input_required"`,
	} {
		if e := explain(a, id); e.Kind != "rule" || !strings.Contains(e.Right.Response, want) {
			t.Errorf("%s: %+v", id, e)
		}
	}
	open := explain(a, "malformed-answer")
	if open.Rule != "S7" || !strings.Contains(strings.Join(open.Statuses, ""), "names no status") {
		t.Errorf("%+v", open)
	}
	a.NoErrors()
}

// TestAgent_ExplainsWithWhatApplies: no requirement of another transport or side explains
// a finding, and an experiment has those that it probes.
func TestAgent_ExplainsWithWhatApplies(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	pages := func(id string) string {
		var list []string
		for _, x := range explain(a, id).Sentences {
			page, _, _ := strings.Cut(x.ID, ".")
			list = append(list, page)
		}
		return strings.Join(slices.Compact(list), " ")
	}
	for id, want := range map[string]string{
		"header-mismatch": "http", "line-server": "stdio transports", "json-rpc": "index http",
	} {
		if got := pages(id); got != want {
			t.Errorf("%s: pages %q, want %q", id, got, want)
		}
	}
	if got := explain(a, "wrong-name-header").Sentences; len(got) == 0 || len(got) > 4 {
		t.Errorf("%+v", got)
	}
	if got := explain(a, "header-mismatch").Experiments; !slices.Contains(got, "wrong-name-header") {
		t.Errorf("%+v", got)
	}
}

// TestAgent_ExplainsEarlyAnswers: an answer that comes before its question is explained
// where the finding and the requirement point to.
func TestAgent_ExplainsEarlyAnswers(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	texts := texts(a)
	for id, want := range map[string]string{
		"early-answer":    "An answer that comes too early",
		"early-after-gap": "That there is a state is not enough",
		"early":           "answer before its question",
	} {
		if e := explain(a, id); !strings.Contains(texts[e.Lesson.Resource], want) {
			t.Errorf("%s: %+v", id, e)
		}
	}
	a.Page("/learn/reference/methods").Has(t, "#answers-that-are-not-what-was-asked")
	if e := explain(a, "early"); e.Kind != "requirement" || !slices.Contains(e.Experiments, "early-answer") {
		t.Errorf("%+v", e)
	}
}
