package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// question is what the client asks you on behalf of the server.
func (s *script) question(r playground.Round) Step {
	label := fmt.Sprintf("%d questions: %s", len(r.Questions), list(questionKeys(r)))
	sentence := fmt.Sprintf("The client asks you %s.", label)
	if len(r.Questions) == 1 {
		label = ask(r.Questions[0])
		sentence = fmt.Sprintf("The client asks you: “%s”", label)
	}
	return Step{Kind: Reply, Round: r.N, From: client, To: you, Label: label, Sentence: sentence}
}

// ask is one question in few words, the server's own where it has some.
func ask(q playground.Question) string {
	switch q.Method {
	case "elicitation/create":
		if text := q.Params.Get("message").Str(); text != "" {
			return visible(text)
		}
	case "sampling/createMessage":
		return "may it use your model?"
	case "roots/list":
		return "may it know your roots?"
	}
	return "asks " + named(q.Key)
}

// answer is what you decided about the questions of a Round.
func (s *script) answer(round int, answers []playground.Answer) Step {
	label := fmt.Sprintf("%d answers", len(answers))
	words := make([]string, 0, len(answers))
	for _, a := range answers {
		words = append(words, reply(a, s.hide))
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

// reply is one answer in few words.
func reply(a playground.Answer, hide bool) string {
	node, err := jsontree.Parse(a.Value, jsontree.Limits{})
	switch action := a.Action(); {
	case err != nil:
		return "not JSON"
	case action == "decline":
		return "declined"
	case action == "cancel":
		return "cancelled"
	case hide:
		return "answered " + named(a.Key)
	case action == "accept" && !node.Has("content"):
		return "agreed"
	case action == "accept":
		return values(node.Get("content"))
	case node.Has("roots"):
		return plural(node.Get("roots").Len(), "root")
	}
	if text := node.Get("content").Get("text").Str(); text != "" {
		return visible(text)
	}
	return "answered " + named(a.Key)
}

// values are the fields of an accepted form, without their names.
func values(content *jsontree.Node) string {
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

// plural counts things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
