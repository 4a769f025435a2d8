package trial_test

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
)

// TestReport_NamesEachFault: each hop with one fault fails its line and no other.
func TestReport_NamesEachFault(t *testing.T) {
	all := slices.Concat(faulty(), moreFaulty(), faultyTasks(), faultyForms(), coarse())
	if n := len(all); n < 120 {
		t.Fatalf("%d hops", n)
	}
	slow := []string{
		"holds streams back",
		"drops progress",
		"drops the progress token",
		"keeps the upstream connection of a client that is gone",
		"notices only when it writes that a client is gone",
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

// lazy is a hop that closes the connection to the upstream when it cannot write to its client.
func lazy(at *url.URL) http.Handler {
	p := httputil.NewSingleHostReverseProxy(at)
	p.ErrorLog = log.New(io.Discard, "", 0)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithCancel(context.WithoutCancel(r.Context()))
		defer end()
		p.ServeHTTP(w, r.WithContext(ctx))
	})
}

// continues is a hop that goes on by itself with a state that comes without questions.
func continues(at *url.URL) http.Handler {
	return hop{at: at, send: func(r *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(r.Body)
		for {
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil || !strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
				return res, err
			}
			got, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if err != nil {
				return nil, err
			}
			res.Body = io.NopCloser(bytes.NewReader(got))
			m := get(read(got), "result")
			if m["requestState"] == nil || m["inputRequests"] != nil {
				return res, nil
			}
			again := read(body)
			get(again, "params")["requestState"] = m["requestState"]
			body = text(again)
		}
	}}
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

// cachesFor is a hop that keeps the final results of a method by its params.
func cachesFor(at *url.URL, method string) http.Handler {
	var mu sync.Mutex
	kept := map[string]object{}
	key := func(p object) string { return string(text([]any{p["name"], p["uri"], p["arguments"]})) }
	return hop{
		at: at,
		answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
			mu.Lock()
			defer mu.Unlock()
			p := get(m, "params")
			if m["method"] != method || p["inputResponses"] != nil || kept[key(p)] == nil {
				return false
			}
			answer(w, result(kept[key(p)], m["id"]))
			return true
		},
		message: func(_ *http.Request, asked, m object) bool {
			mu.Lock()
			defer mu.Unlock()
			if r := get(m, "result"); asked["method"] == method && r["resultType"] == "complete" {
				kept[key(get(asked, "params"))] = r
			}
			return true
		},
	}
}

// answersItself is a hop that declines the questions of one tool, and returns the result.
func answersItself(at *url.URL) http.Handler {
	return hop{at: at, send: func(r *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(r.Body)
		asked := read(body)
		send := func(m object) (*http.Response, error) {
			b := text(m)
			again := r.Clone(r.Context())
			again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
			return http.DefaultTransport.RoundTrip(again)
		}
		res, err := send(asked)
		if err != nil || get(asked, "params")["name"] != "decline" {
			return res, err
		}
		b, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		came := get(read(b), "result")
		answers := object{}
		for k := range get(came, "inputRequests") {
			answers[k] = object{"action": "decline"}
		}
		p := get(asked, "params")
		p["inputResponses"], p["requestState"], asked["id"] = answers, came["requestState"], "again"
		res, err = send(asked)
		if err == nil {
			b, _ = io.ReadAll(res.Body)
			_ = res.Body.Close()
			m := read(b)
			m["id"] = read(body)["id"]
			res.Header.Del("Content-Length")
			res.Body = io.NopCloser(bytes.NewReader(text(m)))
		}
		return res, err
	}}
}

// keepsAnswers is a hop that sends the answers of earlier rounds again.
func keepsAnswers(at *url.URL) http.Handler {
	var mu sync.Mutex
	kept := map[string]object{}
	return sends(func(_ *http.Request, p object) {
		mu.Lock()
		defer mu.Unlock()
		a := get(p, "inputResponses")
		if p["name"] != "five_rounds" || a == nil {
			return
		}
		mark := string(text(get(p, "arguments")["mark"]))
		if kept[mark] == nil {
			kept[mark] = object{}
		}
		for k, v := range kept[mark] {
			a[k] = v
		}
		for k, v := range a {
			kept[mark][k] = v
		}
	})(at)
}

// merges is a hop that passes on the first of two equal calls at the same time, and answers both
// with its result.
func merges(at *url.URL) http.Handler {
	var mu sync.Mutex
	waiting := map[string]chan object{}
	key := func(m object) string {
		p := get(m, "params")
		return string(text([]any{p["name"], p["arguments"]}))
	}
	return hop{
		at: at,
		answer: func(w http.ResponseWriter, _ *http.Request, m object) bool {
			if get(m, "params")["name"] != "hop_pair" {
				return false
			}
			mu.Lock()
			first := waiting[key(m)]
			if first == nil {
				waiting[key(m)] = make(chan object, 1)
			}
			mu.Unlock()
			if first == nil {
				return false
			}
			answer(w, result(<-first, m["id"]))
			return true
		},
		message: func(_ *http.Request, asked, m object) bool {
			mu.Lock()
			defer mu.Unlock()
			if first := waiting[key(asked)]; first != nil {
				first <- get(m, "result")
			}
			return true
		},
	}
}

// joins is a hop that passes on the newest of several progress notifications.
func joins(at *url.URL) http.Handler {
	var mu sync.Mutex
	seen := map[string]bool{}
	return hop{at: at, message: func(_ *http.Request, asked, m object) bool {
		mu.Lock()
		defer mu.Unlock()
		id := string(text([]any{get(asked, "params")["name"], get(asked, "params", "arguments")["mark"]}))
		again := seen[id]
		if m["method"] == "notifications/progress" && get(asked, "params")["name"] == "stream" {
			seen[id] = true
			return again
		}
		return true
	}}
}
