package sampletools

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// naughty breaks the rules, one tool per fault, so that a client can be seen to survive and to name
// each. It is written by hand: an SDK refuses to. It looks at neither headers nor _meta either, apart
// from the version.
func naughty() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "naughty",
			Title:   "Naughty",
			Summary: "A server that breaks the rules, one tool per fault.",
			Teaches: "What a client has to survive, and what the rules on the page say to each fault.",
			Try: []string{
				"Call neither_field: input_required with nothing in it.",
				"Call same_question_forever, and see who stops first.",
				"Call state_readable and change the state: it believes everything.",
			},
			Replay:    "The same retry gives the same answer again. Nothing is stored.",
			Era:       Modern,
			Versions:  []string{"v1"},
			Instances: "a:v1",
			Start: Start{
				Label:  "Ask nothing at all",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"neither_field","arguments":{}}`),
			},
		},
		handler: http.HandlerFunc(serveNaughty),
	}
}

// A fault is one rule that is broken.
type fault struct {
	name        string
	description string // what is wrong, for people
	// answer is the JSON of a result, or empty if reply writes the answer itself.
	answer string
	reply  func(c naughtyCall, w http.ResponseWriter, r *http.Request)
}

// A naughtyCall is the request as far as naughty reads it.
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

func faults() []fault {
	var all []fault
	for _, list := range [][]fault{faultsOfResult(), faultsOfQuestions(), faultsOfState(), faultsOfAnswers(), faultsOfWire()} {
		all = append(all, list...)
	}
	return all
}

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
		writeNaughty(w, http.StatusBadRequest, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not a request"}}`)
		return
	}
	if len(c.ID) == 0 {
		w.WriteHeader(http.StatusAccepted) // a notification
		return
	}
	if r.Header.Get("Mcp-Protocol-Version") != modern {
		c.fail(w, http.StatusBadRequest, mcp.CodeUnsupportedProtocolVersion, "only 2026-07-28 is spoken here", `{"supported":["2026-07-28"]}`)
		return
	}
	c.serve(w, r)
}

func (c naughtyCall) serve(w http.ResponseWriter, r *http.Request) {
	switch c.Method {
	case "server/discover":
		c.result(w, `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"completions":{},"resources":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"naughty","title":"Naughty (sample)","version":"v1"}}}`)
	case "tools/list":
		c.result(w, naughtyTools())
	case "completion/complete": // not one of the three methods that may
		c.result(w, asksColor)
	case "resources/list": // ttlMs and cacheScope are required
		c.result(w, `{"resultType":"complete","resources":[{"uri":"naughty://note","name":"note"}]}`)
	case "resources/read":
		c.result(w, `{"resultType":"complete","contents":[{"uri":"naughty://note","text":"Nobody says how long this is good."}]}`)
	case "tools/call":
		c.call(w, r)
	default:
		c.fail(w, http.StatusNotFound, -32601, "method not found", "")
	}
}

func (c naughtyCall) call(w http.ResponseWriter, r *http.Request) {
	for _, f := range faults() {
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

// naughtyTools lists the faults. The last tool's annotation is a fault too: x-mcp-header may not
// stand on a number.
func naughtyTools() string {
	var list []any
	for _, f := range faults() {
		list = append(list, map[string]any{"name": f.name, "description": f.description, "inputSchema": json.RawMessage(noArguments)})
	}
	list = append(list, map[string]any{
		"name": "header_on_number", "description": "Its schema mirrors a number into a header. Clients must leave this tool out.",
		"inputSchema": json.RawMessage(`{"type":"object","properties":{"ratio":{"type":"number","x-mcp-header":"Ratio"}}}`),
	})
	b, err := json.Marshal(map[string]any{"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": list})
	if err != nil { // constants always marshal
		return "{}"
	}
	return string(b)
}

func (c naughtyCall) result(w http.ResponseWriter, result string) {
	writeNaughty(w, http.StatusOK, c.message(result))
}

func (c naughtyCall) message(result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, result)
}

func (c naughtyCall) fail(w http.ResponseWriter, status, code int, message, data string) {
	if data != "" {
		data = `,"data":` + data
	}
	writeNaughty(w, status, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q%s}}`, c.ID, code, message, data))
}

func writeNaughty(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The client is gone if this fails; there is nobody left to tell.
	_, _ = io.WriteString(w, body)
}
