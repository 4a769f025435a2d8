// Package tasks is the server side of the tasks extension (io.modelcontextprotocol/tasks, SEP-2663)
// as the samples need it: work that outlives the call which started it.
//
// A task is the opposite of a requestState: something a server remembers. So there is a [Store],
// every instance of a sample works on the same one, and everything in it has a bound and an end.
package tasks

import (
	"encoding/json"
	"maps"
	"time"
)

// Extension is the identifier that client and server declare.
const Extension = "io.modelcontextprotocol/tasks"

// A Status of a task. Completed includes a tool's own errors; failed is for protocol errors.
type Status string

// The statuses of SEP-2663.
const (
	Working       Status = "working"
	InputRequired Status = "input_required"
	Completed     Status = "completed"
	Failed        Status = "failed"
	Cancelled     Status = "cancelled"
)

// Over reports whether the status is final.
func (s Status) Over() bool { return s == Completed || s == Failed || s == Cancelled }

// A Task is what tasks/get shows: flat, on the same level as resultType.
type Task struct {
	ID             string                     `json:"taskId"`
	Status         Status                     `json:"status"`
	StatusMessage  string                     `json:"statusMessage,omitempty"`
	CreatedAt      time.Time                  `json:"createdAt"`
	LastUpdatedAt  time.Time                  `json:"lastUpdatedAt"`
	TTLMs          int64                      `json:"ttlMs"`
	PollIntervalMs int64                      `json:"pollIntervalMs"`
	InputRequests  map[string]json.RawMessage `json:"inputRequests,omitempty"`
	Result         json.RawMessage            `json:"result,omitempty"`
	Error          *Error                     `json:"error,omitempty"`

	Owner   string                     `json:"-"` // who may see it
	Answers map[string]json.RawMessage `json:"-"` // given, not yet taken up by the work
}

// An Error is why a task failed.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Created is the part of a task that answers the call which started it: what happens later is
// read with tasks/get only.
func (t Task) Created() Task {
	t.InputRequests, t.Result, t.Error = nil, nil, nil
	return t
}

// clone protects the store from its callers.
func (t Task) clone() Task {
	t.InputRequests, t.Answers = maps.Clone(t.InputRequests), maps.Clone(t.Answers)
	return t
}

// Error says the message.
func (e *Error) Error() string { return e.Message }
