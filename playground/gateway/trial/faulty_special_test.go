package trial_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
)

// TestReport_NamesEachFault: each hop with one fault fails its line and no other.
func TestReport_NamesEachFault(t *testing.T) {
	all := slices.Concat(faulty(), moreFaulty(), faultyTasks(), faultyForms())
	if n := len(all); n < 80 {
		t.Fatalf("%d hops", n)
	}
	slow := []string{
		"holds streams back",
		"drops progress",
		"drops the progress token",
		"keeps the upstream connection of a client that is gone",
		"drops a notification of a subscription",
		"drops the acknowledgment",
		"holds a subscription back",
		"makes one call of two equal ones",
		"drops _meta",
		"splits an event into two",
	}
	for _, f := range all {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			hold := patient
			if slices.Contains(slow, f.name) {
				hold = time.Second
			}
			r := gateway.Report(through(t, hold, f.gate))
			if got := failures(t, r); !slices.Equal(got, []string{f.line}) || r.ExitCode() != 1 {
				t.Errorf("exit code %d, %v, want %s", r.ExitCode(), got, f.line)
			}
		})
	}
}

// caches is a hop that keeps the results of calls by their name and arguments.
func caches(at *url.URL) http.Handler {
	var mu sync.Mutex
	kept := map[string]object{}
	key := func(p object) string { return string(text([]any{p["name"], p["arguments"]})) }
	return hop{
		at: at,
		answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
			mu.Lock()
			defer mu.Unlock()
			p := get(m, "params")
			r := kept[key(p)]
			if m["method"] != "tools/call" || p["inputResponses"] != nil || p["requestState"] != nil ||
				r == nil {
				return false
			}
			answer(w, result(r, m["id"]))
			return true
		},
		message: func(_ *http.Request, asked, m object) bool {
			mu.Lock()
			defer mu.Unlock()
			if r := get(m, "result"); asked["method"] == "tools/call" && r["resultType"] == "complete" {
				kept[key(get(asked, "params"))] = r
			}
			return true
		},
	}
}

// twice is a hop that sends a call again that was answered.
func twice(at *url.URL) http.Handler {
	return hop{at: at, send: func(r *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"hop_result"`)) {
			again := r.Clone(r.Context())
			again.Body = io.NopCloser(bytes.NewReader(body))
			if res, err := http.DefaultTransport.RoundTrip(again); err == nil {
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		return http.DefaultTransport.RoundTrip(r)
	}}
}

// mixes is a hop that answers two calls with the results of each other.
func mixes(at *url.URL) http.Handler {
	var mu sync.Mutex
	var waits chan object
	return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
		p := get(asked, "params")
		if p["name"] != "parallel_calls" || p["inputResponses"] != nil {
			return true
		}
		mine := get(m, "result")
		mu.Lock()
		if waits != nil {
			waits <- mine
			mu.Unlock()
			m["result"] = <-waits
			return true
		}
		waits = make(chan object)
		mu.Unlock()
		other := <-waits
		waits <- mine
		m["result"] = other
		return true
	}}
}
