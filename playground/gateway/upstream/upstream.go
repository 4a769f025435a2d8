// Package upstream records what reaches a server behind a gateway.
//
// # Contract
//
// The record has everything that came and went, as a log of package playground:
// the requests of one connection each, in the order in which they arrived, with
// the times of a clock that it shares with the recorder of the client. The log
// may be read at any time. A request is recorded before the server sees it, and
// a part of a response before it is passed on, so that a client which has got
// something finds it in the record. The credentials in the header fields of a
// request are masked: they may be the gateway's own, and a report goes to places
// where these must not be. When the record is full, responses are cut off.
package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Upstream is an http.Handler that records requests and passes them to a server.
type Upstream struct {
	server http.Handler
	now    func() time.Time

	mu      sync.Mutex
	log     []playground.Event
	size    int // of log and of what is not yet in it, in bytes
	max     int // of size
	conns   int
	methods map[int]string // of MCP, by connection
	ended   map[int]bool   // connections whose requests have ended
	changed chan struct{}  // closed at the next change of the record
}

// New returns an Upstream in front of a server. now is the clock of the record.
func New(server http.Handler, now func() time.Time) *Upstream {
	return &Upstream{server: server, now: now, max: maxLog, methods: map[int]string{}, ended: map[int]bool{},
		changed: make(chan struct{})}
}

// The largest request and the largest record, in bytes, and what an event costs beside its data.
// A test has about one MiB.
const (
	maxBody   = 4 << 20
	maxLog    = 256 << 20
	eventCost = 256
)

var errFull = errors.New("the record is full")

// ServeHTTP records a request and passes it to the server.
func (u *Upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body is too large or was cut off", http.StatusRequestEntityTooLarge)
		return
	}
	if !u.reserve(len(body)) {
		http.Error(w, errFull.Error(), http.StatusServiceUnavailable)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	conn := u.begin(r, body)
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	rec := &response{ResponseWriter: w, ctx: r.Context(), stop: stop, u: u, conn: conn}
	returned := false
	defer func() { rec.end(returned) }()
	u.server.ServeHTTP(rec, r.WithContext(ctx))
	returned = true
	if rec.cut {
		panic(http.ErrAbortHandler) // the client must not take it for the whole response
	}
}

// reserve reports whether the record has room for n bytes, and counts them if it has.
func (u *Upstream) reserve(n int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.size+n > u.max {
		return false
	}
	u.size += n
	return true
}

// begin records a request, and returns its connection.
func (u *Upstream) begin(r *http.Request, body []byte) int {
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.URL.RequestURI(), r.Host)
	writeFields(&head, r.Header, maskCredential)
	message, _ := jsontree.Parse(body, jsontree.Limits{}) // nil has no method
	u.mu.Lock()
	defer u.mu.Unlock()
	u.conns++
	u.methods[u.conns] = message.Get("method").Str()
	u.add(playground.Event{
		At: u.now(), Conn: u.conns, Kind: playground.Sent, Data: append(head.Bytes(), body...),
	})
	return u.conns
}

// writeFields writes header fields and the empty line, by name, because a server of net/http
// does not keep the order. value returns a value as it is written.
func writeFields(to *bytes.Buffer, h http.Header, value func(wire.Field) string) {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range h[name] {
			fmt.Fprintf(to, "%s: %s\r\n", name, value(wire.Field{Name: name, Value: v}))
		}
	}
	to.WriteString("\r\n")
}

// maskCredential returns the value of a header field, masked if it is a credential. The scheme of
// Authorization and the length stay, which show that a token came.
func maskCredential(f wire.Field) string {
	if redact.IsCredential(f.Name) {
		return redact.MaskField(f).Value
	}
	return f.Value
}

func unmasked(f wire.Field) string { return f.Value }

// record adds an event.
func (u *Upstream) record(conn int, kind playground.EventKind, data []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.add(playground.Event{At: u.now(), Conn: conn, Kind: kind, Data: data})
}

// add adds an event while u is locked. The bytes of bodies are reserved before.
func (u *Upstream) add(e playground.Event) {
	e.Seq = len(u.log) + 1
	u.size += eventCost
	u.log = append(u.log, e)
	close(u.changed)
	u.changed = make(chan struct{})
}

// Log returns a copy of what was recorded so far. The error is always nil.
func (u *Upstream) Log(context.Context) ([]playground.Event, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.log), nil
}

// Arrived waits until a request with a method has arrived whose bytes contain a text, or until ctx
// ends, and reports whether it has. ended also waits until nothing more is done for any such
// request.
func (u *Upstream) Arrived(ctx context.Context, method, text string, ended bool) bool {
	for {
		u.mu.Lock()
		changed, found, open := u.changed, false, false
		for _, e := range u.log {
			if e.Kind == playground.Sent && u.methods[e.Conn] == method &&
				bytes.Contains(e.Data, []byte(text)) {
				found, open = true, open || !u.ended[e.Conn]
			}
		}
		u.mu.Unlock()
		if found && (!ended || !open) {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// response passes a response on and records it: one that is no stream at its end, a stream
// event by event.
type response struct {
	http.ResponseWriter
	ctx    context.Context // ends with the connection
	stop   func()          // ends the context of the server
	u      *Upstream
	conn   int
	head   []byte // nil until it is written
	stream bool
	body   []byte        // of a response that is no stream
	events wire.Splitter // of a stream, with what was not recorded yet
	cut    bool          // the record was full
}

// Unwrap is for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if w.head != nil {
		return
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	writeFields(&head, w.Header(), unmasked)
	w.head = head.Bytes()
	w.stream = strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
	if w.stream {
		w.u.record(w.conn, playground.Received, w.head)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *response) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.ctx.Err() != nil {
		return w.ResponseWriter.Write(b) // the client is gone
	}
	if w.cut || !w.u.reserve(len(b)) {
		w.cut = true
		w.stop()
		return 0, errFull
	}
	if w.stream {
		w.record(b)
	} else {
		w.body = append(w.body, b...)
	}
	return w.ResponseWriter.Write(b)
}

// record records the events of a stream that end in b, which follows what came before.
func (w *response) record(b []byte) {
	w.events.Write(b)
	for e := w.events.Next(); e != nil; e = w.events.Next() {
		w.u.record(w.conn, playground.Message, bytes.Clone(e))
	}
	if isComment(w.events.Rest()) {
		w.u.record(w.conn, playground.Message, bytes.Clone(w.events.Rest()))
		w.events = wire.Splitter{}
	}
}

// isComment reports whether bytes without an event, which dispatch nothing, are complete.
func isComment(b []byte) bool {
	return bytes.HasSuffix(b, []byte("\n\n")) || bytes.HasSuffix(b, []byte("\r\n\r\n"))
}

// end records the end of the response. What was written before the client left is a response if it
// is whole.
func (w *response) end(returned bool) {
	gone := w.ctx.Err() != nil
	switch rest := w.events.Rest(); {
	case w.stream && len(rest) > 0 && !gone:
		w.u.record(w.conn, playground.Message, bytes.Clone(rest))
	case w.stream:
	case gone && len(w.body) > 0, returned && !gone:
		w.WriteHeader(http.StatusOK)
		w.u.record(w.conn, playground.Received, append(bytes.Clone(w.head), w.body...))
	}
	switch {
	case gone:
		w.u.record(w.conn, playground.Cancelled, nil)
	case w.cut:
		why, _ := json.Marshal(wire.Failure{Class: wire.TooLarge, Detail: errFull.Error()}) // has only texts
		w.u.record(w.conn, playground.Failed, why)
	}
	w.u.mu.Lock()
	defer w.u.mu.Unlock()
	w.u.ended[w.conn] = true
	close(w.u.changed)
	w.u.changed = make(chan struct{})
}
