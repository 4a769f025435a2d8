package trial_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
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
)

// object is a JSON object; numbers are json.Number.
type object = map[string]any

// hop is a reverse proxy that reads every message. Its functions change messages in place, and
// return false to drop one; a nil function passes it on byte for byte.
type hop struct {
	at      *url.URL
	request func(r *http.Request, m object) bool
	message func(r *http.Request, asked, m object) bool
	answer  func(w http.ResponseWriter, r *http.Request, m object) bool // true if it answered by itself
	head    func(res *http.Response)
	send    func(r *http.Request) (*http.Response, error)
	write   func(w http.ResponseWriter, b []byte) // of a part of a response
	round   func(b []byte) object                 // reads a message; nil keeps numbers
}

func read(b []byte) object {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var m object
	_ = d.Decode(&m)
	return m
}

func text(m any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(m)
	return bytes.TrimSpace(b.Bytes())
}

// get returns the object at a path, or nil.
func get(m object, path ...string) object {
	for _, p := range path {
		m, _ = m[p].(object)
	}
	return m
}

func (h hop) read(b []byte) object {
	if h.round != nil {
		return h.round(b)
	}
	return read(b)
}

func (h hop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	asked := read(body)
	if h.answer != nil && h.answer(w, r, asked) {
		return
	}
	out := r.Clone(r.Context())
	out.RequestURI, out.URL.Scheme, out.URL.Host = "", h.at.Scheme, h.at.Host
	out.Header.Del("Connection")
	if h.request != nil && asked != nil {
		m := h.read(body)
		if h.request(out, m) {
			body = text(m)
		}
	}
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	send := h.send
	if send == nil {
		send = http.DefaultTransport.RoundTrip
	}
	res, err := send(out)
	if err != nil {
		http.Error(w, "the upstream does not answer", http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	if h.head != nil {
		h.head(res)
	}
	for name, values := range res.Header {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(res.StatusCode)
	h.pass(w, res, r, asked)
}

// pass passes a response on, message by message.
func (h hop) pass(w http.ResponseWriter, res *http.Response, r *http.Request, asked object) {
	write := h.write
	if write == nil {
		write = func(w http.ResponseWriter, b []byte) {
			_, _ = w.Write(b)
			_ = http.NewResponseController(w).Flush()
		}
	}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		b, _ := io.ReadAll(res.Body)
		if m := h.read(b); h.message != nil && m != nil && h.message(r, asked, m) {
			b = text(m)
		}
		write(w, b)
		return
	}
	in := bufio.NewReader(res.Body)
	var event, data []byte
	for {
		line, err := in.ReadBytes('\n')
		event = append(event, line...)
		if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimSpace(rest)...), '\n')
		}
		if len(bytes.TrimSpace(line)) == 0 {
			if m := h.read(data); h.message != nil && m != nil {
				event = nil
				if h.message(r, asked, m) {
					event = append(append([]byte("data: "), text(m)...), "\n\n"...)
				}
			}
			if len(event) > 0 {
				write(w, event)
			}
			event, data = nil, nil
		}
		if err != nil {
			return
		}
	}
}

// Shorthands for hops that change one thing.

// sends is a hop that changes the params of calls and retries.
func sends(change func(r *http.Request, params object)) func(*url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return hop{at: at, request: func(r *http.Request, m object) bool {
			if m["method"] != "tools/call" {
				return false
			}
			change(r, get(m, "params"))
			return true
		}}
	}
}

// returns is a hop that changes the responses to calls and retries.
func returns(change func(params, m object)) func(*url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
			if asked["method"] == "tools/call" && m["method"] == nil {
				change(get(asked, "params"), m)
			}
			return true
		}}
	}
}

// heads is a hop that changes the head of calls and retries.
func heads(change func(h http.Header)) func(*url.URL) http.Handler {
	return sends(func(r *http.Request, _ object) { change(r.Header) })
}

// calls is a hop that answers some calls by itself.
func calls(
	answer func(w http.ResponseWriter, r *http.Request, params object) bool,
) func(*url.URL) http.Handler {
	return func(at *url.URL) http.Handler {
		return hop{at: at, answer: func(w http.ResponseWriter, r *http.Request, m object) bool {
			return m["method"] == "tools/call" && answer(w, r, m)
		}}
	}
}

// prune removes members of a value that meet a condition.
func prune(v any, drop func(name string, v any) bool) {
	switch v := v.(type) {
	case object:
		for name, x := range v {
			if drop(name, x) {
				delete(v, name)
			} else {
				prune(x, drop)
			}
		}
	case []any:
		for _, x := range v {
			prune(x, drop)
		}
	}
}

func isNull(_ string, v any) bool         { return v == nil }
func isExtension(name string, _ any) bool { return strings.HasPrefix(name, "x-") }
func answer(w http.ResponseWriter, m any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text(m))
}
func result(m object, id any) object { return object{"jsonrpc": "2.0", "id": id, "result": m} }
func question(m object) (string, object) {
	for k := range get(m, "result", "inputRequests") {
		return k, get(m, "result", "inputRequests", k)
	}
	return "", nil
}

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

// caches is a hop that keeps the results of calls by their name and arguments.
func caches(at *url.URL) http.Handler {
	var mu sync.Mutex
	kept := map[string]object{}
	key := func(p object) string { return string(text([]any{p["name"], p["arguments"]})) }
	return hop{
		at: at,
		answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
			mu.Lock()
			defer mu.Unlock()
			p := get(m, "params")
			r := kept[key(p)]
			if m["method"] != "tools/call" || p["inputResponses"] != nil || p["requestState"] != nil ||
				r == nil {
				return false
			}
			answer(w, result(r, m["id"]))
			return true
		},
		message: func(_ *http.Request, asked, m object) bool {
			mu.Lock()
			defer mu.Unlock()
			if r := get(m, "result"); asked["method"] == "tools/call" && r["resultType"] == "complete" {
				kept[key(get(asked, "params"))] = r
			}
			return true
		},
	}
}

// lazy is a hop that closes the connection to the upstream when it cannot write to its client.
func lazy(at *url.URL) http.Handler {
	p := httputil.NewSingleHostReverseProxy(at)
	p.ErrorLog = log.New(io.Discard, "", 0)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithCancel(context.WithoutCancel(r.Context()))
		defer end()
		p.ServeHTTP(w, r.WithContext(ctx))
	})
}

// twice is a hop that sends a call again that was answered.
func twice(at *url.URL) http.Handler {
	return hop{at: at, send: func(r *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"hop_result"`)) {
			again := r.Clone(r.Context())
			again.Body = io.NopCloser(bytes.NewReader(body))
			if res, err := http.DefaultTransport.RoundTrip(again); err == nil {
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		return http.DefaultTransport.RoundTrip(r)
	}}
}

// continues is a hop that goes on by itself with a state that comes without questions.
func continues(at *url.URL) http.Handler {
	return hop{at: at, send: func(r *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(r.Body)
		for {
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil || !strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
				return res, err
			}
			got, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if err != nil {
				return nil, err
			}
			res.Body = io.NopCloser(bytes.NewReader(got))
			m := get(read(got), "result")
			if m["requestState"] == nil || m["inputRequests"] != nil {
				return res, nil
			}
			again := read(body)
			get(again, "params")["requestState"] = m["requestState"]
			body = text(again)
		}
	}}
}

// mixes is a hop that answers two calls with the results of each other.
func mixes(at *url.URL) http.Handler {
	var mu sync.Mutex
	var waits chan object
	return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
		p := get(asked, "params")
		if p["name"] != "parallel_calls" || p["inputResponses"] != nil {
			return true
		}
		mine := get(m, "result")
		mu.Lock()
		if waits != nil {
			waits <- mine
			mu.Unlock()
			m["result"] = <-waits
			return true
		}
		waits = make(chan object)
		mu.Unlock()
		other := <-waits
		waits <- mine
		m["result"] = other
		return true
	}}
}

// TestReport_NamesEachFault: each hop with one fault fails its line and no other.
func TestReport_NamesEachFault(t *testing.T) {
	if n := len(faulty()); n < 25 {
		t.Fatalf("%d hops", n)
	}
	slow := []string{
		"holds streams back",
		"drops progress",
		"drops the progress token",
		"keeps the upstream connection of a client that is gone",
		"notices only when it writes that a client is gone",
	}
	for _, f := range faulty() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			hold := patient
			if slices.Contains(slow, f.name) {
				hold = time.Second
			}
			r := gateway.Report(through(t, hold, f.gate))
			if got := failures(t, r); !slices.Equal(got, []string{f.line}) || r.ExitCode() != 1 {
				t.Errorf("exit code %d, %v, want %s", r.ExitCode(), got, f.line)
			}
		})
	}
}

// unusual is a right hop, with what is named of it.
type unusual struct {
	name, named string
	gate        func(*url.URL) http.Handler
}

// right are hops that do what a gateway may do.
func right() []unusual {
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
	}
}

// TestReport_AccusesNoRightHop: no line fails for what a gateway may do, and it is named.
func TestReport_AccusesNoRightHop(t *testing.T) {
	for _, u := range right() {
		t.Run(u.name, func(t *testing.T) {
			t.Parallel()
			hold := patient
			if u.name == "a queue" { // calls that wait for each other go on after this time
				hold = 5 * time.Second
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
