package views

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

// Quiz is the quiz with the answers so far.
type Quiz struct {
	Scenarios []ScenarioView
	Answered  int
	Right     int
	Checked   bool // the user checked all answers
}

// ScenarioView is one situation of the quiz.
type ScenarioView struct {
	lesson.Scenario
	N          int
	LessonPath string
	LessonName string
	Chosen     int         // chosen option, from 1; 0 for none
	Missed     bool        // the user checked it without a choice
	Faults     [][]Verdict // findings against each option; nil before an answer
}

// Score returns the sentence above the quiz.
func (q Quiz) Score() string {
	switch {
	case q.Right == len(q.Scenarios):
		return "12 of 12 right. You are ready to build a server."
	case q.Answered == len(q.Scenarios):
		return fmt.Sprintf("%d of %d right. Each explanation links to its lesson.", q.Right, q.Answered)
	case q.Answered == 0:
		return "You have not chosen any answers yet."
	}
	return q.Tally() + "."
}

// Open returns the questions without an answer.
func (q Quiz) Open() []ScenarioView {
	var list []ScenarioView
	for _, s := range q.Scenarios {
		if s.Chosen == 0 {
			list = append(list, s)
		}
	}
	return list
}

// Tally returns the score so far, shown beside each answered question.
func (q Quiz) Tally() string { return fmt.Sprintf("%d right of %d answered", q.Right, q.Answered) }

// Ask returns the question that the options answer.
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

// Shows reports whether option i is explained: the chosen one, and all of them
// after the right one was chosen, as in the lessons.
func (s ScenarioView) Shows(i int) bool {
	return s.Chosen == i+1 || s.Chosen > 0 && s.Right(s.Chosen-1)
}

// Judged returns the id of the element that judges the answer.
func (s ScenarioView) Judged() string { return s.ID + "-judged" }
