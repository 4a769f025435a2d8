package client

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// TestWorstOf: a scenario stands as its worst line.
func TestWorstOf(t *testing.T) {
	for _, c := range []struct{ got, want standing.Standing }{
		{worstOf(verdict.Counts{Passed: 1, NotJudged: 1}), standing.OfVerdict(verdict.Passed)},
		{worstOf(verdict.Counts{NotJudged: 1, NotApplicable: 1}), standing.OfVerdict(verdict.NotJudged)},
		{worstOf(verdict.Counts{NotApplicable: 1}), standing.OfVerdict(verdict.NotApplicable)},
	} {
		if c.got != c.want {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
}
