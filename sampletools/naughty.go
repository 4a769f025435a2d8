package sampletools

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// naughty breaks one rule of the specification per tool, to test clients. It is
// written without the SDK, which would not send such responses. It checks no
// header but the version, and nothing in _meta.
func naughty() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "naughty",
			Title:   "Naughty",
			Summary: "Breaks the rules of the specification, one tool per fault.",
			Teaches: "What a client must survive, and how the Rules panel judges each fault.",
			Try: []string{
				"Call neither_field: an input_required result with nothing in it.",
				"Call same_question_forever and see which side stops first.",
				"Call state_readable and change the state: the server trusts it.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Modern,
			Versions:  []string{"v1"},
			Instances: "a:v1",
			Start: Start{
				Label:  "Get an empty input_required",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"neither_field","arguments":{}}`),
			},
		},
		handler: http.HandlerFunc(serveNaughty),
	}
}

// fault is one broken rule.
type fault struct {
	name        string
	description string // what is wrong, for users
	// answer is the JSON of a result, or empty if reply writes the response.
	answer string
	reply  func(c naughtyCall, w http.ResponseWriter, r *http.Request)
}

// naughtyCall is the part of a request that naughty reads.
type naughtyCall struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name           string                     `json:"name"`
		Meta           map[string]json.RawMessage `json:"_meta"`
		InputResponses map[string]json.RawMessage `json:"inputResponses"`
		RequestState   json.RawMessage            `json:"requestState"`
	} `json:"params"`
}

var faults = slices.Concat(faultsOfResult(), faultsOfQuestions(), faultsOfState(), faultsOfAnswers(),
	faultsOfWire())

// serveNaughty reads a request as far as its method.
func serveNaughty(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "request body too large", http.StatusRequestEntityTooLarge)
		return
	}
	var c naughtyCall
	if err := json.Unmarshal(body, &c); err != nil {
		writeNaughty(w, http.StatusBadRequest, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`+
			`"message":"not a request"}}`)
		return
	}
	if len(c.ID) == 0 {
		w.WriteHeader(http.StatusAccepted) // a notification
		return
	}
	if r.Header.Get("Mcp-Protocol-Version") != modern {
		c.fail(w, http.StatusBadRequest, mcp.CodeUnsupportedProtocolVersion,
			"only 2026-07-28 is supported", `{"supported":["2026-07-28"]}`)
		return
	}
	c.serve(w, r)
}

func (c naughtyCall) serve(w http.ResponseWriter, r *http.Request) {
	switch c.Method {
	case "server/discover":
		c.result(w, `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+
			`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"completions":{},`+
			`"resources":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"naughty",`+
			`"title":"Naughty (sample)","version":"v1"}}}`)
	case "tools/list":
		c.result(w, naughtyTools())
	case "completion/complete": // must not answer input_required
		c.result(w, asksColor)
	case "resources/list": // lacks the required ttlMs and cacheScope
		c.result(w, `{"resultType":"complete","resources":[{"uri":"naughty://note","name":"note"}]}`)
	case "resources/read":
		c.result(w, `{"resultType":"complete","contents":[{"uri":"naughty://note","text":"This `+
			`result has no ttlMs."}]}`)
	case "tools/call":
		c.call(w, r)
	default:
		c.fail(w, http.StatusNotFound, -32601, "method not found", "")
	}
}

// call answers a tool call with the fault of that name.
func (c naughtyCall) call(w http.ResponseWriter, r *http.Request) {
	for _, f := range faults {
		switch {
		case f.name != c.Params.Name:
		case f.reply != nil:
			f.reply(c, w, r)
			return
		default:
			c.result(w, f.answer)
			return
		}
	}
	c.fail(w, http.StatusBadRequest, -32602, "unknown tool", "")
}

// naughtyTools lists the faults as tools. The last tool is invalid itself:
// x-mcp-header is not allowed on a number.
func naughtyTools() string {
	var list []any
	for _, f := range faults {
		list = append(list, map[string]any{"name": f.name, "description": f.description,
			"inputSchema": json.RawMessage(noArguments)})
	}
	list = append(list, map[string]any{
		"name": "header_on_number", "description": "The schema mirrors a number into a header. " +
			"Clients must exclude this tool.",
		"inputSchema": json.RawMessage(`{"type":"object","properties":{"ratio":{"type":"number",` +
			`"x-mcp-header":"Ratio"}}}`),
	})
	b, err := json.Marshal(map[string]any{"resultType": "complete", "ttlMs": 0,
		"cacheScope": "private", "tools": list})
	if err != nil { // constants always marshal
		return "{}"
	}
	return string(b)
}

func (c naughtyCall) result(w http.ResponseWriter, result string) {
	writeNaughty(w, http.StatusOK, c.message(result))
}

// message returns the response with the given result.
func (c naughtyCall) message(result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, result)
}

func (c naughtyCall) fail(w http.ResponseWriter, status, code int, message, data string) {
	if data != "" {
		data = `,"data":` + data
	}
	writeNaughty(w, status, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,`+
		`"message":%q%s}}`, c.ID, code, message, data))
}

func writeNaughty(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// Write errors are ignored: the client is gone.
	_, _ = io.WriteString(w, body)
}
