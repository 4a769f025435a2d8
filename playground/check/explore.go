package check

import (
	"context"
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// explore makes the right call again with other choices, as long as it was
// never given a requestState: some answers end a call at once, and others lead
// on. It stops at the first that does.
func explore(ctx context.Context, cfg Config, p Plan, base playground.Exchange) ([]playground.Exchange, error) {
	list := []playground.Exchange{base}
	if lab.HasState(base) {
		return list, nil
	}
	for _, answer := range lab.OtherChoices(base, p.Answers) {
		d := &driver{Config: cfg, plan: p, before: map[string]json.RawMessage{answer.Key: answer.Value}}
		if err := d.begin(ctx); err != nil {
			return list, err
		}
		err := d.honest(ctx, whole)
		list = append(list, d.x)
		if err != nil || lab.HasState(d.x) {
			return list, err
		}
	}
	return list, nil
}
