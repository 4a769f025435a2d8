package question

import (
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Repeat answers a prompt with what was said under its key before, as long as
// that still fits: a server may draw new choices every time. Else it fails.
func (p Form) Repeat(said map[string]json.RawMessage) (playground.Answer, error) {
	value, ok := said[p.Key]
	if !ok {
		return playground.Answer{}, fmt.Errorf("nothing was said to %q", p.Key)
	}
	answer, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return playground.Answer{}, fmt.Errorf("answer to %q: %w", p.Key, err)
	}
	content := answer.Get("content")
	if p.Kind == KindForm && p.FormErr == nil && content != nil && len(p.Fields.Validate(content.Raw())) > 0 {
		return playground.Answer{}, fmt.Errorf("what was said to %q fits no more", p.Key)
	}
	return playground.Answer{Key: p.Key, Value: value}, nil
}

// Reply returns the decision that answers the open Round r. It fails at the
// first prompt that answer fails at.
func Reply(r playground.Round, answer func(Form) (playground.Answer, error)) (playground.Decision, error) {
	d := playground.Decision{Action: playground.ActionRetry, Round: r.N + 1}
	for _, p := range Forms(r) {
		d.Action = playground.ActionAnswer
		response, err := answer(p)
		if err != nil {
			return d, err
		}
		d.Answers = append(d.Answers, response)
	}
	return d, nil
}
