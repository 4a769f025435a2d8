package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// quiz shows the scenarios. The answers are in the URL, so nothing is stored.
func (s *app) quiz(c echo.Context) error {
	model, err := newQuiz(s.Lessons, c.QueryParams())
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.QuizPage(s.page(c, "Quiz", "/learn"), model))
}

func newQuiz(b *lesson.Book, answers url.Values) (views.Quiz, error) {
	check := answers.Get("check") // the question whose button was pressed, or all
	q := views.Quiz{Checked: check == "all"}
	for i, s := range b.Quiz {
		view := views.ScenarioView{Scenario: s, N: i + 1}
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
		view.Missed = view.Chosen == 0 && (q.Checked || check == s.ID)
		q.Scenarios = append(q.Scenarios, view)
	}
	return q, nil
}

// judgeOptions returns the verdicts of the rules on each option.
func judgeOptions(s lesson.Scenario) ([][]views.Verdict, error) {
	list := make([][]views.Verdict, len(s.Options))
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
			if f.Round == last && f.Side == side && (f.Verdict == rules.Fail || f.Verdict == rules.Hint) {
				list[i] = append(list[i], views.Verdict{
					Rule: f.Rule, Verdict: string(f.Verdict), Text: f.Text, Link: f.Link, Round: f.Round,
				})
			}
		}
	}
	return list, nil
}
