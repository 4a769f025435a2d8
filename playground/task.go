package playground

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Time between two polls of a task.
const (
	minPoll     = 200 * time.Millisecond
	maxPoll     = time.Minute // of polls that the client makes rarer by itself
	defaultPoll = time.Second // if the server names none
)

// Task is the state of work that continues after its call, as the server
// reports it.
type Task struct {
	ID       string
	Status   string        // working, input_required, completed, failed or cancelled
	Messages []string      // its words about its status, in order
	Every    time.Duration // how long the client waits between two polls
	Named    time.Duration // the interval that the server named; 0 if it named none
	Expires  time.Time     // from then on the server may forget it; zero when it does not say
}

// isTask reports whether a method is one of the extension's.
func isTask(method string) bool {
	return method == TasksGet || method == TasksUpdate || method == TasksCancel
}

// maxTaskMessages bounds the messages that are kept of one task.
const maxTaskMessages = 100

// readTask returns the task in n, received at time at. Members that n omits
// keep the values of before.
func readTask(n *jsontree.Node, at time.Time, before *Task) *Task {
	t := Task{ID: n.Get("taskId").Str(), Every: defaultPoll}
	if before != nil {
		t = *before
		t.Messages = slices.Clone(before.Messages)
	}
	t.Status = n.Get("status").Str()
	t.addMessage(n.Get("statusMessage").Str())
	t.setInterval(n.Get("pollIntervalMs"))
	// The server's clock is not ours, so its life counts from when we heard of
	// it.
	ttl, ok := Milliseconds(n.Get("ttlMs"))
	if ok && ttl >= 0 && ttl < 1000*time.Hour && t.Expires.IsZero() {
		t.Expires = at.Add(ttl)
	}
	return &t
}

// addMessage adds a status message unless it is the last one again.
func (t *Task) addMessage(text string) {
	n := len(t.Messages)
	if text != "" && n < maxTaskMessages && (n == 0 || t.Messages[n-1] != text) {
		t.Messages = append(t.Messages[:n:n], text)
	}
}

// taskCreated reads a CreateTaskResult.
func (p *part) taskCreated(n *jsontree.Node, at time.Time) {
	id, isText := n.Get("taskId").Text()
	if !isText || id == "" {
		p.violate(CauseTaskID, "The result is a task without a taskId, so it cannot be polled.")
		return
	}
	p.Kind, p.Task = OutcomeTask, readTask(n, at, nil)
}

// taskStatus reads the answer to tasks/get: the meaning of the status for the
// call.
func (p *part) taskStatus(n *jsontree.Node) {
	if id := n.Get("taskId"); id != nil && !jsontree.Equal(id, p.Sent.At("params", "taskId")) {
		p.violate(CauseTaskOther, "The response is about the task "+short(id)+", which was not requested.")
		return
	}
	switch status := n.Get("status"); status.Str() {
	case "working":
		p.Kind = OutcomeTaskStatus
	case "input_required":
		p.taskInputRequired(n.Get("inputRequests"))
	case "completed":
		p.taskCompleted(n.Get("result"))
	case "failed":
		p.taskFailed(n.Get("error"))
	case "cancelled":
		p.Kind = OutcomeCancelled
	default:
		p.violate(CauseTaskStatus, "The task has the unknown status "+short(status)+".")
	}
}

func (p *part) taskInputRequired(requests *jsontree.Node) {
	if requests == nil || requests.Kind != jsontree.Object {
		p.violate(CauseTaskRequests,
			"The task has the status input_required, but its inputRequests is not an object.")
		return
	}
	p.Kind, p.Questions = OutcomeInputRequired, questions(requests)
}

func (p *part) taskCompleted(result *jsontree.Node) {
	if result == nil || result.Kind != jsontree.Object {
		p.violate(CauseTaskResult, "The task has the status completed, but no result object.")
		return
	}
	p.Kind, p.Final, p.IsError = OutcomeComplete, result, result.Get("isError").True()
}

func (p *part) taskFailed(e *jsontree.Node) {
	code, _ := e.Get("code").Int()
	p.Error = &RPCError{Code: code, Message: e.Get("message").Str(), Data: e.Get("data")}
	detail := "The task failed without an error object."
	if e != nil {
		detail = fmt.Sprintf("The task failed with error %d: %s", code, p.Error.Message)
	}
	p.fail(OutcomeRPCError, RPCFailed, detail)
}

// adopt makes the task that a violation claimed the task of the call if the events
// ask about it: the client that made the recording went on nevertheless.
func (k *foldState) adopt(events []Event) {
	if k.task != nil || k.claimed == nil {
		return
	}
	if p := readPart(events); isTask(p.Method) && p.Sent.At("params", "taskId").Str() == k.claimed.ID {
		k.task, k.answered = k.claimed, map[string]*answeredKey{}
	}
}

// trackTask updates the task from a Round, and sets the Round's task.
func (k *foldState) trackTask(r *Round) {
	if r.Cause == CauseTaskUndeclared || r.Cause == CauseTaskWhere {
		k.claimed = readTask(r.Result, r.Ended, nil)
	}
	switch {
	case r.Kind == OutcomeTask:
		k.task, k.answered = r.Task, map[string]*answeredKey{}
		return
	case !isTask(r.Method) || k.task == nil:
		return
	case r.Method == TasksGet && r.Result != nil:
		r.Polls = 1
		k.task = readTask(r.Result, r.Ended, k.task)
		k.dropAnswered(r)
	case r.Kind == OutcomeAck && r.Method == TasksUpdate:
		k.answerKeys(r.Sent.At("params", "inputResponses"))
	case r.Kind == OutcomeRPCError && r.Error.Code == -32602 &&
		r.Sent.At("params", "taskId").Str() == k.task.ID: // an experiment asks for another task
		r.setTaskUnknown(*k.task)
	}
	r.Task = k.task
	if k.stopping && r.Kind == OutcomeTaskStatus {
		r.Stopped = StoppedCancelled
	}
}

// maxUnseenPolls is how many polls may repeat a question after its answer was
// received. Updates are eventually consistent (ext-tasks, "tasks/update"), so
// the answer is on its way; after that many the question is asked again.
const maxUnseenPolls = 10

// answeredKey is a question of a task whose answer the server received.
type answeredKey struct {
	asked *jsontree.Node // the question
	taken bool           // a later status no longer had it
	polls int            // that had it nevertheless
}

// answerKeys remembers the questions that a tasks/update answered.
func (k *foldState) answerKeys(responses *jsontree.Node) {
	for _, m := range responses.Entries() {
		a := &answeredKey{}
		for i := len(k.rounds) - 1; i >= 0 && a.asked == nil; i-- {
			for _, q := range k.rounds[i].Questions {
				if q.Key == m.Key {
					a.asked = q.Node
				}
			}
		}
		k.answered[m.Key] = a
	}
}

// dropAnswered removes the questions of a status that were answered already and
// whose answer may not be visible yet. A question that returns after it was
// gone, or with other words, is a new one, and so is one that stays too long.
func (k *foldState) dropAnswered(r *Round) {
	for key, a := range k.answered {
		asks := func(q Question) bool { return q.Key == key }
		a.taken = a.taken || !slices.ContainsFunc(r.Questions, asks)
	}
	if r.Kind != OutcomeInputRequired {
		return
	}
	var open []Question
	for _, q := range r.Questions {
		a := k.answered[q.Key]
		switch {
		case a == nil:
		case a.taken || !jsontree.Equal(a.asked, q.Node):
			q.Again = AgainAsked
		case a.polls >= maxUnseenPolls:
			q.Again = AgainUnseen
		default:
			a.polls++
			continue
		}
		open = append(open, q)
	}
	if r.Questions = open; len(open) == 0 {
		r.Kind = OutcomeTaskStatus
	}
}

// Unseen returns the keys of the questions that the task's status still has
// although they were answered, if the client waits for the server to take the
// answers.
func (r Round) Unseen() []string {
	if r.Kind != OutcomeTaskStatus || r.Result.Get("status").Str() != "input_required" {
		return nil
	}
	var keys []string
	for _, q := range questions(r.Result.Get("inputRequests")) {
		keys = append(keys, q.Key)
	}
	return keys
}

// setTaskUnknown sets why the server no longer knows the task.
func (r *Round) setTaskUnknown(t Task) {
	if !t.Expires.IsZero() && r.Ended.After(t.Expires) {
		r.Class, r.Detail = TaskExpired, "The task expired after its ttlMs, and the server no longer has it."
		return
	}
	r.Class = TaskUnknown
	r.Detail = "The server does not know the task: " + strings.TrimSpace(r.Error.Message)
}

// poll reads one tasks/get that the client sent automatically, or several that
// repeat an earlier one.
func (k *foldState) poll(events []Event) {
	k.dropAbandonedPoll()
	if events[0].Kind == Repeated {
		k.repeat(events)
		return
	}
	last := &k.rounds[len(k.rounds)-1]
	r := foldRound(Decision{Round: last.N + 1}, events)
	k.remember(r, events)
	if r.Sent == nil {
		r.Method = TasksGet // the process ended before it asked
	}
	k.trackTask(&r)
	switch {
	case r.Kind == OutcomePending && last.Method == TasksGet && last.Kind == OutcomeTaskStatus:
		// most polls have an unchanged status, so a running poll is not shown
	case last.sameStatus(r):
		last.join(r)
	default:
		k.rounds = append(k.rounds, r)
	}
}

// remember keeps a poll that later ones may repeat.
func (k *foldState) remember(r Round, events []Event) {
	if r.Method != TasksGet {
		return
	}
	for _, e := range events {
		if e.Kind == Received {
			if k.polled == nil {
				k.polled = map[int]part{}
			}
			k.polled[e.Seq] = part{Trip: r.Trip, Outcome: r.Outcome}
		}
	}
}

// repeat reads polls that were answered as an earlier one was. Each has the
// effect that it would have with its bytes; a question that the task still
// asks, say, is asked again after some of them.
func (k *foldState) repeat(events []Event) {
	e := events[0]
	n, err := e.Repetition()
	base, known := k.polled[n.Of]
	if err != nil || !known {
		return
	}
	each := min(n.Count, maxUnseenPolls+1) // after so many, one is as the other
	for i := range each {
		last := &k.rounds[len(k.rounds)-1]
		r := Round{N: last.N + 1, Began: e.At, Trip: base.Trip, Outcome: base.Outcome}
		r.Ended, r.Started, r.Last, r.Copy = e.At, e.At, e.At, true
		r.Repeats, r.Repeated = 0, time.Time{}
		k.trackTask(&r)
		if i == each-1 {
			for _, after := range events[1:] {
				if after.Kind == Interrupted {
					r.Stopped = after.stopped()
				}
			}
			if r.Polls += n.Count - each; n.Count > each {
				r.Repeats, r.Repeated = n.Count-each, e.At
			}
		}
		if last.sameStatus(r) {
			last.joinRepeats(r)
		} else {
			k.rounds = append(k.rounds, r)
		}
	}
}

// joinRepeats adds polls to the Round that repeat an earlier one, which may be
// in it.
func (r *Round) joinRepeats(next Round) {
	r.Polls += next.Polls
	if r.Conn == next.Conn {
		r.Repeats += next.Polls
		r.Repeated, r.Outcome = next.Ended, next.Outcome
		return
	}
	for i := range r.Others {
		if t := &r.Others[i]; t.Conn == next.Conn {
			t.Repeats += next.Polls
			t.Repeated = next.Ended
			r.Ended, r.Task, r.Stopped = next.Ended, next.Task, next.Stopped
			return
		}
	}
	r.Others = append(r.Others, r.Trip)
	r.Trip, r.Outcome = next.Trip, next.Outcome
}

// dropAbandonedPoll removes the last Round if it is a poll without a result,
// because the process ended or the user did something else.
func (k *foldState) dropAbandonedPoll() {
	n := len(k.rounds) - 1
	if k.rounds[n].abandoned() {
		k.rounds = k.rounds[:n:n]
	}
}

func (r Round) abandoned() bool {
	return r.polled() && r.Result == nil && (r.Kind == OutcomeInterrupted || r.Kind == OutcomeCancelled)
}

// polled reports whether the Round was opened by the client itself.
func (r Round) polled() bool { return r.Method == TasksGet && r.Decision.Action == "" }

// sameStatus reports whether a poll has the same status as the Round.
func (r Round) sameStatus(next Round) bool {
	return r.Method == TasksGet && next.Method == TasksGet && next.Result != nil && r.Kind == next.Kind &&
		(r.Kind == OutcomeTaskStatus || r.Kind == OutcomeInputRequired) &&
		r.Task.Status == next.Task.Status &&
		slices.EqualFunc(r.Questions, next.Questions, func(a, b Question) bool { return a.Key == b.Key })
}

// join makes the newest of several equal polls the Round's own.
func (r *Round) join(next Round) {
	r.Others = append(r.Others, r.Trip)
	r.Polls++
	r.Trip, r.Outcome = next.Trip, next.Outcome
}
