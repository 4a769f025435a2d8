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
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"mark":"m"}`))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(req)
		ended <- err
	}()
	if !u.Arrived(t.Context(), "m", false) {
		t.Fatal("the request did not arrive")
	}
	short, end := context.WithCancel(t.Context())
	end()
	if u.Arrived(short, "m", true) {
		t.Error("the request has ended before its client is gone")
	}
	stop()
	if <-ended == nil || !u.Arrived(t.Context(), "m", true) {
		t.Error("the request goes on")
	}
	events := log(t, u)
	if last := events[len(events)-1]; last.Kind != playground.Cancelled || len(events) != 2 {
		t.Errorf("%d events, the last is %s", len(events), last.Kind)
	}
}
