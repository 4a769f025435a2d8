package sampletools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// trip asks for three different things at once.
func trip() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "trip",
			Title:   "Trip",
			Summary: "Asks you, a model and the client for its folders, all at once.",
			Teaches: "inputRequests is a map. " +
				"One round can carry elicitation, sampling and roots together. " +
				"A client can answer only some of them; the server asks again for the rest.",
			Try: []string{
				"Leave one answer out: the server asks again for that one only.",
				"Do not declare sampling. " +
					"The call is rejected with -32021, which names the missing capability.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Plan a trip to Lisbon",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"plan_trip","arguments":{"destination":"Lisbon"}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "plan_trip", Title: "Plan trip",
			Description: "Plans a trip from the user's wishes, a model's idea and a folder to save it in.",
			Input: `{"type":"object","properties":{
				"destination":{"type":"string","minLength":1,"maxLength":80,
					"description":"Where to go"}},"required":["destination"]}`,
			Run: planTrip,
		}, {
			Name: "describe_user", Title: "Describe user",
			Description: "Asks a person and a model together, as the example of the specification does.",
			Input:       `{"type":"object"}`,
			Run:         describeUser,
		}},
	}
}

// describeUser asks the two questions of the specification's example of
// inputRequests (basic/patterns/mrtr, InputRequests).
func describeUser(_ context.Context, t *serve.Turn) (serve.Result, error) {
	answers, err := t.Ask(
		serve.Form("github_login", "Please provide your GitHub username",
			`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
		serve.Sampling("capital_of_france", samplingParams("You are a helpful assistant.", 100,
			"What is the capital of France?")),
	)
	if err != nil {
		return nil, err
	}
	login := answers["github_login"]
	if !login.Accepted() {
		return serve.Refused(login, "Nothing is known about the user: the question was declined.",
			"Nothing is known about the user: the question was dismissed."), nil
	}
	return serve.Text("The user is %s on GitHub. The model says: %s", login.Text("name"),
		answers["capital_of_france"].Message.Text()), nil
}

func planTrip(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Destination string `json:"destination"`
	}](t)
	if err != nil {
		return nil, err
	}
	if args.Destination == "" {
		return nil, serve.ToolErrorf("destination is required.")
	}
	answers, err := t.Ask(
		serve.Form("wishes",
			fmt.Sprintf("How long will the trip to %s be, and what matters most?", args.Destination),
			`{"type":"object","properties":{
			"days":{"type":"integer","minimum":1,"maximum":30,"default":4,"description":"Number of days"},
			"mood":{"type":"string","enum":["food","museums","beach"],"description":"What matters most"}},
			"required":["days","mood"]}`),
		serve.Sampling("ideas", samplingParams(
			"You know every city well. Answer with one short sentence.", 120,
			fmt.Sprintf("Name one thing to see in %s.", args.Destination))),
		serve.Roots("folders"),
	)
	if err != nil {
		return nil, err
	}
	wishes := answers["wishes"]
	if !wishes.Accepted() {
		return serve.Refused(wishes, "No trip was planned: the wishes were declined.",
			"No trip was planned: the question was dismissed."), nil
	}
	return serve.Text("%v days of %s in %s. %s %s",
		wishes.Number("days"), wishes.Text("mood"), args.Destination,
		answers["ideas"].Message.Text(), savePlace(answers["folders"].Roots)), nil
}

func savePlace(roots []serve.Root) string {
	if len(roots) == 0 {
		return "There is no folder to save it in."
	}
	return "To be saved in " + roots[0].URI + "."
}

// samplingParams returns the params of a sampling request with one user
// message.
func samplingParams(system string, maxTokens int, question string) string {
	b, err := json.Marshal(map[string]any{
		"messages":     []any{userText(question)},
		"systemPrompt": system,
		"maxTokens":    maxTokens,
	})
	if err != nil { // strings and numbers always marshal
		return "{}"
	}
	return string(b)
}

func userText(s string) map[string]any {
	return map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": s}}
}
