package lesson

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// How long a reader takes.
const (
	wordsPerMinute = 200
	perCodeLine    = 2 * time.Second
	perAction      = 8 * time.Second // a click, or a field to fill in
)

// measure sets how much there is to do, and how long the lesson takes: reading
// its words and the lines of its examples, and doing its actions. Full listings
// at the end are not counted; they are for building. With declared, the front
// matter says how many actions there are.
func (l *Lesson) measure(declared string) error {
	l.Actions = l.Script.actions()
	if declared != "" {
		n, err := strconv.Atoi(declared)
		if err != nil || n < 1 {
			return fmt.Errorf("actions: %q is not a number of actions", declared)
		}
		l.Actions = n
	}
	l.Actions += questionActions
	words := len(strings.Fields(l.Plain)) + l.Question.words()
	l.Time = time.Duration(words)*time.Minute/wordsPerMinute +
		time.Duration(strings.Count(l.HTML, `<span class="line`))*perCodeLine +
		time.Duration(l.Actions)*perAction
	return nil
}

// questionActions are the choice of an answer and the button that checks it.
const questionActions = 2

// actions returns the number of clicks and fields of the first call of the
// script, which a reader makes too: its start, each answer, each choice of an
// instance, each retry.
func (s Script) actions() int {
	n, calls := 1, 0
	for _, step := range s {
		switch step.Verb {
		case "call", "legacy":
			calls++
		case "answer", "to", "send":
			if calls == 1 {
				n++
			}
		}
	}
	return n
}

// words returns the number of words of a question and its explanations.
func (q Question) words() int {
	text := q.Text
	for _, a := range q.Answers {
		text += " " + a.Text + " " + a.Why
	}
	return len(strings.Fields(text))
}

// Minutes returns how long the lesson takes, rounded to a minute.
func (l Lesson) Minutes() int { return max(int(math.Round(l.Time.Minutes())), 1) }

// Minutes returns how long all lessons take: the sum of their times, rounded to
// five minutes.
func (b *Book) Minutes() int {
	sum := 0
	for _, l := range b.Lessons {
		sum += l.Minutes()
	}
	return (sum + 2) / 5 * 5
}
