package narrate

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Question returns the message of a question, or its subject if the server sent
// no message.
func Question(q playground.Question) string {
	if message := q.Params.Get("message").Str(); message != "" {
		return text.Visible(message, 600)
	}
	switch q.Method {
	case playground.CreateMessage:
		return "A response of your model"
	case playground.RootsList:
		return "The list of your roots"
	}
	return "An answer to " + text.Visible(q.Method, 80)
}

// maxValues is how many values of an answer are named in a few words.
const maxValues = 3

// Answer returns an answer in a few words: its values, or its action.
func Answer(a playground.Answer) string {
	if a.Error != nil {
		return "refused"
	}
	node, err := jsontree.Parse(a.Value, jsontree.Limits{})
	if err != nil {
		return "not JSON"
	}
	switch action := node.Get("action").Str(); {
	case action == "decline":
		return "declined"
	case action == "cancel":
		return "cancelled"
	case action == "accept":
		return values(node.Get("content"))
	case node.Has("roots"):
		return text.Plural(node.Get("roots").Len(), "root")
	}
	if words := node.At("content", "text").Str(); words != "" {
		return text.Visible(words, 40)
	}
	return "answered"
}

// values are the values of an accepted form, without their names.
func values(content *jsontree.Node) string {
	var words []string
	for i, m := range content.Entries() {
		if i == maxValues {
			words = append(words, "…")
			break
		}
		value, isText := m.Value.Text()
		if !isText {
			value = string(m.Value.Raw())
		}
		words = append(words, text.Visible(value, 40))
	}
	if len(words) == 0 {
		return "accepted"
	}
	return strings.Join(words, ", ")
}
