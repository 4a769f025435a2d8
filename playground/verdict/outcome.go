package verdict

import (
	"fmt"
	"slices"
)

// Outcome is the result of judging one thing. Its value is the id that files
// and pages have.
type Outcome string

// Outcomes. The last four say why nothing was found, and a report never counts them as
// kept: a Line with one of them has the reason as its Sentence.
const (
	Failed        Outcome = "fail"      // a MUST or MUST NOT is broken, or another requirement is not met
	Advisory      Outcome = "hint"      // a SHOULD is broken, or another behavior would be more robust
	Passed        Outcome = "pass"      // the required behavior was seen
	Stopped       Outcome = "stopped"   // it was asked for and requires to go on, and that never happened
	NotJudged     Outcome = "unjudged"  // it was tried, and shows nothing
	NotReached    Outcome = "unreached" // nothing asked for it
	NotApplicable Outcome = "na"        // it is about a case that does not exist here
)

// word is how people read an Outcome.
type word struct {
	Outcome
	glyph     string
	one, many string
}

// words has the outcomes in their order: the findings, the worst first, then
// the reasons for none. Of several outcomes of one thing the first counts, so
// one run that passes outweighs another that was not reached.
var words = []word{
	{Failed, "✕", "failed", "failed"},
	{Advisory, "!", "advisory", "advisories"},
	{Passed, "✓", "passed", "passed"},
	{Stopped, "‖", "stopped", "stopped"},
	{NotJudged, "–", "not judged", "not judged"},
	{NotReached, "–", "not reached", "not reached"},
	{NotApplicable, "–", "does not apply", "do not apply"},
}

// Outcomes returns the outcomes in their order.
func Outcomes() []Outcome {
	list := make([]Outcome, len(words))
	for i, w := range words {
		list[i] = w.Outcome
	}
	return list
}

// rank returns the place of an outcome in the order. An unknown one is after all others.
func (o Outcome) rank() int {
	i := slices.IndexFunc(words, func(w word) bool { return w.Outcome == o })
	if i < 0 {
		return len(words)
	}
	return i
}

func (o Outcome) words() word {
	if i := o.rank(); i < len(words) {
		return words[i]
	}
	return word{o, "", string(o), string(o)}
}

// Word returns the outcome as people read it: "failed", "does not apply".
func (o Outcome) Word() string { return o.words().one }

// Glyph returns the character that stands for the outcome.
func (o Outcome) Glyph() string { return o.words().glyph }

// Label returns the glyph and the word.
func (o Outcome) Label() string { return o.Glyph() + " " + o.Word() }

// Words returns the word for a number of outcomes: "advisory", "advisories", "do not
// apply".
func (o Outcome) Words(n int) string {
	if n == 1 {
		return o.words().one
	}
	return o.words().many
}

// Count returns a number of outcomes in words: "1 advisory", "3 advisories".
func (o Outcome) Count(n int) string { return fmt.Sprintf("%d %s", n, o.Words(n)) }

// Compare orders outcomes: it is negative if o comes before other.
func (o Outcome) Compare(other Outcome) int { return o.rank() - other.rank() }

// Judged reports whether something was seen: it failed, passed, or has an advisory.
func (o Outcome) Judged() bool { return o == Failed || o == Advisory || o == Passed }

// Wrong reports whether there is something to mend: it failed, or has an advisory.
func (o Outcome) Wrong() bool { return o == Failed || o == Advisory }

// Counts is how often there is each outcome.
type Counts struct {
	Failed        int `json:"fail"`
	Advisory      int `json:"hint"`
	Passed        int `json:"pass"`
	Stopped       int `json:"stopped"`
	NotJudged     int `json:"unjudged"`
	NotReached    int `json:"unreached"`
	NotApplicable int `json:"na"`
}

// field returns the number of one outcome, to read or to change.
func (c *Counts) field(o Outcome) *int {
	switch o {
	case Failed:
		return &c.Failed
	case Advisory:
		return &c.Advisory
	case Passed:
		return &c.Passed
	case Stopped:
		return &c.Stopped
	case NotReached:
		return &c.NotReached
	case NotApplicable:
		return &c.NotApplicable
	}
	return &c.NotJudged
}

// Add counts one more outcome.
func (c *Counts) Add(o Outcome) { *c.field(o)++ }

// Of returns the number of one outcome.
func (c Counts) Of(o Outcome) int { return *c.field(o) }

// All returns the number of all outcomes.
func (c Counts) All() int {
	n := 0
	for _, w := range words {
		n += c.Of(w.Outcome)
	}
	return n
}

// Judged returns how many were judged.
func (c Counts) Judged() int { return c.Failed + c.Advisory + c.Passed }

// Words returns the numbers in words, without those that are 0: "1 failed", "7 passed".
func (c Counts) Words() []string {
	var list []string
	for _, w := range words {
		if n := c.Of(w.Outcome); n > 0 {
			list = append(list, w.Count(n))
		}
	}
	return list
}
