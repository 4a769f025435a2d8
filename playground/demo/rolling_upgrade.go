package demo

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// rollingUpgrade sends the answers of version 1's questions to version 2
// (SEP-2322, rolling upgrades).
func rollingUpgrade() Story {
	return Story{
		Slug: "rolling-upgrade", Sample: "rolling-upgrade", Title: "Rolling upgrade",
		Claim: "Upgrade the server while a question is open.",
		Lead:  "You deploy version 2 in the middle of a call, and no question is asked twice.",
		Cast: Cast{
			You:       "You link accounts to a project. You also deploy the server.",
			Client:    "It calls the tool and shows you what the server asks.",
			State:     "It holds what the server must remember. The client carries it.",
			Instances: "Both run version 1. Version 2 asks for other accounts.",
		},
		Verdict:  "Nothing is asked twice.",
		Versions: []string{"v1", "v2"}, Instances: "a:v1,b:v1", First: "a",
		Call: playground.Call{
			Method: playground.ToolsCall,
			Params: json.RawMessage(`{"name":"link_accounts","arguments":{"project":"playground"}}`),
		},
		Answers: map[string]json.RawMessage{
			"github_login":    json.RawMessage(`{"name":"octocat"}`),
			"google_login":    json.RawMessage(`{"name":"ada@example.com"}`),
			"microsoft_login": json.RawMessage(`{"name":"ada@example.org"}`),
		},
		Steps: []Step{{
			Button: "Link the accounts", Act: Act{Kind: Send},
			Title: "Version 1 asks for two accounts.",
			Text: "Instance {asked} asks for GitHub and Google. " +
				"The client holds both questions now; the server holds nothing.",
			Expect: playground.OutcomeInputRequired, Asks: "google_login",
		}, {
			Button: "Upgrade the instance that asked", Act: Act{Kind: Alter, Do: server.Upgrade, To: Asker},
			Title: "You upgrade the very instance that asked.",
			Text: "The questions are still open. " +
				"Instance {asked} is now a new process that knows nothing of them. " +
				"Version 2 does not use Google: it needs GitHub and Microsoft.",
			Expect: playground.OutcomeInputRequired, Asks: "google_login",
		}, {
			Button: "Send both answers", Act: Act{Kind: Send, To: Asker},
			Title: "The answers land on a version that never asked.",
			Text: "Instance {asked} runs {version}. " +
				"It puts the GitHub answer into the violet state, ignores Google, and asks for Microsoft.",
			Expect: playground.OutcomeInputRequired, Asks: "microsoft_login",
		}, {
			Button: "Look inside the state", Show: State,
			Title: "GitHub is in here, so it is not asked again.",
			Text: "Version 2 sealed the answer that it can use. " +
				"The state comes back with your next answer.",
			Expect: playground.OutcomeInputRequired, Asks: "microsoft_login",
		}, {
			Button: "Upgrade the other instance too", Act: Act{Kind: Alter, Do: server.Upgrade, To: Other},
			Title: "The other instance too, with a question open.",
			Text: "No session has to move, and nothing is drained. " +
				"The other instance has never seen this call.",
			Expect: playground.OutcomeInputRequired, Asks: "microsoft_login",
		}, {
			Button: "Answer: Microsoft", Act: Act{Kind: Send, To: Other},
			Title: "Done. Nothing was asked twice.",
			Text: "“{result}” The request contained everything instance {asked} needed. " +
				"The upgrade was a deploy like any other.",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "The same before MRTR", Act: Act{Kind: Replay}, Show: Legacy,
			Title: "Before MRTR, upgrades lost calls.",
			Text: "The session was in the memory of the instance that asked. The same upgrade ended it. " +
				"The answer reaches a process that has never seen the call.",
			Expect: playground.OutcomeComplete,
		}},
		Before: Lane{
			Sample: "rolling-upgrade", Instances: "a:v1,b:v1",
			Acts: []Act{{Kind: Send}, {Kind: Alter, Do: server.Upgrade, To: Asker}, {Kind: Send}},
			Captions: []string{
				"Instance {asked} asks on the open call, one question after the other.",
				"The same upgrade: instance {asked} is a new process without the session.",
				"The answer gets a 404 from instance {asked}: the call is lost.",
			},
			Verdict: "The call is lost.",
		},
	}
}
