package sampletools

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// naughty breaks one rule of the specification per fault, to test clients. It
// is written without the SDK, which would not send such responses. What is not
// the fault is right: the samples' own checks of a message come first, unless
// the fault is that there are none.
func naughty() scenario {
	n := naughtyServer{faults: naughtyFaults()}
	return scenario{
		Sample: Sample{
			Slug:    "naughty",
			Title:   "Misbehaving",
			Summary: "Breaks the rules of the specification, one tool per fault.",
			Teaches: "What a client must survive, and how the Rules panel judges each fault.",
			Try: []string{
				"Call neither_field: an input_required result with nothing in it.",
				"Call same_question_forever and see which side stops first.",
				"Call state_readable and change the state: the server trusts it.",
				"Connect to this URL with ?fault= and a name below to break a list or a stream.",
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
			Faults: n.published(),
		},
		handler: n.serve,
		lenient: n.lenient,
	}
}

// naughtyServer answers with the fault that a request names.
type naughtyServer struct{ faults []fault }

// naughtyFaults returns all faults, in the order of the page.
func naughtyFaults() []fault {
	return readFaults(naughtyTable, slices.Concat(faultsOfResult(), faultsOfShape(), faultsOfState(),
		faultsOfAnswers(), faultsOfErrors(), faultsOfMessages(), faultsOfStreams(), faultsOfHTTP(),
		faultsOfChecks(), faultsOfTasks(), faultsOfTaskAnswers(), faultsOfListening(),
		faultsOfLongResults()))
}

// naughtyCall is a request as a fault sees it.
type naughtyCall struct {
	*serve.Envelope
	fault          fault
	name, taskID   string
	inputResponses map[string]json.RawMessage
	requestState   json.RawMessage
	bearer         string
	legacy         bool // the results have no members of 2026-07-28
}

// readNaughtyCall reads the members of a request that faults use. A member of
// the wrong type counts as absent.
func readNaughtyCall(m *serve.Envelope, h http.Header) *naughtyCall {
	c := &naughtyCall{Envelope: m, requestState: m.Params["requestState"], bearer: h.Get("Authorization")}
	text := func(name string) (s string) {
		_ = json.Unmarshal(m.Params[name], &s)
		return s
	}
	c.name, c.taskID = text("name")+text("uri"), text("taskId")
	c.inputResponses, _ = serve.Object(m.Params["inputResponses"])
	return c
}

// asked returns the fault that a request names: as a tool, as a resource, with
// the id of a task, or in the URL.
func (n naughtyServer) asked(c *naughtyCall, r *http.Request) (fault, bool) {
	name := c.name
	if c.taskID != "" {
		name, _, _ = strings.Cut(c.taskID, "-")
	}
	query := r.URL.Query().Get("fault")
	for _, f := range n.faults {
		if f.method == c.Method && (f.query == "" && f.tool == name || f.query != "" && f.query == query) ||
			c.taskID != "" && f.poll != nil && f.tool == name {
			return f, true
		}
	}
	return fault{}, false
}

// lenient reports whether the checks of headers and _meta are left out, because
// that is the fault.
func (n naughtyServer) lenient(m *serve.Envelope) bool {
	name := readNaughtyCall(m, nil).name
	return slices.ContainsFunc(n.faults, func(f fault) bool { return f.lenient && f.tool == name })
}

// serve answers one request.
func (n naughtyServer) serve(m *serve.Envelope, w http.ResponseWriter, r *http.Request) {
	c := readNaughtyCall(m, r.Header)
	f, ok := n.asked(c, r)
	switch {
	case ok && c.taskID != "":
		c.fault = f
		f.poll(c, w)
	case ok:
		c.fault = f
		f.answer(c, w, r)
	default:
		n.serveWell(c, w, r)
	}
}

// breaksListening reports whether the URL names a fault of a subscription.
func (n naughtyServer) breaksListening(r *http.Request) bool {
	query := r.URL.Query().Get("fault")
	return slices.ContainsFunc(n.faults, func(f fault) bool {
		return f.method == "subscriptions/listen" && f.query == query
	})
}

// serveWell answers a request without a fault. The list of tools never changes,
// so only a URL that breaks a subscription declares notifications about it.
func (n naughtyServer) serveWell(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
	switch c.Method {
	case "server/discover":
		tools := `{}`
		if n.breaksListening(r) {
			tools = `{"listChanged":true}`
		}
		c.result(w, `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+
			`"supportedVersions":["2026-07-28"],"capabilities":{"tools":`+tools+`,`+
			`"resources":{},"completions":{},"logging":{},`+
			`"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
	case "tools/list":
		c.result(w, naughtyTools(n.faults))
	case "resources/list":
		c.result(w, naughtyResources(n.faults))
	case "resources/templates/list":
		c.result(w, `{"resultType":"complete","resourceTemplates":[],"ttlMs":0,"cacheScope":"private"}`)
	case "completion/complete": // must not answer input_required
		c.result(w, asksColor)
	case "subscriptions/listen":
		c.listen(w, c.acknowledgment(`{}`))
	case "tools/call", "resources/read":
		serve.Refuse(c.ID, -32602, "unknown fault").Write(w)
	case "tasks/get", "tasks/update", "tasks/cancel":
		serve.Refuse(c.ID, -32602, "unknown taskId").Write(w)
	default:
		f := serve.Refuse(c.ID, -32601, "method not found")
		f.Status = http.StatusNotFound
		f.Write(w)
	}
}
