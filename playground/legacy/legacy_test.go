package legacy

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestParseMessage(t *testing.T) {
	padding := strings.Repeat("x", 300)
	long := `{"jsonrpc":"2.0","params":{"text":"` + padding + `"},"id":7,"method":"tools/call"}`
	for _, tt := range []struct {
		body, id, method string
		call             bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "1", "tools/call", true},
		{long, "7", "tools/call", true},
		{`{ "method" : "prompts\/get" , "id" : "a" }`, `"a"`, "prompts/get", true},
		{`{"id":1.0,"method":"resources/read"}`, "1.0", "resources/read", true},
		{`{"id":1,"method":"tools/list","cursor":"\"method\":\"tools/call\""}`, "1", "tools/list", false},
		{`{"method":"notifications/cancelled"}`, "", "notifications/cancelled", false},
		{`{"ID":1,"METHOD":"tools/call"}`, "", "", false},
		{`[{"method":"tools/call"}]`, "", "", false},
		{`{"method":5}`, "", "", false},
		{`{`, "", "", false},
		{``, "", "", false},
	} {
		m := parseMessage([]byte(tt.body))
		if string(m.id) != tt.id || m.method != tt.method || m.isCall() != tt.call {
			t.Errorf("%s: %s %q call=%v", tt.body, m.id, m.method, m.isCall())
		}
	}
}

func TestIsQuestion(t *testing.T) {
	for event, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`:      true,
		`{"params":{},"method":"sampling/createMessage","id":"s"}`:    true,
		`{"jsonrpc":"2.0","id":0,"method":"roots/list"}`:              true,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                    false,
		`{"jsonrpc":"2.0","method":"notifications/progress"}`:         false,
		`{"jsonrpc":"2.0","id":1,"result":{"method":"roots/list"}}`:   false,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":}}`: false,
	} {
		if got := isQuestion([]byte("event: message\ndata: " + event + "\n\n")); got != want {
			t.Errorf("%s: %v", event, got)
		}
	}
	if isQuestion([]byte(`data: {"id":1,"method":"roots/list"}`)) {
		t.Error("an event without an end is a question")
	}
}

func TestDeclared(t *testing.T) {
	raw := json.RawMessage(`{"roots":{"listChanged":true},"elicitation":{},"extensions":{"x":{}}}`)
	got, err := declared(raw)
	if err != nil || got.RootsV2 == nil || !got.RootsV2.ListChanged {
		t.Errorf("roots: %+v, %v", got, err)
	}
	if err == nil && (got.Elicitation == nil || got.Extensions != nil) {
		t.Errorf("%+v", got)
	}
	if got, err := declared(nil); err != nil || got.RootsV2 != nil || got.Elicitation != nil {
		t.Errorf("none: %+v, %v", got, err)
	}
	if _, err := declared(json.RawMessage(`{"roots":5}`)); err == nil {
		t.Error("no error for roots as a number")
	}
}

func TestEncode(t *testing.T) {
	own := []wire.Field{{Name: "accept", Value: "mine"}, {Name: "X-Own", Value: "1"}}
	x := newTap(Config{Target: playground.Target{Header: own}})
	x.session = "s1"
	fields := x.withUserFields(x.sessionFields())
	f, err := wire.EncodePlain(http.MethodDelete, "https://h.example/mcp", fields, nil)
	if err != nil {
		t.Fatal(err)
	}
	head, err := wire.ParseHead(f.Head)
	if err != nil || head.Line != "DELETE /mcp HTTP/1.1" {
		t.Errorf("%q, %v", head.Line, err)
	}
	for name, want := range map[string][]string{
		"Content-Type": {"application/json"}, "Accept": {"mine"}, "X-Own": {"1"},
		"Mcp-Session-Id": {"s1"}, "Mcp-Protocol-Version": nil,
	} {
		if got := head.Values(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// scripted is a Sender that responds with parts.
type scripted struct {
	sent  []string // bodies
	parts []wire.Part
}

func (s *scripted) Send(
	_ context.Context, _ string, f wire.Frame, record func(wire.Part) error,
) wire.Timing {
	s.sent = append(s.sent, string(f.Body))
	for _, p := range s.parts {
		if record(p) != nil {
			break
		}
	}
	return wire.Timing{}
}

func post(t *testing.T, body string) *http.Request {
	t.Helper()
	url := "http://h.example/mcp"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func recordAll(wire.Frame) (func(wire.Part) error, error) {
	return func(wire.Part) error { return nil }, nil
}

// TestTap_CallGetsLongLimits: a call is recognised wherever its method is.
func TestTap_CallGetsLongLimits(t *testing.T) {
	parts := []wire.Part{{Kind: wire.Received, Bytes: []byte("HTTP/1.1 202 Accepted\r\n\r\n")}}
	short, long := &scripted{parts: parts}, &scripted{parts: parts}
	x := newTap(Config{Short: short, Open: long, Record: recordAll})
	defer x.close()
	padding := strings.Repeat("n", 300)
	call := `{"params":{"name":"` + padding + `"},"id":1,"jsonrpc":"2.0","method":"tools/call"}`
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for _, body := range []string{call, list} {
		response, err := x.RoundTrip(post(t, body))
		if err != nil || response.StatusCode != http.StatusAccepted {
			t.Fatalf("%v, %v", response, err)
		}
		response.Body.Close()
	}
	if diff := cmp.Diff([]string{call}, long.sent); diff != "" {
		t.Errorf("long limits: %s", diff)
	}
	if diff := cmp.Diff([]string{list}, short.sent); diff != "" {
		t.Errorf("short limits: %s", diff)
	}
	if string(x.id) != "1" {
		t.Errorf("the call to cancel has the id %s", x.id)
	}
}

// TestTap_StandaloneStreamIsRequestedFirst: the SDK makes its next request after
// the one for the standalone stream was written, so the server sees them in
// this order.
func TestTap_StandaloneStreamIsRequestedFirst(t *testing.T) {
	synctest.Test(t, standaloneStreamIsRequestedFirst)
}

func standaloneStreamIsRequestedFirst(t *testing.T) {
	var written atomic.Bool
	open := senderFunc(func(ctx context.Context) {
		time.Sleep(time.Minute) // of the fake clock
		written.Store(true)
		httptrace.ContextClientTrace(ctx).WroteRequest(httptrace.WroteRequestInfo{})
		<-ctx.Done() // the server sends nothing until it has a message
	})
	x := newTap(Config{Open: open, Record: recordAll})
	defer x.close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://h.example/mcp", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := x.RoundTrip(r)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", response, err)
	}
	defer response.Body.Close()
	if !written.Load() {
		t.Error("the stream is open before its request is written")
	}
}

// senderFunc is a Sender that records nothing.
type senderFunc func(ctx context.Context)

func (f senderFunc) Send(ctx context.Context, _ string, _ wire.Frame, _ func(wire.Part) error) wire.Timing {
	f(ctx)
	return wire.Timing{}
}

// TestTap_CancelIsSentOnce: the SDK's own notification is not sent again.
func TestTap_CancelIsSentOnce(t *testing.T) {
	short := &scripted{}
	target := playground.Target{URL: "http://h.example/mcp"}
	x := newTap(Config{Short: short, Record: recordAll, Target: target})
	defer x.close()
	x.cancelCall("the user cancelled")
	if len(short.sent) != 0 {
		t.Errorf("cancelled without a call: %q", short.sent)
	}
	disconnected := false
	x.setCall(json.RawMessage("7"), func() { disconnected = true })
	x.cancelCall("the user cancelled")
	response, err := x.RoundTrip(post(t, `{"method":"notifications/cancelled","jsonrpc":"2.0"}`))
	if err != nil || response.StatusCode != http.StatusAccepted {
		t.Fatalf("%v, %v", response, err)
	}
	want := []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled",` +
			`"params":{"requestId":7,"reason":"the user cancelled"}}`,
	}
	if diff := cmp.Diff(want, short.sent); diff != "" || !disconnected {
		t.Errorf("disconnected %v; -want +got:\n%s", disconnected, diff)
	}
}

func TestLimits(t *testing.T) {
	if l := Limits(); l.Total < time.Minute || l.FirstByte != l.Total || l.Idle != l.Total {
		t.Errorf("%+v", l)
	}
}
