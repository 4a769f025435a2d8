package sampletools

import "net/http"

// asksColor is a valid result that several faults reuse.
const asksColor = `{"resultType":"input_required","inputRequests":{"color":` + colorQuestion + `}}`

const colorQuestion = `{"method":"elicitation/create","params":{"message":"Which color?",` +
	`"requestedSchema":{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}}}`

// faultsOfResult break the envelope of a result (basic/index, "ResultType";
// basic/patterns/mrtr, "InputRequiredResult").
func faultsOfResult() []fault {
	return []fault{
		{
			tool: "duplicate_keys",
			answer: raw("application/json", `{"jsonrpc":"2.0","id":$ID,"result":{`+naughtyInfo+
				`,"resultType":"complete","resultType":"complete","content":[]}}`),
		},
	}
}

// faultsOfShape break the members of a final result (server/tools, "Tool
// Result"; server/resources).
func faultsOfShape() []fault {
	return []fault{
		{
			tool: "naughty://task",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.result(w, newTask("naughty://task", ""))
			},
			poll: polled(`"status":"completed","result":{"resultType":"complete","ttlMs":0,` +
				`"cacheScope":"private","contents":[{"uri":"naughty://task","text":"done"}]}`),
		},
	}
}
