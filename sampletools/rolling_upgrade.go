package sampletools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// rollingUpgrade is the proposal's first use case for requestState (SEP-2322,
// rolling upgrades): the retry reaches an instance that runs the next version,
// which asks different questions.
func rollingUpgrade() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "rolling-upgrade",
			Title:   "Rolling upgrade",
			Summary: "Version 1 asks two questions, and version 2 gets the answers.",
			Teaches: "Version 2 puts the answer that it can use into the requestState. " +
				"It ignores the one that it does not know, and asks only for what is new.",
			Try: []string{
				"Upgrade instance b to v2, then retry. " +
					"Start with instances=a:v1,b:v1 and send the retry to instances=a:v1,b:v2&next=b.",
				"Send the last retry to version 1. " +
					"It takes GitHub from the state and asks for Google again. " +
					"Send that one to version 2: it ends the call.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1", "v2"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Link accounts",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"link_accounts","arguments":{"project":"playground"}}`),
				Query:  "instances=a:v1,b:v1",
			},
		},
		tools: []serve.Tool{{
			Name: "link_accounts", Title: "Link accounts",
			Description: "Links accounts to a project. " +
				"Version 1 links GitHub and Google, version 2 GitHub and Microsoft.",
			Input: `{"type":"object","properties":{"project":{"type":"string",` +
				`"description":"Name of the project"}}}`,
			Run: linkAccounts,
		}},
	}
}

// providers returns the accounts that each version links. It is the only
// difference between the versions.
func providers(version string) []string {
	if version == "v2" {
		return []string{"github", "microsoft"}
	}
	return []string{"github", "google"}
}

func linkAccounts(_ context.Context, t *serve.Turn) (serve.Result, error) {
	var questions []serve.Question
	for _, p := range providers(t.Instance.Version) {
		questions = append(questions, loginQuestion(p))
	}
	carried, err := answeredFor(t, questions)
	if err != nil {
		return nil, err
	}
	for _, q := range carried { // a refusal ends the call, whatever else is to be asked
		a, _, err := t.Answer(q)
		if err != nil {
			return nil, err
		}
		if a.Action != "" && !a.Accepted() {
			return notLinked(q.Key, a), nil
		}
	}
	all := slices.Concat(questions, carried)
	answers, err := t.Ask(all...)
	var pause *serve.Pause
	if errors.As(err, &pause) && len(t.Answers) > 0 { // the first round has nothing to remember
		err = errors.Join(err, t.SaveWork(askedIn(pause, all)))
	}
	if err != nil {
		return nil, err
	}
	for _, p := range providers(t.Instance.Version) {
		if a := answers[p+loginKey]; !a.Accepted() {
			return notLinked(p+loginKey, a), nil
		}
	}
	var linked []string
	for _, p := range providers(t.Instance.Version) {
		linked = append(linked, providerName(p)+" as "+answers[p+loginKey].Text("name"))
	}
	return serve.Text("Linked %s (by version %s).", strings.Join(linked, " and "),
		strings.TrimPrefix(t.Instance.Version, "v")), nil
}

// notLinked is the result after a question was not accepted.
func notLinked(key string, a serve.Answer) serve.Result {
	return serve.Refused(a, fmt.Sprintf("No account was linked: the %s account was declined.",
		providerName(strings.TrimSuffix(key, loginKey))),
		"No account was linked: the question was dismissed.")
}

// asking is the work in the state: the questions that it came with.
type asking struct {
	Asked []askedForm `json:"asked"`
}

// askedForm is a question as another version of the server needs it to judge the
// answer, and to ask again.
type askedForm struct {
	Key     string          `json:"key"`
	Message string          `json:"message"`
	Schema  json.RawMessage `json:"schema"`
}

// askedIn returns the questions of a pause as the state keeps them, without the
// problems of earlier answers.
func askedIn(p *serve.Pause, questions []serve.Question) asking {
	var asked asking
	for _, q := range questions {
		message, schema, isForm := q.Form()
		isOpen := func(open serve.Question) bool { return open.Key == q.Key }
		if isForm && slices.ContainsFunc(p.Questions, isOpen) {
			asked.Asked = append(asked.Asked, askedForm{q.Key, message, schema})
		}
	}
	return asked
}

// answeredFor returns the questions of another version that this request answers, as
// the state has them. Their answers are read and carried on like those to own: where
// versions take turns, each would otherwise ask again for answers that the
// other one does not know, without an end.
func answeredFor(t *serve.Turn, own []serve.Question) ([]serve.Question, error) {
	var before asking
	if found, err := t.LoadWork(&before); err != nil || !found {
		return nil, err
	}
	var list []serve.Question
	for _, asked := range before.Asked {
		_, answered := t.Responses[asked.Key]
		known := slices.ContainsFunc(own, func(q serve.Question) bool { return q.Key == asked.Key })
		if answered && !known {
			list = append(list, serve.Form(asked.Key, asked.Message, string(asked.Schema)))
		}
	}
	return list, nil
}

// loginKey is the end of the key of a question, after the name of the provider.
const loginKey = "_login"

func loginQuestion(provider string) serve.Question {
	return serve.Form(provider+loginKey,
		fmt.Sprintf("What is your %s username?", providerName(provider)),
		`{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":60}},`+
			`"required":["name"]}`)
}

func providerName(p string) string {
	switch p {
	case "github":
		return "GitHub"
	case "google":
		return "Google"
	}
	return "Microsoft"
}
