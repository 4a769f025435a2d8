package mcptest

import (
	"fmt"
	"net/http"
)

// Greeting is the text that greet returns, the one tool of Legacy.
const Greeting = "Hello from 2025."

// LegacyAnswers returns answers by name, each of a server that knows nothing of 2026-07-28.
func LegacyAnswers() map[string]Answer {
	const jsonType, stream = "application/json", "text/event-stream"
	answers := map[string]Answer{
		"200 HTML":       raw(200, "text/html", "<html><h1>MCP</h1></html>"),
		"200 text":       raw(200, "text/plain", "Hello"),
		"200 empty":      raw(200, "", ""),
		"200 no event":   raw(200, stream, ": hello\n\n"),
		"200 empty JSON": raw(200, jsonType, ""),
		"200 other JSON": raw(200, jsonType, `{"ok":false}`),
		"200 no result":  raw(200, jsonType, `{"jsonrpc":"2.0","id":ID,"result":{}}`),
		"204 empty":      raw(204, "", ""),
		"400 empty":      raw(400, "", ""),
		"400 in HTML":    raw(400, "text/html", "<h1>Bad Request</h1>"),
		"400 session":    raw(400, jsonType, rpcError("ID", -32000, "Bad Request: Server not initialized")),
		"400 no id":      raw(400, jsonType, rpcError("null", -32000, "Bad Request: No valid session ID")),
		"400 other id":   raw(400, jsonType, rpcError(`"server-error"`, -32600, "Missing session ID")),
		"400 method":     raw(400, jsonType, rpcError("ID", -32601, "Method not found")),
		"404 method":     raw(404, jsonType, rpcError("ID", -32601, "Method not found")),
		"404 session":    raw(404, jsonType, rpcError("ID", -32001, "Session not found")),
		"406 other id":   raw(406, jsonType, rpcError(`"server-error"`, -32600, "Not Acceptable")),
		"500 error":      raw(500, jsonType, rpcError("ID", -32603, "Internal error")),
		"versions": raw(400, jsonType, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32022,"message":"m",`+
			`"data":{"supported":["2025-06-18"],"requested":"2026-07-28"}}}`),
	}
	for _, status := range []int{400, 404, 405, 406, 415, 422, 426, 500, 501, 502, 503} {
		answers[fmt.Sprint(status)] = raw(status, "text/plain", http.StatusText(status))
	}
	for _, code := range []int{-32602, -32600, -32000, -32002, -32603, -32601} {
		body := rpcError("ID", code, "no")
		answers[fmt.Sprint("200 JSON ", code)] = raw(200, jsonType, body)
		answers[fmt.Sprint("200 stream ", code)] = raw(200, stream, "data: "+body+"\n\n")
	}
	return answers
}

func raw(status int, kind, body string) Answer {
	return Answer{Status: status, Type: kind, Raw: body}
}

func rpcError(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
}

// Legacy returns a server of 2025-06-18 that answers every request of 2026-07-28 with a.
func Legacy(a Answer) http.Handler {
	return Script(func(m Message, r *http.Request) Answer {
		result, found := legacyResults[m.Method]
		switch {
		case r.Method != http.MethodPost:
			return Answer{Status: http.StatusMethodNotAllowed}
		case m.Method == "":
			return Answer{Status: http.StatusBadRequest}
		case m.Params.Meta["io.modelcontextprotocol/protocolVersion"] != nil:
			return a
		case m.ID == nil:
			return Answer{Status: http.StatusAccepted}
		case !found:
			return Answer{Raw: rpcError("ID", -32601, "Method not found")}
		}
		return Answer{Result: result}
	})
}

// legacyResults are the answers of a server of 2025-06-18 to requests of that
// revision.
var legacyResults = map[string]string{
	"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"old","version":"1"}}`,
	"tools/list": `{"tools":[{"name":"greet","inputSchema":{"type":"object"}}]}`,
	"tools/call": `{"content":[{"type":"text","text":"` + Greeting + `"}]}`,
}
