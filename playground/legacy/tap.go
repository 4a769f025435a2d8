package legacy

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const cancelled = playground.CancelledNotified

// How long a server may take to accept a cancellation, and the end of the session.
const (
	cancelTimeout = 2 * time.Second
	endTimeout    = 5 * time.Second
)

// tap is the http.RoundTripper of the SDK. It turns every request into a frame
// that is recorded and sent unchanged.
type tap struct {
	Config
	ctx  context.Context // of everything in progress
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu         sync.Mutex
	session    string          // Mcp-Session-Id
	version    string          // Mcp-Protocol-Version, as the SDK sends it
	id         json.RawMessage // of the call
	disconnect func()          // closes the connection of the call
	farewell   *wire.Frame     // the SDK's request to end the session, which close sends
	cancelled  bool            // the SDK must not notify the server of a cancellation

	capabilities *jsontree.Node             // of the server
	asTask       bool                       // the tool must be called as a task
	answered     bool                       // the call has its response
	task         *playground.Task           // what the call became
	related      map[string]json.RawMessage // _meta of answers to questions of a task, by id
	// ids of the requests for the roots whose answers wait; the first is being posted
	rootsAsked []json.RawMessage
}

func newTap(c Config) *tap {
	ctx, stop := context.WithCancel(context.Background())
	return &tap{Config: c, ctx: ctx, stop: stop, related: map[string]json.RawMessage{}}
}

// close ends the session on the server, then everything in progress, and waits for it.
func (t *tap) close() {
	t.mu.Lock()
	f := t.farewell
	t.mu.Unlock()
	if f != nil {
		if record, err := t.Record(*f); err == nil {
			brief{t.Short, endTimeout}.Send(t.ctx, t.Target.URL, *f, record)
		}
	}
	t.stop()
	t.wg.Wait()
}

// RoundTrip sends a request of the SDK. The standalone stream is reported as
// open when its request is written, before the server responds, because the SDK
// waits for it and some servers send its head with the first message.
func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	if response := t.withoutLine(r); response != nil {
		return response, nil
	}
	f, err := t.frame(r)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodDelete { // the SDK holds a lock meanwhile, and the record may wait
		t.mu.Lock()
		t.farewell = &f
		t.mu.Unlock()
		return accepted(r), nil
	}
	m := parseMessage(f.Body)
	if m.method == cancelled && t.isCancelled() {
		return accepted(r), nil
	}
	t.rememberRequest(r)
	record, err := t.Record(f)
	if err != nil {
		return nil, err
	}
	aside := r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == ""
	x := newResponse(r, func(p wire.Part) error {
		for _, n := range messages(p) { // before the user can answer
			t.observe(m, n)
		}
		err := record(p)
		if err == nil && aside {
			t.answerRoots(p)
		}
		return err
	}, aside)
	ctx, cancel := context.WithCancel(r.Context())
	x.cancel = cancel
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { x.sent() },
	})
	sent := make(chan struct{})
	if m.isCall() {
		t.setCall(m.id, func() { cancel(); <-sent })
	}
	unhook := context.AfterFunc(t.ctx, cancel)
	t.wg.Go(func() {
		defer unhook()
		defer cancel()
		t.sender(r, m).Send(ctx, r.URL.String(), f, x.handle)
		close(sent)
		if f.IsLine() && !isRequest(f.Body) {
			x.acknowledge()
			return
		}
		x.end(ctx)
	})
	<-x.ready // closed when ctx ends at the latest
	t.rememberResponse(x.http)
	return x.http, x.err
}

// accepted responds to a message that is not sent.
func accepted(r *http.Request) *http.Response {
	return &http.Response{
		StatusCode: http.StatusAccepted, ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody, Request: r,
	}
}

// sender returns the Sender with long limits for requests during which the user
// answers questions.
func (t *tap) sender(r *http.Request, m message) Sender {
	if r.Method == http.MethodGet || m.isCall() {
		return t.Open
	}
	return t.Short
}

// setCall sets the call that cancelCall cancels.
func (t *tap) setCall(id json.RawMessage, disconnect func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.id, t.disconnect = id, disconnect
}

// disconnectCall closes the connection of the call and keeps the SDK from
// notifying the server. It returns the id of the call, or nil if none was sent.
func (t *tap) disconnectCall() json.RawMessage {
	t.mu.Lock()
	id, disconnect := t.id, t.disconnect
	t.mu.Unlock()
	if disconnect == nil {
		return nil
	}
	disconnect()
	t.mu.Lock()
	t.cancelled = true
	t.mu.Unlock()
	return id
}

// cancelCall closes the connection of the call and notifies the server
// (2025-11-25, basic/utilities/cancellation). It is only for a call in
// progress.
func (t *tap) cancelCall(reason string) {
	id := t.disconnectCall()
	if id == nil {
		return
	}
	params := fmt.Sprintf(`{"requestId":%s,"reason":%s}`, id, jsontree.Quote(reason))
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"%s","params":%s}`, cancelled, params)
	_ = t.post(t.ctx, brief{t.Short, cancelTimeout}, t.Target.URL, body)
}

// isCancelled reports whether the server was notified of the cancellation or
// must not be. The SDK's own notification is then not sent.
func (t *tap) isCancelled() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cancelled
}

// requireTask sets whether the next call asks to become a task. A server that
// does not declare that must not be asked.
func (t *tap) requireTask(required bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asTask = required && t.capabilities.At("tasks", "requests", "tools", "call") != nil
}

func (t *tap) isTask() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asTask
}

// rememberRequest keeps the header fields that answers to questions need.
func (t *tap) rememberRequest(r *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.version = cmp.Or(r.Header.Get("Mcp-Protocol-Version"), t.version)
	t.session = cmp.Or(r.Header.Get("Mcp-Session-Id"), t.session)
}

// rememberResponse keeps the session id of the handshake.
func (t *tap) rememberResponse(r *http.Response) {
	if r == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.session = cmp.Or(t.session, r.Header.Get("Mcp-Session-Id"))
}

// frame encodes a request with the SDK's header fields and the user's.
func (t *tap) frame(r *http.Request) (wire.Frame, error) {
	body := []byte{}
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return wire.Frame{}, fmt.Errorf("read request: %w", err)
		}
		r.Body.Close()
	}
	if t.isTask() && parseMessage(body).method == playground.ToolsCall {
		body = asTask(body)
	}
	var fields []wire.Field
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fields = append(fields, wire.Field{Name: name, Value: r.Header.Get(name)})
	}
	return t.encode(r.Method, r.URL.String(), fields, body)
}

// withUserFields adds the user's fields, which replace others of the same name.
func (t *tap) withUserFields(fields []wire.Field) []wire.Field {
	replaced := func(f wire.Field) bool {
		same := func(h wire.Field) bool { return strings.EqualFold(h.Name, f.Name) }
		return slices.ContainsFunc(t.Target.Header, same)
	}
	return append(slices.DeleteFunc(fields, replaced), t.Target.Header...)
}
