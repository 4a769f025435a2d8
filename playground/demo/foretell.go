package demo

import (
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Values are the values of the placeholders in the texts of a step, see Step. An empty one is not
// known.
type Values struct{ Asked, Other, Version, Result string }

// unknown stands for a value that only a played call has.
const unknown = "…"

// Fill returns a text with the values in place of its placeholders.
func (v Values) Fill(s string) string {
	pairs := []string{"{asked}", v.Asked, "{other}", v.Other, "{version}", v.Version, "{result}", v.Result}
	for i := 1; i < len(pairs); i += 2 {
		if pairs[i] == "" {
			pairs[i] = unknown
		}
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// Restore returns a filled text that its reader has changed with the placeholders in it again, so that
// it stays true if the call goes another way.
func (v Values) Restore(s string) string {
	if v.Result != "" {
		s = strings.ReplaceAll(s, v.Result, "{result}")
	}
	for name, value := range map[string]string{"{asked}": v.Asked, "{other}": v.Other} {
		if value != "" && v.Asked != v.Other {
			word := regexp.MustCompile(`\b([Ii]nstance ` + regexp.QuoteMeta(value) + `)\b`)
			s = word.ReplaceAllStringFunc(s, func(m string) string { return m[:len("instance ")] + name })
		}
	}
	return s
}

// Foretell returns the values after each step of a story that was not played, if every request goes
// where the story sends it. result is the text of the call's result, or "" if it is not known before.
// Nothing is known of recorded calls.
func (s Story) Foretell(result string) []Values {
	list, now, t := make([]Values, len(s.Steps)), Values{}, s.Opening()
	for i, step := range s.Steps {
		later, who := step.Act.Expected(t, now.Asked)
		if step.Act.Kind == Send {
			now = Values{Asked: who, Other: now.Asked}
		}
		if c, ok := later.Find(now.Asked); ok {
			now.Version = c.Version
		}
		if step.Expect == playground.OutcomeComplete {
			now.Result = text.Visible(result, maxText/2)
		}
		list[i], t = now, later
	}
	return list
}
