// Package tasks is the server side of the tasks extension
// (io.modelcontextprotocol/tasks, SEP-2663), as far as the samples need it:
// work that outlives the call which started it.
//
// Unlike a requestState, a task is memory of the server. So there is a [Store]
// that all instances of a sample share, with limits on the number and the
// lifetime of tasks. Create must be durable when it returns, because the client
// may poll at once and at another instance. Every change goes through Change of
// the Store, which applies one at a time; a Task that was read is a copy. Work
// of a process that ended is orphaned: one process adopts it and runs it again
// from its Origin, so a script must bear being run twice.
package tasks

import (
	"encoding/json"
	"maps"
	"time"
)

// Extension is the identifier that client and server declare.
const Extension = "io.modelcontextprotocol/tasks"

// Status is the status of a task. A tool's own error completes a task; only a
// protocol error fails it.
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

// Task is the content of a tasks/get result, whose members stand beside
// resultType.
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

	Owner   string                     `json:"-"` // the only principal who can see it
	Caller  string                     `json:"-"` // whose request made it; empty if that is not known
	Answers map[string]json.RawMessage `json:"-"` // of all questions so far, by key
	Origin  json.RawMessage            `json:"-"` // what its work can be begun again from

	version int // counts the changes, in a store that others use too

	// Another process does the work, or has done it: Orphaned says that it is gone.
	Elsewhere, Orphaned bool `json:"-"`
}

// Error is the reason why a task failed.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Created returns the part of a task that answers the call which started it.
// The rest is read with tasks/get only.
func (t Task) Created() Task {
	t.InputRequests, t.Result, t.Error = nil, nil, nil
	return t
}

// clone keeps callers from changing what the store holds.
func (t Task) clone() Task {
	t.InputRequests, t.Answers = maps.Clone(t.InputRequests), maps.Clone(t.Answers)
	return t
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }
