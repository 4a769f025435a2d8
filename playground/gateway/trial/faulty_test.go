package trial_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// fault is a hop with one fault.
type fault struct {
	name, line string
	gate       func(*url.URL) http.Handler
}

// faulty are hops with one fault each, with the line that names it.
func faulty() []fault {
	return []fault{
		{"alters the state", "state", sends(func(_ *http.Request, p object) {
			if s, ok := p["requestState"].(string); ok {
				p["requestState"] = s + "~"
			}
		})},
		{"invents a state", "state", sends(func(_ *http.Request, p object) {
			if p["inputResponses"] != nil && p["requestState"] == nil {
				p["requestState"] = "mine"
			}
		})},
		{"drops the state of a retry", "state-dropped", sends(func(_ *http.Request, p object) {
			delete(p, "requestState")
		})},
		{"drops the state of a result", "state-dropped", returns(func(_, m object) {
			delete(get(m, "result"), "requestState")
		})},
		{"drops the answers", "answers-dropped", sends(func(_ *http.Request, p object) {
			delete(p, "inputResponses")
		})},
		{"renames the keys of answers", "keys", sends(func(_ *http.Request, p object) {
			if a := get(p, "inputResponses"); a != nil {
				renamed := object{}
				for k, v := range a {
					renamed["q-"+k] = v
				}
				p["inputResponses"] = renamed
			}
		})},
		{"turns decline into cancel", "answers", sends(func(_ *http.Request, p object) {
			for k := range get(p, "inputResponses") {
				if a := get(p, "inputResponses", k); a["action"] == "decline" {
					a["action"] = "cancel"
				}
			}
		})},
		{"drops the content of answers", "answers", sends(func(_ *http.Request, p object) {
			for k := range get(p, "inputResponses") {
				delete(get(p, "inputResponses", k), "content")
			}
		})},
		{"adds an argument", "arguments", sends(func(_ *http.Request, p object) {
			get(p, "arguments")["tenant"] = "a"
		})},
		{"drops a capability", "capabilities", sends(func(_ *http.Request, p object) {
			delete(get(p, "_meta", "io.modelcontextprotocol/clientCapabilities"), "roots")
		})},
		{"drops _meta of requests", "sent-meta", sends(func(_ *http.Request, p object) {
			delete(get(p, "_meta"), "dev.mrtr-playground/hop")
		})},
		{"words the question anew", "questions", returns(func(_, m object) {
			if _, q := question(m); q["method"] == "elicitation/create" {
				get(q, "params")["message"] = "Please answer."
			}
		})},
		{"drops a question", "questions", returns(func(p, m object) {
			if q := get(m, "result", "inputRequests"); p["name"] == "three_questions" && len(q) == 3 {
				k, _ := question(m)
				delete(q, k)
			}
		})},
		{"drops structuredContent", "result", returns(func(_, m object) {
			delete(get(m, "result"), "structuredContent")
		})},
		{"drops isError", "is-error", returns(func(_, m object) { delete(get(m, "result"), "isError") })},
		{"drops _meta of results", "result-meta", returns(func(_, m object) {
			delete(get(m, "result"), "_meta")
		})},
		{"drops resultType", "result-type", returns(func(_, m object) {
			delete(get(m, "result"), "resultType")
		})},
		{"rewrites resultType", "result-type", returns(func(_, m object) {
			if r := get(m, "result"); r["resultType"] == "input_required" {
				r["resultType"] = "complete"
			}
		})},
		{"rewrites the code of errors", "error", returns(func(_, m object) {
			if e := get(m, "error"); e != nil {
				e["code"] = -32603
			}
		})},
		{"drops the data of errors", "error", returns(func(_, m object) { delete(get(m, "error"), "data") })},
		{"answers errors with status 200", "error-status", func(at *url.URL) http.Handler {
			return hop{at: at, head: func(res *http.Response) {
				if res.StatusCode == http.StatusBadRequest {
					res.StatusCode = http.StatusOK
				}
			}}
		}},
		{"drops progress", "progress", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				return m["method"] != "notifications/progress"
			}}
		}},
		{"does not map the progress token back", "progress-token", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				if p := get(m, "params"); m["method"] == "notifications/progress" {
					p["progressToken"] = "mine"
				}
				return true
			}}
		}},
		{"drops the progress token", "progress", sends(func(_ *http.Request, p object) {
			delete(get(p, "_meta"), "progressToken")
		})},
		{"holds streams back", "streams", func(at *url.URL) http.Handler {
			return hop{at: at, write: func(w http.ResponseWriter, b []byte) { _, _ = w.Write(b) }}
		}},
		{"keeps the upstream connection of a client that is gone", "cancellation",
			func(at *url.URL) http.Handler {
				return hop{at: at, send: func(r *http.Request) (*http.Response, error) {
					return http.DefaultTransport.RoundTrip(r.WithContext(context.WithoutCancel(r.Context())))
				}}
			}},
		{"notices only when it writes that a client is gone", "cancellation", lazy},
		{"reads numbers as doubles", "numbers", func(at *url.URL) http.Handler {
			return hop{
				at: at, request: func(*http.Request, object) bool { return true },
				message: func(*http.Request, object, object) bool { return true },
				round: func(b []byte) object {
					var m object
					_ = json.Unmarshal(b, &m)
					return m
				},
			}
		}},
		{"turns letters into question marks", "unicode", returns(func(_, m object) {
			if c := get(m, "result", "structuredContent"); c["text"] != nil {
				c["text"] = strings.Map(func(r rune) rune {
					if r > 127 {
						return '?'
					}
					return r
				}, c["text"].(string))
			}
		})},
		{"drops null", "empties", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					prune(get(m, "params", "arguments"), isNull)
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					prune(get(m, "result", "structuredContent"), isNull)
					return true
				}}
		}},
		{"drops unknown members", "unknown", returns(func(_, m object) {
			prune(m["result"], isExtension)
		})},
		{"refuses large results", "large", returns(func(_, m object) {
			if len(text(m)) > 150<<10 {
				delete(m, "result")
				m["error"] = object{"code": -32603, "message": "the result is too large"}
			}
		})},
		{"sends another Mcp-Method", "header-method", heads(func(h http.Header) {
			h.Set("Mcp-Method", "tools/list")
		})},
		{"drops Mcp-Name", "header-name", heads(func(h http.Header) { h.Del("Mcp-Name") })},
		{"drops Mcp-Name of polls", "header-name", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, m object) bool {
				if m["method"] == "tasks/get" {
					r.Header.Del("Mcp-Name")
				}
				return false
			}}
		}},
		{"sends another MCP-Protocol-Version", "header-version", heads(func(h http.Header) {
			h.Set("Mcp-Protocol-Version", "2025-11-25")
		})},
		{"drops Mcp-Param", "header-params", heads(func(h http.Header) {
			for name := range h {
				if strings.HasPrefix(name, "Mcp-Param-") {
					h.Del(name)
				}
			}
		})},
		{"answers a call from a cache", "call-reaches", caches},
		{"answers retries by itself", "retry-reaches", calls(
			func(w http.ResponseWriter, _ *http.Request, m object) bool {
				p := get(m, "params")
				if p["name"] != "decline" || p["inputResponses"] == nil {
					return false
				}
				answer(w, result(object{"resultType": "complete", "content": []any{}}, m["id"]))
				return true
			})},
		{"sends a call twice", "once", twice},
		{"mixes two calls", "mixed", mixes},
		{"asks about another task", "tasks", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, m object) bool {
				if p := get(m, "params"); p["taskId"] != nil {
					p["taskId"] = "task-1"
					r.Header.Set("Mcp-Name", "task-1")
				}
				return true
			}}
		}},
		{"drops the challenge", "challenge", func(at *url.URL) http.Handler {
			return hop{at: at, head: func(res *http.Response) { res.Header.Del("WWW-Authenticate") }}
		}},
		{"serves metadata of another resource", "challenge", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, r *http.Request, _ object) bool {
				if r.Method == http.MethodGet {
					answer(w, object{"resource": at.String() + "/mcp", "authorization_servers": []any{}})
				}
				return r.Method == http.MethodGet
			}}
		}},
	}
}
