package lab

import (
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// maxChoices is how many other answers are tried to get a requestState.
const maxChoices = 6

// OtherChoices returns answers to the questions of the first Round that each
// differ in one choice from the recorded answer. Answers whose key is in fixed
// are not changed.
func OtherChoices(base playground.Exchange, fixed map[string]json.RawMessage) []playground.Answer {
	f := base.FoldOwn()
	second := f.Round(2)
	if second == nil {
		return nil
	}
	var list []playground.Answer
	for _, p := range question.Forms(f.Rounds[0]) {
		i := slices.IndexFunc(second.Decision.Answers,
			func(a playground.Answer) bool { return a.Key == p.Key })
		if _, ok := fixed[p.Key]; ok || i < 0 {
			continue
		}
		for _, field := range p.Fields.Fields {
			list = append(list, choicesOf(field, second.Decision.Answers[i])...)
		}
	}
	return list[:min(len(list), maxChoices)]
}

// choicesOf returns the answer once for each other option of the field.
func choicesOf(f form.Field, answered playground.Answer) []playground.Answer {
	if f.Control != form.Choice {
		return nil
	}
	answer, err := jsontree.Parse(answered.Value, jsontree.Limits{})
	if err != nil {
		return nil
	}
	var list []playground.Answer
	content := answer.Get("content")
	for _, o := range f.Options {
		if content.Get(f.Property).Str() == o.Value {
			continue
		}
		changed, err := jsontree.Set(content.Raw(),
			jsontree.Pair{Key: f.Property, Value: jsontree.Quote(o.Value)})
		if err != nil {
			return nil
		}
		whole, err := jsontree.Set(answered.Value, jsontree.Pair{Key: "content", Value: changed})
		if err != nil {
			return nil
		}
		list = append(list, playground.Answer{Key: answered.Key, Value: whole})
	}
	return list
}

// HasState reports whether a call received a requestState and was continued
// with it.
func HasState(x playground.Exchange) bool {
	f := x.FoldOwn()
	return slices.ContainsFunc(f.Rounds, func(r playground.Round) bool {
		return r.State != nil && f.Round(r.N+1) != nil
	})
}

// Control returns the right call to compare experiments with: the first with a
// state, or else the first.
func Control(right []playground.Exchange) playground.Exchange {
	if i := slices.IndexFunc(right, HasState); i >= 0 {
		return right[i]
	}
	return right[0]
}
