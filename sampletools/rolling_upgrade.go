package sampletools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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
		tools: []tool{{
			name: "link_accounts", title: "Link accounts",
			description: "Links accounts to a project. " +
				"Version 1 links GitHub and Google, version 2 GitHub and Microsoft.",
			input: `{"type":"object","properties":{"project":{"type":"string",` +
				`"description":"Name of the project"}}}`,
			run: linkAccounts,
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

func linkAccounts(_ context.Context, t *Turn) (Result, error) {
	var questions []Question
	for _, p := range providers(t.Instance.Version) {
		questions = append(questions, loginQuestion(p))
	}
	if err := carryOn(t); err != nil {
		return nil, err
	}
	answers, err := t.Ask(questions...)
	var pause *Pause
	if errors.As(err, &pause) && len(t.answers) > 0 { // the first round has nothing to remember
		var asked asking
		for _, q := range pause.Questions {
			asked.Asked = append(asked.Asked, q.Key)
		}
		err = errors.Join(err, t.SaveWork(asked))
	}
	if err != nil {
		return nil, err
	}
	var linked []string
	for i, p := range providers(t.Instance.Version) {
		a := answers[questions[i].Key]
		if !a.Accepted() {
			return refused(a,
				fmt.Sprintf("No account was linked: the %s account was declined.", providerName(p)),
				"No account was linked: the question was dismissed."), nil
		}
		linked = append(linked, providerName(p)+" as "+a.Text("name"))
	}
	return text("Linked %s (by version %s).", strings.Join(linked, " and "),
		strings.TrimPrefix(t.Instance.Version, "v")), nil
}

// asking is the work in the state: the keys of the questions that it came with.
type asking struct {
	Asked []string `json:"asked"`
}

// carryOn keeps the answers to what the state says was asked, also those that this
// version has no use for. Where versions take turns, each would otherwise ask again for
// what the other one does not know, without an end.
func carryOn(t *Turn) error {
	var before asking
	if found, err := t.LoadWork(&before); err != nil || !found {
		return err
	}
	for _, key := range before.Asked {
		if raw, ok := t.responses[key]; ok && len(raw) <= maxCarried && t.answers[key] == nil {
			t.answers[key] = raw
		}
	}
	return nil
}

// maxCarried bounds an answer that is carried on unread, in bytes.
const maxCarried = 1024

func loginQuestion(provider string) Question {
	return Form(provider+"_login",
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
