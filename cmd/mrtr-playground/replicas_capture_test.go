package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rotating returns the address of a load balancer that sends each request to another
// program than the one before.
func rotating(t *testing.T, bases []string) string {
	t.Helper()
	var n atomic.Int64
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			to, err := url.Parse(bases[int(n.Add(1))%len(bases)])
			if err != nil {
				t.Error(err)
				return
			}
			r.SetURL(to)
		},
		ModifyResponse: func(res *http.Response) error {
			if code := res.Header.Get("Mcp-Capture-Error"); code != "" {
				t.Errorf("a capture refused %s: %s", res.Request.Method, code)
			}
			return nil
		},
	})
	t.Cleanup(front.Close)
	return front.URL
}

var addressOf = regexp.MustCompile(`data-address[^>]*>[^<]*(/c/[^<]+)<`)

// captureOn makes a capture in front of a server, and returns the path of its page and of
// its address.
func captureOn(t *testing.T, base, server string) (page, path string) {
	t.Helper()
	page, err := send(base, "/clients", url.Values{"server": {server}})
	if err != nil {
		t.Fatal(err)
	}
	m := addressOf.FindStringSubmatch((&program{t: t, url: base}).get(page))
	if m == nil {
		t.Fatal("no address")
	}
	return page, m[1]
}

// takeClientTest lets this program take some of the client test through a capture, with
// each request to another of the programs.
func takeClientTest(t *testing.T, bases []string) {
	page, path := captureOn(t, bases[0], "client-test")
	front := rotating(t, bases)
	answers := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(answers, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"echo_quotes", "five_rounds", "task_input", "task_twice"} {
		args := []string{"call", "-answers", answers, front + path, tool}
		if err := run(t.Context(), args, noEnv, io.Discard, io.Discard); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
	}
	visitLink(t, front, path)
	for _, base := range bases {
		shown := (&program{t: t, url: base}).get(page)
		if strings.Contains(shown, `data-verdict="fail`) {
			t.Error("a requirement failed")
		}
		for _, tick := range []string{"echo_quotes/echo", "task_twice/", "link_accept/"} {
			if !strings.Contains(shown, `data-tick="`+tick) {
				t.Errorf("nothing was observed of %s", tick)
			}
		}
	}
}

// visitLink calls a tool that asks to open a link, opens it, and answers.
func visitLink(t *testing.T, front, path string) {
	t.Helper()
	type result struct {
		InputRequests map[string]struct{ Params struct{ URL string } }
		RequestState  string
		Meta          map[string]json.RawMessage `json:"_meta"`
	}
	post := func(id, more string) result {
		p := &program{t: t, url: front}
		answer := p.send(path, "tools/call", "link_accept", `{"jsonrpc":"2.0","id":`+id+
			`,"method":"tools/call","params":{"name":"link_accept","arguments":{},"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientInfo":{"name":"tiny","version":"1"},`+
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}}`+more+`}}`)
		var m struct{ Result result }
		for answer.Scan() {
			line := strings.TrimPrefix(answer.Text(), "data: ")
			if strings.HasPrefix(line, "{") {
				if err := json.Unmarshal([]byte(line), &m); err != nil {
					t.Fatal(err)
				}
			}
		}
		return m.Result
	}
	asked := post("1", "")
	var responses []string
	for key, q := range asked.InputRequests {
		res, err := http.Get(q.Params.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		responses = append(responses, strconv.Quote(key)+`:{"action":"accept"}`)
	}
	done := post("2", `,"inputResponses":{`+strings.Join(responses, ",")+`},"requestState":`+
		strconv.Quote(asked.RequestState))
	if visits := string(done.Meta["dev.mrtr-playground/visits"]); !strings.Contains(visits, `"visit"`) {
		t.Errorf("the visit was not noted: %s", visits)
	}
}

// playSession plays a session of an earlier revision through a capture: a stream is open
// at one program and a call waits at another, while the answer arrives at a third.
func playSession(t *testing.T, bases []string) {
	server := mcp.NewServer(&mcp.Implementation{Name: "old", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "ask"}, func(
		ctx context.Context, r *mcp.CallToolRequest, _ struct{},
	) (*mcp.CallToolResult, any, error) {
		a, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Well?"})
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: a.Action}}}, nil, nil
	})
	behind := httptest.NewServer(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(behind.Close)
	target, err := send(bases[0], "/servers", url.Values{"url": {behind.URL}})
	if err != nil {
		t.Fatal(err)
	}
	page, path := captureOn(t, bases[1], strings.TrimPrefix(target, "/servers/"))
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
	})
	conn, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: rotating(t, bases) + path, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		got, err := conn.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
		if err != nil || got.Content[0].(*mcp.TextContent).Text != "decline" {
			t.Fatal(got, err)
		}
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	for _, base := range bases {
		shown := (&program{t: t, url: base}).get(page)
		for _, words := range []string{"<h1>go 1", "tools/call", "notifications/initialized"} {
			if !strings.Contains(shown, words) {
				t.Errorf("%q is not on the page at %s", words, base)
			}
		}
	}
}
