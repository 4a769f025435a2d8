package demo

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// resolve4522 is the call of SEP-2322's real-world example, to the letter.
func resolve4522() playground.Call {
	return playground.Call{
		Method: playground.ToolsCall,
		Params: json.RawMessage(`{"name":"update_work_item","arguments":{"workItemId":4522,"fields":{"System.State":"Resolved"}}}`),
	}
}

// azureDevOps: three rounds, and the instance that asked is killed before the last.
func azureDevOps() Story {
	return Story{
		Slug: "azure-devops", Sample: "azure-devops", Title: "Azure DevOps",
		Claim:    "Kill the server that asked. The call still completes.",
		Lead:     "A bug is to be resolved, and the tracker wants to know more. Two instances of its server stand behind a balancer. They share no session and no store.",
		Versions: []string{"v1"}, Call: resolve4522(), Instances: "a:v1,b:v1", First: "a",
		Answers: map[string]json.RawMessage{
			"resolution":   json.RawMessage(`{"resolution":"Duplicate"}`),
			"duplicate_of": json.RawMessage(`{"duplicateOfId":4301}`),
		},
		Steps: []Step{{
			Button: "Resolve bug 4522", Act: Act{Kind: Send},
			Title:  "The server asks, and hangs up.",
			Text:   "Instance {asked} wants to know how bug 4522 was resolved. Its answer is the question: the request is over, and nothing waits.",
			Expect: playground.OutcomeInputRequired, Asks: "resolution",
		}, {
			Button: "Answer: Duplicate", Act: Act{Kind: Send, To: Other},
			Title:  "Another instance takes the answer.",
			Text:   "The same call comes again, with the answer inside. Instance {asked} has never heard of it, needs one more thing, and hands over what it knows: the violet state.",
			Expect: playground.OutcomeInputRequired, Asks: "duplicate_of",
		}, {
			Button: "Kill the instance that asked", Act: Act{Kind: Alter, Do: Kill, To: Asker},
			Title:  "Now the instance that asked is gone.",
			Text:   "Instance {asked} is down, with the question still open. What it knew is not lost: the client holds it.",
			Expect: playground.OutcomeInputRequired,
		}, {
			Button: "Answer: 4301", Act: Act{Kind: Send, To: Other},
			Title:  "The call completes all the same.",
			Text:   "Instance {asked} gets the call, the answer and the state, and finishes: “{result}”",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "Look inside the state", Show: State,
			Title:  "Everything needed travelled along.",
			Text:   "The client kept this sealed state and sent it back byte for byte. Only the servers can open it; each of them can.",
			Expect: playground.OutcomeComplete,
		}, {
			Button: "The same before MRTR", Act: Act{Kind: Replay}, Show: Legacy,
			Title:  "Before MRTR, the call died with its server.",
			Text:   "In 2025 the question hung on one open call, in the memory of one instance. Sticky routing had to find that instance. When it was killed, the answer met a 404.",
			Expect: playground.OutcomeComplete,
		}},
		Before: Lane{
			Sample: "before-mrtr", Instances: "a:v1,b:v1",
			Acts: []Act{{Kind: Send}, {Kind: Send}, {Kind: Alter, Do: Kill, To: Asker}, {Kind: Send}},
			Captions: []string{
				"Instance {asked} asks on the open call, and must be found again.",
				"Sticky routing brings the answer back to instance {asked}; it asks again.",
				"Instance {asked} is down. The session lived in its memory.",
				"The answer meets a 404: nobody holds the session. The call is lost.",
			},
		},
	}
}
