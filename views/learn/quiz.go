package learn

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Quiz is the quiz with the answers so far.
type Quiz struct {
	Scenarios []ScenarioView
	Answered  int
	Right     int
	Run       []int // numbers of the questions to go through: all, or the wrong ones again
}

// ScenarioView is one situation of the quiz.
type ScenarioView struct {
	lesson.Scenario
	N          int
	LessonPath string
	LessonName string
	Chosen     int                  // chosen option, from 1; 0 for none
	Missed     bool                 // the user checked it without a choice
	Faults     [][]standing.Verdict // findings against each option; nil before an answer
}

// Score returns the sentence above the quiz.
func (q Quiz) Score() string {
	switch {
	case q.Right == len(q.Scenarios):
		return fmt.Sprintf("%d of %d right. You are ready to build a server, or a client.", q.Right, q.Right)
	case q.Answered == len(q.Scenarios):
		return fmt.Sprintf("%d of %d right. Each explanation links to its lesson.", q.Right, q.Answered)
	case q.Answered == 0:
		return "You have not chosen any answers yet."
	}
	return q.Tally() + "."
}

// quizPath is the address of the quiz. That of a question is quizPath, a slash
// and its number.
const quizPath = "/quiz"

// QuizResult is the last part of the address of the result.
const QuizResult = "result"

// Path returns the address of question n without the answers.
func (q Quiz) Path(n int) string { return fmt.Sprintf("%s/%d", quizPath, n) }

// Link returns the address of question n, or of the result for 0, with the
// answers so far.
func (q Quiz) Link(n int) string { return q.withAnswers(n, q.Scenarios, q.Run) }

// withAnswers returns the address of question n, or of the result for 0, with
// the answers to the given questions and the questions to go through.
func (q Quiz) withAnswers(n int, answered []ScenarioView, run []int) string {
	path := quizPath + "/" + QuizResult
	if n > 0 {
		path = q.Path(n)
	}
	v := url.Values{}
	for _, s := range answered {
		if s.Chosen > 0 {
			v.Set(s.ID, fmt.Sprint(s.Chosen))
		}
	}
	if len(run) < len(q.Scenarios) {
		v.Set("only", numbers(run))
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// numbers returns numbers separated by dots.
func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ".")
}

// Retry returns the address of the first question that was answered wrongly,
// without the wrong answers, and the number of those questions.
func (q Quiz) Retry() (path string, n int) {
	var right []ScenarioView
	var wrong []int
	for _, s := range q.Scenarios {
		switch {
		case s.Chosen == 0:
		case s.Right(s.Chosen - 1):
			right = append(right, s)
		default:
			wrong = append(wrong, s.N)
		}
	}
	if len(wrong) == 0 {
		return "", 0
	}
	return q.withAnswers(wrong[0], right, wrong), len(wrong)
}

// QuizQuestion is the screen of one question.
type QuizQuestion struct {
	Quiz
	Scenario ScenarioView
}

// At returns the position of the question in the run, from 0.
func (q QuizQuestion) At() int { return max(slices.Index(q.Run, q.Scenario.N), 0) }

// Heading says which question of how many it is.
func (q QuizQuestion) Heading() string {
	if len(q.Run) < len(q.Scenarios) {
		return fmt.Sprintf("Again: %d of %s", q.At()+1, text.Plural(len(q.Run), "question"))
	}
	return fmt.Sprintf("Question %d of %d", q.Scenario.N, len(q.Scenarios))
}

// Previous returns the number of the question before, or 0.
func (q QuizQuestion) Previous() int {
	if i := q.At(); i > 0 {
		return q.Run[i-1]
	}
	return 0
}

// Next returns the number of the question after, or 0 for the result.
func (q QuizQuestion) Next() int {
	if i := q.At() + 1; i < len(q.Run) {
		return q.Run[i]
	}
	return 0
}

// Others returns the answers to the other questions.
func (q QuizQuestion) Others() []ScenarioView {
	var list []ScenarioView
	for _, s := range q.Scenarios {
		if s.Chosen > 0 && s.N != q.Scenario.N {
			list = append(list, s)
		}
	}
	return list
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

// Standing says whether the answer is right.
func (s ScenarioView) Standing() standing.Standing {
	switch {
	case s.Chosen == 0:
		return standing.Muted("not answered")
	case s.Right(s.Chosen - 1):
		return standing.EndingAs(narrate.Good, "right")
	}
	return standing.EndingAs(narrate.Bad, "wrong")
}

// RightOption returns the right option.
func (s ScenarioView) RightOption() lesson.Option {
	return s.Options[slices.IndexFunc(s.Options, func(o lesson.Option) bool { return o.Right })]
}

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

// Gaps reports whether messages leave out the parts that are the same in every
// retry.
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
