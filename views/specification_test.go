package views_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/views"
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
	s := views.NewSpecification([]spec.Page{{Name: "a", Sentences: rows[:1]},
		{Name: "b", Sentences: rows[1:]}}, book)
	want := views.Coverage{All: 3, Must: 2, Judged: 2, Probed: 1, Hidden: 1, Taught: 1,
		ForClient: 1, Client: 1, ForSamples: 2, Samples: 1, Missing: 1}
	if diff := cmp.Diff(want, s.Total); diff != "" {
		t.Errorf("total (-want +got):\n%s", diff)
	}
	if s.Pages[0].All != 1 || s.Pages[1].All != 2 || len(s.Missing) != 1 {
		t.Errorf("pages have %d and %d requirements, %d are missing", s.Pages[0].All, s.Pages[1].All,
			len(s.Missing))
	}
	want0 := views.LessonLink{Path: "/learn/rules/C2", Words: "C2"}
	if got := s.Pages[0].Rows[0]; got.Rules[0] != want0 || got.Experiments[0] != "Drop the state" {
		t.Errorf("row: %+v", got)
	}
}
