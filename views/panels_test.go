package views_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	stateview "github.com/mrtr-playground/mrtr-playground/views/state"
)

// judged are exchanges with findings of every kind, by name.
func judged(b *fixtures) map[string]playground.Exchange {
	return map[string]playground.Exchange{
		"azure-devops": b.recorded("azure-devops"),
		"legacy":       b.recorded("legacy"),
		"tasks":        b.recorded("tasks"),
		"experiment":   b.recorded("flip-sealed"),
		"capped":       capped().x,
		"violation": call("weather", `{}`).
			result(`{"resultType":"input_required","requestState":42,"inputRequests":{` + confirm + `}}`).x,
		"running": call("weather", `{}`).x,
	}
}

func (b *fixtures) model(x playground.Exchange, edits ...edit) exchangeview.Exchange {
	b.t.Helper()
	model, ok := exchangeview.New(b.input(x, edits...))
	if !ok {
		b.t.Fatal("there is no such round")
	}
	return model
}

func rendered(t *testing.T, c templ.Component) htmltest.Page {
	t.Helper()
	var out bytes.Buffer
	if err := c.Render(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	return htmltest.Parse(out.String())
}

func TestRules_MatrixHasEveryFindingOnce(t *testing.T) {
	b := newFixtures(t)
	for name, x := range judged(b) {
		v := b.model(x).Verdicts
		cells := map[string]string{}
		for _, table := range v.Matrix() {
			for _, row := range table.Rows {
				for i, kind := range row.Cells {
					if kind != "" {
						cells[fmt.Sprint(row.Rule, " ", v.Rounds[i].N)] = kind
					}
				}
			}
		}
		findings := 0
		for _, f := range rules.JudgeFolded(x, x.Fold()) {
			if f.Verdict == verdict.NotApplicable {
				continue
			}
			findings++
			want := string(f.Verdict)
			if name == "experiment" && f.Side == rules.Client && f.Verdict != verdict.Passed {
				want = "purpose"
			}
			if got := cells[fmt.Sprint(f.Rule, " ", f.Round)]; got != want {
				t.Errorf("%s: %s in round %d is %q, want %q", name, f.Rule, f.Round, got, want)
			}
		}
		if findings != len(cells) {
			t.Errorf("%s: %d findings, %d cells", name, findings, len(cells))
		}
	}
}

// A page has every rule once by its id, with its worst verdict, and names every
// Round of an issue.
func TestRules_PageHasEveryRuleOnce(t *testing.T) {
	b := newFixtures(t)
	for name, x := range judged(b) {
		v := b.model(x).Verdicts
		page := rendered(t, standing.VerdictsView(v))
		worst := map[string]verdict.Outcome{}
		order := []verdict.Outcome{
			"", verdict.NotApplicable, verdict.Passed, verdict.Advisory, verdict.Failed,
		}
		for _, f := range rules.JudgeFolded(x, x.Fold()) {
			if slices.Index(order, f.Verdict) > slices.Index(order, worst[f.Rule]) {
				worst[f.Rule] = f.Verdict
			}
		}
		for id, verdict := range worst {
			if n := len(page.Find(fmt.Sprintf("[data-rule=%q]", id))); n != 1 {
				t.Errorf("%s: %s is %d times on the page", name, id, n)
			}
			if !page.Has(fmt.Sprintf("[data-rule=%q][data-verdict=%q]", id, verdict)) {
				t.Errorf("%s: %s is not on the page as %s", name, id, verdict)
			}
		}
		rounds := 0
		for _, issue := range v.Listed() {
			rounds += len(issue.Rounds)
			if !page.Has(`"` + issue.Text + `"`) {
				t.Errorf("%s: the sentence of %s is missing", name, issue.Rule)
			}
		}
		if rounds != len(v.Issues) {
			t.Errorf("%s: %d rounds for %d issues", name, rounds, len(v.Issues))
		}
		for _, issue := range v.Issues {
			if !page.Has(`"` + issue.Text + `"`) {
				t.Errorf("%s: %q is missing", name, issue.Text)
			}
		}
	}
}

func TestRules_ViolationsComeFirstAndPassedOnesAreFolded(t *testing.T) {
	b := newFixtures(t)
	all := judged(b)
	page := rendered(t, standing.VerdictsView(b.model(all["violation"]).Verdicts))
	if !page.Has("[data-verdict=fail]") ||
		page.Has("details [data-verdict=fail], details ~ [data-verdict=fail]") ||
		len(page.Find("[data-verdict=pass]")) != len(page.Find("details [data-verdict=pass]")) {
		t.Errorf("a violation does not come first, or what passed is not folded: %q", page.Texts("body"))
	}
	page = rendered(t, standing.VerdictsView(b.model(all["azure-devops"]).Verdicts))
	if !page.Has("table") || page.Has("details table") {
		t.Error("all is well, but the matrix is folded")
	}
}

func TestVerdicts_Summary(t *testing.T) {
	b := newFixtures(t)
	all := judged(b)
	for name, want := range map[string]string{
		"azure-devops": "✓ 114|114 checks passed",
		"violation":    "✕ 1 · ✓ 32|1 failed, 32 checks passed",
		"experiment":   "~ 1 · ✓ 22|1 broken on purpose, 22 checks passed",
		"capped":       "! 21 · ✓ 834|21 advisories, 834 checks passed",
	} {
		page := rendered(t, standing.VerdictSummary(b.model(all[name]).Verdicts))
		signs, words := page.Texts("[aria-hidden]"), page.Texts(".visually-hidden")
		if got := strings.Join(append(signs, words...), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestStatePanel_PartsAddUpToTheState(t *testing.T) {
	b := newFixtures(t)
	var states []stateview.Panel
	for _, mode := range []seal.Mode{seal.Plain, seal.Signed, seal.Sealed} {
		r := deletion(b.state(mode, nil), confirm)
		b.ofSample(r, mode)
		states = append(states, b.model(r.x, open(selection.PanelState)).State)
	}
	for _, token := range []string{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl", `{"step":2}`,
		"9f8c2d4e1b7a6053", "eyJzdGVwIjoyLCJ0YWJsZSI6Im9yZGVycyJ9"} {
		states = append(states, b.model(deletion(token, confirm).x, open(selection.PanelState)).State)
	}
	for _, p := range states {
		blocks := p.Blocks
		if p.Format != nil {
			blocks = p.Format.Blocks
		}
		sum := 0
		for _, block := range blocks {
			sum += block.Bytes
		}
		if sum != p.Length {
			t.Errorf("%s %.30s: the parts have %d bytes of %d", p.Mode, p.Text, sum, p.Length)
		}
	}
}

func TestStatePanel_SaysWhatWasAdded(t *testing.T) {
	b := newFixtures(t)
	x := b.secondState()
	for n, want := range map[int]string{
		1: "The first state of this call.", 2: "Added since round 1: answers.confirm.",
	} {
		if got := b.model(x, round(n), open(selection.PanelState)).State.Added; got != want {
			t.Errorf("round %d: %s, want %s", n, got, want)
		}
	}
	want := "The first state of this call. It carries answers.resolution."
	if got := b.model(b.recorded("azure-devops"), open(selection.PanelState)).State.Added; got != want {
		t.Errorf("azure-devops: %s, want %s", got, want)
	}
}

func TestStatePanel_HasHumanDates(t *testing.T) {
	b := newFixtures(t)
	page := rendered(t, stateview.PanelView(b.model(b.secondState(), open(selection.PanelState)).State))
	for _, want := range []string{`"expires 28 Jul 2026, 13:00 UTC"`, `"1785243600, 28 Jul 2026, 13:00 UTC"`,
		`"1785240000, 28 Jul 2026, 12:00 UTC"`, `[data-until="1785243600000"]`} {
		if !page.Has(want) {
			t.Errorf("no %s in %s", want, page.Texts("body"))
		}
	}
	late := b.model(b.secondState(), b.late, open(selection.PanelState))
	page = rendered(t, stateview.PanelView(late.State))
	if !page.Has(`"expired 28 Jul 2026, 13:00 UTC"`) || page.Has("[data-until]") {
		t.Errorf("an expired state: %s", page.Texts("body"))
	}
}

func TestStatePanel_CopiesOnlyWhatIsExact(t *testing.T) {
	b := newFixtures(t)
	for state, want := range map[string]bool{
		"s-1": true, "a\u202eb": false, strings.Repeat("x", 70_000): false,
	} {
		model := b.model(deletion(state, confirm).x, open(selection.PanelState))
		page := rendered(t, stateview.PanelView(model.State))
		if got := page.Has("[data-copy=state-text]"); got != want {
			t.Errorf("%.10q can be copied: %v, want %v", state, got, want)
		}
	}
}

func TestTimingPanel_LegendExplainsWhatIsDrawn(t *testing.T) {
	b := newFixtures(t)
	for name, want := range map[string]string{
		"azure-devops": "waiting receiving break",
		"capped":       "connecting waiting receiving break",
		"legacy":       "unsplit break",
		"running":      "",
	} {
		var keys []string
		for _, l := range b.model(judged(b)[name], open(selection.PanelTiming)).Timing.Legend {
			keys = append(keys, l.Key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestTimingPanel_ShowsTheSpanOfTheRound(t *testing.T) {
	b := newFixtures(t)
	x := traced().x
	spans := map[string]bool{}
	for n := 1; n <= 2; n++ {
		panel := b.model(x, round(n), open(selection.PanelTiming)).Timing
		if panel.Trace != "0af7651916cd43dd8448eb211c80319c" || len(panel.Span) != 16 || spans[panel.Span] ||
			!strings.Contains(string(x.Fold().Round(n).Request.Body), panel.Trace+"-"+panel.Span+"-01") {
			t.Errorf("round %d: trace %s, span %s", n, panel.Trace, panel.Span)
		}
		spans[panel.Span] = true
		page := rendered(t, exchangeview.TimingView(panel))
		if !page.Has(`"Trace `+panel.Trace+`"`) || !page.Has(`"Span `+panel.Span+`"`) {
			t.Errorf("round %d: %s", n, page.Texts("body"))
		}
	}
	panel := b.model(deletion("s-1", confirm).x, open(selection.PanelTiming)).Timing
	if panel.Trace != "" || rendered(t, exchangeview.TimingView(panel)).Has("[data-trace]") {
		t.Errorf("not traced: %s", panel.Trace)
	}
}

// TestNewVerdicts_NotJudged: a rule that could not judge is neither kept nor
// about another case: it is counted and listed with its reason, after the
// broken ones.
func TestNewVerdicts_NotJudged(t *testing.T) {
	finding := func(rule string, v verdict.Outcome, text string) rules.Finding {
		return rules.Finding{Rule: rule, Verdict: v, Round: 1, Side: rules.Server, Text: text}
	}
	why := finding("structured-content", verdict.NotJudged, "It cannot be checked.")
	v := standing.NewVerdicts([]rules.Finding{why, finding("S0", verdict.Passed, "x")}, nil)
	if kind, words := v.Headline(); kind != "unjudged" || words != "1 not judged." || len(v.NA) > 0 {
		t.Errorf("%q %q, %v", kind, words, v.NA)
	}
	if got := v.Summary(); got != "1 not judged, 1 check passed" {
		t.Error(got)
	}
	v = standing.NewVerdicts([]rules.Finding{why, finding("S2", verdict.Failed, "No.")}, nil)
	if list := v.Listed(); len(list) != 2 || list[0].Rule != "S2" || list[1].Text != why.Text {
		t.Errorf("%+v", list)
	}
}
