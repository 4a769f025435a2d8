package lines_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// connectTo connects to a command and returns its Connection, with the
// findings.
func connectTo(t *testing.T, s *lines.Servers, url string) (server.Connection, []rules.Finding) {
	t.Helper()
	r, log := newRunner(t, s)
	if err := r.Connect(t.Context(), playground.Target{ID: "t", URL: url}, nil); err != nil {
		t.Fatal(err)
	}
	r.Wait(t.Context(), "t")
	c := server.FoldConnection(log.Events("t"))
	return c, slices.DeleteFunc(rules.JudgeCommand(c), func(f rules.Finding) bool {
		return f.Verdict != verdict.Failed || f.Side != rules.Server
	})
}

// TestConnect_MessagesInOtherForms: a server whose messages are not on lines of their own is
// not waited for. The reason has the bytes, and it violates the transport.
func TestConnect_MessagesInOtherForms(t *testing.T) {
	t.Parallel()
	words := map[string]string{
		"header": "is a header", "two-headers": "is a header", "only-header": "is a header",
		"indented": "a message on ", "cut": "ends before its message does", "mark": "byte order mark",
		"utf-16": "not UTF-8 but UTF-16", "utf-16-be": "not UTF-8 but UTF-16", "unended": "no line feed",
		"after-text": "other text before its message", "before-text": "other text after its message",
		"event": "other text before its message", "netstring": "not a JSON message",
		"nul": "other text after its message", "array": "is an array", "quoted": "is a string",
		"python": "not a JSON message", "binary": "not a JSON message", "gzip": "is not UTF-8",
		"xml": "not a JSON message", "yaml": "not a JSON message", "base64": "not a JSON message",
		"hex": "not a JSON message",
	}
	for _, form := range linestest.Forms() {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			s, urls := newServers(t, lines.Config{Stall: time.Millisecond}, linestest.Words(form))
			c, findings := connectTo(t, s, urls[0])
			if c.Status != server.ConnectFailed || c.Class != wire.BadLine || words[form] == "" ||
				!strings.Contains(c.Detail, words[form]) || !strings.Contains(c.Detail, ": “") ||
				len(c.Trips) != 1 {
				t.Errorf("%s %s after %d requests: %s", c.Status, c.Class, len(c.Trips), c.Detail)
			}
			if len(findings) != 1 || findings[0].Rule != "line-server" {
				t.Errorf("%+v", findings)
			}
		})
	}
}

// TestConnect_LogText: log text before a message violates the transport, too, but the
// message is read. Each line is named, up to a few.
func TestConnect_LogText(t *testing.T) {
	t.Parallel()
	for _, form := range linestest.LogForms() {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var noticed []string
			s, urls := newServers(t, lines.Config{Stall: time.Hour, Notice: func(sentence string) {
				mu.Lock()
				defer mu.Unlock()
				noticed = append(noticed, sentence)
			}}, linestest.Words(form))
			c, findings := connectTo(t, s, urls[0])
			if c.Status != server.Connected || len(c.Tools) == 0 {
				t.Errorf("%s %s: %s", c.Status, c.Class, c.Detail)
			}
			if len(findings) == 0 || slices.ContainsFunc(findings,
				func(f rules.Finding) bool { return f.Rule != "line-server" }) {
				t.Errorf("%+v", findings)
			}
			mu.Lock()
			defer mu.Unlock()
			if len(noticed) == 0 || len(noticed) > 3 ||
				!strings.HasPrefix(noticed[0], "A line of the command ") {
				t.Errorf("%q", noticed)
			}
		})
	}
}

// TestCaller_UnendedMessageIsRecorded: its bytes are in the record, although no line ended.
func TestCaller_UnendedMessageIsRecorded(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{Stall: time.Millisecond}, linestest.Words("unended"))
	var c run.Caller = s.Caller(nil, forever)
	var bytes string
	c.Send(t.Context(), urls[0], wire.Line([]byte(toolCall(1, "pid")+"\n")), func(p wire.Part) error {
		bytes += string(wire.Split(p.Bytes).Body)
		return nil
	})
	if !strings.HasPrefix(bytes, `{"jsonrpc":"2.0","id":1,"result":`) || !strings.HasSuffix(bytes, "}") {
		t.Errorf("%q", bytes)
	}
}
