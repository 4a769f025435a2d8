package trial_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// lists is a hop that changes the entries of a list.
func lists(member string, change func(entry object)) func(*url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return hop{at: at, message: func(_ *http.Request, _, m object) bool {
			entries, _ := get(m, "result")[member].([]any)
			for _, x := range entries {
				change(x.(object))
			}
			return true
		}}
	}
}

// sendsFor is sends for another method.
func sendsFor(method string, change func(r *http.Request, params object)) func(*url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return hop{at: at, request: func(r *http.Request, m object) bool {
			if m["method"] != method {
				return false
			}
			change(r, get(m, "params"))
			return true
		}}
	}
}

// notified is a hop that changes the notifications of a method, and drops one for false.
func notified(method string, change func(m object) bool) func(*url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return hop{at: at, message: func(_ *http.Request, _, m object) bool {
			return m["method"] != method || change(m)
		}}
	}
}

// bodies is a hop that writes the bodies of the responses to calls anew. change returns the body,
// or nil to leave it.
func bodies(change func(h http.Header, asked object, body []byte) []byte) func(*url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			asked := read(body)
			hop{at: at, write: func(w http.ResponseWriter, b []byte) { flush(w, b) }, send: func(
				r *http.Request,
			) (*http.Response, error) {
				res, err := http.DefaultTransport.RoundTrip(r)
				if err != nil || !strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
					return res, err
				}
				b, _ := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if changed := change(res.Header, asked, b); changed != nil {
					b = changed
				}
				res.Header.Del("Content-Length")
				res.Body = io.NopCloser(bytes.NewReader(b))
				return res, nil
			}}.ServeHTTP(w, r)
		})
	}
}

func flush(w http.ResponseWriter, b []byte) {
	_, _ = w.Write(b)
	_ = http.NewResponseController(w).Flush()
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// content changes the blocks of the content of results.
func content(change func(blocks []any) []any) func(*url.URL) http.Handler {
	return returns(func(_, m object) {
		if blocks, ok := get(m, "result")["content"].([]any); ok {
			get(m, "result")["content"] = change(blocks)
		}
	})
}

// quoted returns a value with its numbers as texts.
func quoted(v any) any {
	switch v := v.(type) {
	case object:
		for name, x := range v {
			v[name] = quoted(x)
		}
	case []any:
		for i, x := range v {
			v[i] = quoted(x)
		}
	case string, bool, nil:
	default:
		return string(text(v))
	}
	return v
}

// wrapped returns Base64 in lines, as mail has it.
func wrapped(s string) string {
	var lines []string
	for part := range slices.Chunk([]byte(s), 76) {
		lines = append(lines, string(part))
	}
	return strings.Join(lines, "\r\n")
}

// moreFaulty are hops with one fault each that are about other methods, lists, subscriptions,
// messages and tokens.
func moreFaulty() []fault {
	return []fault{
		{"drops the state of prompts", "state-dropped", sendsFor("prompts/get",
			func(_ *http.Request, p object) { delete(p, "requestState") })},
		{"drops the state of resources", "state-dropped", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
				if asked["method"] == "resources/read" {
					delete(get(m, "result"), "requestState")
				}
				return true
			}}
		}},
		{"drops the answers of resources", "answers-dropped", sendsFor("resources/read",
			func(_ *http.Request, p object) { delete(p, "inputResponses") })},
		{"cuts Mcp-Name of resources", "header-name", sendsFor("resources/read",
			func(r *http.Request, _ object) {
				r.Header.Set("Mcp-Name", r.Header.Get("Mcp-Name")[:12])
			})},
		{"renames an argument of prompts", "arguments", sendsFor("prompts/get",
			func(_ *http.Request, p object) {
				a := get(p, "arguments")
				a["Text"] = a["text"]
				delete(a, "text")
			})},
		{"changes the role of a message", "result", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				list, _ := get(m, "result")["messages"].([]any)
				for _, x := range list {
					x.(object)["role"] = "user"
				}
				return true
			}}
		}},
		{"rewrites the URL of a question", "questions", returns(func(_, m object) {
			if _, q := question(m); q != nil && get(q, "params")["url"] != nil {
				p := get(q, "params")
				p["url"] = strings.ReplaceAll(p["url"].(string), "%2F", "/")
			}
		})},
		{"merges two questions", "questions", returns(func(p, m object) {
			if list := get(m, "result", "inputRequests"); p["name"] == "three_questions" && len(list) == 3 {
				var keys []string
				for k := range list {
					keys = append(keys, k)
				}
				slices.Sort(keys)
				delete(list, keys[0])
				get(list, keys[1], "params")["message"] = "Two questions at once."
			}
		})},
		{"drops x-mcp-header", "header-params", lists("tools", func(e object) {
			prune(e["inputSchema"], func(name string, _ any) bool { return name == "x-mcp-header" })
		})},
		{"drops outputSchema", "definitions", lists("tools", func(e object) { delete(e, "outputSchema") })},
		{"drops annotations of tools", "definitions", lists("tools", func(e object) {
			delete(e, "annotations")
		})},
		{"drops the properties of inputSchema", "definitions", lists("tools", func(e object) {
			if e["name"] == "hop_paged" {
				e["inputSchema"] = object{"type": "object"}
			}
		})},
		{"drops the arguments of prompts", "definitions", lists("prompts", func(e object) {
			delete(e, "arguments")
		})},
		{"drops the type of resources", "definitions", lists("resources", func(e object) {
			delete(e, "mimeType")
		})},
		{"drops descriptions", "definitions", lists("tools", func(e object) { delete(e, "description") })},
		{"reads one page of a list", "pages", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				delete(get(m, "result"), "nextCursor")
				return true
			}}
		}},
		{"changes a cursor", "pages", sendsFor("tools/list", func(_ *http.Request, p object) {
			if c, ok := p["cursor"].(string); ok {
				p["cursor"] = strings.TrimSpace(c) + " "
			}
		})},
		{"drops a notification of a subscription", "subscriptions",
			notified("notifications/resources/updated", func(object) bool { return false })},
		{"renames a notification of a subscription", "subscriptions",
			notified("notifications/prompts/list_changed", func(m object) bool {
				m["method"] = "notifications/tools/list_changed"
				return true
			})},
		{"drops the acknowledgment", "subscriptions",
			notified("notifications/subscriptions/acknowledged", func(object) bool { return false })},
		{"holds a subscription back", "subscriptions", func(at *url.URL) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h := hop{at: at}
				if r.Header.Get("Mcp-Method") == "subscriptions/listen" {
					h.write = func(w http.ResponseWriter, b []byte) { _, _ = w.Write(b) }
				}
				h.ServeHTTP(w, r)
			})
		}},
		{"loses a subscription", "subscriptions", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				if m["method"] == "subscriptions/listen" {
					w.WriteHeader(http.StatusBadGateway)
				}
				return m["method"] == "subscriptions/listen"
			}}
		}},
		{"drops the id of a subscription", "subscription-id", notified("notifications/tools/list_changed",
			func(m object) bool {
				delete(get(m, "params"), "_meta")
				return true
			})},
		{"sends a password for the token", "challenge", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, _ object) bool {
				if r.Header.Get("Authorization") != "" {
					r.Header.Set("Authorization", "Basic dXNlcjpwYXNzd29yZA==")
				}
				return false
			}}
		}},
		{"swallows the token", "challenge", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, _ object) bool {
				r.Header.Del("Authorization")
				return false
			}}
		}},
		{"changes the order of the content", "result", content(func(blocks []any) []any {
			slices.Reverse(blocks)
			return blocks
		})},
		{"drops a block of the content", "result", content(func(blocks []any) []any {
			return blocks[:1]
		})},
		{"drops the first block of the content", "result", content(func(blocks []any) []any {
			if len(blocks) > 1 {
				return blocks[1:]
			}
			return blocks
		})},
		{"breaks Base64 into lines", "result", content(func(blocks []any) []any {
			for _, b := range blocks {
				if data, ok := b.(object)["data"].(string); ok {
					b.(object)["data"] = wrapped(data)
				}
			}
			return blocks
		})},
		{"turns numbers of structuredContent into texts", "numbers", returns(func(_, m object) {
			if c := get(m, "result", "structuredContent"); c != nil {
				quoted(c)
			}
		})},
		{"lower-cases the message of errors", "error", returns(func(_, m object) {
			if e := get(m, "error"); e != nil {
				e["message"] = strings.ToLower(e["message"].(string))
			}
		})},
		{"makes error -32602 a result", "error", returns(func(_, m object) {
			if e := get(m, "error"); e != nil && string(text(e["code"])) == "-32602" {
				delete(m, "error")
				m["result"] = object{
					"resultType": "complete", "isError": true,
					"content": []any{object{"type": "text", "text": e["message"]}},
				}
			}
		})},
		{"compresses what need not be", "encoding", bodies(func(h http.Header, _ object, b []byte) []byte {
			h.Set("Content-Encoding", "gzip")
			return zipped(b)
		})},
		{"compresses in a way that the client does not know", "encoding",
			bodies(func(h http.Header, asked object, b []byte) []byte {
				if asked["method"] != "tools/call" {
					return nil
				}
				h.Set("Content-Encoding", "zstd")
				return zipped(b)
			})},
		{"adds a byte order mark", "message", bodies(func(_ http.Header, _ object, b []byte) []byte {
			return append([]byte("\ufeff"), b...)
		})},
		{"adds a byte order mark to calls", "message",
			bodies(func(_ http.Header, asked object, b []byte) []byte {
				if asked["method"] != "tools/call" {
					return nil
				}
				return append([]byte("\ufeff"), b...)
			})},
		{"answers in a batch", "message", bodies(func(_ http.Header, asked object, b []byte) []byte {
			if asked["method"] != "tools/call" {
				return nil
			}
			return slices.Concat([]byte("["), b, []byte("]"))
		})},
		{"sends another content type", "message", bodies(func(h http.Header, asked object, _ []byte) []byte {
			if asked["method"] == "tools/call" {
				h.Set("Content-Type", "text/html")
			}
			return nil
		})},
		{"splits an event into two", "message", func(at *url.URL) http.Handler {
			return hop{at: at, write: func(w http.ResponseWriter, b []byte) {
				if i := bytes.Index(b, []byte("\r\ndata: \"")); i > 0 {
					b = slices.Concat(b[:i], []byte("\r\n\r\n"), b[i+2:])
				}
				flush(w, b)
			}}
		}},
		{"joins two progress notifications", "progress", joins},
		{"does not map the id back", "response-id", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
				if asked["method"] == "tools/call" && m["method"] == nil {
					m["id"] = "mine"
				}
				return true
			}}
		}},
		{"sends a result twice", "response-id", func(at *url.URL) http.Handler {
			return hop{at: at, write: func(w http.ResponseWriter, b []byte) {
				flush(w, b)
				if bytes.Contains(b, []byte(`"result":`)) && bytes.HasPrefix(b, []byte("event:")) {
					flush(w, b)
				}
			}}
		}},
	}
}

// faultyTasks are hops with faults about tasks, notifications, heads and equal calls.
func faultyTasks() []fault {
	return []fault{
		{"swallows the cancellation of a task", "tasks", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				if m["method"] == "tasks/cancel" {
					answer(w, result(object{"resultType": "complete"}, m["id"]))
				}
				return m["method"] == "tasks/cancel"
			}}
		}},
		{"words the question of a task anew", "tasks", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
				if _, q := question(m); q != nil && asked["method"] == "tasks/get" {
					get(q, "params")["message"] = "Please answer."
				}
				return true
			}}
		}},
		{"changes the answer to a task", "tasks", sendsFor("tasks/update", func(_ *http.Request, p object) {
			for k := range get(p, "inputResponses") {
				get(p, "inputResponses", k)["action"] = "decline"
			}
		})},
		{"drops log messages", "progress", notified("notifications/message",
			func(object) bool { return false })},
		{"changes the level of log messages", "progress", notified("notifications/message",
			func(m object) bool {
				get(m, "params")["level"] = "debug"
				return true
			})},
		{"accepts no streams", "header-accept", heads(func(h http.Header) {
			h.Set("Accept", "application/json")
		})},
		{"answers errors with status 500 and a page", "error", func(at *url.URL) http.Handler {
			return hop{at: at, head: func(res *http.Response) {
				if res.StatusCode == http.StatusBadRequest {
					_, _ = io.Copy(io.Discard, res.Body)
					res.StatusCode = http.StatusInternalServerError
					res.Header.Set("Content-Type", "text/html")
					res.Body = io.NopCloser(strings.NewReader("<h1>Internal error</h1>"))
				}
			}}
		}},
		{"makes one call of two equal ones", "call-reaches", merges},
	}
}

// faultyForms are hops with faults in what each message has.
func faultyForms() []fault {
	return []fault{
		{"calls another tool", "called", sends(func(r *http.Request, p object) {
			if p["name"] == "hop_large" || p["name"] == "decline" {
				p["name"] = "cancel"
				r.Header.Set("Mcp-Name", "cancel")
			}
		})},
		{"reads another resource", "called", sendsFor("resources/read", func(r *http.Request, p object) {
			p["uri"] = "test://client-test/HOP_RESOURCE"
			r.Header.Set("Mcp-Name", "test://client-test/HOP_RESOURCE")
		})},
		{"changes an argument of a header", "arguments", sends(func(_ *http.Request, p object) {
			if p["name"] == "mirror_text" {
				get(p, "arguments")["text"] = "PLAIN"
			}
		})},
		{"drops _meta", "sent-meta", sends(func(_ *http.Request, p object) { delete(p, "_meta") })},
		{"has one id for all requests", "new-id", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					m["id"] = 7
					return true
				},
				message: func(_ *http.Request, asked, m object) bool {
					if m["id"] != nil {
						m["id"] = asked["id"]
					}
					return true
				}}
		}},
		{"drops jsonrpc", "message", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				delete(m, "jsonrpc")
				return true
			}}
		}},
		{"drops the id of errors", "response-id", returns(func(_, m object) {
			if m["error"] != nil {
				delete(m, "id")
			}
		})},
		{"decodes headers", "header-params", heads(func(h http.Header) {
			if h.Get("Mcp-Param-Text") == "=?base64?R3LDvMOfZQ==?=" {
				h.Set("Mcp-Param-Text", "Gr\u00fc\u00dfe")
			}
		})},
		{"sends empty bodies", "message", bodies(func(_ http.Header, asked object, _ []byte) []byte {
			if asked["method"] != "tools/call" {
				return nil
			}
			return []byte{}
		})},
		{"caches resources", "call-reaches", func(at *url.URL) http.Handler {
			return cachesFor(at, "resources/read")
		}},
		{"caches prompts", "call-reaches", func(at *url.URL) http.Handler {
			return cachesFor(at, "prompts/get")
		}},
		{"answers questions by itself", "once", answersItself},
		{"keeps the answers of earlier rounds", "keys", keepsAnswers},
		{"trims the state", "state", sends(func(_ *http.Request, p object) {
			if s, ok := p["requestState"].(string); ok {
				p["requestState"] = strings.TrimSpace(s)
			}
		})},
		{"drops an empty state", "state-dropped", returns(func(_, m object) {
			if r := get(m, "result"); r["requestState"] == "" {
				delete(r, "requestState")
			}
		})},
		{"cuts long states", "state", sends(func(_ *http.Request, p object) {
			if s, ok := p["requestState"].(string); ok && len(s) > 8192 {
				p["requestState"] = s[:8192]
			}
		})},
		{"drops the arguments of retries", "arguments", sends(func(_ *http.Request, p object) {
			if p["inputResponses"] != nil {
				delete(p, "arguments")
			}
		})},
		{"drops scope from a challenge", "challenge", func(at *url.URL) http.Handler {
			return hop{at: at, head: func(res *http.Response) {
				if c := res.Header.Get("WWW-Authenticate"); c != "" {
					res.Header.Set("WWW-Authenticate", strings.Replace(c, `scope="test:call", `, "", 1))
				}
			}}
		}},
		{"answers a challenge with status 403", "challenge", func(at *url.URL) http.Handler {
			return hop{at: at, head: func(res *http.Response) {
				if res.StatusCode == http.StatusUnauthorized {
					res.StatusCode = http.StatusForbidden
				}
			}}
		}},
		{"cuts streams before the result", "result", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
				return get(asked, "params")["name"] != "stream" || m["result"] == nil
			}}
		}},
		{"makes results with isError errors", "result", returns(func(_, m object) {
			if get(m, "result")["isError"] == true {
				delete(m, "result")
				m["error"] = object{"code": -32603, "message": "the tool failed"}
			}
		})},
		{"adds a capability", "capabilities", sends(func(_ *http.Request, p object) {
			declared := get(p, "_meta", "io.modelcontextprotocol/clientCapabilities")
			declared["experimental"] = object{"a": object{}}
		})},
	}
}
