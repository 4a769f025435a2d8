package legacy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// tap is the SDK's way to the server: every request becomes a frame that is
// recorded and sent as it stands.
type tap struct {
	Config
	ctx  context.Context // of everything that is under way
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu      sync.Mutex
	session string          // Mcp-Session-Id
	version string          // as the SDK sends it
	id      json.RawMessage // of the call
	hangUp  func()          // closes its connection
	gone    bool            // the server was told that nobody waits
}

func newTap(c Config) *tap {
	ctx, stop := context.WithCancel(context.Background())
	return &tap{Config: c, ctx: ctx, stop: stop}
}

// close ends what is under way and waits for it.
func (t *tap) close() {
	t.stop()
	t.wg.Wait()
}

// RoundTrip sends what the SDK asks for. The stream beside the calls is
// reported as open before the server says so: some servers send its head with
// the first message, and the SDK waits for it.
func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	f, err := t.frame(r)
	if err != nil {
		return nil, err
	}
	if t.toldAlready(f.Body) {
		return &http.Response{StatusCode: http.StatusAccepted, ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody, Request: r}, nil
	}
	t.remember(r)
	record, err := t.Record(f)
	if err != nil {
		return nil, err
	}
	beside := r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == ""
	a := newAnswer(r, record, beside)
	ctx, cancel := context.WithCancel(r.Context())
	a.cancel = cancel
	sent := make(chan struct{})
	t.called(f.Body, func() { cancel(); <-sent })
	unhook := context.AfterFunc(t.ctx, cancel)
	t.wg.Go(func() {
		defer unhook()
		defer cancel()
		t.sender(r, f).Send(ctx, r.URL.String(), f, a.part)
		close(sent)
		a.end(ctx)
	})
	<-a.ready // at the latest when ctx ends
	t.welcome(a.response)
	return a.response, a.err
}

// sender waits long only where people may be thinking.
func (t *tap) sender(r *http.Request, f wire.Frame) Sender {
	if r.Method == http.MethodGet || isCall(f.Body) {
		return t.Open
	}
	return t.Short
}

// isCall reports whether the body is a call that may ask back.
func isCall(body []byte) bool {
	for _, method := range []string{"tools/call", "prompts/get", "resources/read"} {
		if bytes.Contains(body[:min(len(body), 200)], []byte(`"method":"`+method+`"`)) {
			return true
		}
	}
	return false
}

// called keeps how to give a call up.
func (t *tap) called(body []byte, hangUp func()) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if !isCall(body) || json.Unmarshal(body, &m) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.id, t.hangUp = m.ID, hangUp
}

// giveUp closes the connection of the call and tells the server that nobody
// waits any more (2025-11-25, basic/utilities/cancellation).
func (t *tap) giveUp() {
	t.mu.Lock()
	id, hangUp := t.id, t.hangUp
	t.mu.Unlock()
	if hangUp == nil {
		return
	}
	hangUp()
	t.mu.Lock()
	t.gone = true
	t.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.ctx, farewell)
	defer cancel()
	_ = t.post(ctx, t.Target.URL, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"the person cancelled"}}`, id))
}

// toldAlready reports whether the SDK repeats what giveUp has said.
func (t *tap) toldAlready(body []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.gone && bytes.Contains(body, []byte(`"notifications/cancelled"`))
}

// farewell is how long a server may take to hear that a call is given up.
const farewell = 2 * time.Second

// remember keeps what answers to questions must carry too.
func (t *tap) remember(r *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.version = cmp.Or(r.Header.Get("Mcp-Protocol-Version"), t.version)
	t.session = cmp.Or(r.Header.Get("Mcp-Session-Id"), t.session)
}

// welcome keeps the session id from the handshake.
func (t *tap) welcome(r *http.Response) {
	if r == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.session = cmp.Or(t.session, r.Header.Get("Mcp-Session-Id"))
}

// frame is the request as it goes out: the SDK's header fields, then the user's.
func (t *tap) frame(r *http.Request) (wire.Frame, error) {
	body := []byte{}
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return wire.Frame{}, fmt.Errorf("read request: %w", err)
		}
		r.Body.Close()
	}
	var fields []wire.Field
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fields = append(fields, wire.Field{Name: name, Value: r.Header.Get(name)})
	}
	return encode(r.Method, r.URL.String(), body, t.withOwn(fields))
}

// withOwn adds the user's fields; they take the place of ours.
func (t *tap) withOwn(fields []wire.Field) []wire.Field {
	own := func(f wire.Field) bool {
		return slices.ContainsFunc(t.Target.Header, func(h wire.Field) bool { return strings.EqualFold(h.Name, f.Name) })
	}
	return append(slices.DeleteFunc(fields, own), t.Target.Header...)
}

// encode makes a frame with just these fields beside those that HTTP needs.
func encode(method, url string, body []byte, fields []wire.Field) (wire.Frame, error) {
	request := wire.Request{URL: url, Header: fields, Body: body, Drop: []string{"MCP-Protocol-Version", "Content-Type", "Accept"}}
	f, err := wire.Encode(request)
	if err != nil {
		return f, err
	}
	f.Head = append([]byte(method), bytes.TrimPrefix(f.Head, []byte(http.MethodPost))...)
	return f, nil
}
