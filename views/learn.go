package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

// Learn is the list of lessons.
type Learn struct {
	Lines []LessonLine
	Here  LessonLine // where to begin, or to go on
	Done  int
}

// LessonLine is a lesson in the list.
type LessonLine struct {
	N                    int
	Path, Title, Summary string
	Done                 bool
}

// NewLearn lists the lessons with what was done of them.
func NewLearn(b *lesson.Book, p lesson.Progress) Learn {
	var l Learn
	here := p.Current(b)
	for _, x := range b.Lessons {
		line := LessonLine{x.N, x.Path(), x.Title, x.Summary, p.Done(x)}
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

// StartWords are the words of the first button.
func (l Learn) StartWords() string {
	switch {
	case l.Done == 0:
		return "Start with lesson 1"
	case l.Done == len(l.Lines):
		return "Start again"
	}
	return fmt.Sprintf("Continue with lesson %d", l.Here.N)
}

// LessonPage is one lesson, as far as its reader has come.
type LessonPage struct {
	Lesson lesson.Lesson
	Total  int
	Chosen int       // answer given to the question, from 1; 0 when none
	Live   *Exchange // the lesson's newest exchange; nil before the first
}

// Solved reports whether the question was answered rightly.
func (p LessonPage) Solved() bool {
	return p.Chosen > 0 && p.Lesson.Question.Answers[p.Chosen-1].Right
}

// Shows reports whether the explanation of answer i, from 0, is on the page:
// that of the answer given, and all once the right one was found.
func (p LessonPage) Shows(i int) bool { return p.Solved() || p.Chosen == i+1 }

// answerWords says whether an answer is right.
func answerWords(right bool) string {
	if right {
		return "Right."
	}
	return "Not quite."
}

// Search is the page of what was found.
type Search struct {
	Query string
	Hits  []lesson.Hit
}

// kindWords are the words before a hit.
func kindWords(kind string) string { return strings.ToLower(kind) }

// lessonFor is the address of the lesson that explains what an exchange shows.
func lessonFor(f playground.Transcript) string {
	has := func(what func(playground.Round) bool) bool { return slices.ContainsFunc(f.Rounds, what) }
	switch {
	case has(func(r playground.Round) bool { return r.Legacy }):
		return "/learn/older"
	case has(func(r playground.Round) bool { return r.Task != nil }):
		return "/learn/tasks"
	case has(func(r playground.Round) bool { return r.Kind == playground.OutcomeRetry }):
		return "/learn/nothing-to-ask"
	case has(func(r playground.Round) bool { return len(r.Questions) > 1 }):
		return "/learn/questions"
	case has(func(r playground.Round) bool { return r.State != nil }):
		return "/learn/rounds"
	case has(func(r playground.Round) bool { return len(r.Questions) > 0 }):
		return "/learn/one-round"
	}
	return "/learn/why"
}

// LessonLink leads from an exchange back to its lesson.
type LessonLink struct{ Path, Words string }
