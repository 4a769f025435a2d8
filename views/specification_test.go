package views_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
)

func TestNewSpecification_Counts(t *testing.T) {
	book, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	rows := []spec.Sentence{
		{Level: spec.Must, Party: spec.Client, Rules: []string{"C2"}, Experiments: []string{"drop-state"},
			Client: spec.Kept, Lesson: "rounds"},
		{Level: spec.MustNot, Party: spec.Both, Rules: []string{"C3"}, Client: spec.Unused,
			Samples: "One sample does not."},
		{Level: spec.Should, Party: spec.Server, Reason: "No message shows it.", Samples: spec.Kept},
	}
	s := learnview.NewSpecification([]spec.Page{{Name: "a", Sentences: rows[:1]},
		{Name: "b", Sentences: rows[1:]}}, book)
	want := learnview.Coverage{All: 3, Must: 2, Judged: 2, Probed: 1, Hidden: 1, Taught: 1,
		ForClient: 1, Client: 1, ForSamples: 2, Samples: 1, Missing: 1}
	if diff := cmp.Diff(want, s.Total); diff != "" {
		t.Errorf("total (-want +got):\n%s", diff)
	}
	if s.Pages[0].All != 1 || s.Pages[1].All != 2 || len(s.Missing) != 1 {
		t.Errorf("pages have %d and %d requirements, %d are missing", s.Pages[0].All, s.Pages[1].All,
			len(s.Missing))
	}
	want0 := paths.LessonLink{Path: "/learn/rules/C2", Words: "C2"}
	if got := s.Pages[0].Rows[0]; got.Rules[0] != want0 || got.Experiments[0] != "Drop the state" {
		t.Errorf("row: %+v", got)
	}
}

// The page shows what judges each requirement, from the tables: rules, experiments and
// scenarios. It has a reason why nothing does only where that is so.
func TestNewSpecification_ShowsWhatJudges(t *testing.T) {
	book, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	observed := rules.Observed()
	shown := 0
	for _, p := range learnview.NewSpecification(spec.Pages(), book).Pages {
		for _, r := range p.Rows {
			s, _ := spec.ByID(r.ID)
			if len(r.Rules) != len(s.Rules) || len(r.Experiments) != len(s.Experiments) ||
				len(r.Scenarios) != len(observed[r.ID]) {
				t.Errorf("%s shows %d rules, %d experiments and %d scenarios; the tables have %d, %d and %d",
					r.ID, len(r.Rules), len(r.Experiments), len(r.Scenarios),
					len(s.Rules), len(s.Experiments), len(observed[r.ID]))
			}
			judged := len(s.Rules)+len(s.Experiments)+len(observed[r.ID]) > 0
			if judged == (r.Reason != "") {
				t.Errorf("%s is judged: %v, and says %q", r.ID, judged, r.Reason)
			}
			if len(r.Scenarios) > 0 {
				shown++
			}
		}
	}
	if shown != len(observed) {
		t.Errorf("%d requirements have scenarios, want %d", shown, len(observed))
	}
}
