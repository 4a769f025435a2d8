// Package learn shows the lessons and their live exchanges, the reference
// pages, the glossary, the quiz, the search, and the requirements of the
// specification.
package learn

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Learn is the list of lessons.
type Learn struct {
	Lines []LessonLine
	Here  LessonLine // the lesson to start or continue with
	Done  int
	// Minutes is how long all lessons take.
	Minutes int
	Claims  int // statements that tests check
	Quiz    int // questions of the quiz

	References []lesson.Reference
}

// LessonLine is a lesson in the list.
type LessonLine struct {
	N                    int
	Path, Title, Summary string
	Done                 bool
	Minutes              int
}

// opens reports whether listing i of the list is shown: that of the language, or
// else the first.
func opens(list []lesson.Listing, i int, language string) bool {
	at := slices.IndexFunc(list, func(x lesson.Listing) bool { return x.Language() == language })
	return i == max(at, 0)
}

// New returns the list of lessons with the progress of the user.
func New(b *lesson.Book, p lesson.Progress) Learn {
	l := Learn{Minutes: b.Minutes(), Quiz: len(b.Quiz), References: b.References}
	here := p.Current(b)
	for _, x := range b.Lessons {
		line := LessonLine{x.N, x.Path(), x.Title, x.Summary, p.Done(x), x.Minutes()}
		l.Claims += x.Script.Claims()
		if line.Done {
			l.Done++
		}
		if x.Slug == here.Slug {
			l.Here = line
		}
		l.Lines = append(l.Lines, line)
	}
	return l
}

// StartWords returns the label of the first button.
func (l Learn) StartWords() string {
	switch {
	case l.Done == 0:
		return "Start with lesson 1"
	case l.Done == len(l.Lines):
		return "Start again"
	}
	return fmt.Sprintf("Continue with lesson %d", l.Here.N)
}

// LessonPage is one lesson with the progress of its reader.
type LessonPage struct {
	Lesson lesson.Lesson
	Total  int
	More   []lesson.Reference     // the pages that continue the lesson
	Chosen int                    // answer to the question, from 1; 0 for none
	Live   *exchangeview.Exchange // the lesson's newest exchange; nil before the first
	Choice string                 // chosen value of the live exchange's parameter
	// Language is the programming language whose listings are open.
	Language string
}

// Standing returns the standing of the live exchange and the next action there,
// for the bar that leads back to it.
func (p LessonPage) Standing() (s standing.Standing, action string) {
	if p.Live == nil {
		return standing.Open("not started"), "Start"
	}
	switch p.Live.Status {
	case playground.StatusWaiting, playground.StatusReady:
		return p.Live.Standing, "Answer"
	case playground.StatusRunning:
		return p.Live.Standing, "Watch"
	}
	return p.Live.Standing, "See the result"
}

// Tried returns the note on a request that was edited or changed, or nil.
func (p LessonPage) Tried() *exchangeview.BranchNote {
	if p.Live == nil || p.Live.Branch == nil || p.Live.Branch.Tried == nil {
		return nil
	}
	return p.Live.Branch
}

// EditPath returns the address of the editor for the newest request that can be
// edited. It comes back to the lesson.
func (p LessonPage) EditPath() string {
	if p.Live == nil || !p.Lesson.Live.Edit {
		return ""
	}
	return paths.Edit(p.Live.ID, p.Live.Newest) + "&" +
		url.Values{"back": {p.Lesson.Path() + "#live"}}.Encode()
}

// Solved reports whether the question was answered correctly.
func (p LessonPage) Solved() bool {
	return p.Chosen > 0 && p.Lesson.Question.Answers[p.Chosen-1].Right
}

// Shows reports whether the explanation of answer i, from 0, is shown: that of
// the chosen answer, and all of them after the right answer was chosen.
func (p LessonPage) Shows(i int) bool { return p.Solved() || p.Chosen == i+1 }

// answerWords says whether an answer is right.
func answerWords(right bool) string {
	if right {
		return "Right."
	}
	return "Not quite."
}
