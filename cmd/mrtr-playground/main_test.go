package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc"
)

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update after reading this:\n%s", path, got)
	}
}

func noEnv(string) string { return "" }

func TestHelp_FitsOnOneScreen(t *testing.T) {
	for name, args := range map[string][]string{"help.txt": {"-help"}, "help_call.txt": {"call", "-help"},
		"help_health.txt": {"health", "-help"}, "help_check.txt": {"check",
			"-help"}, "help_client.txt": {"client", "-help"}, "help_limits.txt": {"help", "limits"},
		"help_auth.txt":     {"help", "auth"},
		"help_team.txt":     {"help", "team"},
		"help_values.txt":   {"help", "values"},
		"help_baseline.txt": {"help", "baseline"},
		"help_test.txt":     {"test", "-help"},
		"help_gateway.txt":  {"gateway", "-help"},
		"help_keys.txt":     {"keys", "-help"},
		"help_claim.txt":    {"claim", "-help"},
		"help_mcp.txt":      {"mcp", "-help"},
		"help_backup.txt":   {"backup", "-help"},
		"help_restore.txt":  {"restore", "-help"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, noEnv, &out, io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		golden(t, name, out.String())
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		most := 40
		switch name {
		case "help.txt": // with the flags of serve
			most = 56
		case "help_limits.txt": // a list to search, one line for each limit
			most = 90
		}
		if len(lines) > most {
			t.Errorf("%s has %d lines", name, len(lines))
		}
		for _, line := range lines {
			if len(line) > 80 {
				t.Errorf("%s: wider than a screen: %q", name, line)
			}
		}
	}
}

func TestOptions_FlagsAndEnvironment(t *testing.T) {
	env := map[string]string{"MRTR_ADDR": "127.0.0.1:7", "MRTR_DATA": "/d", "MRTR_PUBLIC": "1",
		"MRTR_DB": "postgresql://h/d", "MRTR_REPLICAS": "3", "MRTR_REPLICA_NAME": "r-1",
		"MRTR_BASE_URL": "https://p.example/", "MRTR_ADMIN": "127.0.0.1:8",
		"MRTR_TRUSTED_PROXY": "10.1.2.3/8 ::1", "MRTR_DENY": "192.0.2.7",
		"MRTR_OIDC_ISSUER": "https://id.example", "MRTR_OIDC_CLIENT": "play", "MRTR_OIDC_SECRET": "s",
		"MRTR_OIDC_REQUIRE": "hd=a hd=b", "MRTR_LINKS": "people", "MRTR_ALLOW_NETWORK": "http:10.0.0.0/8",
		"MRTR_ROOM": "off", "MRTR_LIMITS": "pages=5/1s drain=1s", "MRTR_LOG_FORMAT": "text",
		"MRTR_LOG_REQUESTS": "true"}
	o, err := parseOptions(nil, func(name string) string { return env[name] }, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	want := options{addr: "127.0.0.1:7", data: "/d", db: "postgresql://h/d",
		baseURL: "https://p.example", admin: "127.0.0.1:8", mode: app.Public, named: true,
		limits: defaultLimits(), room: "off",
		replicas: 3, replicaName: "r-1", log: logSettings{format: "text", requests: true}}
	want.proxies = networks{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	want.denied = networks{netip.MustParsePrefix("192.0.2.7/32")}
	want.given = []launch.Flag{{Name: "data", Value: "/d"}}
	want.team = teamOptions{
		issuer: "https://id.example", client: "play", secret: "s", links: "people",
		require: []oidc.Claim{{Name: "hd", Value: "a"}, {Name: "hd", Value: "b"}},
	}
	want.allowed = allowed{{Prefix: netip.MustParsePrefix("10.0.0.0/8"), Plain: true}}
	want.limits.pages.Pages, want.limits.drain = app.Rate{N: 5, Per: time.Second, Burst: 5}, time.Second
	if !reflect.DeepEqual(o, want) {
		t.Errorf("got %+v", o)
	}
	o, err = parseOptions([]string{
		"-addr", "127.0.0.1:9", "-public=false", "-trusted-network", "-db", "postgres://x",
		"-limit", "pages=6/1m", "-trusted-proxy", "192.0.2.1",
	}, func(name string) string { return env[name] }, io.Discard)
	if err != nil || o.addr != "127.0.0.1:9" || o.mode != app.Trusted || o.db != "postgres://x" ||
		o.limits.pages.Pages.N != 6 || o.limits.drain != time.Second || len(o.proxies) != 3 {
		t.Errorf("flags do not win over the environment: %+v, %v", o, err)
	}
}

func TestOptions_RefusesUnsafeAndInvalidUse(t *testing.T) {
	tests := []struct {
		args []string
		says string
	}{
		{[]string{"-addr", "0.0.0.0:1"}, "-trusted-network"},
		{[]string{"-addr", ":1"}, "-trusted-network"},
		{[]string{"-public"}, "-base-url"},
		{[]string{"-public", "-base-url", "http://x"}, "-base-url"},
		{[]string{"-addr", "nothing"}, "HOST:PORT"},
		{[]string{"-oidc-issuer", "https://i.example", "-oidc-client", "c"}, "-base-url"},
		{[]string{"-oidc-issuer", "https://i.example", "-base-url", "https://x"}, "-oidc-client"},
		{[]string{"-oidc-issuer", "http://i.example", "-oidc-client", "c", "-base-url", "https://x"},
			"https://"},
		{[]string{"-oidc-issuer", "https://i.example", "-oidc-client", "c", "-base-url", "http://x"},
			"https://"},
		{[]string{"-oidc-issuer", "https://i.example", "-oidc-client", "c", "-base-url", "https://x",
			"-oidc-key", "/nothing"}, "-oidc-key"},
		{[]string{"-oidc-client", "c", "-base-url", "https://x"}, "-oidc-issuer"},
		{[]string{"-user-header", "X-User", "-base-url", "https://x"}, "-trusted-proxy"},
		{[]string{"-user-header", "X-User", "-trusted-proxy", "127.0.0.1"}, "-base-url"},
		{[]string{"-user-header", "X-User", "-trusted-proxy", "127.0.0.1", "-base-url", "https://x",
			"-oidc-issuer", "https://i.example", "-oidc-client", "c"}, "exclude each other"},
		{[]string{"-links", "people", "-base-url", "https://x"}, "-oidc-issuer"},
		{[]string{"-links", "nobody", "-base-url", "https://x"}, "neither"},
		{[]string{"-oidc-require", "hd", "-base-url", "https://x"}, "CLAIM=VALUE"},
		{[]string{"-nothing"}, "-help"},
		{[]string{"serve", "more"}, "no arguments"},
		{[]string{"nothing"}, "unknown command"},
		{[]string{"call"}, "needs a URL"},
		{[]string{"call", "ftp://x", "t"}, ""},
		{[]string{"call", "http://x", "t", "[]"}, "JSON object"},
		{[]string{"call", "-header", "x", "http://x", "t"}, "Name: value"},
		{[]string{"call", "-header", "Host: x\r\ny: z", "http://x", "t"}, ""},
		{[]string{"call", "-method", "tools/list", "http://x", "t"}, "cannot ask questions"},
		{[]string{"-limit", "nothing=1"}, "help limits"},
		{[]string{"-limit", "pages"}, "not a rate"},
		{[]string{"-limit", "checks=0"}, "above zero"},
		{[]string{"-limit", "drain=-1s"}, "above zero"},
		{[]string{"-limit", "request-body=many"}, "request-body"},
		{[]string{"-trusted-proxy", "10.0.0.0/99"}, "not a network"},
		{[]string{"-trusted-proxy", "127.0.0.1"}, "requires -base-url"},
		{[]string{"-trusted-proxy", "127.0.0.1"}, "add -trusted-network"},
		{[]string{"-trusted-proxy", "127.0.0.1", "-stdio", "a"}, "strangers"},
		{[]string{"-deny", "example.com"}, "not a network"},
		{[]string{"-replicas", "0"}, "number of processes"},
		{[]string{"-replicas", "3"}, "-db postgres"},
		{[]string{"-replicas", "3", "-db", "postgres://h/d"}, "-base-url"},
		{[]string{"-replica-name", "a.b"}, "letters"},
		{[]string{"-stdio", "a | b"}, "no shell"},
		{[]string{"-stdio", "a", "-public", "-base-url", "https://x"}, "strangers"},
		{[]string{"-stdio", "a", "-trusted-network"}, "your rights"},
		{[]string{"-stdio", "a", "-db", "postgres://h/d"}, "cannot reach"},
		{[]string{"-stdio", "a", "-replicas", "2"}, "-db postgres"},
		{[]string{
			"-stdio", "a", "-replicas", "2", "-db", "postgres://h/d", "-base-url", "https://x", "-public",
		}, "strangers"},
		{[]string{"call", "-stdio", "a", "-stdio", "b"}, "once"},
		{[]string{"call", "-stdio", "a", "-public"}, "exclude"},
		{[]string{"call", "-stdio", "a", "-header", "X: y", "t"}, "no headers"},
		{[]string{"check", "-stdio", "a", "http://x", "-tool", "t"}, "stands for the URL"},
		{[]string{"check", "-stdio", "a", "-tool", "t", "-person", "X: y"}, "no headers"},
		{[]string{"check", "-stdio", "a"}, "-tool"},
		{[]string{"-log-format", "xml"}, "json nor text"},
		{[]string{"health", "-addr", "x"}, "HOST:PORT"},
		{[]string{"-db", "mysql://u:p@h/d"}, "postgres://"},
		{[]string{"backup"}, "one FILE"},
		{[]string{"restore", "a", "b"}, "one FILE"},
		{[]string{"restore", "-max-size", "0", "a"}, "one FILE"},
		{[]string{"backup", "-db", "postgres://h/d", "a"}, "pg_dump"},
		{[]string{"restore", "-db", "postgresql://h/d", "a"}, "keys"},
	}
	ended, end := context.WithCancel(t.Context())
	end() // a run that is not refused ends at once
	for _, test := range tests {
		err := run(ended, test.args, noEnv, io.Discard, io.Discard)
		if code := exitCode(err, io.Discard); code != exitUsage {
			t.Errorf("%q: exit code %d (%v)", test.args, code, err)
		}
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q says %v, want something of %q", test.args, err, test.says)
		}
	}
}

// program is the whole program, running in this process on a free port.
type program struct {
	t    testing.TB
	url  string
	stop context.CancelFunc
	done chan error
}

func startProgram(t testing.TB, data string, flags ...string) *program {
	t.Helper()
	return startLogged(t, data, io.Discard, flags...)
}

// startLogged starts a program that logs to a writer.
func startLogged(t testing.TB, data string, logs io.Writer, flags ...string) *program {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	p := &program{t: t, stop: stop, done: make(chan error, 1)}
	out, in := io.Pipe()
	go func() {
		p.done <- run(
			ctx, append([]string{"-addr", "127.0.0.1:0", "-data", data}, flags...), patient, in, logs,
		)
		_ = in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v, %v", err, <-p.done)
	}
	p.url = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	t.Cleanup(p.end)
	return p
}

func (p *program) end() {
	if p.stop == nil {
		return
	}
	p.stop()
	p.stop = nil
	if err := <-p.done; err != nil {
		p.t.Errorf("the program ended with %v", err)
	}
}

// post sends a form and returns the path that it leads to.
func (p *program) post(path string, form url.Values) string {
	p.t.Helper()
	client := http.Client{Jar: cookies, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.PostForm(p.url+path, form)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		p.t.Fatalf("POST %s: %s", path, res.Status)
	}
	return res.Header.Get("Location")
}

func (p *program) get(path string) string {
	p.t.Helper()
	client := http.Client{Jar: cookies}
	res, err := client.Get(p.url + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(body)
}

// TestServe_OpenQuestionSurvivesARestart: it is stopped while a question is
// open, started again on the same data, and goes on.
func TestServe_OpenQuestionSurvivesARestart(t *testing.T) {
	data := t.TempDir()
	p := startProgram(t, data)
	path := p.post("/exchanges", url.Values{"sample": {"azure-devops"}})
	p.post(path+"/rounds", url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}})
	p.end()
	again := startProgram(t, data)
	again.post(path+"/rounds", url.Values{"round": {"2"}, "a0.action": {"accept"}, "a0.f0": {"4301"}})
	if page := again.get(path); !strings.Contains(page,
		"Bug #4522 resolved as Duplicate of Bug #4301. State set to Resolved and duplicate link created.") {
		t.Error("the exchange did not go on")
	}
}

func TestCall_PrintsJSON(t *testing.T) {
	p := startProgram(t, t.TempDir())
	answers := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(answers,
		[]byte(`{"resolution":{"resolution":"Duplicate"},"duplicate_of":{"duplicateOfId":4301}}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []string{
		"call", "-json", "-answers", answers, p.url + "/mcp/azure-devops", "update_work_item",
		`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`,
	}
	if err := run(t.Context(), args, noEnv, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var report callReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Status != "complete" || len(report.Rounds) != 3 ||
		!strings.Contains(string(report.Result), "Duplicate of Bug #4301") {
		t.Errorf("got %s", out.String())
	}
}

func TestCall_ExitCodes(t *testing.T) {
	p := startProgram(t, t.TempDir())
	sample := p.url + "/mcp/azure-devops"
	for name, args := range map[string][]string{
		"tool error": {"call", sample, "update_work_item",
			`{"workItemId":1,"fields":{"System.State":"Resolved"}}`},
		"no such tool":  {"call", sample, "nothing"},
		"no server":     {"call", "http://127.0.0.1:1/mcp", "t"},
		"not an MCP":    {"call", p.url + "/healthz", "t"},
		"list of what?": {"call", p.url + "/healthz"},
	} {
		err := run(t.Context(), args, noEnv, io.Discard, io.Discard)
		if !errors.Is(err, errQuiet) || exitCode(err, io.Discard) != exitWrong {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHealth_AsksTheRunningProgram(t *testing.T) {
	p := startProgram(t, t.TempDir())
	addr := strings.TrimPrefix(p.url, "http://")
	if err := run(t.Context(), []string{"health", "-addr", addr}, noEnv, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
	p.end()
	if err := run(t.Context(), []string{"health", "-addr", addr}, noEnv, io.Discard, io.Discard); err == nil {
		t.Error("a program that has ended is healthy")
	}
}

func TestMetrics_HaveTheirOwnAddress(t *testing.T) {
	addr, err := serveAdmin(t.Context(), "127.0.0.1:0", newMetrics().handler(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Get("http://" + addr.String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(body), "go_goroutines") {
		t.Errorf("%v, %.200s", err, body)
	}
	_, err = serveAdmin(t.Context(), addr.String(), newMetrics().handler(), slog.New(slog.DiscardHandler))
	if err == nil {
		t.Error("an address in use is taken twice")
	}
}

func TestOrigin(t *testing.T) {
	for raw, want := range map[string]string{
		"http://127.0.0.1:2322": "http://127.0.0.1:2322", "https://Play.example": "https://play.example:443",
		"http://play.example/": "http://play.example:80", "%": "",
	} {
		if got := origin(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// TestHelp_OfEachCommand: help COMMAND prints the same as COMMAND -help, and a
// command that does not exist is a usage error.
func TestHelp_OfEachCommand(t *testing.T) {
	printed := func(args ...string) string {
		var out bytes.Buffer
		if err := run(t.Context(), args, noEnv, &out, io.Discard); err != nil {
			t.Errorf("%q: %v", args, err)
		}
		return out.String()
	}
	texts := map[string]string{}
	for name := range helpTexts {
		if slices.Contains([]string{"auth", "baseline", "team", "values"}, name) { // topics
			continue
		}
		text := printed("help", name)
		if text != printed(name, "-help") || !strings.Contains(text, "usage: mrtr-playground") {
			t.Errorf("help %s prints %.80q", name, text)
		}
		if other, twice := texts[text]; twice {
			t.Errorf("help %s and help %s are the same", name, other)
		}
		texts[text] = name
	}
	if serve := printed("help"); serve != helpOf("serve") || printed("help", "help") != serve ||
		printed("help", "-help") != serve {
		t.Error("help does not print the list of commands")
	}
	for _, args := range [][]string{
		{"help", "bogus"}, {"help", "call", "check"}, {"help", "-bogus"}, {"version", "now"}, {"health",
			"now"},
	} {
		err := run(t.Context(), args, noEnv, io.Discard, io.Discard)
		if exitCode(err, io.Discard) != exitUsage || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestFlags_OnBothSidesOfTheArguments: a flag after the arguments counts as one
// before them does.
func TestFlags_OnBothSidesOfTheArguments(t *testing.T) {
	for _, args := range [][]string{{"f.tar.gz", "-data", "/d"}, {"-data", "/d", "f.tar.gz"}} {
		for _, command := range []string{"backup", "restore"} {
			s, err := parseSource(command, args, noEnv, io.Discard)
			if err != nil || s.data != "/d" || s.archive != "f.tar.gz" {
				t.Errorf("%s %q: %+v, %v", command, args, s, err)
			}
		}
	}
	data := t.TempDir()
	if err := run(t.Context(), []string{"keys", "rotate", "-data", data}, noEnv, io.Discard,
		io.Discard); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(data); err != nil || len(entries) == 0 {
		t.Errorf("no keys in -data: %v", err)
	}
	o, err := parseCall([]string{"http://x", "t", "-rounds", "3", "{}", "-json"}, noEnv, io.Discard)
	if err != nil || o.most != 3 || !o.json || o.name != "t" {
		t.Errorf("%+v, %v", o, err)
	}
	c, err := parseCheck([]string{"-json", "http://x", "-tool", "t", "-wait", "3s"}, noEnv, io.Discard)
	if err != nil || c.late != 3*time.Second || c.format != "json" || c.name != "t" {
		t.Errorf("%+v, %v", c, err)
	}
}
