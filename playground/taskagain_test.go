package playground

import (
	"strings"
	"testing"
	"time"
)

// answeredTask is a task whose question a was answered.
func answeredTask(t *testing.T) *story {
	s := newStory(t)
	s.start()
	s.result(tasked)
	s.poll(asking("a"))
	s.answer(accept("a", "{}"))
	s.result(`{"resultType":"complete"}`)
	return s
}

func TestFold_TaskAsksAnAnsweredKeyAgain(t *testing.T) {
	changed := strings.Replace(asking("a"), `"?"`, `"And now?"`, 1)
	tests := []struct {
		name  string
		polls []string
		again Again // "" if the last poll is no question
	}{
		{"not visible yet", []string{asking("a")}, ""},
		{"not visible for many polls", slicesRepeat(asking("a"), maxUnseenPolls), ""},
		{"not visible for too many polls", slicesRepeat(asking("a"), maxUnseenPolls+1), AgainUnseen},
		{"after it worked", []string{asking("a"), stands("working", ""), asking("a")}, AgainAsked},
		{"after another question", []string{asking("a"), asking(), asking("a")}, AgainAsked},
		{"with other words", []string{changed}, AgainAsked},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := answeredTask(t)
			var f Transcript
			for _, result := range test.polls {
				f = s.poll(result)
			}
			r := f.Last()
			if test.again == "" {
				if r.Kind != OutcomeTaskStatus || f.Status != StatusRunning || len(r.Unseen()) != 1 {
					t.Errorf("%s %s, unseen %q", r.Kind, f.Status, r.Unseen())
				}
				return
			}
			if r.Kind != OutcomeInputRequired || f.Status != StatusWaiting || len(r.Questions) != 1 ||
				r.Questions[0].Again != test.again {
				t.Fatalf("%s %s with %+v", r.Kind, f.Status, r.Questions)
			}
			req := s.answer(accept("a", `{"x":1}`))
			if req.Method != TasksUpdate || !strings.Contains(string(req.Params), `{"a":{"action":"accept"`) {
				t.Errorf("%s %s", req.Method, req.Params)
			}
			s.result(`{"resultType":"complete"}`)
			if f := s.poll(asking("a")); test.name != "with other words" && f.Status != StatusRunning {
				t.Errorf("after the second answer: %s", f.Status)
			}
		})
	}
}

func slicesRepeat(text string, n int) []string {
	return strings.Split(strings.Repeat(text+"\n", n)+text, "\n")[:n]
}

func TestNextPoll_StopsAfterTheTimeToLive(t *testing.T) {
	s := newStory(t)
	s.start()
	s.result(tasked)
	s.poll(stands("working", ""))
	s.now = s.now.Add(20 * time.Minute)
	f := s.poll(stands("working", ""))
	if _, _, ok := NextPoll(s.x, f, Client{}); ok || f.Status != StatusWaiting ||
		f.Last().PollsStopped() != StoppedExpired {
		t.Fatalf("%s, polled again: %t", f.Status, ok)
	}
	req := s.decide(Decision{Action: ActionResend, Round: f.Last().N + 1})
	if req.Method != TasksGet || f.Task() == nil {
		t.Errorf("sent %s", req.Method)
	}
	if f := s.result(stands("completed", `,"result":{"content":[]}`)); f.Status != StatusComplete {
		t.Errorf("got %s", f.Status)
	}
}

// TestNextPoll_StopsWhenTheRecorderStopped: after the call, after a poll, after
// a repetition, during a poll; and goes on when the user asks for it.
func TestNextPoll_StopsWhenTheRecorderStopped(t *testing.T) {
	for name, before := range map[string]func(s *story){
		"after the call": func(*story) {},
		"after a poll":   func(s *story) { s.poll(stands("working", "")) },
		"during a poll":  func(s *story) { s.ask() },
		"after a repetition": func(s *story) {
			s.poll(stands("working", ""))
			s.conn++
			s.add(Repetition{Of: len(s.x.Log), Count: 3}.Event(s.tick(), s.conn))
		},
	} {
		for _, reason := range []StopReason{StoppedMany, StoppedFull, StoppedUnwatched, StoppedImported} {
			t.Run(name+", "+string(reason), func(t *testing.T) {
				s := newStory(t)
				s.start()
				s.result(tasked)
				before(s)
				s.add(Stop{reason}.Event(s.tick(), s.conn))
				f := Fold(s.x.Log)
				if _, _, ok := NextPoll(s.x, f, Client{}); ok || f.Status != StatusWaiting || f.Held() ||
					f.Last().PollsStopped() != reason {
					t.Fatalf("%s, %q, polled again: %t", f.Status, f.Last().PollsStopped(), ok)
				}
				req := s.decide(Decision{Action: ActionResend, Round: f.Last().N + 1})
				if req.Method != TasksGet {
					t.Errorf("sent %s", req.Method)
				}
				f = s.result(stands("working", ""))
				if _, _, ok := NextPoll(s.x, f, Client{}); !ok || f.PollsInARow() != 1 {
					t.Errorf("%s, polled again: %t, %d polls", f.Status, ok, f.PollsInARow())
				}
			})
		}
	}
}
