package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// FromFlow proposes a story of a flow that runs under a token: what its first version
// does with the example arguments and answers.
func FromFlow(f *flow.Flow, token string) (Draft, error) {
	arguments, err := json.Marshal(f.Example())
	if err != nil {
		return Draft{}, fmt.Errorf("encode arguments: %w", err)
	}
	name := f.Title
	if name == "" {
		name = f.Name
	}
	s := Story{
		Title: cut(told(name), maxTitle), Flow: token, First: "a",
		Claim: cut(told(name)+", asked step by step.", maxTitle), Lead: cut(told(f.Description), maxText),
		Versions: []string{"v1"}, Instances: "a:v1,b:v1",
	}
	s.Call = playground.Call{Method: playground.ToolsCall,
		Params: json.RawMessage(fmt.Sprintf(`{"name":%q,"arguments":%s}`, f.Name, arguments))}
	var versions []string
	for _, v := range f.Versions {
		versions = append(versions, v.Name)
		if err := s.prepareAll(v); err != nil {
			return Draft{}, err
		}
	}
	s.useVersions(versions)
	first := f.Versions[0]
	rounds := first.Predict(f.Example(), first.ExampleAnswers())
	if len(rounds) > MaxSteps-4 {
		rounds = rounds[:MaxSteps-4]
	}
	for i, r := range rounds {
		s.Steps = append(s.Steps, flowStep(f, rounds, i, r))
	}
	last := s.Steps[len(s.Steps)-1]
	if sendsState(rounds) {
		s.Steps = append(s.Steps, stateStep(last))
	}
	if last.Expect == playground.OutcomeComplete && !last.Fails {
		s.Verdict = "The call completes."
	}
	d := Draft{Story: s.WithBefore("")}
	if ending := rounds[len(rounds)-1].Ending; ending != nil {
		d.Result = ending.Text
	}
	return d, nil
}

// sendsState reports whether a request of the call carries a requestState. After one
// round of forms it has none: all that the server needs is in the answers.
func sendsState(rounds []flow.Round) bool {
	requests := len(rounds)
	if i := slices.IndexFunc(rounds, func(r flow.Round) bool { return r.Task }); i >= 0 {
		rounds, requests = rounds[:i], i+1 // the last is answered with the task
	}
	isPage := func(q flow.Asked) bool { return q.Kind == flow.URL } // the state has its link
	return requests > 2 || slices.ContainsFunc(rounds, func(r flow.Round) bool {
		return r.Shed != "" || slices.ContainsFunc(r.Asks, isPage)
	})
}

// prepareAll takes over the example answers of a version.
func (s *Story) prepareAll(v flow.Version) error {
	kinds := map[string]flow.StepKind{}
	steps := v.Steps
	if v.Task != nil {
		steps = slices.Concat(steps, v.Task.Steps)
	}
	for _, step := range steps {
		kinds[step.Key] = step.Kind
	}
	for key, a := range v.ExampleAnswers() {
		value, err := wireAnswer(kinds[key], a)
		if err != nil {
			return fmt.Errorf("encode answer: %w", err)
		}
		s.prepare(playground.Answer{Key: key, Value: value})
	}
	return nil
}

// wireAnswer returns an answer as an entry of inputResponses.
func wireAnswer(kind flow.StepKind, a flow.Answer) (json.RawMessage, error) {
	var value any = map[string]any{"action": a.Action}
	switch kind {
	case flow.Form:
		value = struct {
			Action  string         `json:"action"`
			Content map[string]any `json:"content"`
		}{a.Action, a.Values}
	case flow.Sampling:
		value = map[string]any{
			"role": "assistant", "model": a.Values["model"], "stopReason": "endTurn",
			"content": map[string]any{"type": "text", "text": a.Values["text"]},
		}
	case flow.Roots:
		var roots []map[string]any
		names, _ := a.Values["names"].([]any)
		uris, _ := a.Values["uris"].([]any)
		for i := range min(len(uris), len(names)) {
			roots = append(roots, map[string]any{"uri": uris[i], "name": names[i]})
		}
		value = map[string]any{"roots": roots}
	}
	return json.Marshal(value)
}

// flowStep returns the step of a predicted Round.
func flowStep(f *flow.Flow, rounds []flow.Round, i int, r flow.Round) Step {
	step := Step{Button: "Send the answers", Act: Act{Kind: Send, To: Other}}
	switch {
	case i == 0:
		step.Button, step.Act.To = cut("Call "+told(f.Name), maxButton), AnyInstance
	case rounds[i-1].Shed != "":
		step.Button = "Send the call again"
	case len(rounds[i-1].Asks) == 1:
		step.Button = "Send the answer"
	}
	var keys, words []string
	for _, q := range r.Asks {
		keys, words = append(keys, q.Key), append(words, "The server asks: "+text.Visible(q.Words, 600))
		if q.Kind == flow.URL {
			words = append(words, "Open its link and press the button there before you go on.")
		}
	}
	switch {
	case r.Ending != nil:
		step.Expect, step.Fails = playground.OutcomeComplete, r.Ending.Error
		step.Title, step.Text = "The call completes.", "Instance {asked} finishes: “{result}”"
		if r.Ending.Error {
			step.Title = "The tool reports an error."
		}
	case r.Shed != "":
		step.Expect, step.Title = playground.OutcomeRetry, "The instance yields."
		step.Text = "Instance {asked} asks for nothing but a retry. Its work so far is in the state."
	default:
		step.Expect, step.Asks = playground.OutcomeInputRequired, keys[0]
		if r.Task {
			step.Expect = playground.OutcomeTaskStatus
		}
		step.Title = cut("The server asks for "+told(strings.Join(keys, ", "))+".", maxTitle)
		step.Text = "Instance {asked} answers with a question, and the request is over. " +
			"No connection stays open."
	}
	step.Note = cut(strings.Join(words, "\n"), maxNote)
	return step
}
