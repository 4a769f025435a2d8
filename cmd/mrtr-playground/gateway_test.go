package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// upstreamAddress finds the address of the upstream in what gateway prints.
type upstreamAddress struct {
	mu    sync.Mutex
	text  string
	once  sync.Once
	found chan *url.URL
}

func (a *upstreamAddress) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text += string(b)
	if _, rest, ok := strings.Cut(a.text, "point the gateway at "); ok && strings.Contains(rest, "/mcp\n") {
		at, err := url.Parse(strings.TrimSuffix(rest[:strings.Index(rest, "\n")], "/mcp"))
		if err == nil {
			a.once.Do(func() { a.found <- at })
		}
	}
	return len(b), nil
}

// gatewayTested runs gateway on a hop that is pointed at its upstream, and returns the exit code
// and the output.
func gatewayTested(t *testing.T, change func(*http.Response) error, args ...string) (int, string) {
	t.Helper()
	a := &upstreamAddress{found: make(chan *url.URL, 1)}
	proxy := sync.OnceValue(func() http.Handler {
		p := httputil.NewSingleHostReverseProxy(<-a.found)
		p.ModifyResponse = change
		p.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		}
		return p
	})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxy().ServeHTTP(w, r)
	}))
	defer front.Close()
	var out bytes.Buffer
	args = slices.Concat([]string{"gateway", "-wait", "1h"}, args, []string{front.URL + "/mcp"})
	err := run(t.Context(), args, patient, &out, a)
	return exitCode(err, io.Discard), out.String()
}

// withoutType is a hop that drops resultType.
func withoutType(r *http.Response) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return nil
	}
	b, err := io.ReadAll(r.Body)
	b = bytes.ReplaceAll(b, []byte(`"resultType":"input_required",`), nil)
	r.Header.Del("Content-Length")
	r.ContentLength, r.Body = -1, io.NopCloser(bytes.NewReader(b))
	return err
}

func TestGateway_ExitCodes(t *testing.T) {
	if code, out := gatewayTested(t, nil); code != 0 || !strings.Contains(out,
		"passes everything on as it must") {
		t.Errorf("a plain proxy: exit code %d\n%s", code, out)
	}
	drops := func(r *http.Response) error { r.Header.Del("WWW-Authenticate"); return nil }
	code, out := gatewayTested(t, drops)
	if code != exitWrong || !strings.Contains(out, "challenge") || !strings.Contains(out, "fails 1 check") {
		t.Errorf("a fault: exit code %d\n%s", code, out)
	}
	closed := freeAddress(t)
	var printed bytes.Buffer
	err := run(
		t.Context(),
		[]string{"gateway", "-wait", "1ms", "http://" + closed + "/mcp"},
		patient,
		&printed,
		io.Discard,
	)
	if code := exitCode(err, io.Discard); code != exitControl ||
		!strings.Contains(printed.String(), "Nothing could be judged") {
		t.Errorf("no gateway: exit code %d\n%s", code, printed.String())
	}
}

// TestGateway_Interrupted: the report on the calls that were made is printed.
func TestGateway_Interrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	a := &upstreamAddress{found: make(chan *url.URL, 1)}
	proxy := sync.OnceValue(func() http.Handler {
		p := httputil.NewSingleHostReverseProxy(<-a.found)
		p.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		}
		return p
	})
	var calls atomic.Int32
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/call" && calls.Add(1) == 10 {
			interrupt()
		}
		proxy().ServeHTTP(w, r)
	}))
	defer front.Close()
	var out bytes.Buffer
	err := run(ctx, []string{"gateway", "-wait", "1h", front.URL + "/mcp"}, patient, &out, a)
	said := out.String()
	if code := exitCode(err, io.Discard); code != exitWrong ||
		!strings.Contains(said, "The test ended early; the other calls were not made.") ||
		!strings.Contains(said, " passed") || strings.Contains(said, "failed") {
		t.Errorf("exit code %d, %v\n%s", code, err, said)
	}
}

// TestGateway_Wildcard: an upstream that listens everywhere is named by an address that can be
// called.
func TestGateway_Wildcard(t *testing.T) {
	a := &upstreamAddress{found: make(chan *url.URL, 1)}
	args := []string{"gateway", "-wait", "1ms", "-addr", "0.0.0.0:0", "http://127.0.0.1:9/mcp"}
	err := run(t.Context(), args, patient, io.Discard, a)
	if at := <-a.found; exitCode(err, io.Discard) != exitControl || at.Hostname() != "127.0.0.1" ||
		at.Port() == "0" {
		t.Errorf("%v, %s", err, at)
	}
}

func TestGateway_UsedWrongly(t *testing.T) {
	for name, args := range map[string][]string{
		"nothing":        {},
		"two URLs":       {"http://a/mcp", "http://b/mcp"},
		"no URL":         {"ftp://a/mcp"},
		"URL and stdio":  {"-stdio", "true {url}", "http://a/mcp"},
		"header, stdio":  {"-stdio", "true {url}", "-header", "A: b"},
		"no time":        {"-wait", "0s", "http://a/mcp"},
		"no format":      {"-format", "pdf", "http://a/mcp"},
		"no baseline":    {"-baseline", t.TempDir() + "/none.json", "http://a/mcp"},
		"an unknown one": {"-bogus", "http://a/mcp"},
	} {
		err := run(t.Context(), append([]string{"gateway"}, args...), patient, io.Discard, io.Discard)
		if code := exitCode(err, io.Discard); code != exitUsage {
			t.Errorf("%s: exit code %d, %v", name, code, err)
		}
	}
}

// TestGateway_Reports: each format has the line of a fault, a baseline makes it old, and no
// report has the credentials of the client.
func TestGateway_Reports(t *testing.T) {
	const secret = "token-0123456789abcdef"
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	code, _ := gatewayTested(t, withoutType, "-report", file("a.json"), "-report", file("a.xml"), "-report",
		file("a.md"), "-header", "Authorization: Bearer "+secret)
	if code != exitWrong {
		t.Errorf("exit code %d", code)
	}
	texts := map[string]string{}
	for _, name := range []string{"a.json", "a.xml", "a.md"} {
		b, err := os.ReadFile(file(name))
		if err != nil || bytes.Contains(b, []byte(secret)) {
			t.Errorf("%s has the token, or: %v", name, err)
		}
		texts[name] = string(b)
	}
	var d gateway.Document
	if err := json.Unmarshal([]byte(texts["a.json"]), &d); err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, l := range d.Lines {
		if l.Verdict == verdict.Failed {
			failed = append(failed, l.ID)
		}
	}
	if !slices.Equal(failed, []string{"result-type"}) || len(d.Calls) < 25 || d.OK ||
		!strings.Contains(d.Calls[0].Requests[0].Client.Request.Body, d.Calls[0].Mark) ||
		!strings.Contains(d.Calls[0].Requests[0].Upstream[0].Request.Body, d.Calls[0].Mark) {
		t.Errorf("%v failed, %d calls", failed, len(d.Calls))
	}
	var j struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal([]byte(texts["a.xml"]), &j); err != nil || j.Failures != 1 {
		t.Errorf("%v, %d failures", err, j.Failures)
	}
	if !strings.Contains(texts["a.md"], "result\\-type") && !strings.Contains(texts["a.md"], "result-type") {
		t.Errorf("no line in\n%s", texts["a.md"])
	}
	if code, out := gatewayTested(t, withoutType, "-baseline", file("a.json")); code != 0 ||
		!strings.Contains(out, "Nothing new") {
		t.Errorf("with the baseline: exit code %d\n%s", code, out)
	}
}

// bridge is a hop that is a command: it passes lines on to the URL of its argument.
func bridge(args []string) error {
	var out sync.Mutex
	var running sync.WaitGroup
	var mu sync.Mutex
	stops := map[string]context.CancelFunc{}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<22)
	for in.Scan() {
		body := bytes.Clone(in.Bytes())
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name, URI, TaskID string
				RequestID         json.RawMessage
				Arguments         map[string]any
			}
		}
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		if m.Method == "notifications/cancelled" {
			mu.Lock()
			if stop := stops[string(m.Params.RequestID)]; stop != nil {
				stop()
			}
			mu.Unlock()
			continue
		}
		ctx, stop := context.WithCancel(context.Background())
		mu.Lock()
		stops[string(m.ID)] = stop
		mu.Unlock()
		running.Go(func() {
			defer stop()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, args[0], bytes.NewReader(body))
			if err != nil {
				return
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			req.Header.Set("Mcp-Method", m.Method)
			if name := m.Params.Name + m.Params.URI + m.Params.TaskID; name != "" {
				req.Header.Set("Mcp-Name", name)
			}
			mirror(req.Header, m.Params.Name, m.Params.Arguments)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				return
			}
			defer res.Body.Close()
			stream := strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream")
			lines := bufio.NewScanner(res.Body)
			lines.Buffer(nil, 1<<22)
			message := ""
			write := func() {
				if message != "" {
					out.Lock()
					defer out.Unlock()
					fmt.Println(message)
				}
				message = ""
			}
			if res.StatusCode == http.StatusUnauthorized {
				message = fmt.Sprintf(
					`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"status 401"}}`,
					m.ID,
				)
				write()
				return
			}
			for lines.Scan() {
				text := lines.Text()
				data, isData := strings.CutPrefix(text, "data:")
				switch {
				case !stream:
					message += text
				case isData:
					message += data
				case text == "":
					write()
				}
			}
			write()
		})
	}
	running.Wait()
	return nil
}

// mirror sets the headers of the tools whose arguments are annotated.
func mirror(h http.Header, tool string, arguments map[string]any) {
	switch tool {
	case "mirror_text":
		h.Set("Mcp-Param-Text", "plain")
	case "mirror_unicode":
		h.Set("Mcp-Param-Text", "=?base64?R3LDvMOfZQ==?=")
	case "mirror_integer":
		h.Set("Mcp-Param-Count", fmt.Sprint(arguments["count"]))
	}
}

// TestGateway_Stdio: a hop that is a command gets the address of the upstream, and is judged.
func TestGateway_Stdio(t *testing.T) {
	t.Setenv(clientMode, "bridge")
	var out bytes.Buffer
	err := run(
		t.Context(),
		[]string{"gateway", "-wait", "1h", "-stdio", "'" + os.Args[0] + "' {url}"},
		patient,
		&out,
		io.Discard,
	)
	if code := exitCode(err, io.Discard); code != 0 || !strings.Contains(out.String(),
		"passes everything on as it must") ||
		!strings.Contains(out.String(), "Lines of a command have no headers") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}

// plainGateway serves a plain proxy at the address of its first argument, in front of that of
// its second one, until the test closes its connection.
func plainGateway(args []string) error {
	conn, err := net.Dial("tcp", os.Getenv(clientDial))
	if err != nil {
		return err
	}
	at, err := url.Parse(args[1])
	if err != nil {
		return err
	}
	go func() { _ = http.ListenAndServe(args[0], httputil.NewSingleHostReverseProxy(at)) }()
	_, _ = io.Copy(io.Discard, conn)
	return nil
}

// TestGateway_GitHubActions runs the steps of the reference page as GitHub does, with a plain
// proxy as the gateway, at other ports.
func TestGateway_GitHubActions(t *testing.T) {
	text := pageBlocks(t, "../../playground/lesson/content/reference/9-ci.md", "yaml")[1]
	if n := strings.Count(text, "\n"); n > 10 {
		t.Errorf("%d lines", n)
	}
	upstream, front := freeAddress(t), freeAddress(t)
	ported := strings.NewReplacer("127.0.0.1:9000", upstream, "127.0.0.1:8080", front).Replace(text)
	var steps []struct {
		Uses, Run string
		With      map[string]string
	}
	if err := yaml.Unmarshal([]byte(ported), &steps); err != nil || strings.Count(text, ":9000") < 2 {
		t.Fatal(err)
	}
	l := listen(t)
	go func() {
		if conn, err := l.Accept(); err == nil {
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	j := ciJob{t: t, dir: t.TempDir()}
	installAs(t, j.dir, "mrtr-playground", clientMode+"=self", `"$@"`)
	installAs(t, j.dir, "your-gateway", clientMode+"=gateway "+clientDial+"="+l.Addr().String(),
		front+" http://"+upstream)
	for _, step := range steps {
		if step.Run != "" && !strings.HasPrefix(step.Run, "go install ") {
			if code := j.step(step.Run); code != 0 {
				t.Errorf("exit code %d\n%s", code, j.out)
			}
		}
		if path := step.With["path"]; path != "" && !strings.Contains(j.read(path), "<testsuites") {
			t.Errorf("nothing to upload at %s\n%s", path, j.out)
		}
	}
}
