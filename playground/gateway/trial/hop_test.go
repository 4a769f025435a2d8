package trial_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
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
