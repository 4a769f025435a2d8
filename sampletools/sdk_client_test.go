package sampletools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"
)

// sdkClient returns an SDK client that answers questions like the peer.
func sdkClient(p *peer) *mcp.Client {
	answerInto := func(q question, result any) error {
		b, err := json.Marshal(q.answer(p.visit))
		if err != nil {
			return err
		}
		return json.Unmarshal(b, result)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{},
				URL: &mcp.URLElicitationCapabilities{}},
			Sampling: &mcp.SamplingCapabilities{Tools: &mcp.SamplingToolsCapabilities{}},
			RootsV2:  &mcp.RootCapabilities{},
		},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			q := question{Method: "elicitation/create"}
			b, err := json.Marshal(req.Params)
			if err == nil {
				err = json.Unmarshal(b, &q.Params)
			}
			if err != nil {
				return nil, err
			}
			res := &mcp.ElicitResult{}
			return res, answerInto(q, res)
		},
		CreateMessageWithToolsHandler: func(_ context.Context,
			req *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
			q := question{Method: "sampling/createMessage"}
			b, err := json.Marshal(req.Params)
			if err == nil {
				err = json.Unmarshal(b, &q.Params)
			}
			if err != nil {
				return nil, err
			}
			res := &mcp.CreateMessageWithToolsResult{}
			return res, answerInto(q, res)
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///home/ada", Name: "home"})
	return client
}

// sdkCall makes the call of a story and returns the text of its result.
func sdkCall(ctx context.Context, p *peer, s story, version string) (string, error) {
	p.enter(s.slug)
	client := http.DefaultClient
	if p.auth != "" {
		client = oauth2.NewClient(ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: p.auth}))
	}
	session, err := sdkClient(p).Connect(ctx, &mcp.StreamableClientTransport{
		HTTPClient: client,
		Endpoint:   p.url + "/mcp/" + s.slug, MaxRetries: -1, DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return "", err
	}
	defer session.Close()
	var res any
	switch s.method {
	case "tools/call":
		var params mcp.CallToolParams
		if err := json.Unmarshal([]byte(s.params), &params); err != nil {
			return "", err
		}
		res, err = session.CallTool(ctx, &params)
	case "prompts/get":
		var params mcp.GetPromptParams
		if err := json.Unmarshal([]byte(s.params), &params); err != nil {
			return "", err
		}
		res, err = session.GetPrompt(ctx, &params)
	default:
		var params mcp.ReadResourceParams
		if err := json.Unmarshal([]byte(s.params), &params); err != nil {
			return "", err
		}
		res, err = session.ReadResource(ctx, &params)
	}
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(res)
	if err != nil {
		return "", err
	}
	var r reply
	err = json.Unmarshal(fmt.Appendf(nil, `{"result":%s}`, b), &r)
	return r.text(), err
}

// The official Go client completes every scenario that it can answer, in both
// eras.
func TestScenarios_GoSDKClientCompletes(t *testing.T) {
	p := newPeer(t)
	before := story{"before-mrtr", "tools/call", resolve4522, 2, `^Bug #4522 resolved as Fixed`}
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		for _, s := range stories() {
			// go-sdk v1.8.0 treats a result without inputRequests as final.
			unsupported := s.slug == "load-shedding" && version == "2026-07-28"
			completeStory(t, p, s, version, unsupported)
		}
		if version != "2026-07-28" {
			completeStory(t, p, before, version, false)
		}
	}
}

func completeStory(t *testing.T, p *peer, s story, version string, unsupported bool) {
	t.Helper()
	got, err := sdkCall(t.Context(), p, s, version)
	finished := err == nil && regexp.MustCompile(s.ends).MatchString(got)
	switch {
	case finished:
		t.Logf("%s  completes  %v: %.60s", version, s, got)
	case unsupported:
		t.Logf("%s  unsupported  %v", version, s)
	default:
		t.Errorf("%s  fails     %v: %q, %v", version, s, got, err)
	}
}

// The official Go client hears changes in both eras, and connects to a server
// that ends its subscription at once.
func TestListen_GoSDKClientHears(t *testing.T) {
	p := newPeer(t)
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		heard := make(chan string, 10)
		client := mcp.NewClient(&mcp.Implementation{Name: "listener", Version: "1"}, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { heard <- "tools" },
			ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
				select {
				case heard <- r.Params.URI:
				default: // enough was heard
				}
			},
		})
		connect := func(slug string) *mcp.ClientSession {
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
				Endpoint: p.url + "/mcp/" + slug, MaxRetries: -1,
			}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatalf("%s: %s: %v", version, slug, err)
			}
			t.Cleanup(func() { session.Close() })
			return session
		}
		call := func(session *mcp.ClientSession, tool string) {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}); err != nil {
				t.Fatalf("%s: %s: %v", version, tool, err)
			}
		}
		session := connect("conformance?instances=a,b")
		const uri = "test://watched-resource"
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatalf("%s: subscribe: %v", version, err)
		}
		for len(heard) == 0 { // Subscribe does not wait for the acknowledgment
			call(session, "test_trigger_resource_change")
		}
		if got := <-heard; got != uri {
			t.Errorf("%s: heard %s", version, got)
		}
		call(session, "test_trigger_tool_change")
		for got := <-heard; got != "tools"; got = <-heard {
			t.Logf("%s: also heard %s", version, got)
		}
		call(connect("azure-devops"), "list_work_items")
	}
}
