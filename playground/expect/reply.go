package expect

import (
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// errEnds ends a call where nothing more is expected.
var errEnds = errors.New("nothing more is expected")

// Decider returns a function that answers the open rounds of one call in turn, with the
// answers of e. A question that is not expected gets a placeholder answer: the call goes on,
// so that the Judgement can show all of it. It fails after the last expected round.
func (e Expectation) Decider() func(last playground.Round) (playground.Decision, error) {
	n := 0
	return func(last playground.Round) (playground.Decision, error) {
		if n >= len(e.Rounds) || e.Rounds[n].Stops {
			return playground.Decision{}, errEnds
		}
		want, i := e.Rounds[n], 0
		n++
		d, err := question.Reply(last, func(f question.Form) (playground.Answer, error) {
			a := want.find(f.Key, i)
			i++
			if a == nil || a.Answer == nil && a.Error == nil {
				return f.Placeholder()
			}
			return playground.Answer{Key: f.Key, Value: a.Answer, Error: a.Error}, nil
		})
		d.Instance = want.Instance
		return d, err
	}
}

// find returns the question with a key, or the question at index i of those without one.
func (r Round) find(key string, i int) *Ask {
	for k := range r.Asks {
		if r.Asks[k].Key == key {
			return &r.Asks[k]
		}
	}
	if i < len(r.Asks) && r.Asks[i].Key == "" {
		return &r.Asks[i]
	}
	return nil
}
