package question

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

func TestDecide(t *testing.T) {
	const accept7 = `{"action":"accept","content":{"n":7}}`
	answer := func(value string) []playground.Answer {
		return []playground.Answer{{Key: "k",
			Value: []byte(value)}}
	}
	retry := answered(`{"resultType":"input_required","requestState":"s"}`)
	complete := answered(`{"resultType":"complete","content":[]}`)
	cut := after(playground.Event{Conn: 1, Kind: playground.Interrupted})
	topology := cluster.ParseTopology("a:v1,b:v1:drain,c:dead", "", "")
	tests := []struct {
		name       string
		transcript playground.Transcript
		choice     Choice
		form       string
		instance   string
		want       playground.Decision
		err        error
	}{
		{"answer", waiting(formRequest), Send, "a0.action=accept&a0.f0=7", "",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(accept7)}, nil},
		{"unknown choice", waiting(formRequest), "x", "a0.action=accept&a0.f0=7", "",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(accept7)}, nil},
		{"to an instance", waiting(formRequest), Send, "a0.action=accept&a0.f0=7", "a",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(accept7),
				Instance: "a"}, nil},
		{"to a drained instance", waiting(formRequest), Send, "a0.action=accept&a0.f0=7", "b",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(accept7),
				Instance: "b"}, nil},
		{"to a dead instance", waiting(formRequest), Send, "a0.action=accept&a0.f0=7", "c",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(accept7)}, nil},
		{"to no instance of it", waiting(formRequest), Send, "a0.action=accept&a0.f0=7", "d",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(accept7)}, nil},
		{"refused by the schema", waiting(formRequest), Send, "a0.action=accept&a0.f0=0", "",
			playground.Decision{Action: playground.ActionAnswer,
				Answers: answer(`{"action":"accept","content":{"n":0}}`)}, ErrIncomplete},
		{"refused by the schema, anyway", waiting(formRequest), Anyway, "a0.action=accept&a0.f0=0", "",
			playground.Decision{Action: playground.ActionAnswer,
				Answers: answer(`{"action":"accept","content":{"n":0}}`), Anyway: true}, nil},
		{"right, anyway", waiting(formRequest), Anyway, "a0.action=accept&a0.f0=7", "",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(accept7)}, nil},
		{"no answer, anyway", waiting(formRequest), Anyway, "a0.f0=7", "",
			playground.Decision{Action: playground.ActionAnswer, Answers: answer(`{}`),
				Anyway: true}, ErrIncomplete},
		{"not on the page", waiting(formRequest), Send, "a0.key=other&a0.action=accept", "",
			playground.Decision{Action: playground.ActionAnswer}, ErrIncomplete},
		{"retry", retry, Send, "", "", playground.Decision{Action: playground.ActionRetry}, nil},
		{"automatic retry", retry, Auto, "", "a",
			playground.Decision{Action: playground.ActionRetry, Auto: true, Instance: "a"}, nil},
		{"refuse", waiting(rootsRequest), Refuse, "", "",
			playground.Decision{Action: playground.ActionRefuse}, nil},
		{"refuse what has ended", complete, Refuse, "", "",
			playground.Decision{Action: playground.ActionRefuse}, playground.ErrNotOpen},
		{"answer what has ended", complete, Send, "", "",
			playground.Decision{Action: playground.ActionAnswer}, playground.ErrNotOpen},
		{"resend", cut, Resend, "", "", playground.Decision{Action: playground.ActionResend}, nil},
		{"resend what is open", waiting(formRequest), Resend, "", "",
			playground.Decision{Action: playground.ActionResend}, playground.ErrNotOpen},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			draft := NewDraft(*test.transcript.Last()).Fill(sent(t, test.form))
			test.want.Round = 2
			got, err := draft.Decide(test.transcript, test.choice, topology, test.instance)
			if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, test.err) {
				t.Errorf("error %v, want %v; -want +got:\n%s", err, test.err, diff)
			}
		})
	}
	if _, err := (Draft{}).Decide(playground.Transcript{}, Send, topology, ""); !errors.Is(err,
		playground.ErrNotOpen) {
		t.Errorf("before the first round: %v", err)
	}
}

func TestDraft(t *testing.T) {
	tests := []struct {
		name, request, form string
		anyway, refuse      bool
	}{
		{"untouched", formRequest, "-", false, false},
		{"right", formRequest, "a0.action=accept&a0.f0=7", false, false},
		{"refused by the schema", formRequest, "a0.action=accept&a0.f0=0", true, false},
		{"no answer", formRequest, "a0.f0=0", false, false},
		{"roots", rootsRequest, "-", false, true},
		{"a root on the web", rootsRequest, "a0.uri=https://x", true, true},
		{"sampling", samplingRequest, "-", false, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			draft := NewDraft(*waiting(test.request).Last())
			if test.form != "-" {
				draft = draft.Fill(sent(t, test.form))
			}
			if draft.CanSendAnyway() != test.anyway || draft.CanRefuse() != test.refuse {
				t.Errorf("CanSendAnyway %v, CanRefuse %v", draft.CanSendAnyway(), draft.CanRefuse())
			}
			if draft.WithoutProblems().refused() {
				t.Error("WithoutProblems left a problem")
			}
		})
	}
	draft := NewDraft(*waiting(rootsRequest).Last()).Fill(sent(t, "a0.uri=file:///a"))
	if roots, ok := draft.Roots(); !ok || !cmp.Equal(roots, []Root{{URI: "file:///a"}}) {
		t.Errorf("roots %v, %v", roots, ok)
	}
	if _, ok := NewDraft(*waiting(formRequest).Last()).Roots(); ok {
		t.Error("a form has roots")
	}
}

// TestDecide_Later: of several questions of a task, of any kind, some can be left
// for later, but not all. Those of a call cannot.
func TestDecide_Later(t *testing.T) {
	task, call := *waiting(formRequest).Last(), *waiting(formRequest).Last()
	task.Task = &playground.Task{ID: "T", Status: "input_required"}
	for i, request := range []string{
		samplingRequest, rootsRequest, vendorRequest, brokenRequest, linkRequest,
	} {
		q := waiting(request).Last().Questions[0]
		q.Key = string(rune('1' + i))
		task.Questions = append(task.Questions, q)
	}
	call.Questions = append(call.Questions, call.Questions[0])
	call.Questions[1].Key = "1"
	one := task
	one.Questions = task.Questions[:1]
	const all = "a0.action=later&a1.action=later&a2.action=later&a3.action=later&a4.action=later"
	tests := []struct {
		name, form string
		round      playground.Round
		keys       string
		err        error
	}{
		{"the last", all + "&a5.action=accept", task, "5", nil},
		{"what is filled in does not count", all + "&a0.f0=0&a1.text=x&a3.json=[&a5.action=accept", task, "5",
			nil},
		{"all later", all + "&a5.action=later", task, "", ErrIncomplete},
		{"of a call", "a0.action=later&a0.f0=7&a1.action=accept&a1.f0=7", call, "k1", ErrIncomplete},
		{"the only one", "a0.action=later&a0.f0=7", one, "k", ErrIncomplete},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := playground.Transcript{
				Status: playground.StatusWaiting, Rounds: []playground.Round{test.round},
			}
			draft := NewDraft(test.round).Fill(sent(t, test.form))
			got, err := draft.Decide(f, Send, cluster.Topology{}, "")
			keys := ""
			for _, a := range got.Answers {
				keys += a.Key
			}
			if keys != test.keys || !errors.Is(err, test.err) {
				t.Errorf("answers %q, error %v; want %q, %v", keys, err, test.keys, test.err)
			}
			if err != nil && len(draft.Forms[0].Problems) == 0 {
				t.Error("nothing says why it is not sent")
			}
		})
	}
}

// TestDecide_RefuseLegacy: a legacy server is answered with an error, and a
// question that can be declined stays open.
func TestDecide_RefuseLegacy(t *testing.T) {
	r := playground.Round{N: 1, Legacy: true}
	r.Kind = playground.OutcomeInputRequired
	r.Questions = []playground.Question{
		{Key: "1", Method: "elicitation/create"}, {Key: "2", Method: "sampling/createMessage"},
		{Key: "3", Method: "roots/list"},
	}
	f := playground.Transcript{Status: playground.StatusWaiting, Rounds: []playground.Round{r}}
	got, err := NewDraft(r).Decide(f, Refuse, cluster.Topology{}, "")
	want := playground.Decision{Action: playground.ActionAnswer, Round: 2, Answers: []playground.Answer{
		{Key: "2", Error: []byte(`{"code":-1,"message":"User rejected sampling request"}`)},
		{Key: "3", Error: []byte(`{"code":-1,"message":"User rejected roots request"}`)},
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v; -want +got:\n%s", err, diff)
	}
}
