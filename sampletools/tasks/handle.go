package tasks

import (
	"context"
	"encoding/json"
	"maps"
)

// Handle is the interface of a task to its work.
type Handle struct {
	id     string
	runner *Runner
	cancel context.CancelFunc
	wake   chan struct{}
}

// SetStatusMessage sets the status message of a task that is not over.
func (h *Handle) SetStatusMessage(message string) error {
	_, err := h.runner.change(h.id, func(t *Task) {
		if !t.Status.Over() {
			t.StatusMessage = message
		}
	})
	return err
}

// Ask adds questions to the task and waits until all are answered. Keys must be
// new: they are unique for the life of the task (SEP-2663, inputRequests).
func (h *Handle) Ask(
	ctx context.Context, requests map[string]json.RawMessage,
) (map[string]json.RawMessage, error) {
	_, err := h.runner.change(h.id, func(t *Task) {
		if !t.Status.Over() {
			t.Status, t.InputRequests = InputRequired, maps.Clone(requests)
		}
	})
	if err != nil {
		return nil, err
	}
	for {
		t, err := h.runner.store.Get(h.id)
		if err != nil {
			return nil, err
		}
		if len(t.InputRequests) == 0 && len(t.Answers) >= len(requests) {
			return h.takeAnswers()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-h.wake:
		}
	}
}

// takeAnswers returns the answers and removes them from the task.
func (h *Handle) takeAnswers() (map[string]json.RawMessage, error) {
	var answers map[string]json.RawMessage
	_, err := h.runner.change(h.id, func(t *Task) { answers, t.Answers = t.Answers, nil })
	return answers, err
}

// notify makes Ask look at the task again.
func (h *Handle) notify() {
	select {
	case h.wake <- struct{}{}:
	default: // a notification is pending already
	}
}
