package learn

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Quiz shows where the quiz starts. The answers are in the URL, so nothing is
// stored.
func (s *Pages) Quiz(r *web.Request) error {
	model, err := newQuiz(s.App.Lessons(), r.QueryParams())
	if err != nil {
		return err
	}
	return s.App.Render(r, http.StatusOK, learnview.QuizPage(s.App.Page(r, "Quiz", "/learn"), model))
}

// QuizQuestion shows one question, or the result.
func (s *Pages) QuizQuestion(r *web.Request) error {
	model, err := newQuiz(s.App.Lessons(), r.QueryParams())
	if err != nil {
		return err
	}
	if r.Param("n") == learnview.QuizResult {
		page := s.App.Page(r, "Result of the quiz", "/learn")
		return s.App.Render(r, http.StatusOK, learnview.QuizResultPage(page, model))
	}
	n := web.Number(r.Param("n"), 0)
	if n < 1 || n > len(model.Scenarios) || fmt.Sprint(n) != r.Param("n") {
		return app.NotFound()
	}
	question := learnview.QuizQuestion{Quiz: model, Scenario: model.Scenarios[n-1]}
	page := s.App.Page(r, fmt.Sprintf("Quiz %d: %s", n, question.Scenario.Title), "/learn")
	return s.App.Render(r, http.StatusOK, learnview.QuizQuestionPage(page, question))
}

// quizRun returns the numbers of the questions to go through: those in text,
// which are separated by dots, or else all of n.
func quizRun(text string, n int) []int {
	var run []int
	for word := range strings.SplitSeq(text[:min(len(text), maxQuizRun)], ".") {
		at, err := strconv.Atoi(word)
		if err == nil && at >= 1 && at <= n && !slices.Contains(run, at) {
			run = append(run, at)
		}
	}
	if len(run) > 0 {
		return run
	}
	for i := range n {
		run = append(run, i+1)
	}
	return run
}

// maxQuizRun bounds the text of the questions to go through.
const maxQuizRun = 200

func newQuiz(b *lesson.Book, answers url.Values) (learnview.Quiz, error) {
	check := answers.Get("check") // the question whose button was pressed
	q := learnview.Quiz{Run: quizRun(answers.Get("only"), len(b.Quiz))}
	for i, s := range b.Quiz {
		view := learnview.ScenarioView{Scenario: s, N: i + 1}
		if l, ok := b.Lesson(s.Lesson); ok {
			view.LessonPath, view.LessonName = l.Path(), l.Title
		}
		n, err := strconv.Atoi(answers.Get(s.ID))
		if err == nil && n >= 1 && n <= len(s.Options) {
			view.Chosen = n
			q.Answered++
			if s.Options[n-1].Right {
				q.Right++
			}
			if view.Faults, err = judgeOptions(s); err != nil {
				return q, err
			}
		}
		view.Missed = view.Chosen == 0 && check == s.ID
		q.Scenarios = append(q.Scenarios, view)
	}
	return q, nil
}

// judgeOptions returns the verdicts of the rules on each option.
func judgeOptions(s lesson.Scenario) ([][]standing.Verdict, error) {
	list := make([][]standing.Verdict, len(s.Options))
	if !s.OnTheWire() {
		return list, nil
	}
	side := rules.Client
	if s.ByServer() {
		side = rules.Server
	}
	for i := range s.Options {
		x, err := s.Recording(i)
		if err != nil {
			return nil, fmt.Errorf("quiz, %s: %w", s.Title, err)
		}
		last := playground.Fold(x.Log).Last().N
		for _, f := range rules.Judge(x) {
			if f.Round == last && f.Side == side && f.Verdict.Wrong() {
				list[i] = append(list[i], standing.Verdict{
					Rule: f.Rule, Verdict: string(f.Verdict), Text: f.Text, Link: f.Link, Round: f.Round,
				})
			}
		}
	}
	return list, nil
}
