package playground

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

const tasked = `{"resultType":"task","taskId":"T","status":"working","ttlMs":600000,"pollIntervalMs":500}`

// poll sends the request of NextPoll and answers it with a result.
func (s *story) poll(result string) Transcript {
	s.t.Helper()
	s.ask()
	return s.answerPoll(`"result":` + result)
}

func (s *story) ask() {
	s.t.Helper()
	req, _, ok := NextPoll(s.x, Fold(s.x.Log), Client{"test", "1"})
	if !ok {
		s.t.Fatalf("nothing to poll for in %s", Fold(s.x.Log).Status)
	}
	s.send(req)
}

func (s *story) answerPoll(member string) Transcript {
	return s.receive(fmt.Sprintf(`{"jsonrpc":"2.0","id":"poll-%d",%s}`, countSent(s.x.Log), member))
}

func stands(status, more string) string {
	return `{"resultType":"complete","taskId":"T","status":"` + status + `"` + more + `}`
}

func asking(keys ...string) string {
	var list []string
	for _, k := range keys {
		list = append(list, `"`+k+`":{"method":"elicitation/create","params":{"message":"?",`+
			`"requestedSchema":{"type":"object","properties":{}}}}`)
	}
	return stands("input_required", `,"inputRequests":{`+strings.Join(list, ",")+`}`)
}

// TestNext_TaskTakesSomeAnswers: a task gets the answers that there are, and
// waits for the others.
func TestNext_TaskTakesSomeAnswers(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(tasked)
	f := s.poll(asking("a", "b"))
	answer := func(keys ...string) Decision {
		d := Decision{Action: ActionAnswer, Round: f.Next()}
		for _, k := range keys {
			d.Answers = append(d.Answers, accept(k, "{}"))
		}
		return d
	}
	for _, d := range []Decision{answer(), answer("c"), answer("a", "c")} {
		if _, err := Next(s.x, f, d, Client{"test", "1"}); !errors.Is(err, ErrAnswers) {
			t.Errorf("answers %v: error %v", d.Answers, err)
		}
	}
	some := s.decide(answer("b"))
	if !strings.Contains(string(some.Params), `"inputResponses":{"b":{"action":"accept","content":{}}}`) {
		t.Fatalf("one of two answers: %s", some.Params)
	}
	s.result(`{"resultType":"complete"}`)
	f = s.poll(asking("a"))
	last := f.Last()
	if f.Status != StatusWaiting || len(last.Questions) != 1 || last.Questions[0].Key != "a" {
		t.Errorf("afterwards %s, and it asks %v", f.Status, last.Questions)
	}
}

func outcomes(f Transcript) string {
	var words []string
	for _, r := range f.Rounds {
		words = append(words, fmt.Sprintf("%d:%s", r.N, r.Kind))
	}
	return strings.Join(words, " ")
}

func TestFold_TaskStatuses(t *testing.T) {
	tests := []struct {
		name, result string
		outcome      OutcomeKind
		class        Class
		status       Status
	}{
		{"working", stands("working", ""), OutcomeTaskStatus, "", StatusRunning},
		{"resultType task", `{"resultType":"task","taskId":"T","status":"working"}`, OutcomeTaskStatus, "",
			StatusRunning},
		{"no taskId", `{"resultType":"complete","status":"working"}`, OutcomeTaskStatus, "", StatusRunning},
		{"asks", asking("k"), OutcomeInputRequired, "", StatusWaiting},
		{"asks nothing", asking(), OutcomeTaskStatus, "", StatusRunning},
		{"asks without questions", stands("input_required", ""), OutcomeViolation, Violation, StatusFailed},
		{"asks an array", stands("input_required", `,"inputRequests":[]`), OutcomeViolation,
			Violation, StatusFailed},
		{"completed", stands("completed", `,"result":{"content":[]}`), OutcomeComplete, "", StatusComplete},
		{"completed without result", stands("completed", ""), OutcomeViolation, Violation, StatusFailed},
		{"failed", stands("failed", `,"error":{"code":-32603,"message":"no"}`), OutcomeRPCError,
			RPCFailed, StatusFailed},
		{"failed without error", stands("failed", ""), OutcomeRPCError, RPCFailed, StatusFailed},
		{"cancelled", stands("cancelled", ""), OutcomeCancelled, "", StatusCancelled},
		{"a sixth status", stands("paused", ""), OutcomeViolation, Violation, StatusFailed},
		{"status 1", `{"resultType":"complete","taskId":"T","status":1}`, OutcomeViolation,
			Violation, StatusFailed},
		{"another task", `{"resultType":"complete","taskId":"U","status":"working"}`, OutcomeViolation,
			Violation, StatusFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStory(t)
			s.start()
			s.result(tasked)
			f := s.poll(test.result)
			r := f.Last()
			if r.Kind != test.outcome || r.Class != test.class || f.Status != test.status || r.Resendable() {
				t.Errorf("got %s %s %s (%s)", r.Kind, r.Class, f.Status, r.Detail)
			}
		})
	}
}

func TestFold_TaskWithoutID(t *testing.T) {
	for _, result := range []string{`{"resultType":"task"}`, `{"resultType":"task","taskId":""}`,
		`{"resultType":"task","taskId":7}`} {
		s := newStory(t)
		s.start()
		if f := s.result(result); f.Last().Kind != OutcomeViolation {
			t.Errorf("%s: %s", result, f.Last().Kind)
		}
	}
}

func TestFold_EqualPollsJoin(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(tasked)
	for range 50 {
		s.poll(stands("working", `,"statusMessage":"a"`))
	}
	f := s.poll(stands("working", `,"statusMessage":"b"`))
	if got := outcomes(f); got != "1:task 2:task_status" {
		t.Fatalf("got %s", got)
	}
	r := f.Last()
	if r.Polls != 51 || len(r.Others) != 50 || strings.Join(r.Task.Messages, " ") != "a b" ||
		!strings.Contains(string(r.Request.Body), `"poll-52"`) {
		t.Errorf("%d polls, %d others, said %v, %s", r.Polls, len(r.Others), r.Task.Messages, r.Request.Body)
	}
	s.ask()
	if f := Fold(s.x.Log); outcomes(f) != "1:task 2:task_status" || f.Status != StatusRunning {
		t.Errorf("a running poll shows as %s", outcomes(f))
	}
	if f := s.answerPoll(`"result":` + asking("k")); outcomes(f) != "1:task 2:task_status 3:input_required" {
		t.Errorf("got %s", outcomes(f))
	}
}

func TestFold_TaskAnsweredKey(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(tasked)
	s.poll(asking("a"))
	req := s.answer(accept("a", "{}"))
	if req.Method != TasksUpdate ||
		!strings.Contains(string(req.Params),
			`{"taskId":"T","inputResponses":{"a":{"action":"accept","content":{}}}`) {
		t.Errorf("%s %s", req.Method, req.Params)
	}
	s.result(`{"resultType":"complete"}`)
	if f := s.poll(asking("a")); f.Status != StatusRunning {
		t.Errorf("the same key again: %s", f.Status)
	}
	f := s.poll(asking("a", "b"))
	if f.Status != StatusWaiting || len(f.Last().Questions) != 1 || f.Last().Questions[0].Key != "b" {
		t.Errorf("a new key beside it: %s, %d questions", f.Status, len(f.Last().Questions))
	}
}

func TestFold_TaskDeclined(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(tasked)
	s.poll(asking("a"))
	s.answer(Answer{Key: "a", Value: []byte(`{"action":"decline"}`)})
	s.result(`{"resultType":"complete"}`)
	s.poll(stands("working", ""))
	if f := s.poll(stands("completed", `,"result":{"content":[]}`)); f.Status != StatusDeclined {
		t.Errorf("got %s", f.Status)
	}
}

func TestNextPoll_Interval(t *testing.T) {
	for ms, want := range map[string]time.Duration{
		`500`: 500 * time.Millisecond, `0`: minPoll, `-5`: minPoll, `1`: minPoll, `90000`: 90 * time.Second,
		`99999999`: 99999999 * time.Millisecond, `1e9`: 1e9 * time.Millisecond,
		`99999999999999999999`: math.MaxInt64 / time.Millisecond * time.Millisecond, `-1e99`: minPoll,
		`"soon"`: defaultPoll, `null`: defaultPoll, `0.5`: defaultPoll,
	} {
		s := newStory(t)
		s.start()
		f := s.result(`{"resultType":"task","taskId":"T","status":"working","pollIntervalMs":` + ms + `}`)
		if _, wait, ok := NextPoll(s.x, f, Client{}); !ok || wait != want {
			t.Errorf("%s: %s, want %s", ms, wait, want)
		}
	}
	s := newStory(t)
	s.start()
	s.result(tasked)
	for range 2 * pollsPerDelay {
		s.poll(stands("working", ""))
	}
	if _, wait, _ := NextPoll(s.x, Fold(s.x.Log), Client{}); wait != 2*time.Second {
		t.Errorf("after %d equal answers: %s", 2*pollsPerDelay, wait)
	}
}

func TestFold_TaskUnknown(t *testing.T) {
	tests := map[time.Duration]Class{time.Second: TaskUnknown, 20 * time.Minute: TaskExpired}
	for after, want := range tests {
		s := newStory(t)
		s.start()
		s.result(tasked)
		s.ask()
		s.now = s.now.Add(after)
		f := s.answerPoll(`"error":{"code":-32602,"message":"unknown taskId"}`)
		if f.Last().Class != want || f.Last().Detail == "" || f.Status != StatusFailed {
			t.Errorf("after %s: %s %s", after, f.Last().Class, f.Last().Detail)
		}
	}
}

func TestFold_StopInterruptsPoll(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(tasked)
	s.poll(stands("working", ""))
	s.ask()
	s.add(Event{At: s.tick(), Conn: s.conn, Kind: Cancelled})
	f := Fold(s.x.Log)
	if err := f.Allows(Decision{Action: ActionStop, Round: f.Next()}); err != nil {
		t.Fatal(err)
	}
	req := s.decide(Decision{Action: ActionStop, Round: f.Next()})
	if req.Method != TasksCancel {
		t.Errorf("sent %s", req.Method)
	}
	s.result(`{"resultType":"complete"}`)
	if f := s.poll(stands("cancelled", "")); outcomes(f) != "1:task 2:task_status 3:ack 4:cancelled" ||
		f.Task() != nil {
		t.Errorf("got %s", outcomes(f))
	}
	if err := Fold(s.x.Log).Allows(Decision{Action: ActionStop, Round: 5}); err == nil {
		t.Error("a task that is over can be stopped")
	}
}

// TestFold_TaskCaps: answered keys that come and go would open
// Round after Round without anybody deciding anything.
func TestFold_TaskCaps(t *testing.T) {
	s := newStory(t)
	s.start()
	f := s.result(tasked)
	for i := 0; f.Status == StatusRunning && i < 2*MaxRounds; i++ {
		f = s.poll([]string{stands("working", ""), asking()}[i%2])
	}
	if f.Status != StatusCapped {
		t.Errorf("got %s after %d rounds", f.Status, len(f.Rounds))
	}
}

// TestFold_TaskUnknownOnlyIfItWasAskedFor: an experiment asks for a task that
// the server did not issue, which says nothing about the real one.
func TestFold_TaskUnknownOnlyIfItWasAskedFor(t *testing.T) {
	for id, want := range map[string]Class{"T": TaskUnknown, "no-such-task": RPCFailed} {
		s := newStory(t)
		s.start()
		s.receive(`{"jsonrpc":"2.0","id":1,"result":` + tasked + `}`)
		req, _, _ := NextPoll(s.x, Fold(s.x.Log), Client{"test", "1"})
		req.Params = []byte(`{"taskId":"` + id + `"}`)
		s.send(req)
		f := s.answerPoll(`"error":{"code":-32602,"message":"unknown"}`)
		if last := f.Last(); last.Class != want || last.Task == nil {
			t.Errorf("%s: %s", id, last.Class)
		}
	}
}
