// Package capturetest has clients with one fault each, and unusual ones without any, for
// tests of every way in which a foreign client is recorded and judged: each must be named by
// its rule and by no other, in its first call and in a later one.
//
// A Client is a small script against Serve, whose tools ask. It knows no transport: a test
// gives it a Send.
package capturetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

type object = map[string]any

// calls counts the calls of Serve, so that each has a state of its own.
var calls atomic.Int64

// Serve answers one message of a client, or returns nil for one without an answer. Its tool
// "book" asks for a form, a model's answer and roots, with a state; "plain" asks for a form
// without a state; "busy" refuses the first retry.
func Serve(message []byte) []byte {
	var m struct {
		ID     any
		Method string
		Params object
	}
	_ = json.Unmarshal(message, &m)
	if !Answers(message) {
		return nil
	}
	response := object{"jsonrpc": "2.0", "id": m.ID}
	if result := answer(m.Method, m.Params); result != nil {
		result["_meta"] = object{metaPrefix + "serverInfo": object{"name": "desk", "version": "1"}}
		response["result"] = result
	} else {
		response["error"] = object{"code": -32602, "message": "no"}
	}
	text, _ := json.Marshal(response)
	return text
}

// Answers reports whether Serve answers a message.
func Answers(message []byte) bool {
	var m struct{ Method string }
	return json.Unmarshal(message, &m) != nil || !strings.HasPrefix(m.Method, "notifications/")
}

const metaPrefix = "io.modelcontextprotocol/"

func answer(method string, params object) object {
	switch method {
	case "server/discover":
		return object{
			"resultType": "complete", "supportedVersions": []any{"2026-07-28"},
			"capabilities": object{"tools": object{}}, "ttlMs": 0, "cacheScope": "private",
		}
	case "tools/list":
		count := object{"type": "integer", "x-mcp-header": "Count"}
		schema := object{"type": "object", "properties": object{"count": count}}
		var tools []any
		for _, name := range []string{"book", "plain", "busy"} {
			tools = append(tools, object{"name": name, "inputSchema": schema})
		}
		return object{"resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "private"}
	case "tools/call":
		return call(params)
	}
	return nil
}

func call(params object) object {
	state, isRetry := params["requestState"].(string)
	_, isAnswer := params["inputResponses"]
	switch {
	case params["name"] == "busy" && strings.HasPrefix(state, "first"):
		return nil
	case isRetry || isAnswer:
		return object{"resultType": "complete", "content": []any{object{"type": "text", "text": "Booked."}}}
	}
	n := calls.Add(1)
	form := object{"method": "elicitation/create", "params": object{
		"mode": "form", "message": fmt.Sprint("Who? ", n), "requestedSchema": object{
			"type": "object", "properties": object{"name": object{"type": "string"}},
			"required": []any{"name"},
		},
	}}
	switch params["name"] {
	case "plain":
		return object{"resultType": "input_required", "inputRequests": object{"who": form}}
	case "busy":
		return object{
			"resultType": "input_required", "inputRequests": object{"who": form},
			"requestState": fmt.Sprint("first ", n),
		}
	}
	text := object{"type": "text", "text": "Which room?"}
	return object{
		"resultType": "input_required", "requestState": fmt.Sprintf(` {"step": %d} `, n),
		"inputRequests": object{
			"who": form,
			"model": object{"method": "sampling/createMessage", "params": object{
				"maxTokens": 50, "messages": []any{object{"role": "user", "content": text}},
			}},
			"folder": object{"method": "roots/list"},
		},
	}
}

// ServeHTTP answers a request over HTTP.
func ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	response := Serve(body)
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case response == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(response)
	}
}
