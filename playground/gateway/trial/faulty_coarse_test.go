package trial_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// coarse are hops with one fault each that shows in many messages.
func coarse() []fault {
	return []fault{
		{"truncates text", "result", returns(func(_, m object) {
			list, _ := get(m, "result")["content"].([]any)
			for _, x := range list {
				if s, ok := x.(object)["text"].(string); ok && len(s) > 20 {
					x.(object)["text"] = s[:20]
				}
			}
		})},
		{"changes progress", "progress", notified("notifications/progress", func(m object) bool {
			get(m, "params")["progress"] = 0
			return true
		})},
		{"drops state-only state", "state-dropped", returns(func(p, m object) {
			if p["name"] == "state_only" {
				delete(get(m, "result"), "requestState")
			}
		})},
		{"drops inputRequests", "questions", returns(func(_, m object) {
			delete(get(m, "result"), "inputRequests")
		})},
		{"text in place of questions", "result-type", returns(func(_, m object) {
			if get(m, "result")["resultType"] == "input_required" {
				m["result"] = object{
					"resultType": "complete", "content": []any{object{"type": "text", "text": "asks"}},
				}
			}
		})},
		{"two Mcp-Name", "header-name", heads(func(h http.Header) { h.Add("Mcp-Name", "x") })},
		{"drops version header", "header-version", heads(func(h http.Header) { h.Del("Mcp-Protocol-Version") })},
		{"errors to isError", "error", returns(func(_, m object) {
			if m["error"] != nil {
				m["result"] = object{"resultType": "complete", "isError": true, "content": []any{}}
				delete(m, "error")
			}
		})},
		{"drops tasks ext", "capabilities", sends(func(_ *http.Request, p object) {
			delete(get(p, "_meta", "io.modelcontextprotocol/clientCapabilities"), "extensions")
		})},
		{"caches polls", "tasks", func(at *url.URL) http.Handler {
			var mu sync.Mutex
			var kept object
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				mu.Lock()
				defer mu.Unlock()
				if m["method"] == "tasks/get" && kept != nil {
					answer(w, result(kept, m["id"]))
					return true
				}
				return false
			}, message: func(_ *http.Request, asked, m object) bool {
				mu.Lock()
				defer mu.Unlock()
				if asked["method"] == "tasks/get" {
					kept = get(m, "result")
				}
				return true
			}}
		}},
		{"answers task update itself", "tasks", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				if m["method"] == "tasks/update" {
					answer(w, result(object{"resultType": "complete"}, m["id"]))
				}
				return m["method"] == "tasks/update"
			}}
		}},
		{"task without id mapping", "tasks", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				if r := get(m, "result"); r["taskId"] != nil {
					r["taskId"] = "mine-" + r["taskId"].(string)
				}
				return true
			}}
		}},
		{"sorts arrays of content", "result", content(func(b []any) []any {
			if len(b) > 1 {
				b[0], b[1] = b[1], b[0]
			}
			return b
		})},
		{"drops all x- members everywhere", "unknown", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				prune(m, isExtension)
				return true
			}}
		}},
		{"nulls everywhere", "empties", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(_ *http.Request, m object) bool {
				prune(m, isNull)
				return true
			}, message: func(_ *http.Request, _, m object) bool {
				prune(m, isNull)
				return true
			}}
		}},
		{"unicode everywhere", "unicode", func(at *url.URL) http.Handler {
			return hop{at: at, write: func(w http.ResponseWriter, b []byte) {
				flush(w, []byte(strings.Map(func(r rune) rune {
					if r > 127 {
						return '?'
					}
					return r
				}, string(b))))
			}, message: func(*http.Request, object, object) bool { return true }}
		}},
		{"request stripped of nonstandard _meta keys", "sent-meta", sends(func(_ *http.Request, p object) {
			for k := range get(p, "_meta") {
				if !strings.HasPrefix(k, "io.modelcontextprotocol/") && k != "progressToken" {
					delete(get(p, "_meta"), k)
				}
			}
		})},
		{"drops mimeType of content", "result", content(func(b []any) []any {
			for _, x := range b {
				delete(x.(object), "mimeType")
			}
			return b
		})},
		{"closes listen at once", "subscriptions", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				if m["method"] == "subscriptions/listen" {
					answer(w, result(object{"resultType": "complete"}, m["id"]))
				}
				return m["method"] == "subscriptions/listen"
			}}
		}},
		{"gives 500 for prompts", "call-reaches", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				if m["method"] == "prompts/get" {
					w.WriteHeader(500)
				}
				return m["method"] == "prompts/get"
			}}
		}},
	}
}
