package sampletools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// wizard takes five rounds; each question depends on the answers before it.
func wizard() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "wizard",
			Title:   "Wizard",
			Summary: "Four questions, one after the other: five rounds in all.",
			Teaches: "The requestState grows by one answer per round. " +
				"The server stores nothing between rounds, so each round can reach another instance.",
			Try: []string{
				"Watch the state grow from round to round.",
				"Go back to round 3 and answer differently: you get a branch.",
				"Send each round to another of the three instances.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1,c:v1",
			Start: Start{
				Label:  "Create a project",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"create_project","arguments":{}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "create_project", Title: "Create project",
			Description: "Creates a project step by step. Nothing is really created.",
			Input:       `{"type":"object"}`,
			Run:         createProject,
		}},
	}
}

func createProject(_ context.Context, t *serve.Turn) (serve.Result, error) {
	name, err := t.AskOne(serve.Form("name", "Step 1 of 4. What is the name of the project?",
		`{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":40,`+
			`"default":"Apollo"}},"required":["name"]}`))
	if err != nil || !name.Accepted() {
		return wizardStopped(name, err)
	}
	kind, err := t.AskOne(serve.Form("kind", fmt.Sprintf("Step 2 of 4. What kind of project is %s?",
		name.Text("name")),
		`{"type":"object","properties":{"kind":{"type":"string","enum":["service","website"]}},`+
			`"required":["kind"]}`))
	if err != nil || !kind.Accepted() {
		return wizardStopped(kind, err)
	}
	place, err := t.AskOne(placeQuestion(kind.Text("kind")))
	if err != nil || !place.Accepted() {
		return wizardStopped(place, err)
	}
	summary := fmt.Sprintf("the %s %s on %s", kind.Text("kind"), name.Text("name"), place.Text("place"))
	sure, err := t.AskOne(serve.Form("sure", fmt.Sprintf("Step 4 of 4. Create %s?", summary),
		`{"type":"object","properties":{"create":{"type":"boolean","title":"Create it",`+
			`"default":true}},"required":["create"]}`))
	if err != nil || !sure.Accepted() {
		return wizardStopped(sure, err)
	}
	if !sure.Bool("create") {
		return serve.Text("Nothing was created."), nil
	}
	return serve.Text("Created %s.", summary), nil
}

// placeQuestion returns the third question, which depends on the second answer.
func placeQuestion(kind string) serve.Question {
	if kind == "website" {
		return serve.Form("place", "Step 3 of 4. Where is the website hosted?",
			`{"type":"object","properties":{"place":{"type":"string","enum":["a bucket","a `+
				`server"]}},"required":["place"]}`)
	}
	return serve.Form("place", "Step 3 of 4. Where does the service run?",
		`{"type":"object","properties":{"place":{"type":"string","enum":["a container","a virtual `+
			`machine","a server"]}},"required":["place"]}`)
}

// wizardStopped ends the script at a question that has no accepted answer.
func wizardStopped(a serve.Answer, err error) (serve.Result, error) {
	if err != nil {
		return nil, err
	}
	return serve.Refused(a, "Nothing was created: a step was declined.",
		"Nothing was created: the wizard was closed."), nil
}
