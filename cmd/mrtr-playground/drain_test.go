package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A call of 2 seconds, which reports its progress.
const slowCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait",` +
	`"arguments":{"seconds":2},"_meta":{"progressToken":"p",` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"drain","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}}}`

// send sends a request of a method to a sample and returns the stream of its answer.
func (p *program) send(path, method, name, body string) *bufio.Scanner {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.url+path,
		strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name,
	} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = res.Body.Close() })
	return bufio.NewScanner(res.Body)
}

// TestDrain_AnswersWhatIsRunning: a call that runs when the program begins to stop
// gets its result, and a subscription, which would last for ever, ends.
func TestDrain_AnswersWhatIsRunning(t *testing.T) {
	p := startProgram(t, t.TempDir(), "-limit", "drain=1h")
	listening := p.send("/mcp/tasks", "subscriptions/listen", "", `{"jsonrpc":"2.0","id":2,`+
		`"method":"subscriptions/listen","params":{"notifications":{},"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"drain","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if !listening.Scan() {
		t.Fatal("the subscription has no event")
	}
	call := p.send("/mcp/slow", "tools/call", "wait", slowCall)
	if !call.Scan() {
		t.Fatal("the call reports no progress")
	}
	p.end()
	var rest strings.Builder
	for call.Scan() {
		rest.WriteString(call.Text() + "\n")
	}
	if call.Err() != nil || !strings.Contains(rest.String(), `"result"`) {
		t.Errorf("the call has no result: %v, %s", call.Err(), rest.String())
	}
}

// TestDrain_EndsWhatWaitsForAnAnswer: the open call of a legacy client waits for an
// answer, which could not get to a program that stops.
func TestDrain_EndsWhatWaitsForAnAnswer(t *testing.T) {
	p := startProgram(t, t.TempDir(), "-limit", "drain=1h")
	asked, told := make(chan struct{}), make(chan error)
	client := mcp.NewClient(&mcp.Implementation{Name: "drain", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			close(asked)
			<-ctx.Done() // the person never answers
			return nil, ctx.Err()
		},
	})
	s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: p.url + "/mcp/before-mrtr", DisableStandaloneSSE: true, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "update_work_item",
			Arguments: map[string]any{
				"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
			}})
		if err == nil && !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "Instance a stops.") {
			err = fmt.Errorf("the result does not say why: %v", res.Content)
		}
		told <- err
	}()
	<-asked
	p.end()
	if err := <-told; err != nil {
		t.Error(err)
	}
}

// TestDrain_ReadyzFailsFirst: after SIGTERM /readyz is 503 while requests are still
// served (fault 83).
func TestDrain_ReadyzFailsFirst(t *testing.T) {
	v := startVictim(t, t.TempDir(), "-public", "-base-url", "https://p.example",
		"-limit", "drain-delay=1h", "-limit", "drain=1h")
	defer v.kill()
	status := func(path string) int {
		res, err := http.Get(v.url + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := status("/readyz"); got != http.StatusOK {
		t.Fatal(got)
	}
	v.signal(syscall.SIGTERM)
	for status("/readyz") != http.StatusServiceUnavailable {
		lull()
	}
	if got := status("/healthz"); got != http.StatusOK {
		t.Errorf("a request is not served any more: %d", got)
	}
}

// TestDrain_EndsInPublicMode without an error.
func TestDrain_EndsInPublicMode(t *testing.T) {
	p := startProgram(t, t.TempDir(), "-public", "-base-url", "https://p.example", "-limit",
		"drain-delay=1ms")
	p.end()
}
