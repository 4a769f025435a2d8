package demo

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// resolve4522 returns the call of SEP-2322's real-world example, word for word.
func resolve4522() playground.Call {
	return playground.Call{
		Method: playground.ToolsCall,
		Params: json.RawMessage(`{"name":"update_work_item","arguments":{"workItemId":4522,` +
			`"fields":{"System.State":"Resolved"}}}`),
	}
}

// azureDevOps takes three rounds; the instance that asked is killed before the
// last.
func azureDevOps() Story {
	return Story{
		Slug: "azure-devops", Sample: "azure-devops", Title: "Azure DevOps",
		Claim: "Kill the server that asked. The call still completes.",
		Lead:  "You resolve a bug, and the tracker asks for what is missing.",
		Cast: Cast{
			You:    "You resolve a bug and answer the questions.",
			Client: "It calls the tool and shows you what the server asks.",
			State:  "It holds what the server must remember. The client carries it.",
			Instances: "One server, running twice behind a load balancer. " +
				"They share no session and no store.",
		},
		Verdict:  "The call completes.",
		Versions: []string{"v1"}, Call: resolve4522(), Instances: "a:v1,b:v1", First: "a",
		Answers: map[string]json.RawMessage{
			"resolution":   json.RawMessage(`{"resolution":"Duplicate"}`),
			"duplicate_of": json.RawMessage(`{"duplicateOfId":4301}`),
		},
		Steps: []Step{{
			Button: "Resolve bug 4522", Act: Act{Kind: Send},
			Title: "The server asks, and the request is over.",
			Text: "Instance {asked} needs to know how you resolved bug 4522. " +
				"Its response is the question. No connection stays open, and no server waits.",
			Expect: playground.OutcomeInputRequired, Asks: "resolution",
		}, {
			Button: "Answer: Duplicate", Act: Act{Kind: Send, To: Other},
			Title: "Another instance takes the answer.",
			Text: "The client sends the same call again, with your answer. " +
				"Instance {asked} has never seen it and needs one more thing. " +
				"It returns what it knows so far: the violet state.",
			Expect: playground.OutcomeInputRequired, Asks: "duplicate_of",
		}, {
			Button: "Kill the instance that asked", Act: Act{Kind: Alter, Do: server.Kill, To: Asker},
			Title: "The instance that asked is gone.",
			Text: "Instance {asked} is down, and its question is still open. " +
				"Nothing is lost: the client holds the state.",
			Expect: playground.OutcomeInputRequired,
		}, {
			Button: "Answer: 4301", Act: Act{Kind: Send, To: Other},
			Title:  "The call still completes.",
			Text:   "Instance {asked} gets the call, the answer and the state, and finishes: “{result}”",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "Look inside the state", Show: State,
			Title: "Everything needed was in the request.",
			Text: "The client kept this sealed state and sent it back byte for byte. " +
				"Only the servers can open it, and every instance can.",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "The same before MRTR", Act: Act{Kind: Replay}, Show: Legacy,
			Title: "Before MRTR, the call died with its server.",
			Text: "In 2025 a question kept one call open, in the memory of one instance. " +
				"Sticky routing had to find that instance. After it was killed, the answer got a 404.",
			Expect: playground.OutcomeComplete,
		}},
		Before: Lane{
			Sample: "before-mrtr", Instances: "a:v1,b:v1",
			Acts: []Act{{Kind: Send}, {Kind: Send}, {Kind: Alter, Do: server.Kill, To: Asker}, {Kind: Send}},
			Captions: []string{
				"Instance {asked} asks on the open call. The answer must reach it again.",
				"Sticky routing takes the answer to instance {asked}, which asks again.",
				"Instance {asked} is down. The session was in its memory.",
				"The answer gets a 404: no instance has the session. The call is lost.",
			},
			Verdict: "The call is lost.",
		},
	}
}
