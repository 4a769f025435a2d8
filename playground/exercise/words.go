package exercise

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// hasBooked reports whether the text of a result reports a booking.
func hasBooked(r playground.Round) bool {
	return strings.HasPrefix(strings.ToLower(r.FirstText()), bookedWords)
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
	for _, m := range responses.Entries() {
		if !unchanged[m.Key] {
			list = append(list, code(m.Key)+" "+text.Visible(string(valueOf(m.Key, m.Value)), maxValue))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "Sent: " + strings.Join(list[:min(len(list), maxSent)], ", ") + ". "
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
