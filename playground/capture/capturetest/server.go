// Package capturetest has clients with one fault each, and unusual ones without any, for
// tests of every way in which a foreign client is recorded and judged: each must be named by
// its rule and by no other, in its first call and in a later one.
//
// A Client is a small script against Desk, whose tools ask. It knows no transport: a test
// gives it a Send.
package capturetest

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

type object = map[string]any

// calls counts the calls of Desk, so that each has a state of its own.
var calls atomic.Int64

// Answers reports whether Desk answers a message.
func Answers(message []byte) bool {
	return !strings.HasPrefix(mcptest.Parse(message).Method, "notifications/")
}

const metaPrefix = "io.modelcontextprotocol/"

// Desk is a server whose tool "book" asks for a form, a model's answer and roots, with a state;
// "plain" asks for a form without a state; "busy" refuses the first retry.
var Desk mcptest.Script = func(m mcptest.Message, r *http.Request) mcptest.Answer {
	switch {
	case r != nil && r.Method != http.MethodPost:
		return mcptest.Answer{Status: http.StatusMethodNotAllowed}
	case !Answers(m.Body):
		return mcptest.Answer{Status: http.StatusAccepted}
	}
	return tools(m, r).Named("desk")
}

var tools = mcptest.Tools(call, tool("book"), tool("plain"), tool("busy"))

// tool returns a tool whose one argument is also in a header field.
func tool(name string) string {
	return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{` +
		`"count":{"type":"integer","x-mcp-header":"Count"}}}}`
}

func call(m mcptest.Message, _ *http.Request) mcptest.Answer {
	p := m.Params
	first := p.RequestState != nil && strings.HasPrefix(*p.RequestState, "first")
	switch {
	case m.Method != "tools/call", p.Name == "busy" && first:
		return mcptest.Refuse(0, -32602, "")
	case p.RequestState != nil || p.InputResponses != nil:
		return mcptest.Text("Booked.")
	}
	n := calls.Add(1)
	form := mcptest.Form("who", fmt.Sprint("Who? ", n), "name", `{"type":"string"}`)
	switch p.Name {
	case "plain":
		return mcptest.Ask(form, "")
	case "busy":
		return mcptest.Ask(form, fmt.Sprint("first ", n))
	}
	return mcptest.Ask(form+`,"model":{"method":"sampling/createMessage","params":{"maxTokens":50,`+
		`"messages":[{"role":"user","content":{"type":"text","text":"Which room?"}}]}},`+
		`"folder":{"method":"roots/list"}`, fmt.Sprintf(` {"step": %d} `, n))
}
