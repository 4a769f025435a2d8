package learn

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// SpotResult is the last part of the address of the result.
const SpotResult = "result"

// Spot is Spot the fault with the answers so far.
type Spot struct {
	Items    []SpotItem
	Answered int
	Right    int
}

// SpotItem is one exchange to judge.
type SpotItem struct {
	lesson.Item
	N           int
	Chosen      int // chosen option, from 1; 0 for none
	LessonPath  string
	LessonName  string
	Requirement spec.Sentence
}

// NewSpot returns Spot the fault with the answers of the user.
func NewSpot(b *lesson.Book, answers lesson.SpotAnswers) Spot {
	var s Spot
	for n, i := range b.Spot {
		item := SpotItem{Item: i, N: n + 1, Chosen: answers[n]}
		if l, ok := b.Lesson(i.Lesson); ok {
			item.LessonPath, item.LessonName = l.Path(), l.Title
		}
		item.Requirement, _ = i.Requirement()
		if item.Chosen > 0 {
			s.Answered++
		}
		if item.Solved() {
			s.Right++
		}
		s.Items = append(s.Items, item)
	}
	return s
}

// Open returns the number of the first exchange without an answer, or 0.
func (s Spot) Open() int {
	for _, i := range s.Items {
		if i.Chosen == 0 {
			return i.N
		}
	}
	return 0
}

// Missed returns the exchanges that were judged wrongly or not at all.
func (s Spot) Missed() []SpotItem {
	var list []SpotItem
	for _, i := range s.Items {
		if !i.Solved() {
			list = append(list, i)
		}
	}
	return list
}

// Tally returns the score so far.
func (s Spot) Tally() string { return fmt.Sprintf("%d right of %d judged", s.Right, s.Answered) }

// Score returns the heading of the result.
func (s Spot) Score() string {
	if s.Answered < len(s.Items) {
		return fmt.Sprintf("%s, %d to go", s.Tally(), len(s.Items)-s.Answered)
	}
	return fmt.Sprintf("%d of %d right", s.Right, len(s.Items))
}

// SpotPath returns the address of exchange n.
func SpotPath(n int) string { return fmt.Sprintf("%s/%d", lesson.SpotPath, n) }

// spotResultPath is the address of the result.
const spotResultPath = lesson.SpotPath + "/" + SpotResult

// Solved reports whether the right option was chosen.
func (i SpotItem) Solved() bool { return i.Chosen > 0 && i.Options[i.Chosen-1].Right }

// Shows reports whether option n, from 0, is explained: the chosen one, and all
// of them after the right one was chosen, as in the lessons.
func (i SpotItem) Shows(n int) bool { return i.Solved() || i.Chosen == n+1 }

// Standing says whether the answer is right.
func (i SpotItem) Standing() standing.Standing {
	switch {
	case i.Chosen == 0:
		return standing.Muted("not judged")
	case i.Solved():
		return standing.EndingAs(narrate.Good, "right")
	}
	return standing.EndingAs(narrate.Bad, "wrong")
}

// RequirementPath returns the address of the sentence that decides.
func (i SpotItem) RequirementPath() string { return paths.Specification + "#" + i.Sentence }

// turnWords names the sender of a message.
func turnWords(t lesson.Turn, first bool) string {
	switch {
	case t.Before > 0:
		return fmt.Sprintf("Server · HTTP %s · after %s on the same stream", t.Status,
			text.Plural(t.Before, "notification"))
	case t.Server:
		return "Server · HTTP " + t.Status
	case first:
		return "Client"
	}
	return "Client, again"
}
