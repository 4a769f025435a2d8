package sampletools

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// beforeMRTR runs the same scripts as azureDevOps as a server of 2025-11-25: it
// asks while the call is open, and the session lives in the memory of one
// instance.
func beforeMRTR() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "before-mrtr",
			Title:   "Before MRTR",
			Summary: "The same bug on a server of 2025: an answer that reaches another instance is lost.",
			Teaches: "The server asks with a request of its own on the open stream of the call. " +
				"The answer must reach the instance that waits for it. " +
				"The load balancer uses sticky routing, unless next sends the answers to another instance.",
			Try: []string{
				"Choose the other instance (next=b) and watch the answer get lost. " +
					"Instance b responds with 404, and instance a keeps waiting. " +
					"Set wait=5s to shorten the wait.",
				"Leave the choice to the balancer. " +
					"Every answer reaches the instance that holds the session, and the call completes.",
				"Set instances=a:dead,b:v1 while the question is open. " +
					"The session is lost, and the call with it.",
			},
			Replay:    "There is no retry, since the call stays open.",
			Era:       Legacy,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Stream:    true,
			Start: Start{
				Label:  "Resolve bug 4522, as in 2025",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"update_work_item","arguments":{"workItemId":4522,` +
					`"fields":{"System.State":"Resolved"}}}`),
				Answers: azureDevOps().Start.Answers,
			},
		},
		tools: azureDevOps().tools,
		adjust: func(o *mcp.ServerOptions) {
			o.SupportedProtocolVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26"}
		},
	}
}
