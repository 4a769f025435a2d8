package upstream_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/upstream"
)

// served starts an Upstream in front of a server.
func served(t *testing.T, serve http.HandlerFunc) (*upstream.Upstream, string) {
	t.Helper()
	u := upstream.New(serve, time.Now)
	s := httptest.NewServer(u)
	t.Cleanup(s.Close)
	return u, s.URL
}

// post posts a body and reads the response.
func post(t *testing.T, url, body string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
}

// TestUpstream_Records: the record has each request, its response and who served it.
func TestUpstream_Records(t *testing.T) {
	u, url := served(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Mcp-Sample-Instance", "b/v1")
		_, _ = io.WriteString(w, "{}")
	})
	post(t, url, "{}")
	post(t, url, "[]")
	rounds := playground.Connections(log(t, u))
	if len(rounds) != 2 || rounds[1].Instance != "b/v1" || string(rounds[0].Response.Body) != "{}" ||
		string(rounds[1].Request.Body) != "[]" {
		t.Errorf("%d rounds, %+v", len(rounds), rounds)
	}
}

// log returns the record.
func log(t *testing.T, u *upstream.Upstream) []playground.Event {
	t.Helper()
	list, err := u.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestUpstream_Stream: each event is recorded by itself, comments too, however it is written.
func TestUpstream_Stream(t *testing.T) {
	u, url := served(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{
			": a\r\n\r\nda", "ta: {\"method\":\"m\"}\r\n", "\r\n", "data: {\"id\":1,", "\"result\":{}}\n\n",
		} {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
		}
	})
	post(t, url, `{"id":1,"method":"x"}`)
	rounds := playground.Connections(log(t, u))
	if len(rounds) != 1 || len(rounds[0].Messages) != 2 || !rounds[0].Messages[1].IsResponse() {
		t.Fatalf("%d rounds, %+v", len(rounds), rounds)
	}
}

// TestUpstream_Cancelled: a connection that its client closes is recorded as cancelled.
func TestUpstream_Cancelled(t *testing.T) {
	u, url := served(t, func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		_, _ = io.WriteString(w, "{}")
	})
	ctx, stop := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url,
		strings.NewReader(`{"method":"x","mark":"m"}`))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(req)
		ended <- err
	}()
	if !u.Arrived(t.Context(), "x", "m", false) {
		t.Fatal("the request did not arrive")
	}
	other, leave := context.WithCancel(t.Context())
	leave()
	if u.Arrived(other, "y", "m", false) {
		t.Error("a request with another method has arrived")
	}
	short, end := context.WithCancel(t.Context())
	end()
	if u.Arrived(short, "x", "m", true) {
		t.Error("the request has ended before its client is gone")
	}
	stop()
	if <-ended == nil || !u.Arrived(t.Context(), "x", "m", true) {
		t.Error("the request goes on")
	}
	events := log(t, u)
	if last := events[len(events)-1]; last.Kind != playground.Cancelled || len(events) != 2 {
		t.Errorf("%d events, the last is %s", len(events), last.Kind)
	}
}

// TestUpstream_MasksCredentials: what a gateway sends of its own is not in the record, but that it
// sent it.
func TestUpstream_MasksCredentials(t *testing.T) {
	var got http.Header
	u, url := served(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer secret-one", "Cookie": "a=secret-two", "X-Api-Key": "secret-three",
		"Mcp-Name": "plain",
	} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	sent := string(log(t, u)[0].Data)
	if strings.Contains(sent, "secret-") || !strings.Contains(sent, "Authorization: Bearer **********\r\n") ||
		!strings.Contains(sent, "Mcp-Name: plain\r\n") {
		t.Error(sent)
	}
	if got.Get("Authorization") != "Bearer secret-one" || got.Get("X-Api-Key") != "secret-three" {
		t.Errorf("the server got %v", got)
	}
}

// TestUpstream_Full: a response that does not end is cut off when the record is full, and the
// server learns it.
func TestUpstream_Full(t *testing.T) {
	const notification = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n"
	for _, media := range []string{"text/event-stream", "application/json"} {
		u, url := served(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", media)
			for {
				if _, err := io.WriteString(w, notification); err != nil {
					<-r.Context().Done()
					return
				}
			}
		})
		u.SetMax(100_000)
		res, err := http.Post(url, "application/json", strings.NewReader("{}"))
		if err == nil {
			defer res.Body.Close()
			_, err = io.Copy(io.Discard, res.Body)
		}
		if err == nil {
			t.Errorf("%s: the response seems to be whole", media)
		}
		events := log(t, u)
		last := playground.Connections(events)[0]
		if last.Kind != playground.OutcomeTransportError || !strings.Contains(last.Detail, "full") {
			t.Errorf("%s: %s, %s", media, last.Kind, last.Detail)
		}
		size := 0
		for _, e := range events {
			size += len(e.Data)
		}
		if size > 100_500 {
			t.Errorf("%s: %d bytes", media, size)
		}
	}
}

// TestUpstream_LeavesAfterTheResponse: a response is recorded also if its client leaves when it has
// got all of it, and a part of one is no response.
func TestUpstream_LeavesAfterTheResponse(t *testing.T) {
	for written, want := range map[string]playground.OutcomeKind{
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`: playground.OutcomeComplete,
		`{"jsonrpc":"2.0","id":1,`:                                    playground.OutcomeCancelled,
	} {
		u, url := served(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, written)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url,
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"m"}}`))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(res.Body, make([]byte, len(written))); err != nil {
			t.Fatal(err)
		}
		leave()
		res.Body.Close()
		u.Arrived(t.Context(), "tools/call", "m", true)
		if got := playground.Connections(log(t, u))[0].Kind; got != want {
			t.Errorf("%s: %s, want %s", written, got, want)
		}
	}
}
