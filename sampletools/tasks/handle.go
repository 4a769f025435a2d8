package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
)

// Handle is the interface of a task to its work.
type Handle struct {
	id     string
	runner *Runner
	again  bool // another process can do the work again
	ctx    context.Context
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
	if errors.Is(err, ErrAway) {
		return nil // the message is lost, and the work goes on
	}
	return err
}

// Ask adds questions to the task and waits until all are answered. Keys must be
// new, except in work that is done again: they are unique for the life of the task
// (SEP-2663, inputRequests).
func (h *Handle) Ask(
	ctx context.Context, requests map[string]json.RawMessage,
) (map[string]json.RawMessage, error) {
	err := h.runner.insist(ctx, func() error {
		_, err := h.runner.change(h.id, func(t *Task) { t.ask(requests) })
		return err
	})
	if err != nil {
		return nil, err
	}
	for {
		var t Task
		err := h.runner.insist(ctx, func() (err error) {
			t, err = h.runner.store.Get(h.id)
			return err
		})
		if err != nil {
			return nil, err
		}
		if answers := t.answersTo(requests); len(answers) == len(requests) {
			return answers, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-h.wake:
		}
	}
}

// ask opens the questions that have no answer yet. Work that is done again asks
// the questions that were answered before.
func (t *Task) ask(requests map[string]json.RawMessage) {
	if t.Origin == nil { // an answered question is not asked again
		t.Answers = t.answersTo(requests)
	}
	open := maps.Clone(requests)
	maps.DeleteFunc(open, func(key string, _ json.RawMessage) bool { return t.Answers[key] != nil })
	if !t.Status.Over() && len(open) > 0 {
		t.Status, t.InputRequests = InputRequired, open
	}
}

// answersTo returns the answers to questions, by key.
func (t *Task) answersTo(requests map[string]json.RawMessage) map[string]json.RawMessage {
	answers := maps.Clone(t.Answers)
	maps.DeleteFunc(answers, func(key string, _ json.RawMessage) bool { return requests[key] == nil })
	return answers
}

// notify makes Ask look at the task again.
func (h *Handle) notify() {
	select {
	case h.wake <- struct{}{}:
	default: // a notification is pending already
	}
}
