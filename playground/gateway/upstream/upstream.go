// Package upstream records what reaches a server behind a gateway.
//
// # Contract
//
// The record has everything that came and went, as a log of package playground:
// the requests of one connection each, in the order in which they arrived, with
// the times of a clock that it shares with the recorder of the client. The log
// may be read at any time. A request is recorded before the server sees it, and
// a part of a response before it is passed on, so that a client which has got
// something finds it in the record.
package upstream

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Upstream is an http.Handler that records requests and passes them to a server.
type Upstream struct {
	server http.Handler
	now    func() time.Time

	mu      sync.Mutex
	log     []playground.Event
	size    int // of log, in bytes
	conns   int
	ended   map[int]bool  // connections whose requests have ended
	changed chan struct{} // closed at the next change of the record
}

// New returns an Upstream in front of a server. now is the clock of the record.
func New(server http.Handler, now func() time.Time) *Upstream {
	return &Upstream{server: server, now: now, ended: map[int]bool{}, changed: make(chan struct{})}
}

// The largest request and the largest record, in bytes. A test has about one MiB.
const (
	maxBody = 4 << 20
	maxLog  = 256 << 20
)

// ServeHTTP records a request and passes it to the server.
func (u *Upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body is too large or was cut off", http.StatusRequestEntityTooLarge)
		return
	}
	if u.full() {
		http.Error(w, "the record is full", http.StatusServiceUnavailable)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	conn := u.begin(r, body)
	rec := &response{ResponseWriter: w, ctx: r.Context(), u: u, conn: conn}
	returned := false
	defer func() { rec.end(returned) }()
	u.server.ServeHTTP(rec, r)
	returned = true
}

// full reports whether nothing more is recorded.
func (u *Upstream) full() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.size > maxLog
}

// begin records a request, and returns its connection.
func (u *Upstream) begin(r *http.Request, body []byte) int {
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.URL.RequestURI(), r.Host)
	writeFields(&head, r.Header)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.conns++
	u.add(playground.Event{
		At: u.now(), Conn: u.conns, Kind: playground.Sent, Data: append(head.Bytes(), body...),
	})
	return u.conns
}

// writeFields writes header fields and the empty line, by name, because a server of net/http
// does not keep the order.
func writeFields(to *bytes.Buffer, h http.Header) {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range h[name] {
			fmt.Fprintf(to, "%s: %s\r\n", name, value)
		}
	}
	to.WriteString("\r\n")
}

// record adds an event.
func (u *Upstream) record(conn int, kind playground.EventKind, data []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.add(playground.Event{At: u.now(), Conn: conn, Kind: kind, Data: data})
}

// add adds an event while u is locked.
func (u *Upstream) add(e playground.Event) {
	e.Seq = len(u.log) + 1
	u.size += len(e.Data)
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

// Arrived waits until a request has arrived whose bytes contain a text, or until ctx ends, and
// reports whether it has. ended also waits until nothing more is done for any such request.
func (u *Upstream) Arrived(ctx context.Context, text string, ended bool) bool {
	for {
		u.mu.Lock()
		changed, found, open := u.changed, false, false
		for _, e := range u.log {
			if e.Kind == playground.Sent && bytes.Contains(e.Data, []byte(text)) {
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
	u      *Upstream
	conn   int
	head   []byte // nil until it is written
	stream bool
	rest   []byte // that was not recorded yet: a body, or the beginning of an event
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
	writeFields(&head, w.Header())
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
	w.rest = append(w.rest, b...)
	if w.stream {
		events := wire.Events(w.rest)
		for i, e := range events {
			if _, _, whole := wire.EventData(e); !whole && i == len(events)-1 && !isComment(e) {
				break
			}
			w.u.record(w.conn, playground.Message, bytes.Clone(e))
			w.rest = w.rest[len(e):]
		}
	}
	return w.ResponseWriter.Write(b)
}

// isComment reports whether an event that dispatches nothing is complete.
func isComment(e []byte) bool {
	return bytes.HasSuffix(e, []byte("\n\n")) || bytes.HasSuffix(e, []byte("\r\n\r\n"))
}

// end records the end of the response.
func (w *response) end(returned bool) {
	switch {
	case w.ctx.Err() != nil:
		w.u.record(w.conn, playground.Cancelled, nil)
	case w.stream && len(w.rest) > 0:
		w.u.record(w.conn, playground.Message, w.rest)
	case !w.stream && returned:
		w.WriteHeader(http.StatusOK)
		w.u.record(w.conn, playground.Received, append(bytes.Clone(w.head), w.rest...))
	}
	w.u.mu.Lock()
	defer w.u.mu.Unlock()
	w.u.ended[w.conn] = true
	close(w.u.changed)
	w.u.changed = make(chan struct{})
}
