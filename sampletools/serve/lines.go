package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// Lines is a client on standard input and output (basic/transports/stdio): each message is
// a line.
type Lines struct {
	In  io.Reader
	Out io.Writer
	// Begin returns the context that a message is served with, and a function that is called
	// at its end; nil for none.
	Begin func(ctx context.Context) (served context.Context, end func())
}

// ServeLines serves one client that sends lines, as an instance of the service. What a
// request over HTTP says in headers is taken from its message, so the promises are those
// of Serve. It returns at the end of the input, once everything but what waits for an answer
// of the client is answered, or with ctx.
//
// The SDK's handlers of both eras take requests of HTTP and nothing else. Each message is
// handed to them as one, here and nowhere outside of this package.
func (h *Host) ServeLines(ctx context.Context, c cluster.Instance, o Options, client Lines) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if client.Begin == nil {
		client.Begin = func(ctx context.Context) (context.Context, func()) { return ctx, func() {} }
	}
	l := &lines{
		host: h, instance: c, options: o, begin: client.Begin, out: client.Out,
		running: map[string]runningLine{},
	}
	ended := make(chan error, 1)
	go func() { ended <- l.serve(ctx, bufio.NewReaderSize(client.In, MaxBody)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

// serve handles lines to the end of the input. What is read of one that is too long is no
// message, which the handler says.
func (l *lines) serve(ctx context.Context, in *bufio.Reader) error {
	for {
		line, err := in.ReadSlice('\n')
		l.take(ctx, bytes.Clone(line))
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err == nil {
			continue
		}
		l.hangUp()
		l.open.Wait()
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
}

// lines is a client that sends lines.
type lines struct {
	host     *Host
	instance cluster.Instance
	options  Options
	begin    func(context.Context) (context.Context, func())
	open     sync.WaitGroup

	mu               sync.Mutex
	out              io.Writer
	session, version string                 // of a legacy client
	running          map[string]runningLine // requests, by id
}

type runningLine struct {
	cancel context.CancelFunc
	legacy bool
}

// line is what a message says that HTTP says in headers.
type line struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

// take handles a line. Only requests take time, and only initialize has to be answered
// before the next line.
func (l *lines) take(ctx context.Context, body []byte) {
	if len(bytes.TrimSpace(body)) == 0 {
		return
	}
	var m line
	_ = json.Unmarshal(body, &m) // what is wrong with it, the handler says
	legacy := l.isLegacy(m)
	if m.Method == "notifications/cancelled" && l.cancel(m.Params.RequestID) {
		return
	}
	if m.ID == nil || m.Method == "" || m.Method == "initialize" {
		l.post(ctx, m, body, legacy)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if !l.start(m.ID, runningLine{cancel, legacy}) {
		cancel()
		l.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,`+
			`"message":"The id is in use: another request with it has no response yet."}}`, m.ID))
		return
	}
	l.open.Go(func() {
		l.post(ctx, m, body, legacy)
		cancel()
		l.mu.Lock()
		delete(l.running, string(m.ID))
		l.mu.Unlock()
	})
}

// isLegacy reports whether a message is one of an older revision: it begins the session of
// a client, or the session goes on. Without a session, a message that names no revision is
// one of 2026-07-28 with a mistake.
func (l *lines) isLegacy(m line) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case m.Params.Meta.Version != "" || m.Method == "server/discover":
		return false
	case m.Method == "initialize" || m.Method == "ping":
		return true
	}
	return l.session != ""
}

// start notes a request, unless another in progress has its id.
func (l *lines) start(id json.RawMessage, r runningLine) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, used := l.running[string(id)]; used {
		return false
	}
	l.running[string(id)] = r
	return true
}

// cancel ends a request of 2026-07-28, as a client over HTTP does by closing the
// connection. It reports false for a legacy one, whose notification goes to the handler.
func (l *lines) cancel(id json.RawMessage) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.running[string(id)]
	if ok && !r.legacy {
		r.cancel()
	}
	return ok && !r.legacy
}

// hangUp ends the calls that can get no answer any more.
func (l *lines) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.running {
		if r.legacy {
			r.cancel()
		}
	}
}

// post serves a message, and writes what the host answers.
func (l *lines) post(ctx context.Context, m line, body []byte, legacy bool) {
	ctx, end := l.begin(ctx)
	defer end()
	w := &lineWriter{header: http.Header{}, write: l.write}
	if m.Method == "initialize" {
		w.write = func(message []byte) { l.beginSession(w.header, message) }
	}
	defer l.recoverPanic(m.ID)
	r := l.request(ctx, m, body, legacy)
	l.host.ForgetSession(r, l.options)
	l.host.Serve(l.instance, l.options, w, r)
	w.end(m.ID)
}

// request returns a message as the handlers of the SDK take it.
func (l *lines) request(ctx context.Context, m line, body []byte, legacy bool) *http.Request {
	header := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		CallerHeader: {lineCaller},
	}
	if legacy {
		l.mu.Lock()
		setIf(header, "Mcp-Session-Id", l.session)
		setIf(header, VersionHeader, l.version)
		l.mu.Unlock()
	} else {
		header.Set(VersionHeader, Revision)
		header.Set("Mcp-Method", m.Method)
		header.Set("Mcp-Name", nameIn(m.Method, body))
	}
	r := &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: "/"}, Header: header,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	return asLine(r.WithContext(ctx))
}

// lineCaller is whose requests come as lines.
const lineCaller = "127.0.0.1"

// recoverPanic answers a request whose handler has panicked.
func (l *lines) recoverPanic(id json.RawMessage) {
	p := recover()
	if p == nil || p == http.ErrAbortHandler {
		return
	}
	l.host.config.Log.Error("panic", "err", p, "stack", string(debug.Stack()))
	if id != nil {
		l.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,`+
			`"message":"Internal error."}}`, id))
	}
}

func setIf(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// nameIn returns the name that the SDK compares with that of a message.
func nameIn(method string, body []byte) string {
	var m struct {
		Params map[string]json.RawMessage `json:"params"`
	}
	var name string
	if json.Unmarshal(body, &m) != nil || json.Unmarshal(m.Params[nameSource(method)], &name) != nil {
		return ""
	}
	return name
}

// beginSession notes the session that a legacy client has begun.
func (l *lines) beginSession(h http.Header, message []byte) {
	var m struct {
		Result struct {
			Version string `json:"protocolVersion"`
		} `json:"result"`
	}
	_ = json.Unmarshal(message, &m) // an error begins none
	l.mu.Lock()
	l.session, l.version = h.Get("Mcp-Session-Id"), m.Result.Version
	l.mu.Unlock()
	l.write(message)
}

// write writes a message as a line.
func (l *lines) write(message []byte) {
	var b bytes.Buffer
	if json.Compact(&b, message) != nil {
		return
	}
	b.WriteByte('\n')
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(b.Bytes()) // a client that does not read has left
}

// lineWriter writes the messages of a response as they come: those of a stream of
// events, or the body.
type lineWriter struct {
	header http.Header
	rest   []byte
	write  func(message []byte)
}

func (w *lineWriter) Header() http.Header { return w.header }
func (w *lineWriter) WriteHeader(int)     {}
func (w *lineWriter) Flush()              {}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.rest = append(w.rest, b...)
	if w.header.Get("Content-Type") != "text/event-stream" {
		return len(b), nil
	}
	for {
		i := bytes.IndexByte(w.rest, '\n')
		if i < 0 {
			return len(b), nil
		}
		if data, ok := bytes.CutPrefix(w.rest[:i], []byte("data: ")); ok {
			w.write(data)
		}
		w.rest = w.rest[i+1:]
	}
}

// end writes the body of a response that was no stream. A request always gets an answer.
func (w *lineWriter) end(id json.RawMessage) {
	switch {
	case json.Valid(w.rest):
		w.write(w.rest)
	case len(w.rest) > 0 && id != nil:
		text, _ := json.Marshal(string(bytes.TrimSpace(w.rest))) // strings always marshal
		w.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":%s}}`, id, text))
	}
}
