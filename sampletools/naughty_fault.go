package sampletools

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// Fault describes one broken rule of naughty to users.
type Fault struct {
	Method      string          // the request that shows it: tools/call, resources/read, a list, or listening
	Name        string          // of the tool or resource; in the URL as fault= if Query is set
	Title       string          // the fault, in a few words
	Rule        string          // id of the rule that it breaks; empty if a client just has to survive it
	Description string          // the fault
	Arguments   json.RawMessage // of the call; nil if any will do
	// Capabilities are those that the client must declare to see the fault; nil
	// if any will do.
	Capabilities json.RawMessage
	LogLevel     string // that the request must have to see the fault; may be empty
	Query        string // parameters of the URL that show the fault; may be empty
}

// fault is one broken rule with the code that breaks it.
type fault struct {
	tool        string // name of the tool, URI of the resource, or value of the parameter fault
	title       string
	rule        string
	description string
	method      string // tools/call if empty
	arguments   string
	declares    string // see Fault.Capabilities
	level       string
	query       string // the parameter fault, for requests that are no calls
	output      string // output schema of the tool
	lenient     bool   // headers and _meta are not checked
	answer      reply
	poll        func(*naughtyCall, http.ResponseWriter) // answers tasks/*; nil if there is no task
}

// reply writes the response to a request.
type reply func(c *naughtyCall, w http.ResponseWriter, r *http.Request)

// published returns the faults as users see them.
func (n naughtyServer) published() []Fault {
	list := make([]Fault, len(n.faults))
	for i, f := range n.faults {
		list[i] = Fault{Method: f.method, Name: f.tool, Title: f.title, Rule: f.rule,
			Description: f.description, LogLevel: f.level}
		if f.arguments != "" {
			list[i].Arguments = json.RawMessage(f.arguments)
		}
		if f.declares != "" {
			list[i].Capabilities = json.RawMessage(f.declares)
		}
		if f.query != "" {
			list[i].Query = "fault=" + f.query
		}
	}
	return list
}

// naughtyTools lists the faults of calls as tools.
func naughtyTools(faults []fault) string {
	var list []any
	for _, f := range faults {
		if f.method != "tools/call" || f.query != "" {
			continue
		}
		tool := map[string]any{"name": f.tool, "title": f.title, "description": f.description,
			"inputSchema": json.RawMessage(noArguments)}
		if f.output != "" {
			tool["outputSchema"] = json.RawMessage(f.output)
		}
		list = append(list, tool)
	}
	return listResult("tools", list)
}

// naughtyResources lists the faults of resources.
func naughtyResources(faults []fault) string {
	var list []any
	for _, f := range faults {
		if f.method == "resources/read" {
			list = append(list, map[string]any{"uri": f.tool, "name": f.title, "description": f.description})
		}
	}
	return listResult("resources", list)
}

func listResult(member string, list []any) string {
	b, err := json.Marshal(map[string]any{"resultType": "complete", "ttlMs": 0,
		"cacheScope": "private", member: list})
	if err != nil { // constants always marshal
		return "{}"
	}
	return string(b)
}

const naughtyInfo = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"naughty",` +
	`"title":"Misbehaving (sample)","version":"v1"}}`

// withInfo adds the server's name to a result without _meta.
func withInfo(result string) string {
	if !strings.HasPrefix(result, "{") || strings.Contains(result, `"_meta"`) {
		return result
	}
	rest := strings.TrimPrefix(result, "{")
	if !strings.HasPrefix(strings.TrimSpace(rest), "}") {
		rest = "," + rest
	}
	return "{" + naughtyInfo + rest
}

func (c *naughtyCall) result(w http.ResponseWriter, result string) {
	c.write(w, http.StatusOK, c.message(result))
}

// message returns the response with the given result.
func (c *naughtyCall) message(result string) string {
	if !c.legacy {
		result = withInfo(result)
	}
	return `{"jsonrpc":"2.0",` + serve.IDMember(c.ID) + `"result":` + result + `}`
}

func (c *naughtyCall) write(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// Write errors are ignored: the client is gone.
	_, _ = io.WriteString(w, body)
}

// writeText completes with a text.
func (c *naughtyCall) writeText(w http.ResponseWriter, message string) {
	c.result(w, `{"resultType":"complete","content":[{"type":"text","text":`+serve.Quote(message)+`}]}`)
}

// fixed returns a reply with the same result every time.
func fixed(result string) reply {
	return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.result(w, result) }
}

// once returns a reply that asks until there is an answer, whatever it is.
func once(question string) reply {
	return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
		if len(c.inputResponses) > 0 {
			c.result(w, fine)
			return
		}
		c.result(w, question)
	}
}

// raw returns a reply with a body of any kind, in which $ID is the request's
// id.
func raw(mediaType, body string) reply {
	return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		// Write errors are ignored: the client is gone.
		_, _ = io.WriteString(w, strings.ReplaceAll(body, "$ID", string(c.ID)))
	}
}

// fine is a result without a fault.
const fine = `{` + naughtyInfo + `,"resultType":"complete","content":[{"type":"text","text":"ok"}]}`

// answered reports whether the retry has an answer to a question.
func (c *naughtyCall) answered(key string) bool {
	_, ok := c.inputResponses[key]
	return ok
}
