package rules

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestAnswersOpenKeys: an update repeats an answer also if the task has stopped to ask for it
// since, but not if the task has asked for it anew.
func TestAnswersOpenKeys(t *testing.T) {
	const asks, asksNothing = `{"inputRequests":{"k":{}}}`, `{"status":"working"}`
	poll := func(result string) playground.Round {
		r := playground.Round{Trip: playground.Trip{Method: playground.TasksGet}}
		r.Result = parse([]byte(result))
		return r
	}
	answer := playground.Round{Trip: playground.Trip{
		Method: playground.TasksUpdate, Sent: parse([]byte(`{"params":{"inputResponses":{"k":{}}}}`)),
	}}
	for name, c := range map[string]struct {
		earlier []playground.Round
		want    verdict.Outcome
	}{
		"once":                {[]playground.Round{poll(asks)}, verdict.Passed},
		"twice":               {[]playground.Round{poll(asks), answer}, verdict.Advisory},
		"while it still asks": {[]playground.Round{poll(asks), answer, poll(asks)}, verdict.Advisory},
		"after it asks no more": {
			[]playground.Round{poll(asks), answer, poll(asksNothing)}, verdict.Advisory,
		},
		"after it asks anew": {
			[]playground.Round{poll(asks), answer, poll(asksNothing), poll(asks)}, verdict.Passed,
		},
		"never asked":        {[]playground.Round{poll(asksNothing)}, verdict.Failed},
		"never asked, twice": {[]playground.Round{poll(asksNothing), answer}, verdict.Failed},
	} {
		s := &subject{Round: answer, earlier: c.earlier}
		if got := answersOpenKeys(s); got.verdict != c.want {
			t.Errorf("%s: %s: %s", name, got.verdict, got.text)
		}
	}
}
