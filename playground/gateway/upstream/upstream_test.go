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

// served starts an Upstream in front of instances that do the same.
func served(t *testing.T, n int, serve http.HandlerFunc) (*upstream.Upstream, string) {
	t.Helper()
	instances := make([]http.Handler, n)
	for i := range instances {
		instances[i] = serve
	}
	u := upstream.New(instances, time.Now)
	s := httptest.NewServer(u)
	t.Cleanup(s.Close)
	return u, s.URL
}

// post posts a body, with a cookie if it is not empty, and returns the instance.
func post(t *testing.T, url, body, cookie string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if cookie != "" {
		req.Header.Set("Cookie", cookie)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.Header.Get("Mcp-Sample-Instance")
}

// TestUpstream_Instances: requests go round, but for those that name an instance.
func TestUpstream_Instances(t *testing.T) {
	u, url := served(t, 2, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	a, b := post(t, url, "{}", ""), post(t, url, "{}", "")
	c, d := post(t, url, "{}", "mrtr-instance=b"), post(t, url, "{}", "mrtr-instance=b")
	if a == b || c != "b/v1" || d != c || post(t, url, "{}", "mrtr-instance=z") == "" {
		t.Error(a, b, c, d)
	}
	rounds := playground.Connections(u.Log())
	if len(rounds) != 5 || rounds[2].Instance != "b/v1" || string(rounds[0].Response.Body) != "{}" ||
		string(rounds[0].Request.Body) != "{}" {
		t.Errorf("%d rounds, %+v", len(rounds), rounds[0].Response)
	}
}

// TestUpstream_Stream: each event is recorded by itself, comments too, however it is written.
func TestUpstream_Stream(t *testing.T) {
	u, url := served(t, 1, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{
			": a\r\n\r\nda", "ta: {\"method\":\"m\"}\r\n", "\r\n", "data: {\"id\":1,", "\"result\":{}}\n\n",
		} {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
		}
	})
	post(t, url, `{"id":1,"method":"x"}`, "")
	rounds := playground.Connections(u.Log())
	if len(rounds) != 1 || len(rounds[0].Messages) != 2 || !rounds[0].Messages[1].IsResponse() {
		t.Fatalf("%d rounds, %+v", len(rounds), rounds)
	}
}

// TestUpstream_Cancelled: a connection that its client closes is recorded as cancelled.
func TestUpstream_Cancelled(t *testing.T) {
	u, url := served(t, 1, func(w http.ResponseWriter, r *http.Request) {
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
	log := u.Log()
	if last := log[len(log)-1]; last.Kind != playground.Cancelled || len(log) != 2 {
		t.Errorf("%d events, the last is %s", len(log), last.Kind)
	}
}
