package picture

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

func TestOf_QuestionsInAFewWords(t *testing.T) {
	for _, c := range []struct{ name, request, label, sentence string }{
		{"message", asks("who", "Who are you?"), "Who are you?", "The client asks you: “Who are you?”"},
		{"no message", `"who":{"method":"elicitation/create","params":{}}`, "asks for who",
			"The client asks you for who."},
		{"sampling", `"m":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`,
			"asks your model", "The client asks you for a response of your model."},
		{"roots", `"r":{"method":"roots/list"}`, "asks for roots", "The client asks you for your roots."},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, step := range foreign().start().result("",
				inputRequired("", c.request)).draw(Options{}).Steps {
				if step.From == client && step.To == you && step.Kind == Reply {
					if step.Label != c.label || step.Sentence != c.sentence {
						t.Errorf("%q, %q", step.Label, step.Sentence)
					}
					return
				}
			}
			t.Error("no question is drawn")
		})
	}
}

func TestOf_SentenceOfARetryNamesWhatItCarries(t *testing.T) {
	s := upgrade().answer("microsoft_login", `{"login":"m@example.com"}`)
	var sentences []string
	for _, step := range s.draw(Options{}).Steps {
		if strings.HasPrefix(step.Sentence, "Round ") {
			sentences = append(sentences, step.Sentence)
		}
	}
	for i, want := range []string{
		"Round 1: the client sends tools/call update_work_item to instance a, picked by the balancer.",
		"Round 2: the client sends the same call to instance b, picked by the balancer, with a new id " +
			"and the answers to github_login, google_login.",
		"Round 3: the client sends the same call to the balancer, with a new id, the answer to " +
			"microsoft_login and requestState (180 bytes, unchanged).",
	} {
		if sentences[i] != want {
			t.Errorf("%q, want %q", sentences[i], want)
		}
	}
}

func TestOf_FailuresInAFewWords(t *testing.T) {
	for name, want := range map[string]string{
		"http-error": "HTTP 503", "violation": "invalid response", "rpc-error": "error -32602",
		"tool-error": "complete, with isError", "reset": "connection lost",
	} {
		steps := stories()[name].draw(Options{}).Steps
		if last := steps[len(steps)-1]; last.Label != want || last.Kind != Reply {
			t.Errorf("%s: %q, want %q", name, last.Label, want)
		}
	}
	refused := devops()
	refusal := playground.Decision{Round: 3, Action: playground.ActionRefuse}
	refused.x.Log = append(refused.x.Log, refusal.Event(refused.clock))
	if steps := refused.draw(Options{}).Steps; steps[len(steps)-1].Label != "refused; nothing is sent" {
		t.Errorf("refused: %q", steps[len(steps)-1].Label)
	}
}

// TestOf_MarksFollowTheOutcome: green and red are for successes and failures;
// what you ended is neutral, and the verdict of an experiment outranks what the
// response says.
func TestOf_MarksFollowTheOutcome(t *testing.T) {
	for _, c := range []struct {
		story string
		o     Options
		want  Mark
	}{
		{"done", Options{}, Done},
		{"tool-error", Options{}, Wrong},
		{"rpc-error", Options{}, Wrong},
		{"reset", Options{}, Broken},
		{"declined", Options{}, Neutral},
		{"cancelled", Options{}, Neutral},
		{"closed", Options{}, Cut},
		{"interrupted", Options{}, Cut},
		{"rpc-error", Options{Judged: Judged{3, narrate.Good}}, Done},
		{"rpc-error", Options{Judged: Judged{2, narrate.Good}}, Wrong},
		{"tool-error", Options{Judged: Judged{1, narrate.Good}}, Done},
		{"rpc-error", Options{Judged: Judged{3, narrate.Unknown}}, NoMark},
		{"done", Options{Judged: Judged{3, narrate.Bad}}, Wrong},
		{"done", Options{Judged: Judged{3, narrate.Good}}, Done},
	} {
		steps := stories()[c.story].draw(c.o).Steps
		last := steps[len(steps)-1]
		if last.Mark != c.want {
			t.Errorf("%s %+v: mark %q, want %q", c.story, c.o.Judged, last.Mark, c.want)
		}
	}
	refused := devops()
	refusal := playground.Decision{Round: 3, Action: playground.ActionRefuse}
	refused.x.Log = append(refused.x.Log, refusal.Event(refused.clock))
	if steps := refused.draw(Options{}).Steps; steps[len(steps)-1].Mark != Neutral {
		t.Errorf("refused: mark %q", steps[len(steps)-1].Mark)
	}
}

// An open call asks in a request of its own: its arrow names the method, and
// the next arrow has the words, so that no label is cut.
func TestOf_OpenCallNamesTheMethod(t *testing.T) {
	lanes := []Lane{{Name: youName}, {Name: "Client"}, {Name: "Server"}}
	s := builder{participants: participants{lanes: lanes}}
	round := playground.Round{N: 1, Legacy: true, Outcome: playground.Outcome{
		Kind:      playground.OutcomeInputRequired,
		Questions: []playground.Question{{Method: "elicitation/create", Key: "1"}},
	}}
	if got := s.response(round, entry).Label; got != "elicitation/create" {
		t.Error(got)
	}
	round.Legacy = false
	if got := s.response(round, entry).Label; got == "elicitation/create" {
		t.Error("a result input_required is no request")
	}
}
