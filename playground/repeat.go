package playground

import (
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Repeat answers a prompt with what was said under its key before, as long as
// that still fits: a server may draw new choices every time. Else it fails.
func (p Prompt) Repeat(said map[string]json.RawMessage) (Response, error) {
	value, ok := said[p.Key]
	if !ok {
		return Response{}, fmt.Errorf("nothing was said to %q", p.Key)
	}
	answer, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return Response{}, fmt.Errorf("answer to %q: %w", p.Key, err)
	}
	content := answer.Get("content")
	if p.Kind == FormPrompt && p.FormErr == nil && content != nil && len(p.Form.Validate(content.Raw())) > 0 {
		return Response{}, fmt.Errorf("what was said to %q fits no more", p.Key)
	}
	return Response{Key: p.Key, Value: value}, nil
}

// Reply is the decision that answers an open Round as it was answered before;
// it fails at the first prompt that answer does.
func (r Round) Reply(answer func(Prompt) (Response, error)) (Decision, error) {
	d := Decision{Action: Retry, Round: r.N + 1}
	for _, p := range Prompts(r) {
		d.Action = Answer
		response, err := answer(p)
		if err != nil {
			return d, err
		}
		d.Answers = append(d.Answers, response)
	}
	return d, nil
}
