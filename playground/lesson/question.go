package lesson

import (
	"fmt"
	"strings"
)

// Question ends a lesson. Every answer is explained.
type Question struct {
	Text    string // inline HTML
	Answers []Answer
}

// Answer is one choice and the reason why it is right or wrong.
type Answer struct {
	Text  string // inline HTML
	Right bool
	Why   string // inline HTML
}

// parseQuestion parses a question block: the question, then answers that begin
// with "+" (right) or "-" (wrong), each followed by its indented explanation.
func (m markdown) parseQuestion(text string) (Question, error) {
	var q Question
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		answer, isRight := strings.CutPrefix(line, "+ ")
		wrong, isWrong := strings.CutPrefix(line, "- ")
		switch {
		case isRight:
			q.Answers = append(q.Answers, Answer{Text: answer, Right: true})
		case isWrong:
			q.Answers = append(q.Answers, Answer{Text: wrong})
		case len(q.Answers) == 0:
			q.Text = join(q.Text, line)
		default:
			last := &q.Answers[len(q.Answers)-1]
			last.Why = join(last.Why, line)
		}
	}
	if err := q.check(); err != nil {
		return q, err
	}
	return m.renderQuestion(q)
}

func (q Question) check() error {
	right := 0
	for _, a := range q.Answers {
		if a.Right {
			right++
		}
		if a.Why == "" {
			return fmt.Errorf("answer %q has no explanation", a.Text)
		}
	}
	if q.Text == "" || len(q.Answers) < 2 || right != 1 {
		return fmt.Errorf("question %q: want a text and at least two answers, exactly one of them right",
			q.Text)
	}
	return nil
}

func (m markdown) renderQuestion(q Question) (Question, error) {
	var err error
	if q.Text, err = m.inline(q.Text); err != nil {
		return q, err
	}
	for i := range q.Answers {
		a := &q.Answers[i]
		if a.Text, err = m.inline(a.Text); err != nil {
			return q, err
		}
		if a.Why, err = m.inline(a.Why); err != nil {
			return q, err
		}
	}
	return q, nil
}

// join appends a line to a paragraph.
func join(text, line string) string {
	return strings.TrimSpace(text + " " + strings.TrimSpace(line))
}
