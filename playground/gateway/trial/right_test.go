package trial_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// unusual is a right hop, with what is named of it.
type unusual struct {
	name, named string
	gate        func(*url.URL) http.Handler
}

// right are hops that do what a gateway may do.
func right() []unusual {
	return append(mapping(), framing()...)
}

// mapping are hops with names, ids, keys and states of their own, which they map back.
func mapping() []unusual {
	const prefix, wrap = "up.", "wrapped:"
	return []unusual{
		{"prefixed names", "names", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(r *http.Request, m object) bool {
					if p := get(m, "params"); m["method"] == "tools/call" {
						p["name"] = strings.TrimPrefix(p["name"].(string), prefix)
						r.Header.Set("Mcp-Name", p["name"].(string))
					}
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					list, _ := get(m, "result")["tools"].([]any)
					for _, x := range list {
						x.(object)["name"] = prefix + x.(object)["name"].(string)
					}
					return true
				}}
		}},
		{"prefixed names in another order", "names", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(r *http.Request, m object) bool {
					if p := get(m, "params"); m["method"] == "tools/call" {
						p["name"] = strings.TrimPrefix(p["name"].(string), "srv_")
						r.Header.Set("Mcp-Name", p["name"].(string))
					}
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					list, _ := get(m, "result")["tools"].([]any)
					for _, x := range list {
						x.(object)["name"] = "srv_" + x.(object)["name"].(string)
					}
					slices.SortFunc(list, func(a, b any) int { // srv_hop_stream before srv_stream
						return strings.Compare(a.(object)["name"].(string), b.(object)["name"].(string))
					})
					return true
				}}
		}},
		{"no tools whose names are in those of others", "filtered", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				if list, ok := get(m, "result")["tools"].([]any); ok {
					get(m, "result")["tools"] = slices.DeleteFunc(list, func(x any) bool {
						return slices.Contains([]any{"stream", "cancel"}, x.(object)["name"])
					})
				}
				return true
			}}
		}},
		{"own ids", "ids", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					m["id"] = "gateway-" + string(text(m["id"]))
					return true
				},
				message: func(_ *http.Request, asked, m object) bool {
					if m["id"] != nil {
						m["id"] = asked["id"]
					}
					return true
				}}
		}},
		{"a wrapped state", "state-wrapped", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					if s, ok := get(m, "params")["requestState"].(string); ok {
						get(m, "params")["requestState"] = strings.TrimPrefix(s, wrap)
					}
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					if s, ok := get(m, "result")["requestState"].(string); ok {
						get(m, "result")["requestState"] = wrap + s
					}
					return true
				}}
		}},
		{"mapped keys", "keys-mapped", func(at *url.URL) http.Handler {
			change := func(m object, member string, to func(string) string) {
				if list := get(m, member); list != nil {
					mapped := object{}
					for k, v := range list {
						mapped[to(k)] = v
					}
					m[member] = mapped
				}
			}
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					if m["method"] == "tools/call" {
						change(
							get(m, "params"),
							"inputResponses",
							func(k string) string { return strings.TrimPrefix(k, prefix) },
						)
					}
					return true
				},
				message: func(_ *http.Request, asked, m object) bool {
					if asked["method"] == "tools/call" {
						change(get(m, "result"), "inputRequests", func(k string) string { return prefix + k })
					}
					return true
				}}
		}},
		{"prefixed prompts and URIs", "names", func(at *url.URL) http.Handler {
			const prefix = "up+"
			return hop{at: at,
				request: func(r *http.Request, m object) bool {
					p := get(m, "params")
					for _, member := range []string{"name", "uri"} {
						if s, ok := p[member].(string); ok && m["method"] != "tools/call" {
							p[member] = strings.TrimPrefix(s, prefix)
							r.Header.Set("Mcp-Name", strings.TrimPrefix(s, prefix))
						}
					}
					if list, ok := get(p, "notifications")["resourceSubscriptions"].([]any); ok {
						list[0] = strings.TrimPrefix(list[0].(string), prefix)
					}
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					names := map[string]string{"prompts": "name", "resources": "uri", "contents": "uri"}
					for member, name := range names {
						list, _ := get(m, "result")[member].([]any)
						for _, x := range list {
							x.(object)[name] = prefix + x.(object)[name].(string)
						}
					}
					if p := get(m, "params"); p["uri"] != nil {
						p["uri"] = prefix + p["uri"].(string)
					}
					return true
				}}
		}},
		{"own subscription ids", "ids", func(at *url.URL) http.Handler {
			const member = "io.modelcontextprotocol/subscriptionId"
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					m["id"] = "gateway-" + string(text(m["id"]))
					return true
				},
				message: func(_ *http.Request, asked, m object) bool {
					if m["id"] != nil {
						m["id"] = asked["id"]
					}
					for _, meta := range []object{get(m, "params", "_meta"), get(m, "result", "_meta")} {
						if meta[member] != nil {
							meta[member] = asked["id"]
						}
					}
					return true
				}}
		}},
		{"a token of its own", "own-token", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, _ object) bool {
				if r.Header.Get("Authorization") != "" {
					r.Header.Set("Authorization", "Bearer of-the-gateway")
				}
				return false
			}}
		}},
		{"a token of its own from the start", "own-token", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, _ object) bool {
				r.Header.Set("Authorization", "Bearer of-the-gateway")
				return false
			}}
		}},
		{"a filtered list", "filtered", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				for _, member := range []string{"tools", "prompts", "resources"} {
					if list, ok := get(m, "result")[member].([]any); ok {
						get(m, "result")[member] = list[:len(list)/2]
					}
				}
				return true
			}}
		}},
		{"tools only", "no-subscriptions", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				method, _ := m["method"].(string)
				if m == nil || strings.HasPrefix(method, "tools/") || strings.HasPrefix(method, "tasks/") {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusNotFound)
				_, _ = w.Write(text(object{"jsonrpc": "2.0", "id": m["id"], "error": object{
					"code": -32601, "message": "method not found",
				}}))
				return true
			}}
		}},
		{"an aggregated list", "aggregated", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				if list, ok := get(m, "result")["tools"].([]any); ok {
					get(m, "result")["tools"] = append([]any{object{
						"name": "other.search", "inputSchema": object{"type": "object"},
					}}, list...)
				}
				return true
			}}
		}},
		{"descriptions of its own", "descriptions", lists("tools", func(e object) {
			e["description"] = "[up] " + e["description"].(string)
		})},
		{"annotations of its own", "annotations", mirrors},
		{"a subscription of its own", "own-subscriptions", func(at *url.URL) http.Handler {
			return hop{at: at, answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
				if m["method"] != "subscriptions/listen" {
					return false
				}
				w.Header().Set("Content-Type", "text/event-stream")
				meta := object{"io.modelcontextprotocol/subscriptionId": m["id"]}
				flush(w, slices.Concat([]byte("data: "), text(object{
					"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
					"params": object{"notifications": object{}, "_meta": meta},
				}), []byte("\n\n"), []byte("data: "), text(result(object{"resultType": "complete",
					"_meta": meta}, m["id"])), []byte("\n\n")))
				return true
			}}
		}},
		{"own task ids", "task-ids", func(at *url.URL) http.Handler {
			const prefix = "up-"
			return hop{at: at,
				request: func(r *http.Request, m object) bool {
					if id, ok := get(m, "params")["taskId"].(string); ok {
						get(m, "params")["taskId"] = strings.TrimPrefix(id, prefix)
						r.Header.Set("Mcp-Name", strings.TrimPrefix(id, prefix))
					}
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					if r := get(m, "result"); r["taskId"] != nil {
						r["taskId"] = prefix + r["taskId"].(string)
					}
					return true
				}}
		}},
		{"own progress tokens", "tokens", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					if meta := get(m, "params", "_meta"); meta["progressToken"] != nil {
						meta["progressToken"] = "up-" + meta["progressToken"].(string)
					}
					return true
				},
				message: func(_ *http.Request, asked, m object) bool {
					if m["method"] == "notifications/progress" {
						get(m, "params")["progressToken"] = get(asked, "params", "_meta")["progressToken"]
					}
					return true
				}}
		}},
		{"a state for all questions", "state-wrapped", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					p := get(m, "params")
					if s, ok := p["requestState"].(string); ok {
						if p["requestState"] = strings.TrimPrefix(s, "with:"); s == "without" {
							delete(p, "requestState")
						}
					}
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					r := get(m, "result")
					if s, ok := r["requestState"].(string); ok {
						r["requestState"] = "with:" + s
					} else if r["resultType"] == "input_required" {
						r["requestState"] = "without"
					}
					return true
				}}
		}},
		{"one page of all pages", "", onePage},
		{"members of its own", "added", func(at *url.URL) http.Handler {
			return hop{at: at,
				request: func(_ *http.Request, m object) bool {
					if meta := get(m, "params", "_meta"); meta != nil {
						meta["com.example/trace"] = "1"
					}
					return true
				},
				message: func(_ *http.Request, _, m object) bool {
					if r := get(m, "result"); r != nil {
						if r["_meta"] == nil {
							r["_meta"] = object{}
						}
						get(r, "_meta")["com.example/hop"] = object{"ms": 1}
					}
					return true
				}}
		}},
	}
}

// framing are hops that send the same messages in another form.
func framing() []unusual {
	return []unusual{
		{"another header case", "", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, _ object) bool {
				for name, values := range r.Header {
					if strings.HasPrefix(name, "Mcp-") {
						delete(r.Header, name)
						r.Header[strings.ToLower(name)] = values
					}
				}
				return false
			}}
		}},
		{"chunks", "", func(at *url.URL) http.Handler {
			return hop{
				at: at,
				send: func(r *http.Request) (*http.Response, error) {
					r.ContentLength = -1
					return http.DefaultTransport.RoundTrip(r)
				},
				write: func(w http.ResponseWriter, b []byte) {
					for part := range slices.Chunk(b, 1000) {
						_, _ = w.Write(part)
						_ = http.NewResponseController(w).Flush()
					}
				},
			}
		}},
		{"JSON that is written again", "reserialised", func(at *url.URL) http.Handler {
			return hop{
				at: at, request: func(*http.Request, object) bool { return true },
				message: func(*http.Request, object, object) bool { return true },
			}
		}},
		{"retries of its own", "own-retries", continues},
		{"a queue", "", func(at *url.URL) http.Handler {
			var queue sync.Mutex
			next := hop{at: at}
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				queue.Lock()
				defer queue.Unlock()
				next.ServeHTTP(w, r)
			})
		}},
		{"an instance for each client", "sticks", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, _ object) bool {
				r.Header.Set("Cookie", "mrtr-instance=b")
				return false
			}}
		}},
		{"streams in place of bodies", "framing", func(at *url.URL) http.Handler {
			return bodies(func(h http.Header, _ object, b []byte) []byte {
				if !bytes.Contains(b, []byte(`"result":`)) {
					return nil
				}
				h.Set("Content-Type", "text/event-stream")
				return slices.Concat([]byte(": hop\n\nid: 1\nretry: 1000\ndata: "), b, []byte("\n\n"))
			})(at)
		}},
		{"line feeds in streams", "", func(at *url.URL) http.Handler {
			return hop{at: at, write: func(w http.ResponseWriter, b []byte) {
				flush(w, bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
			}}
		}},
		{"names in Base64", "", func(at *url.URL) http.Handler {
			return hop{at: at, request: func(r *http.Request, _ object) bool {
				if n := r.Header.Get("Mcp-Name"); n != "" && !strings.HasPrefix(n, "=?") {
					r.Header.Set("Mcp-Name", "=?base64?"+base64.StdEncoding.EncodeToString([]byte(n))+"?=")
				}
				return false
			}}
		}},
		{"comments as keep-alive", "", func(at *url.URL) http.Handler {
			return hop{at: at, write: func(w http.ResponseWriter, b []byte) {
				if bytes.HasPrefix(b, []byte("event:")) {
					flush(w, []byte(": keep-alive\n\n"))
				}
				flush(w, b)
			}}
		}},
		{"a byte order mark before streams", "", func(at *url.URL) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				first := true
				hop{at: at, write: func(w http.ResponseWriter, b []byte) {
					if first && strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
						b = append([]byte("\ufeff"), b...)
					}
					first = false
					flush(w, b)
				}}.ServeHTTP(w, r)
			})
		}},
		{"defaults left out", "", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool {
				r := get(m, "result")
				if r["isError"] == false {
					delete(r, "isError")
				}
				for k := range get(r, "inputRequests") {
					if p := get(r, "inputRequests", k, "params"); p["mode"] == "form" {
						delete(p, "mode")
						prune(p["requestedSchema"], func(name string, v any) bool {
							return name == "required" && len(v.([]any)) == 0
						})
					}
				}
				return true
			}}
		}},
		{"one data line in each event", "", func(at *url.URL) http.Handler {
			return hop{at: at, message: func(_ *http.Request, _, m object) bool { return m != nil }}
		}},
		{"heads of its own", "", func(at *url.URL) http.Handler {
			return hop{
				at: at, head: func(res *http.Response) {
					res.Header.Del("Set-Cookie")
					res.Header.Set("Via", "1.1 hop")
					res.Header.Set("Cache-Control", "no-store")
					res.Header.Set("Server", "hop")
					if res.Header.Get("Content-Type") == "application/json" {
						res.Header.Set("Content-Type", "application/json; charset=utf-8")
					}
				},
				request: func(r *http.Request, _ object) bool {
					r.Header.Set("Via", "1.1 hop")
					r.Header.Set("X-Forwarded-For", "192.0.2.1")
					r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
					return false
				},
			}
		}},
	}
}

// onePage is a hop that reads all pages of tools/list and returns them as one.
func onePage(at *url.URL) http.Handler {
	return hop{at: at, send: func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Mcp-Method") != "tools/list" {
			return http.DefaultTransport.RoundTrip(r)
		}
		body, _ := io.ReadAll(r.Body)
		asked := read(body)
		var tools []any
		for {
			b := text(asked)
			again := r.Clone(r.Context())
			again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
			res, err := http.DefaultTransport.RoundTrip(again)
			if err != nil {
				return res, err
			}
			page, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			m := read(page)
			list, _ := get(m, "result")["tools"].([]any)
			tools = append(tools, list...)
			cursor := get(m, "result")["nextCursor"]
			if cursor == nil {
				get(m, "result")["tools"] = tools
				res.Header.Del("Content-Length")
				res.Body = io.NopCloser(bytes.NewReader(text(m)))
				return res, nil
			}
			get(asked, "params")["cursor"] = cursor
		}
	}}
}

// mirrors is a hop that lists no annotations, and sets the headers of annotated arguments by itself.
func mirrors(at *url.URL) http.Handler {
	inner := lists("tools", func(e object) {
		prune(e["inputSchema"], func(name string, _ any) bool { return name == "x-mcp-header" })
	})(at).(hop)
	inner.request = func(r *http.Request, m object) bool {
		switch p := get(m, "params"); p["name"] {
		case "mirror_text":
			r.Header.Set("Mcp-Param-Text", "plain")
		case "mirror_unicode":
			r.Header.Set("Mcp-Param-Text", "=?base64?R3LDvMOfZQ==?=")
		case "mirror_integer":
			r.Header.Set("Mcp-Param-Count", "42")
		}
		return false
	}
	return inner
}

// TestReport_AccusesNoRightHop: no line fails for what a gateway may do, and it is named.
func TestReport_AccusesNoRightHop(t *testing.T) {
	for _, u := range right() {
		t.Run(u.name, func(t *testing.T) {
			t.Parallel()
			hold := patient
			if u.name == "a queue" { // calls that wait for each other go on after this time
				hold = 2 * time.Second
			}
			checkRight(t, gateway.Report(through(t, hold, u.gate)), u.named)
		})
	}
	t.Run("HTTP/2 in front", func(t *testing.T) {
		t.Parallel()
		checkRight(t, gateway.Report(through(t, patient, func(at *url.URL) http.Handler {
			inner := httputil.NewSingleHostReverseProxy(at)
			inner.ErrorLog = log.New(io.Discard, "", 0)
			second := httptest.NewUnstartedServer(inner)
			second.EnableHTTP2 = true
			second.StartTLS()
			t.Cleanup(second.Close)
			next, _ := url.Parse(second.URL)
			proxy := httputil.NewSingleHostReverseProxy(next)
			proxy.Transport, proxy.ErrorLog = second.Client().Transport, inner.ErrorLog
			return proxy
		})), "")
	})
}

// checkRight fails if a right hop is accused, or not named.
func checkRight(t *testing.T, r verdict.Report, named string) {
	t.Helper()
	if got := failures(t, r); len(got) > 0 || r.ExitCode() != 0 {
		t.Errorf("exit code %d, %v", r.ExitCode(), got)
	}
	var ids []string
	for _, l := range r.Group(gateway.GroupNamed).Lines {
		ids = append(ids, l.ID)
	}
	if named != "" && !slices.Contains(ids, named) {
		t.Errorf("named are %v, want %s", ids, named)
	}
}

// TestReport_CompressesOnRequest: a coding that the client accepts is no fault.
func TestReport_CompressesOnRequest(t *testing.T) {
	rec := throughWith(t, patient, []wire.Field{{Name: "Accept-Encoding", Value: "gzip"}}, bodies(
		func(h http.Header, _ object, b []byte) []byte {
			h.Set("Content-Encoding", "gzip")
			return zipped(b)
		}))
	checkRight(t, gateway.Report(rec), "")
}
