package lesson_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

func TestOverview_IsThatOfTheBook(t *testing.T) {
	b, err := lesson.New()
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Lessons) != lesson.Count || b.Lessons[0].Minutes() != lesson.FirstMinutes {
		t.Errorf("%d lessons, the first of %d minutes", len(b.Lessons), b.Lessons[0].Minutes())
	}
}
