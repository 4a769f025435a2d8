package sampletools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// naughtyLegacy breaks the rules of 2025-11-25, one tool per fault. Like
// [naughty], it has no SDK and stores nothing: any session id is a session.
func naughtyLegacy() scenario {
	n := naughtyServer{faults: legacyFaults()}
	return scenario{
		Sample: Sample{
			Slug:    "naughty-legacy",
			Title:   "Misbehaving, before MRTR",
			Summary: "Breaks the rules of 2025-11-25, one tool per fault.",
			Teaches: "What a client of both eras must survive from a legacy server.",
			Try: []string{
				"Call asks_undeclared: the server asks a model that the client did not offer.",
				"Call modern_result: a result of 2026-07-28 from a server of 2025-11-25.",
			},
			Replay:    "There is no retry. Nothing is stored.",
			Era:       Legacy,
			Versions:  []string{"v1"},
			Instances: "a:v1",
			Start: Start{
				Label:  "Get a result of another era",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"modern_result","arguments":{}}`),
			},
			Faults: n.published(),
		},
		handler: n.serveLegacy,
	}
}

// naughtySession starts with the name of the instance, for the load balancer.
const naughtySession = "a.naughty"

// serveLegacy answers a message of a legacy client. Notifications and answers
// are accepted unread.
func (n naughtyServer) serveLegacy(m *serve.Envelope, w http.ResponseWriter, r *http.Request) {
	c := readNaughtyCall(m, r.Header)
	c.legacy = true
	f, ok := n.asked(c, r)
	switch {
	case !m.IsRequest():
		w.WriteHeader(http.StatusAccepted)
	case ok:
		c.fault = f
		f.answer(c, w, r)
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", naughtySession)
		c.result(w, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},`+
			`"serverInfo":{"name":"naughty-legacy","title":"Misbehaving, before MRTR (sample)",`+
			`"version":"v1"}}`)
	case m.Method == "ping":
		c.result(w, `{}`)
	case m.Method == "tools/list":
		c.result(w, legacyTools(n.faults))
	case m.Method == "tools/call":
		f := serve.Refuse(c.ID, -32602, "unknown fault")
		f.Status = http.StatusOK
		f.Write(w)
	default:
		f := serve.Refuse(c.ID, -32601, "method not found")
		f.Status = http.StatusOK
		f.Write(w)
	}
}

// legacyTools lists the faults as tools, without the members of 2026-07-28.
func legacyTools(faults []fault) string {
	var list []string
	for _, f := range faults {
		if f.query == "" {
			list = append(list, fmt.Sprintf(`{"name":%s,"title":%s,"description":%s,"inputSchema":%s}`,
				serve.Quote(f.tool), serve.Quote(f.title), serve.Quote(f.description), noArguments))
		}
	}
	return `{"tools":[` + strings.Join(list, ",") + `]}`
}

// legacyFine is a result of a tool in 2025-11-25.
const legacyFine = `{"content":[{"type":"text","text":"ok"}]}`

// legacyFaults returns the faults, in the order of the page.
func legacyFaults() []fault {
	done := `{"jsonrpc":"2.0","id":$ID,"result":` + legacyFine + `}`
	ask := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":"s-1","method":"` + method + `","params":` + params + `}`
	}
	initialize := func(name, title, rule, description, id, result string) fault {
		return fault{method: "initialize", tool: name, query: name, title: title, rule: rule,
			description: description, answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Mcp-Session-Id", id)
				c.result(w, result)
			}}
	}
	const welcome = `"capabilities":{"tools":{}},"serverInfo":{"name":"naughty-legacy","version":"v1"}`
	return slices.Concat(naughtyList(
		fault{
			tool: "asks_undeclared", title: "Undeclared sampling", rule: "legacy-declared",
			declares:    `{"elicitation":{}}`,
			description: "Asks a model, although the client did not declare sampling.",
			answer: stream(ask("sampling/createMessage",
				`{"messages":[{"role":"user","content":{"type":"text",`+
					`"text":"Say something"}}],"maxTokens":10}`), done),
		},
		fault{
			tool: "asks_undeclared_roots", title: "Undeclared roots", rule: "legacy-declared",
			declares:    `{"elicitation":{}}`,
			description: "Asks for the roots, although the client did not declare them.",
			answer:      stream(ask("roots/list", `{}`), done),
		},
		fault{
			tool: "progress_falls", title: "Falling progress", rule: "legacy-progress",
			description: "Progress goes backwards.",
			answer:      stream(progress("$TOKEN", 50), progress("$TOKEN", 30), done),
		},
		fault{
			tool: "progress_of_another", title: "Progress of another request", rule: "legacy-progress",
			description: "The progress has a token that the request did not have.",
			answer:      stream(progress(`"another"`, 50), done),
		},
		fault{
			tool: "jsonrpc_one", title: "JSON-RPC 1.0", rule: "legacy-envelope",
			description: "The message says that it is JSON-RPC 1.0.",
			answer:      raw("application/json", `{"jsonrpc":"1.0","id":$ID,"result":`+legacyFine+`}`),
		},
		fault{
			tool: "null_id", title: "Id is null", rule: "legacy-envelope",
			description: "The id of the response is null.",
			answer:      raw("application/json", `{"jsonrpc":"2.0","id":null,"result":`+legacyFine+`}`),
		},
		fault{
			tool: "error_code_text", title: "Error code is a string", rule: "legacy-envelope",
			description: "The code of the error is a string.",
			answer:      errorReply(http.StatusOK, `{"code":"E_BUSY","message":"busy"}`),
		},
		fault{
			tool: "no_content", title: "No content", rule: "legacy-result",
			description: "The result has no content.", answer: fixed(`{}`),
		},
		fault{
			tool: "modern_result", title: "Result of another era", rule: "legacy-input",
			description: "The result is input_required, which this revision does not have.",
			answer:      fixed(asksColor),
		},
		fault{
			tool: "new_session", title: "Another session id", rule: "legacy-session",
			description: "A response in the middle of a session names another session.",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Mcp-Session-Id", "a.another")
				c.result(w, legacyFine)
			},
		},
	), naughtyList(
		initialize("session_with_spaces", "Invalid session id", "legacy-session",
			"The session id has spaces.", "a.two words", `{"protocolVersion":"2025-11-25",`+welcome+`}`),
		initialize("modern_version", "Version of another era", "legacy-result",
			"initialize answers with 2026-07-28, which has no initialize.", naughtySession,
			`{"protocolVersion":"2026-07-28",`+welcome+`}`),
	))
}

// naughtyList completes the faults of one subject.
func naughtyList(list ...fault) []fault {
	for i := range list {
		list[i].method = cmp.Or(list[i].method, "tools/call")
	}
	return list
}
