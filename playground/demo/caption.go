package demo

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

// Caption is the text of a step.
type Caption struct {
	Title, Text string
	OffScript   bool // the lane does not stand where the story expects it
}

// Caption returns the text of step n, from 1, for a lane that stands at f. If a
// request is running, or the user led the lane away from the story, the
// prepared text would be false, so Caption describes the Round instead.
func (s Story) Caption(n int, f playground.Transcript) Caption {
	step, last := s.Steps[n-1], f.Last()
	switch {
	case last == nil:
		return Caption{Title: s.Claim, Text: s.Lead}
	case f.Status == playground.StatusRunning:
		return Caption{Title: "The server is at work.",
			Text: "The request is on its way to " + destination(*last) + "."}
	case !step.matches(*last):
		return Caption{Title: "This is not in the script.",
			Text:      s.narration(f),
			OffScript: true}
	}
	v := valuesAt(f)
	return Caption{Title: v.Fill(step.Title), Text: v.Fill(step.Text)}
}

// narration describes the newest Round of a lane.
func (s Story) narration(f playground.Transcript) string {
	t := playground.Target{Name: s.Title, Sample: s.Sample}
	return narrate.Round(t, f, len(f.Rounds)-1).Sentence
}

// destination names the instance that a running request goes to.
func destination(r playground.Round) string {
	if name := instanceOf(r); name != "" {
		return "instance " + name
	}
	return "the instance that the load balancer picks"
}

// matches reports whether the newest Round is the one that the step expects.
func (s Step) matches(last playground.Round) bool {
	if last.Kind != s.Expect || last.IsError != s.Fails {
		return false
	}
	for _, q := range last.Questions {
		if q.Key == s.Asks {
			return true
		}
	}
	return s.Asks == ""
}

// valuesAt returns the values of the placeholders at the newest Round of a lane.
func valuesAt(f playground.Transcript) Values {
	last := f.Last()
	v := Values{Asked: askerAt(f, last.N), Result: Result(*last)}
	_, v.Version = last.ServedBy()
	if len(f.Rounds) > 1 {
		v.Other = instanceOf(f.Rounds[len(f.Rounds)-2])
	}
	return v
}

// Result returns the text of a call's result, or "".
func Result(r playground.Round) string {
	return r.Final.At("content", "0", "text").Str()
}
