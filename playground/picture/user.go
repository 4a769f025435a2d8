package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

// question is the step in which the client asks you what the server asks.
func (s *builder) question(r playground.Round) Step {
	label := fmt.Sprintf("%d questions: %s", len(r.Questions), narrate.Keys(r.Questions))
	sentence := fmt.Sprintf("The client asks you %s.", label)
	if len(r.Questions) == 1 {
		label, sentence = questionText(r.Questions[0])
		if r.Questions[0].Method == playground.Elicit {
			label = lastSentence(label) // the whole message stands beside the picture
		}
	}
	return Step{
		Kind: Reply, Round: r.N, From: client, To: you, Label: label, Message: Message{r.N, Response},
		Sentence: sentence,
	}
}

// questionText is one question in a few words, which are the server's message
// if it has one, and as a sentence.
func questionText(q playground.Question) (label, sentence string) {
	switch q.Method {
	case playground.Elicit:
		if message := q.Params.Get("message").Str(); message != "" {
			label = visible(message)
			return label, "The client asks you: “" + label + "”"
		}
	case playground.CreateMessage:
		return "asks your model", "The client asks you for a response of your model."
	case playground.RootsList:
		return "asks for roots", "The client asks you for your roots."
	}
	key := narrate.Key(q.Key)
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

// answerText is one answer in a few words. A hidden one says only that it was
// given.
func answerText(a playground.Answer, hide bool) string {
	if action := a.Action(); hide && action != "decline" && action != "cancel" {
		return "answered " + narrate.Key(a.Key)
	}
	return visible(narrate.Answer(a))
}
