package views

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

// Quiz is the closing quiz, with what was answered.
type Quiz struct {
	Scenarios []ScenarioView
	Given     int
	Right     int
	Checked   bool // all of it was to be checked
}

// ScenarioView is one situation of the quiz.
type ScenarioView struct {
	lesson.Scenario
	N          int
	LessonPath string
	LessonName string
	Chosen     int         // option given, from 1; 0 when none
	Missed     bool        // it was to be checked, and nothing was chosen
	Faults     [][]Verdict // what the rules say against each option; nil before it was answered
}

// Score is the sentence above the quiz.
func (q Quiz) Score() string {
	switch {
	case q.Right == len(q.Scenarios):
		return "12 of 12 right. You are ready to build a server."
	case q.Given == len(q.Scenarios):
		return fmt.Sprintf("%d of %d right. Each explanation links to its lesson.", q.Right, q.Given)
	case q.Given == 0:
		return "You have not chosen any answers yet."
	}
	return q.Tally() + "."
}

// Open are the questions without an answer.
func (q Quiz) Open() []ScenarioView {
	var list []ScenarioView
	for _, s := range q.Scenarios {
		if s.Chosen == 0 {
			list = append(list, s)
		}
	}
	return list
}

// Tally is the score so far, beside each question that was answered.
func (q Quiz) Tally() string { return fmt.Sprintf("%d right of %d answered", q.Right, q.Given) }

// Ask is what the options are about.
func (s ScenarioView) Ask() string {
	switch {
	case s.Method == "":
		return ""
	case s.ByServer():
		return "What does the server answer?"
	}
	return "What does the client send?"
}

// Gaps reports whether messages leave out what is the same in every retry.
func (s ScenarioView) Gaps() bool { return s.OnTheWire() && !s.ByServer() }

// Right reports whether option i, from 0, is the right one.
func (s ScenarioView) Right(i int) bool { return s.Options[i].Right }

// Shows reports whether option i is explained: the one given, and all once the
// right one was found, as in the lessons.
func (s ScenarioView) Shows(i int) bool {
	return s.Chosen == i+1 || s.Chosen > 0 && s.Right(s.Chosen-1)
}

// Judged is the place of what is said of the answer, or of there being none.
func (s ScenarioView) Judged() string { return s.ID + "-judged" }
