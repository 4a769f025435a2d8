package main

import (
	"net/http"
	"testing"
)

// TestServe_FlagsReachThePages: a limit that was set, and the proxy
// whose word counts.
func TestServe_FlagsReachThePages(t *testing.T) {
	p := startProgram(t, t.TempDir(), "-public", "-base-url", "https://p.example", "-limit",
		"wrong-links=1/1h", "-limit", "drain-delay=1ms", "-trusted-proxy", "127.0.0.1")
	for i, try := range []struct {
		from string
		want int
	}{
		{"192.0.2.1", http.StatusNotFound}, {"192.0.2.1", http.StatusTooManyRequests},
		{"192.0.2.2", http.StatusNotFound},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/s/nothing", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Forwarded-For", try.from)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != try.want {
			t.Errorf("link %d, from %s: %d, want %d", i+1, try.from, res.StatusCode, try.want)
		}
	}
}
