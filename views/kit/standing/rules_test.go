package standing

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestVerdicts_OnPurpose: in an exchange of a check, which is no branch, what the client
// violates in the Round that an experiment changed, and after it, is broken on purpose.
func TestVerdicts_OnPurpose(t *testing.T) {
	f := playground.Transcript{Rounds: []playground.Round{{N: 1}, {N: 2}, {N: 3}}}
	f.Rounds[1].Decision = playground.Decision{Experiment: "drop-state", Changed: true}
	var list []rules.Finding
	for n := 1; n <= 3; n++ {
		list = append(list,
			rules.Finding{Rule: "C2", Side: rules.Client, Verdict: verdict.Failed, Round: n},
			rules.Finding{Rule: "S0", Side: rules.Server, Verdict: verdict.Failed, Round: n})
	}
	for _, v := range NewVerdicts(list, nil).OnPurpose(f).Issues {
		if want := v.Side == string(rules.Client) && v.Round >= 2; v.OnPurpose != want {
			t.Errorf("%s in round %d: %v", v.Rule, v.Round, v.OnPurpose)
		}
	}
	broken := rules.Finding{Rule: "C2", Side: rules.Client, Verdict: verdict.Failed, Round: 2}
	open := rules.Finding{Rule: "S0", Side: rules.Server, Verdict: verdict.NotJudged, Round: 2}
	v := NewVerdicts([]rules.Finding{broken, open}, nil).OnPurpose(f)
	if kind, words := v.Headline(); kind != string(verdict.NotJudged) || words != "1 not judged." {
		t.Errorf("what was broken on purpose, and a rule that could not judge: %q, %q", kind, words)
	}
	open.Side = rules.Client
	if v = NewVerdicts([]rules.Finding{open}, nil).OnPurpose(f); v.Issues[0].OnPurpose {
		t.Error("a rule that could not judge is broken on purpose")
	}
	f.Rounds[1].Decision = playground.Decision{}
	for _, v := range NewVerdicts(list, nil).OnPurpose(f).Issues {
		if v.OnPurpose {
			t.Errorf("%s in round %d without an experiment", v.Rule, v.Round)
		}
	}
}

func TestRoundWords_NameTheRoundsInARow(t *testing.T) {
	for _, c := range []struct {
		rounds []int
		want   string
	}{
		{nil, ""},
		{[]int{2}, "Round [2] · "},
		{[]int{1, 2}, "Rounds [1], [2] · "},
		{[]int{1, 3, 4, 5, 20}, "Rounds [1], [3] to [5], [20] · "},
	} {
		var list []VerdictRound
		for _, n := range c.rounds {
			list = append(list, VerdictRound{N: n, Path: "/x"})
		}
		got := ""
		for _, w := range roundWords(list) {
			if w.path != "" {
				w.text = "[" + w.text + "]"
			}
			got += w.text
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.rounds, got, c.want)
		}
	}
}
