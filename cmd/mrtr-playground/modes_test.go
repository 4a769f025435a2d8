package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

func TestOptions_Mode(t *testing.T) {
	const public = "https://p.example"
	for words, want := range map[string]app.Mode{
		"":                                             app.Local,
		"-addr localhost:1":                            app.Local,
		"-base-url " + public:                          app.Public,
		"-base-url http://127.0.0.1:8080":              app.Public,
		"-trusted-proxy ::1 -base-url " + public:       app.Public,
		"-trusted-network":                             app.Trusted,
		"-trusted-network -addr 0.0.0.0:1":             app.Trusted,
		"-trusted-network -base-url http://x":          app.Trusted,
		"-trusted-network -trusted-proxy 127.0.0.1":    app.Trusted,
		"-public -base-url " + public:                  app.Public,
		"-public -addr :1 -base-url " + public:         app.Public,
		"-public -trusted-network -base-url " + public: app.Public,
	} {
		o, err := parseOptions(strings.Fields(words), noEnv, io.Discard)
		if err != nil || o.mode != want {
			t.Errorf("%q: %q, %v", words, o.mode, err)
		}
	}
	for _, words := range []string{
		"-addr 0.0.0.0:1 -base-url " + public, "-addr 0.0.0.0:1 -trusted-proxy 10.0.0.1",
		"-stdio a -base-url " + public, "-stdio a -trusted-proxy 10.0.0.1",
		"-allow-network 10.0.0.0/8", "-base-url " + public + " -allow-network 10.0.0.0/33",
		"-base-url " + public + " -allow-network ftp:10.0.0.0/8",
		"-base-url " + public + " -allow-network example.com",
	} {
		if _, err := parseOptions(strings.Fields(words), noEnv, io.Discard); err == nil {
			t.Errorf("%q is accepted", words)
		}
	}
}

// browser is one that keeps its cookies.
type browser struct {
	t *testing.T
	*http.Client
	url string
}

func newBrowser(t *testing.T, at string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, &http.Client{Jar: jar}, at}
}

// get returns the status and the text of a page.
func (b *browser) get(path string, header ...string) (status int, text string) {
	b.t.Helper()
	return b.ask(http.MethodGet, path, "", header...)
}

// post sends a form, and returns the page that it leads to.
func (b *browser) post(path, form string, header ...string) (status int, text string) {
	b.t.Helper()
	return b.ask(http.MethodPost, path, form, header...)
}

func (b *browser) ask(method, path, form string, header ...string) (status int, text string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(form))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// TestModes_TwoBrowsers: in local mode both are those of one person, and a request that comes
// through a proxy is refused. In every other mode neither finds the other's work. What may
// be called is a question of its own (fault 141).
func TestModes_TwoBrowsers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		flags  string
		shared bool // each browser has a workspace
		inside bool // a server of this machine may be called
	}{
		{flags: "", inside: true},
		{flags: "-trusted-network", shared: true},
		{flags: "-trusted-network -allow-network http:127.0.0.1", shared: true, inside: true},
		{flags: "-trusted-network -allow-network http:127.0.0.0/8", shared: true},
		{flags: "-base-url http://127.0.0.1:8080", shared: true},
		{flags: "-base-url http://127.0.0.1:8080 -allow-network 127.0.0.1", shared: true},
		{
			flags:  "-base-url http://127.0.0.1:8080 -allow-network http:127.0.0.1 -allow-network 10.0.0.0/8",
			shared: true, inside: true,
		},
		{flags: "-trusted-proxy 127.0.0.1 -base-url http://p.example", shared: true},
		{flags: "-trusted-network -trusted-proxy 127.0.0.1", shared: true},
		{
			flags: "-trusted-network -trusted-proxy 127.0.0.1 -base-url http://p.example " +
				"-allow-network http:127.0.0.1",
			shared: true, inside: true,
		},
	} {
		t.Run(tt.flags, func(t *testing.T) {
			t.Parallel()
			var heard atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				heard.Add(1)
				w.WriteHeader(http.StatusNotFound)
			}))
			defer server.Close()
			p := startProgram(t, t.TempDir(),
				append(strings.Fields(tt.flags), "-limit", "drain-delay=1ms")...)
			one, two := newBrowser(t, p.url), newBrowser(t, p.url)
			one.post("/exchanges", "sample=azure-devops")
			_, own := one.get("/history")
			_, other := two.get("/history")
			if !strings.Contains(own, "data-session") ||
				strings.Contains(other, "data-session") == tt.shared {
				t.Errorf("the history of the first %t, of the second %t",
					strings.Contains(own, "data-session"), strings.Contains(other, "data-session"))
			}
			status, _ := two.get("/history", "X-Forwarded-For", "192.0.2.1", "Via", "1.1 proxy")
			if refused := status == http.StatusForbidden; refused == tt.shared {
				t.Errorf("through a proxy: %d", status)
			}
			one.post("/servers", url.Values{"url": {server.URL}}.Encode())
			for tt.inside && heard.Load() == 0 {
				lull()
			}
			if inside := heard.Load() > 0; inside != tt.inside {
				t.Errorf("a server of this machine was called: %t", inside)
			}
		})
	}
}

// TestClaim_GivesTheSharedWorkspaceToTheOperator: a recording of local mode, or
// of a trusted network that shared one workspace, belongs to no browser until
// the operator opens the link of the command, which works once.
func TestClaim_GivesTheSharedWorkspaceToTheOperator(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	before := startProgram(t, data)
	newBrowser(t, before.url).post("/exchanges", "sample=azure-devops")
	before.end()
	var logs bytes.Buffer
	p := startLogged(t, data, &logs, "-trusted-network")
	has := func(b *browser) bool {
		_, text := b.get("/history")
		return strings.Contains(text, "data-session")
	}
	first, busy, operator := newBrowser(t, p.url), newBrowser(t, p.url), newBrowser(t, p.url)
	busy.post("/flows", "")
	if has(first) {
		t.Fatal("the first browser that comes has the shared workspace")
	}
	claim := func(env map[string]string, args ...string) string {
		var out bytes.Buffer
		err := run(t.Context(), append([]string{"claim", "-data", data}, args...),
			func(name string) string { return env[name] }, &out, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out.String())
	}
	if link := claim(map[string]string{"MRTR_ADDR": "0.0.0.0:99"}); !strings.HasPrefix(link,
		"http://localhost:99/claim/") {
		t.Error(link)
	}
	path := strings.TrimPrefix(claim(nil, "-base-url", p.url+"/"), p.url)
	if status, text := busy.post(path, ""); status != http.StatusConflict ||
		!strings.Contains(text, "another browser") {
		t.Errorf("a browser with work of its own: %d", status)
	}
	if status, text := operator.get(path); status != http.StatusOK ||
		!strings.Contains(text, "Take it over") || has(operator) {
		t.Errorf("reading the page: %d", status)
	}
	if status, _ := operator.post(path, ""); status != http.StatusOK || !has(operator) {
		t.Errorf("the operator: %d", status)
	}
	for name, path := range map[string]string{"used": path, "changed": path + "x", "cookie": "/claim/mrtr"} {
		if status, text := first.post(path, ""); status != http.StatusNotFound || has(first) ||
			!strings.Contains(text, "no_claim") {
			t.Errorf("a link that was %s: %d", name, status)
		}
	}
	again := strings.TrimPrefix(claim(nil, "-base-url", p.url), p.url)
	if status, _ := first.post(again, ""); status != http.StatusOK || !has(first) {
		t.Errorf("another link: %d", status)
	}
	p.end()
	if !strings.Contains(logs.String(), "mrtr-playground claim") {
		t.Errorf("the log does not say where the work is: %s", &logs)
	}
	logs.Reset()
	startLogged(t, data, &logs, "-trusted-network").end()
	if strings.Contains(logs.String(), "mrtr-playground claim") {
		t.Errorf("the log offers work that was claimed: %s", &logs)
	}
	local := startProgram(t, data)
	if status, _ := newBrowser(t, local.url).get(again); status != http.StatusNotFound {
		t.Errorf("in local mode: %d", status)
	}
}
