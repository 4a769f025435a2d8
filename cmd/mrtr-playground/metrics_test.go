package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// planted are texts that a visitor brings. None may be in a metric or in a log.
var planted = map[string]string{
	"query":    "planted-query-0e6f",
	"token":    "planted-bearer-1d7a",
	"header":   "planted-header-2c8b",
	"argument": "planted-argument-3b9c",
	"search":   "planted-search-4a0d",
	"path":     "planted-path-591e",
	"agent":    "planted-agent-682f",
	"cookie":   "planted-cookie-7730",
	"answer":   "planted-answer-8641",
	"method":   "PLANTED9552",
}

// logs keeps what a program logs.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// scriptedVisit uses a program as a visitor with secrets does: a call to a
// sample of two rounds, one to a server of their own, and bad requests. It
// returns the number of requests.
func scriptedVisit(t *testing.T, p *program) (n int) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	do := func(method, path string, form url.Values, want int) string {
		t.Helper()
		n++
		var body io.Reader
		if form != nil {
			body = strings.NewReader(form.Encode())
		}
		req, err := http.NewRequestWithContext(t.Context(), method, p.url+path, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("User-Agent", planted["agent"])
		req.AddCookie(&http.Cookie{Name: "other", Value: planted["cookie"]})
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s %s: %s", method, path, res.Status)
		}
		if len(res.Header.Get("X-Request-Id")) != 26 {
			t.Errorf("%s %s: request id %q", method, path, res.Header.Get("X-Request-Id"))
		}
		return res.Header.Get("Location")
	}
	x := do("POST", "/exchanges", url.Values{"sample": {"azure-devops"}}, 303)
	do("POST", x+"/rounds", url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}}, 303)
	do("POST", x+"/rounds", url.Values{
		"round": {"2"}, "a0.action": {"accept"}, "a0.f0": {planted["answer"]},
	}, 422) // a number is asked for
	own := do("POST", "/servers", url.Values{
		"url":   {hostileServer(t) + "?api_key=" + planted["query"]},
		"token": {planted["token"]}, "headers": {"X-Api-Key: " + planted["header"]},
	}, 303)
	do("GET", own, nil, 200)
	do("POST", "/exchanges", url.Values{
		"target": {strings.TrimPrefix(strings.Split(own, "?")[0], "/servers/")},
		"kind":   {"tool"}, "tool": {"t"}, "raw": {"true"}, "json": {`{"x":"` + planted["argument"] + `"}`},
	}, 303)
	do("GET", x+"/events", nil, 200)
	do("GET", "/history?q="+planted["search"], nil, 200)
	do("GET", "/"+planted["path"], nil, 404)
	do("GET", "/x/"+planted["path"], nil, 404)
	do(planted["method"], "/", nil, 405)
	return n
}

// operated starts a program, makes the visit, and returns what /metrics and the
// log have afterwards.
func operated(t *testing.T, flags ...string) (metrics, log string) {
	t.Helper()
	var l logs
	p := startLogged(t, t.TempDir(), &l, append(flags, "-admin", "127.0.0.1:0", "-log-requests")...)
	n := scriptedVisit(t, p)
	admin := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(l.String())
	for range 1000 { // a visitor may have the answer before it is counted
		metrics = scrape(t, admin)
		if countRequests(t, metrics) == n {
			break
		}
	}
	if got := countRequests(t, metrics); got != n {
		t.Errorf("%d requests are counted, want %d", got, n)
	}
	p.end()
	return metrics, l.String()
}

// scrape returns the metrics of an admin address.
func scrape(t *testing.T, admin string) string {
	t.Helper()
	res, err := http.Get(admin + "metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// countRequests returns how many requests the metrics count in all.
func countRequests(t *testing.T, metrics string) (n int) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^mrtr_http_requests_total\{.*\} (\d+)$`).
		FindAllStringSubmatch(metrics, -1) {
		one, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		n += one
	}
	return n
}

// TestMetrics_OfAVisit: what a visit does is counted, in metrics that the linter
// of Prometheus accepts, and none of them has a word of the visitor or a server.
func TestMetrics_OfAVisit(t *testing.T) {
	got, _ := operated(t)
	for _, line := range []string{
		`mrtr_rounds_total{era="modern",outcome="input_required",server="sample"} 2`,
		`mrtr_rounds_total{era="modern",outcome="input_required",server="foreign"} 1`,
		`mrtr_round_server_duration_seconds_count{server="sample"} 2`,
		`mrtr_round_own_duration_seconds_count{server="foreign"} 1`,
		`mrtr_http_requests_total{method="POST",route="/exchanges",status="303"} 2`,
		`mrtr_http_requests_total{method="POST",route="/x/:id/rounds",status="422"} 1`,
		`mrtr_http_requests_total{method="GET",route="/x/:id/events",status="200"} 1`,
		`mrtr_http_requests_total{method="GET",route="none",status="404"} 1`,
		`mrtr_http_requests_total{method="GET",route="/x/:id",status="404"} 1`,
		`mrtr_http_request_duration_seconds_count{method="POST",route="/exchanges"} 2`,
		`mrtr_refusals_total{code="not_found"} 2`,
		`mrtr_refusals_total{code="method_not_allowed"} 1`,
		`mrtr_pool_limit{pool="calls"} 64`,
		`mrtr_pool_limit{pool="checks"} 4`,
		`mrtr_pool_limit{pool="event_streams"} 1024`,
		`mrtr_pool_limit{pool="followers"} 2000`,
		`mrtr_pool_limit{pool="connections"} 4096`,
		`mrtr_pool_queue_limit{pool="reads"} 32`,
		`mrtr_sample_pool_limit{pool="sample_tasks",sample="tasks"} 500`,
		`mrtr_sample_pool_used{pool="sample_calls",sample="azure-devops"} 0`,
		`mrtr_running_logs `, // 0, or still 1 of the last call
		`mrtr_open_polls 0`,
		`mrtr_draining 0`,
		`mrtr_db_up 1`,
		`mrtr_db_connections_limit{pool="write"} 1`,
		`mrtr_workspaces 1`,
		`mrtr_log_lines_total{level="info"} `,
		`mrtr_log_lines_total{level="error"} 0`,
		`mrtr_build_info{go_version="go1.`,
	} {
		if !strings.Contains(got, "\n"+line) {
			t.Errorf("no line %s", line)
		}
	}
	for _, name := range []string{"mrtr_db_used_bytes", "mrtr_db_change_duration_seconds_count"} {
		if !regexp.MustCompile(`(?m)^` + name + ` [1-9]`).MatchString(got) {
			t.Errorf("%s is missing or 0", name)
		}
	}
	if t.Failed() {
		t.Log(regexp.MustCompile(`(?m)^(#.*|go_.*|process_.*|.*_bucket.*)\n`).ReplaceAllString(got, ""))
	}
	if strings.Contains(got, `mrtr_http_request_duration_seconds_count{method="GET",route="/x/:id/events"}`) {
		t.Error("the time of an event stream counts as that of a page")
	}
	problems, err := promlint.New(strings.NewReader(got)).Lint()
	if err != nil {
		t.Error(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "mrtr_") { // the library's own ones have no help
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
	noneOf(t, got)
	if strings.Contains(got, escapes) || strings.Contains(got, "127.0.0.1") {
		t.Error("a word of a server, or an address, is in a metric")
	}
}

// TestMetrics_OfFailures: a Round without an answer counts with its class, one
// that an earlier process left has no duration, and only faults of the database
// count as failures of a change.
func TestMetrics_OfFailures(t *testing.T) {
	m := newMetrics()
	end := func(kind playground.OutcomeKind, class playground.Class, legacy bool) {
		m.ended(rounds.Ended{Round: playground.Round{
			Outcome: playground.Outcome{Kind: kind, Class: class}, Legacy: legacy,
		}})
	}
	end(playground.OutcomeTransportError, wire.BlockedAddress, false)
	end(playground.OutcomeHTTPError, playground.HTTP5xx, true)
	end(playground.OutcomeInterrupted, "", false)
	for _, err := range []error{
		nil, playground.ErrNotOpen, fmt.Errorf("x: %w", playground.ErrFull),
		fmt.Errorf("x: %w", playground.ErrStorage),
	} {
		m.changed(time.Second, err)
	}
	w := httptest.NewRecorder()
	m.handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{
		`mrtr_rounds_total{era="modern",outcome="transport_error",server="foreign"} 1`,
		`mrtr_rounds_total{era="legacy",outcome="http_error",server="foreign"} 1`,
		`mrtr_rounds_total{era="modern",outcome="interrupted",server="foreign"} 1`,
		`mrtr_round_failures_total{class="blocked_address",server="foreign"} 1`,
		`mrtr_round_failures_total{class="http_5xx",server="foreign"} 1`,
		`mrtr_round_server_duration_seconds_count{server="foreign"} 2`,
		`mrtr_db_change_duration_seconds_count 4`,
		`mrtr_db_change_failures_total{cause="full"} 1`,
		`mrtr_db_change_failures_total{cause="unavailable"} 1`,
	} {
		if !strings.Contains(w.Body.String(), "\n"+line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}

// TestMetrics_AreDocumented: the page for operators names every metric, and no
// other.
func TestMetrics_AreDocumented(t *testing.T) {
	names := func(pattern string, files ...string) []string {
		found := map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
				found[regexp.MustCompile("_(sum|count|bucket)$").ReplaceAllString(m[1], "")] = true
			}
		}
		return slices.Sorted(maps.Keys(found))
	}
	registered := names(`"(mrtr_[a-z_]+)"`, "metrics.go", "gauges.go")
	documented := names(`\b(mrtr_[a-z_]+)`, "../../.deploy/README.md")
	if len(registered) < 20 || !slices.Equal(registered, documented) {
		t.Errorf("registered:\n%q\ndocumented:\n%q", registered, documented)
	}
}

// noneOf fails if a text has something planted.
func noneOf(t *testing.T, text string) {
	t.Helper()
	for what, secret := range planted {
		if strings.Contains(strings.ToLower(text), strings.ToLower(secret)) {
			t.Errorf("the %s is there: %s", what, text)
		}
	}
}

// TestLogs_OfAVisit: every request has a line with its route, and no line has a
// secret, a query, a body or an address.
func TestLogs_OfAVisit(t *testing.T) {
	for _, format := range []string{"json", "text"} {
		_, log := operated(t, "-log-format", format)
		noneOf(t, log)
		lines := strings.Split(strings.TrimSpace(log), "\n")
		if n := strings.Count(log, "/x/:id/rounds"); n != 2 || len(lines) < 10 {
			t.Errorf("%s: %d lines, %d of answers:\n%s", format, len(lines), n, log)
		}
		for _, line := range lines {
			if format == "json" && !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %s", line)
			}
		}
	}
}

// TestLogs_MaskErrors: an error that quotes a URL or a credential is masked.
func TestLogs_MaskErrors(t *testing.T) {
	secret := planted["query"]
	for _, quoted := range []string{
		"http://h/mcp?api_key=" + secret, "/x/1?a=1&token=" + secret,
		"https://user:" + secret + "@h/", "postgres://u:" + secret + "@db/name",
		"Bearer " + secret, "Authorization: bearer " + secret,
	} {
		for _, mode := range []app.Mode{app.Local, app.Public} {
			var out bytes.Buffer
			levels := map[slog.Level]int{}
			logger := newLogger(logSettings{}, mode, &out, func(l slog.Level) { levels[l]++ })
			err := fmt.Errorf("send: %w", &url.Error{Op: "Post", URL: quoted, Err: errors.New("refused")})
			logger.With("with", quoted).Error("failed on "+quoted, "err", err, "text", quoted,
				slog.Group("in", "a", quoted))
			if strings.Contains(out.String(), secret) || !strings.Contains(out.String(), "refused") {
				t.Errorf("%s: %s", mode, out.String())
			}
			if levels[slog.LevelError] != 1 {
				t.Errorf("%s: counted %v", mode, levels)
			}
		}
	}
}

// TestMetrics_WhileItStops: the admin address answers until the running calls
// have ended, and says that the program stops.
func TestMetrics_WhileItStops(t *testing.T) {
	var l logs
	v := startVictimWith(t, t.TempDir(), "0s", &l, "-admin", "127.0.0.1:0", "-limit", "drain=1h")
	defer v.kill()
	p := &program{t: t, url: v.url}
	p.post("/exchanges", url.Values{
		"target": {"slow"}, "kind": {"tool"}, "tool": {"wait"}, "raw": {"true"}, "json": {`{"seconds":15}`},
	})
	admin := ""
	for ; admin == ""; lull() { // until its log has come
		admin = regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(l.String())
	}
	v.signal(syscall.SIGTERM)
	for !strings.Contains(scrape(t, admin), "\nmrtr_draining 1\n") {
		lull()
	}
}
