package main

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkRound measures a round through the playground (form POST to
// rendered fragment, durable) beside the same round by a bare go-sdk client
// against the same sample over the same loopback, turn by turn in one run. A
// turn is several rounds, so that each side pays for its own garbage.
func BenchmarkRound(b *testing.B) {
	p := startProgram(b, b.TempDir())
	session := bareClient(b, p.url+"/mcp/azure-devops")
	form := url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}}
	var paths [20]string
	var ours, bare time.Duration
	for b.Loop() {
		for i := range paths {
			paths[i] = p.post("/exchanges", url.Values{"sample": {"azure-devops"}})
		}
		ours += turn(func() {
			for _, path := range paths {
				if fragment := postFragment(b, p.url+path+"/rounds", form); !strings.Contains(fragment,
					`data-input-key="duplicate_of"`) {
					b.Fatalf("no second question in %.400s", fragment)
				}
			}
		})
		bare += turn(func() {
			for range paths {
				bareRound(b, session)
			}
		})
	}
	rounds := float64(b.N * len(paths))
	b.ReportMetric(float64(ours.Microseconds())/rounds, "µs/playground-round")
	b.ReportMetric(float64(bare.Microseconds())/rounds, "µs/bare-round")
	b.ReportMetric(float64(ours)/float64(bare), "ratio")
	b.ReportMetric(0, "ns/op")
}

// turn measures f, which begins without garbage of others.
func turn(f func()) time.Duration {
	runtime.GC()
	start := time.Now()
	f()
	return time.Since(start)
}

func postFragment(b *testing.B, url string, form url.Values) string {
	req, err := http.NewRequestWithContext(
		b.Context(), http.MethodPost, url, strings.NewReader(form.Encode()),
	)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("HX-Request", "true")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%s: %v", res.Status, err)
	}
	return string(body)
}

func bareClient(b *testing.B, endpoint string) *mcp.ClientSession {
	client := mcp.NewClient(&mcp.Implementation{Name: "bare", Version: "1"}, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		Capabilities: &mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}},
		},
	})
	session, err := client.Connect(b.Context(), &mcp.StreamableClientTransport{Endpoint: endpoint}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = session.Close() })
	return session
}

func bareRound(b *testing.B, session *mcp.ClientSession) {
	res, err := session.CallTool(b.Context(), &mcp.CallToolParams{
		Name: "update_work_item",
		Arguments: map[string]any{
			"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
		},
		InputResponses: mcp.InputResponseMap{"resolution": &mcp.ElicitResult{
			Action: "accept", Content: map[string]any{"resolution": "Duplicate"},
		}},
	})
	if err != nil || res.RequestState == "" {
		b.Fatalf("no second question: %+v, %v", res, err)
	}
}

// BenchmarkStart measures the time from starting the program on an existing
// data directory to its first 200, beside a bare net/http program.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	ours, bare := build(b, dir, "."), build(b, dir, "./testdata/bare")
	args := []string{"-addr", "127.0.0.1:0", "-data", filepath.Join(dir, "data")}
	firstOK(b, ours, args) // makes the database and the keys
	var oursTook, bareTook time.Duration
	for b.Loop() {
		oursTook += firstOK(b, ours, args)
		bareTook += firstOK(b, bare, nil)
	}
	b.ReportMetric(float64(oursTook.Microseconds())/float64(b.N), "µs/playground-start")
	b.ReportMetric(float64(bareTook.Microseconds())/float64(b.N), "µs/bare-start")
	b.ReportMetric(float64(oursTook)/float64(bareTook), "ratio")
	b.ReportMetric(0, "ns/op")
}

func build(b *testing.B, dir, pkg string) string {
	out := filepath.Join(dir, filepath.Base(pkg)+"-program")
	if text, err := exec.Command("go", "build", "-o", out, pkg).CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", pkg, err, text)
	}
	return out
}

// firstOK starts a program, waits for its first 200 and ends it.
func firstOK(b *testing.B, program string, args []string) time.Duration {
	start := time.Now()
	cmd := exec.Command(program, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	res, err := http.Get(strings.TrimSpace(strings.TrimPrefix(line, "listening on ")) + "/healthz")
	if err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%v, %v", res, err)
	}
	_ = res.Body.Close()
	return time.Since(start)
}
