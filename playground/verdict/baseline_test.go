package verdict_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// compared returns a report with these outcomes, compared with one that had others. The ids
// of lines are their places.
func compared(t *testing.T, before, now []verdict.Outcome) verdict.Report {
	t.Helper()
	of := func(outcomes []verdict.Outcome) verdict.Report {
		r := report(outcomes...)
		for i := range r.Groups[0].Lines {
			l := &r.Groups[0].Lines[i]
			l.ID, l.Level = string(rune('a'+i)), "MUST"
		}
		return r
	}
	r, err := of(now).Against(of(before).Baseline("b.json"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ids returns the ids of lines, in one word.
func ids(lines []verdict.Line) string {
	var names []string
	for _, l := range lines {
		names = append(names, l.ID)
	}
	return strings.Join(names, "")
}

// TestAgainst: what failed before as well is old and not worse; what is not judged any more is
// neither new nor fine.
func TestAgainst(t *testing.T) {
	const (
		pass, fail, hint, na = verdict.Passed, verdict.Failed, verdict.Advisory, verdict.NotApplicable
		open, far            = verdict.NotJudged, verdict.NotReached
	)
	type outcomes = []verdict.Outcome
	for name, c := range map[string]struct {
		before, now            outcomes
		fresh, gone, old, lost string
		exit                   int
		outcome                verdict.Outcome
		words                  string
	}{
		"the same": {outcomes{pass, fail, far}, outcomes{pass, fail, far}, "", "", "b", "", 0, hint,
			"Nothing new: this client still fails 1 check in 3 requests, 1 not reached."},
		"one is new": {outcomes{pass, fail, far}, outcomes{fail, fail, far}, "a", "", "b", "", 1, fail,
			"This client newly fails 1 check, and still 1 in 3 requests, 1 not reached."},
		"one was not judged": {outcomes{far, pass}, outcomes{fail, pass}, "a", "", "", "", 1, fail,
			"This client newly fails 1 check in 3 requests."},
		"one was an advisory": {outcomes{hint}, outcomes{fail}, "a", "", "", "", 1, fail,
			"This client newly fails 1 check in 3 requests."},
		"one is gone": {outcomes{fail, pass}, outcomes{hint, pass}, "", "a", "", "", 0, pass,
			"No violation by this client in 3 requests, 1 advisory."},
		"one was lost": {outcomes{pass, pass}, outcomes{open, pass}, "", "", "", "a", 3, open,
			"No violation by this client in 3 requests, 1 not judged. Not judged any more: a."},
		"a failure was lost": {outcomes{fail, pass}, outcomes{far, pass}, "", "", "", "a", 3, open,
			"No violation by this client in 3 requests, 1 not reached. Not judged any more: a."},
		"a MUST does not apply any more": {outcomes{pass, pass}, outcomes{na, pass}, "", "", "", "a", 3, open,
			"No violation by this client in 3 requests. Not judged any more: a."},
		"new and lost": {outcomes{pass, pass}, outcomes{fail, open}, "a", "", "", "b", 1, fail,
			"This client newly fails 1 check in 3 requests, 1 not judged. Not judged any more: b."},
		"old and lost": {outcomes{fail, pass}, outcomes{fail, open}, "", "", "a", "b", 3, hint,
			"Nothing new: this client still fails 1 check in 3 requests, 1 not judged. " +
				"Not judged any more: b."},
	} {
		t.Run(name, func(t *testing.T) {
			r := compared(t, c.before, c.now)
			got := []string{ids(r.Since.New), ids(r.Since.Gone), ids(r.Since.Unchanged), ids(r.Since.Lost)}
			if want := []string{c.fresh, c.gone, c.old, c.lost}; !slices.Equal(got, want) {
				t.Errorf("new, gone, unchanged, lost: %q, want %q", got, want)
			}
			h := r.Headline()
			if r.ExitCode() != c.exit || h.Outcome != c.outcome || h.Words != c.words {
				t.Errorf("exit code %d, %s: %s", r.ExitCode(), h.Outcome, h.Words)
			}
		})
	}
}

// TestAgainst_Lesser: whether a SHOULD applies can depend on chance.
func TestAgainst_Lesser(t *testing.T) {
	r := report(verdict.NotApplicable, verdict.Passed)
	r.Groups[0].Lines[0].ID, r.Groups[0].Lines[0].Level = "a", "SHOULD"
	before := report(verdict.Passed, verdict.Passed)
	before.Groups[0].Lines[0].ID = "a"
	got, err := r.Against(before.Baseline("b"))
	if err != nil || len(got.Since.Lost) > 0 || got.ExitCode() != 0 {
		t.Errorf("%+v, %v", got.Since, err)
	}
}

// TestAgainst_Formats: an old failure is no failure of JUnit, and is named in each format; a
// new one comes first.
func TestAgainst_Formats(t *testing.T) {
	r := compared(t, []verdict.Outcome{verdict.Passed, verdict.Failed}, []verdict.Outcome{verdict.Failed,
		verdict.Failed})
	var text, junit bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteJUnit(&junit)); err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(text.String(),
		"\n"); first != "Compared with b.json: 1 new, 0 gone, 1 unchanged." {
		t.Errorf("first: %s", first)
	}
	if !strings.Contains(text.String(), "failed (old)") || !strings.Contains(string(r.Markdown()),
		"**new**: a") {
		t.Errorf("%s\n%s", &text, r.Markdown())
	}
	if n := strings.Count(junit.String(), "<failure"); n != 1 || !strings.Contains(junit.String(), `"old: `) {
		t.Errorf("%d failures in %s", n, &junit)
	}
	d := r.Document().Baseline
	if d == nil || !d.Worse || len(d.New) != 1 || d.New[0].ID != "a" || len(d.Unchanged) != 1 ||
		d.Gone == nil {
		t.Errorf("%+v", d)
	}
}

// TestReadBaseline: the lines of a JSON report are found, with their outcomes.
func TestReadBaseline(t *testing.T) {
	type document struct {
		verdict.Document
		Method string                 `json:"method"`
		Params json.RawMessage        `json:"params"`
		Lines  []verdict.LineDocument `json:"rules"`
		Other  []int                  `json:"other"`
	}
	r := report(verdict.Failed, verdict.Passed)
	r.Groups[0].Lines[1].Scope = "s"
	data, err := json.Marshal(document{r.Document(), "tools/call", []byte(`{"name":"book"}`),
		r.Groups[0].Documents(), []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := verdict.ReadBaseline("b.json", data)
	if err != nil || b.Subject != verdict.Subject("tools/call", "book") {
		t.Fatalf("%+v, %v", b, err)
	}
	got, err := r.Against(b)
	if err != nil || ids(got.Since.Unchanged) != "fail" || !got.Since.Same() || got.ExitCode() != 0 {
		t.Errorf("%+v, %v", got.Since, err)
	}
	r.Groups[0].ID = "of another command"
	if _, err := r.Against(b); err == nil {
		t.Error("a report of another command is compared")
	}
	for _, wrong := range []string{"", "[]", "{}", `{"summary":{}}`,
		`{"rules":[{"id":"a","verdict":"pass"}]}`, "<xml/>"} {
		if _, err := verdict.ReadBaseline("b", []byte(wrong)); !errors.Is(err, verdict.ErrNoReport) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// TestExhibit: it is shown where something failed, and nowhere else.
func TestExhibit(t *testing.T) {
	for _, o := range []verdict.Outcome{verdict.Failed, verdict.Passed} {
		r := report(o, o)
		r.Groups[0].Exhibit = []string{"-> expected ~~~"}
		var text, junit bytes.Buffer
		if err := errors.Join(r.WriteText(&text), r.WriteJUnit(&junit)); err != nil {
			t.Fatal(err)
		}
		want := 0
		if o == verdict.Failed {
			want = 1
		}
		for name, s := range map[string]string{
			"text": text.String(), "JUnit": junit.String(), "Markdown": string(r.Markdown()),
		} {
			if n := strings.Count(s, "expected ~"); n != want {
				t.Errorf("%s, %s: %d times in\n%s", o, name, n, s)
			}
		}
	}
}
