package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// question is the step in which the client asks you what the server asks.
func (s *builder) question(r playground.Round) Step {
	label := fmt.Sprintf("%d questions: %s", len(r.Questions), keyList(questionKeys(r)))
	sentence := fmt.Sprintf("The client asks you %s.", label)
	if len(r.Questions) == 1 {
		label, sentence = questionText(r.Questions[0])
	}
	return Step{Kind: Reply, Round: r.N, From: client, To: you, Label: label, Sentence: sentence}
}

// questionText is one question in a few words, which are the server's message if
// it has one, and as a sentence.
func questionText(q playground.Question) (label, sentence string) {
	switch q.Method {
	case "elicitation/create":
		if message := q.Params.Get("message").Str(); message != "" {
			label = visible(message)
			return label, "The client asks you: “" + label + "”"
		}
	case "sampling/createMessage":
		return "asks your model", "The client asks you for a response of your model."
	case "roots/list":
		return "asks for roots", "The client asks you for your roots."
	}
	key := quotedKey(q.Key)
	return "asks for " + key, "The client asks you for " + key + "."
}

// answer is the step in which you answer the questions of a Round.
func (s *builder) answer(round int, answers []playground.Answer) Step {
	label := fmt.Sprintf("%d answers", len(answers))
	words := make([]string, 0, len(answers))
	for _, a := range answers {
		words = append(words, answerText(a, s.hideAnswers))
	}
	if len(words) <= 3 {
		label = strings.Join(words, " · ")
	}
	if label == "" {
		label = "no answer"
	}
	return Step{
		Kind: Call, Round: round, From: you, To: client, Label: label,
		Sentence: fmt.Sprintf("You answer: %s.", label),
	}
}

// answerText is one answer in a few words.
func answerText(a playground.Answer, hide bool) string {
	node, err := jsontree.Parse(a.Value, jsontree.Limits{})
	switch action := a.Action(); {
	case err != nil:
		return "not JSON"
	case action == "decline":
		return "declined"
	case action == "cancel":
		return "cancelled"
	case hide:
		return "answered " + quotedKey(a.Key)
	case action == "accept" && !node.Has("content"):
		return "accepted"
	case action == "accept":
		return contentValues(node.Get("content"))
	case node.Has("roots"):
		return plural(node.Get("roots").Len(), "root")
	}
	if text := node.Get("content").Get("text").Str(); text != "" {
		return visible(text)
	}
	return "answered " + quotedKey(a.Key)
}

// contentValues are the values of an accepted form, without their names.
func contentValues(content *jsontree.Node) string {
	if content == nil || content.Kind != jsontree.Object {
		return "accepted"
	}
	var words []string
	for i, m := range content.Members {
		if i == 3 {
			words = append(words, "…")
			break
		}
		if text, ok := m.Value.Text(); ok {
			words = append(words, visible(text))
		} else {
			words = append(words, visible(string(m.Value.Raw())))
		}
	}
	if len(words) == 0 {
		return "accepted"
	}
	return strings.Join(words, ", ")
}
