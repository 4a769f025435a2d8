package views_test

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// legacyCall begins the log of a call of a legacy server's tool. headers are
// those of the response to initialize.
func legacyCall(headers string) *recorder {
	r := newRecorder(playground.Call{
		Method: playground.ToolsCall, Params: []byte(`{"name":"report","arguments":{}}`),
	})
	r.x.Target.Era = playground.Legacy
	r.add(playground.Decision{Action: playground.ActionStart, Round: 1}.Event(noon))
	r.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`).
		part(playground.Received, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"+headers+"\r\n"+
			`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`)
	return r.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"report","arguments":{}}}`)
}

// post records a request on a connection of its own.
func (r *recorder) post(body string) *recorder {
	r.conn++
	return r.part(playground.Sent, "POST /mcp HTTP/1.1\r\nHost: mcp.example.com\r\n\r\n"+body)
}

func (r *recorder) part(kind playground.EventKind, data string) *recorder {
	return r.add(playground.Event{Conn: r.conn, Kind: kind, Data: []byte(data)})
}

// legacyStories are calls of legacy servers that are open.
func legacyStories(b *fixtures) []story {
	const session = "Mcp-Session-Id: s1\r\n"
	stream := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
	sampling := `data: {"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":20,` +
		`"messages":[{"role":"user","content":{"type":"text","text":"Summarize."}}]}}` + "\n\n"
	task := func(status string) string {
		return `{"taskId":"T","status":"` + status + `","ttl":60000,"pollInterval":500,` +
			`"createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z"}`
	}
	json := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
	running := func() *recorder {
		return legacyCall(session).
			part(playground.Received, json+`{"jsonrpc":"2.0","id":2,"result":{"task":`+task("working")+`}}`).
			post(`{"jsonrpc":"2.0","id":"task-1","method":"tasks/get","params":{"taskId":"T"}}`).
			part(playground.Received, json+`{"jsonrpc":"2.0","id":"task-1","result":`+task("working")+`}`)
	}
	return []story{
		{group: "legacy", name: "sampling-stateless",
			page: b.exchange(legacyCall("").part(playground.Received, stream).
				part(playground.Message, sampling).x)},
		{group: "legacy", name: "task-running", page: b.exchange(running().x)},
		{group: "legacy", name: "task-done", page: b.exchange(running().
			post(`{"jsonrpc":"2.0","id":"task-2","method":"tasks/result","params":{"taskId":"T"}}`).
			part(playground.Received, json+`{"jsonrpc":"2.0","id":"task-2","result":{"content":[`+
				`{"type":"text","text":"All done."}]}}`).x)},
	}
}
