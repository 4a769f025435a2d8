package run_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// faulty is an older server without sessions that does one thing wrong: in the
// handshake, or once it is called.
func faulty(handshake, call http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := mcptest.Read(r)
		switch {
		case m.Method == "initialize" && handshake != nil:
			handshake(w, r)
		case m.Method == "initialize":
			mcptest.Answer{Result: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
				`"serverInfo":{"name":"f","version":"1"}}`}.Write(w, m)
		case m.Method == "tools/call", m.Method == "tools/list":
			call(w, r)
		case m.ID == nil && m.Method != "":
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "server/discover":
			http.Error(w, "no session", http.StatusBadRequest)
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
}

func saying(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// TestWhatAnOlderServerDoesWrongHasAClass covers the handshake, a call and
// a list. Nothing is left running, and no log stays open.
func TestWhatAnOlderServerDoesWrongHasAClass(t *testing.T) {
	huge := `{"jsonrpc":"2.0","id":2,"result":{"content":"` + strings.Repeat("x", 2<<20) + `"}}`
	faults := map[string]struct {
		h     http.HandlerFunc
		class playground.Class
	}{
		"silence":          {silent, wire.TimeoutFirstByte},
		"login page":       {saying(200, "text/html", "<html>"), playground.ContentType},
		"401":              {saying(401, "text/plain", "no"), playground.HTTP401},
		"500":              {saying(500, "text/plain", "no"), playground.HTTP5xx},
		"redirect":         {saying(307, "text/plain", ""), playground.Redirect},
		"not JSON":         {saying(200, "application/json", "{"), playground.NotJSON},
		"too large":        {saying(200, "application/json", huge), wire.TooLarge},
		"nothing":          {saying(202, "application/json", ""), playground.HTTPStatus},
		"stream that ends": {saying(200, "text/event-stream", ": hello\n\n"), playground.CallLost},
		"foreign id": {saying(200, "application/json", `{"jsonrpc":"2.0","id":99,"result":{}}`),
			playground.Violation},
		"error": {saying(200, "application/json",
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}}`), playground.RPCFailed},
		"a stream of rules": {saying(200, "text/event-stream", "data: [1]\n\n"), playground.Violation},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for where, h := range map[string]http.Handler{"handshake": faulty(fault.h, fault.h),
					"call": faulty(nil, fault.h)} {
					p := olderPeer(t, h)
					p.tool("/", "t", `{}`)
					p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
					synctest.Wait() // more may be said of an answer after it came
					f := p.folded()
					if last := f.Last(); f.Status != playground.StatusFailed || last.Class != fault.class &&
						last.Class != playground.NoResponse {
						t.Errorf("%s: got %s %s %q", where, f.Status, last.Class, last.Detail)
					}
					target := playground.Target{ID: "t", URL: "http://peer/"}
					if err := p.runner.Connect(t.Context(), target, nil); err != nil {
						t.Fatal(err)
					}
					p.runner.Wait(t.Context(), "t")
					synctest.Wait()
					if c := server.FoldConnection(p.log.Events("t")); c.Status != server.ConnectFailed ||
						c.Class == "" || c.Detail == "" {
						t.Errorf("%s, connecting: %s %s %q", where, c.Status, c.Class, c.Detail)
					}
				}
			})
		})
	}
}
