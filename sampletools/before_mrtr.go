package sampletools

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// beforeMRTR is the same story as azureDevOps, told by a server of 2025-11-25: it asks while the
// call is open, and one instance's memory holds the session.
func beforeMRTR() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "before-mrtr",
			Title:   "Before MRTR",
			Summary: "The same bug, a server of 2025: an answer that reaches another instance is lost.",
			Teaches: "The question comes as a request of the server on the open stream of the call, and the answer must reach the very instance that waits for it. The balancer here is sticky, unless next sends the answers elsewhere.",
			Try: []string{
				"Without next everything goes to the instance that holds the session: it works.",
				"With next=b the answer reaches instance b, which knows nothing of it: 404, and instance a waits in vain. With wait=5s it does not wait long.",
				"With instances=a:dead,b:v1 in the middle: the session is gone, and the call with it.",
			},
			Replay:    "There is no retry: the call stays open.",
			Era:       Legacy,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Stream:    true,
			Start: Start{
				Label:  "Resolve bug 4522, as in 2025",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"update_work_item","arguments":{"workItemId":4522,"fields":{"System.State":"Resolved"}}}`),
			},
		},
		tools: azureDevOps().tools,
		adjust: func(o *mcp.ServerOptions) {
			o.SupportedProtocolVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26"}
		},
	}
}
