package exercise

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// hasBooked reports whether the text of a result reports a booking, in any case.
func hasBooked(r playground.Round) bool {
	return strings.HasPrefix(strings.ToLower(r.FirstText()), strings.ToLower(bookedWords))
}

// booked reports whether a Round of a call for a table ended with a booking: its text
// says so, or its result is that of round 3 of the right call but for the
// chosen values.
func (s seen) booked(r playground.Round, t table) bool {
	three, ok := ended(s.right, 3)
	return hasBooked(r) || ok && three.Kind == playground.OutcomeComplete && three.Final != nil &&
		r.Kind == playground.OutcomeComplete && t.blank(r) == right.blank(three)
}

// blank returns the content of a result without the agreed values.
func (t table) blank(r playground.Round) string {
	content := string(r.Final.Get("content").Raw()) + string(r.Final.Get("structuredContent").Raw())
	for _, w := range t.words() {
		content = whole(w).ReplaceAllString(content, "${1}…${2}")
	}
	return content
}

// lacks returns the first of the words that a text does not name, or "".
func lacks(text string, words []string) string {
	for _, w := range words {
		if !whole(w).MatchString(text) {
			return w
		}
	}
	return ""
}

// whole matches a word that is no part of a longer number: 4 is not in 14.
func whole(word string) *regexp.Regexp {
	return regexp.MustCompile(`(^|\D)` + regexp.QuoteMeta(word) + `($|\D)`)
}

// ending returns one or two sentences about how a Round ended.
func ending(r playground.Round) string {
	how := fmt.Sprintf("Round %d ended with %s.", r.N, narrate.Response(r))
	if words := r.FirstText(); words != "" {
		return how + " Its text is: " + text.Visible(words, 160)
	}
	if r.Error != nil {
		return how + " Its message is: " + text.Visible(r.Error.Message, 160)
	}
	return how
}

// maxSent is how many changed answers are shown, and maxValue how much of each, in
// characters.
const (
	maxSent  = 3
	maxValue = 60
)

// sentTo returns a sentence about the answers that were changed before a Round, or "".
func sentTo(result lab.Result, end playground.Round) string {
	changed := end
	if !end.Decision.Changed {
		changed = result.Round
	}
	responses := changed.Sent.At("params", "inputResponses")
	var list []string
	unchanged := map[string]bool{}
	for _, a := range changed.Decision.Answers {
		unchanged[a.Key] = true
	}
	for _, key := range lab.ChangedAnswers(changed) {
		if unchanged[key] = false; !responses.Has(key) {
			list = append(list, "no answer to "+code(key))
		}
	}
	return sentence(append(list, answersIn(responses, unchanged)...))
}

// sent returns a sentence about the answers that a Round began with, or "".
func sent(r playground.Round) string {
	return sentence(answersIn(r.Sent.At("params", "inputResponses"), nil))
}

// answersIn returns the keys and values of the inputResponses without those that are
// left out.
func answersIn(responses *jsontree.Node, without map[string]bool) (list []string) {
	for _, m := range responses.Entries() {
		if !without[m.Key] {
			list = append(list, code(m.Key)+" "+text.Visible(string(valueOf(m.Key, m.Value)), maxValue))
		}
	}
	return list
}

// sentence returns a sentence about answers, with a space after it, or "".
func sentence(answers []string) string {
	if len(answers) == 0 {
		return ""
	}
	return "Sent: " + strings.Join(answers[:min(len(answers), maxSent)], ", ") + ". "
}

// valueOf returns the value of the only field in an answer if it has the name of its key,
// or else the content, or else the whole answer.
func valueOf(key string, answer *jsontree.Node) json.RawMessage {
	content := answer.Get("content")
	switch {
	case content == nil:
		return answer.Raw()
	case content.Has(key) && len(content.Members) == 1:
		return content.Get(key).Raw()
	}
	return content.Raw()
}

// code returns a word of a server as code.
func code(word string) string { return "`" + text.Visible(word, maxValue) + "`" }
