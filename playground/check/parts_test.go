package check_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestRun_TaskAnsweredInParts: a server may take the answers to a task in parts, and
// show that when it likes. What it acknowledged it keeps.
func TestRun_TaskAnsweredInParts(t *testing.T) {
	for of, want := range map[parts]struct {
		verdict verdict.Outcome
		text    string
	}{
		takes:   {verdict.Passed, "asked only for the rest"},
		late:    {verdict.Passed, "took the answers in parts"},
		works:   {verdict.Passed, "asked only for the rest"},
		refuses: {verdict.Passed, "need not"},
		forgets: {verdict.Advisory, "asked for it again"},
	} {
		parallel(t, cmp.Or(string(of), "takes"), func(t *testing.T) {
			clock := newClock()
			r := checked(t, clock, fakeServer{now: clock.Now, jobs: &jobs{parts: of}}, "job")
			p := result(t, r, "task-partly")
			if p.Verdict != want.verdict || !strings.Contains(p.Text, want.text) ||
				r.Verdict().Counts().Failed > 0 {
				show(t, r)
				t.Errorf("%s %s", p.Verdict, p.Text)
			}
			rounds := p.Exchanges[0].Fold().Rounds
			task := rounds[len(rounds)-1].Task
			ends := of != refuses && of != forgets
			if ends && task.Status != "completed" || len(rounds) > 12 {
				t.Errorf("%d rounds, the task is %s", len(rounds), task.Status)
			}
		})
	}
}

// TestRun_QuestionsOfATaskAreNotThoseOfTheCall: nothing is sent to a call for
// the questions of its task, and the report doesn't say that no question was
// asked.
func TestRun_QuestionsOfATaskAreNotThoseOfTheCall(t *testing.T) {
	parallel(t, "job", func(t *testing.T) {
		clock := newClock()
		r := checked(t, clock, fakeServer{now: clock.Now, jobs: &jobs{}}, "job")
		for _, id := range []string{
			"skip-answer", "early-answer", "early-after-gap", "decline-answer", "reuse-id",
		} {
			p := result(t, r, id)
			if len(p.Exchanges) > 0 || p.Text != "Only the task of the call asked questions." {
				t.Errorf("%s: %d exchanges, %s", id, len(p.Exchanges), p.Text)
			}
		}
	})
}
