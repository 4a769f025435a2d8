package sampletools

import (
	"context"
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// conformanceQuestions returns the suite's legacy fixtures, where a server asks
// while the call is open. As scripts they serve both eras.
func conformanceQuestions() []serve.Tool {
	return []serve.Tool{
		{Name: "test_sampling", Description: "Asks the client's model to answer a prompt.",
			Run:   samplingFixture,
			Input: `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`},
		{Name: "test_elicitation", Description: "Shows a message to the person.", Run: elicitationFixture,
			Input: `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`},
		fixture("test_elicitation_sep1034_defaults", "Asks with defaults.",
			formFixture(`{"type":"object","properties":{
			"name":{"type":"string","default":"John Doe"},
			"age":{"type":"integer","default":30},
			"score":{"type":"number","default":95.5},
			"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
			"verified":{"type":"boolean","default":true}},"required":[]}`)),
		fixture("test_elicitation_sep1330_enums", "Asks with every kind of choice.",
			formFixture(`{"type":"object","properties":{
			"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
				{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One",
				"Option Two","Option Three"]},
			"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2",
				"option3"]}},
			"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
				{"const":"value2","title":"Second Choice"},
				{"const":"value3","title":"Third Choice"}]}}},"required":[]}`)),
		fixture("test_streaming_elicitation", "Streams progress; the stream carries no requests.",
			progressFixture),
		fixture("test_missing_capability", "Requires sampling.", askCapital),
	}
}

func samplingFixture(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Prompt string `json:"prompt"`
	}](t)
	if err != nil {
		return nil, err
	}
	a, err := t.AskOne(serve.Sampling("answer", samplingParams("", 100, args.Prompt)))
	if err != nil {
		return nil, err
	}
	return serve.Text("LLM response: %s", a.Message.Text()), nil
}

func elicitationFixture(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Message string `json:"message"`
	}](t)
	if err != nil {
		return nil, err
	}
	return answered(t, serve.Form("response", args.Message, `{"type":"object","properties":{
		"username":{"type":"string","description":"User's response"},
		"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`))
}

func formFixture(schema string) serve.Script {
	return func(_ context.Context, t *serve.Turn) (serve.Result, error) {
		return answered(t, serve.Form("form", "Please fill in the form.", schema))
	}
}

// answered asks the question and returns a result that quotes the answer.
func answered(t *serve.Turn, q serve.Question) (serve.Result, error) {
	a, err := t.AskOne(q)
	if err != nil {
		return nil, err
	}
	content, err := json.Marshal(a.Content)
	if err != nil {
		return nil, err
	}
	return serve.Text("Elicitation completed: action=%s, content=%s", a.Action, content), nil
}
