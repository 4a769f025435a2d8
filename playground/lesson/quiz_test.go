package lesson_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Exactly the option that is marked right passes every rule of its side.
func TestQuiz_RightOptionsPassTheRules(t *testing.T) {
	for _, s := range book(t).Quiz {
		for i, o := range s.Options {
			if !s.OnTheWire() {
				continue
			}
			faults := faults(t, s, i)
			if o.Right != (len(faults) == 0) {
				t.Errorf("%s, option %d: marked %v, and the rules say %v", s.Title, i+1, o.Right, faults)
			}
		}
	}
}

// Where no rule can judge the options, a recorded exchange with a sample shows
// which one is right.
func TestQuiz_ScriptsHold(t *testing.T) {
	n := 0
	for _, s := range book(t).Quiz {
		if len(s.Script) == 0 {
			continue
		}
		n++
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			if s.OnTheWire() || s.Script.Claims() == 0 {
				t.Errorf("%s: rules judge it, or its script has no claim", s.Title)
			}
			play(t, s.Title, s.Script)
		})
	}
	if n < 5 {
		t.Errorf("%d scenarios have a script", n)
	}
}

func faults(t *testing.T, s lesson.Scenario, option int) []string {
	t.Helper()
	x, err := s.Recording(option)
	if err != nil {
		t.Fatal(err)
	}
	side := rules.Client
	if s.ByServer() {
		side = rules.Server
	}
	last := playground.Fold(x.Log).Last().N
	var list []string
	for _, f := range rules.Judge(x) {
		if f.Round == last && f.Side == side &&
			(f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory) {
			list = append(list, f.Rule+": "+f.Text)
		}
	}
	return list
}

// If the client has to continue, the right option is the request that this
// program would send.
func TestQuiz_RightOptionsAreWhatNextBuilds(t *testing.T) {
	for _, s := range book(t).Quiz {
		if !s.OnTheWire() || s.ByServer() {
			continue
		}
		for i, o := range s.Options {
			if !o.Right {
				continue
			}
			x, err := s.Recording(i)
			if err != nil {
				t.Fatal(err)
			}
			f := playground.Fold(x.Log)
			last := f.Last()
			x.Log = x.Log[:len(x.Log)-2] // before the decision
			before := playground.Fold(x.Log)
			d := last.Decision
			req, err := playground.Next(x, before, d, playground.Client{})
			if err != nil {
				t.Errorf("%s: %v", s.Title, err)
				continue
			}
			want, _ := jsontree.Parse(req.Params, jsontree.Limits{})
			for _, name := range []string{"name", "arguments", "inputResponses", "requestState"} {
				got, want := last.Sent.At("params", name), want.Get(name)
				if (got == nil) != (want == nil) || got != nil && !jsontree.Equal(got, want) {
					t.Errorf("%s: %s is %s, and Next builds %s", s.Title, name, got.Raw(), want.Raw())
				}
			}
		}
	}
}

func book(t *testing.T) *lesson.Book {
	t.Helper()
	b, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
