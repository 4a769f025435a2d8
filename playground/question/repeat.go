package question

import (
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Repeat returns the recorded answer to the question's key. It fails if there
// is none, or if it does not fit any more: a server may offer new choices each
// time.
func (f Form) Repeat(recorded map[string]json.RawMessage) (playground.Answer, error) {
	value, ok := recorded[f.Key]
	if !ok {
		return playground.Answer{}, fmt.Errorf("no recorded answer to %q", f.Key)
	}
	answer, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return playground.Answer{}, fmt.Errorf("answer to %q: %w", f.Key, err)
	}
	content := answer.Get("content")
	hasFields := f.Kind == KindForm && f.FormErr == nil && content != nil
	if hasFields && len(f.Fields.Validate(content.Raw())) > 0 {
		return playground.Answer{}, fmt.Errorf("the recorded answer to %q does not fit any more", f.Key)
	}
	return playground.Answer{Key: f.Key, Value: value}, nil
}

// Reply returns the decision that answers the open Round r. It fails at the
// first question that answer fails at.
func Reply(r playground.Round, answer func(Form) (playground.Answer, error)) (playground.Decision, error) {
	d := playground.Decision{Action: playground.ActionRetry, Round: r.N + 1}
	for _, f := range Forms(r) {
		d.Action = playground.ActionAnswer
		a, err := answer(f)
		if err != nil {
			return d, err
		}
		d.Answers = append(d.Answers, a)
	}
	return d, nil
}
