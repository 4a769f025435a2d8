package recording_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// value returns an answer for a field.
func value(field map[string]any) any {
	if list, ok := field["enum"].([]any); ok {
		return list[0]
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		if list, ok := field[name].([]any); ok {
			return list[0].(map[string]any)["const"]
		}
	}
	switch field["type"] {
	case "boolean":
		return true
	case "integer", "number":
		if least, ok := field["minimum"]; ok {
			return least
		}
		return 1
	case "array":
		items, _ := field["items"].(map[string]any)
		return []any{value(items)}
	}
	return map[any]string{"email": "ada@example.com", "date": "2026-07-28", nil: "Ada"}[field["format"]]
}

// tell calls a tool with the client of the official Go SDK and returns its result as JSON.
func tell(t *testing.T, address, version, tool string, arguments map[string]any) string {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			content := map[string]any{}
			schema, _ := r.Params.RequestedSchema.(map[string]any)
			properties, _ := schema["properties"].(map[string]any)
			for name, field := range properties {
				content[name] = value(field.(map[string]any))
			}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult,
			error) {
			return &mcp.CreateMessageResult{
				Role: "assistant", Model: "test", Content: &mcp.TextContent{Text: "The castle."},
			}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///home/ada", Name: "home"})
	conn, err := client.Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: address, MaxRetries: -1},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return "connect: " + err.Error()
	}
	defer conn.Close()
	result, err := conn.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error()
	}
	data, err := json.Marshal(result)
	sitetest.Check(t, err)
	return string(data)
}

// served serves what was recorded and returns its address and its page.
func served(t *testing.T, s *sitetest.Site, form url.Values) (address, page string) {
	t.Helper()
	s.Follow("/recordings", form)
	page = s.Last
	return s.Page(page).HTML().Texts("[data-address]")[0], page
}

// TestServed_ToTheGoSDK: samples are called through a capture, and then as they were recorded.
func TestServed_ToTheGoSDK(t *testing.T) {
	t.Parallel()
	resolve := map[string]any{"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"}}
	for _, x := range []struct {
		slug, tool string
		arguments  map[string]any
		old        bool // speaks the revisions before 2026-07-28 only
	}{
		{"azure-devops", "update_work_item", resolve, false},
		{"before-mrtr", "update_work_item", resolve, true},
		{"rolling-upgrade", "link_accounts", nil, false},
		{"load-shedding", "count_primes", map[string]any{"below": 100000}, false},
		{"confirm", "delete_records", map[string]any{"table": "orders"}, false},
		{"checkout", "place_order", map[string]any{"item": "bike", "amount": 900}, false},
		{"trip", "plan_trip", map[string]any{"destination": "Lisbon"}, false},
		{"workspace", "describe_workspace", nil, false},
		{"wizard", "create_project", nil, false},
		{"voucher", "redeem_voucher", map[string]any{"value": 25}, false},
	} {
		for _, version := range []string{"2026-07-28", "2025-11-25"} {
			if x.old && version == "2026-07-28" {
				continue
			}
			t.Run(x.slug+"/"+version, func(t *testing.T) {
				t.Parallel()
				c := sitetest.New(t, app.Local).Capture(x.slug, "")
				was := tell(t, c.URL+c.Path, version, x.tool, x.arguments)
				if !strings.Contains(was, `"content":`) {
					t.Fatal(was)
				}
				id := strings.TrimPrefix(c.Page, "/clients/")
				address, _ := served(t, c.Site, url.Values{"session": {id}})
				for range 2 {
					if is := tell(t, address, version, x.tool, x.arguments); is != was {
						t.Errorf("was %s\nis %s", was, is)
					}
				}
			})
		}
	}
}

// TestServed_ACall: a call is served with what its server has said on connecting; what is ignored
// can be chosen, and the address ends and is renewed.
func TestServed_ACall(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	x := strings.TrimPrefix(s.Last, "/x/")
	s.Follow("/x/"+x+"/rounds", url.Values{"round": {"1"}, "a0.action": {"decline"}})
	s.Page("/x/"+x).Has(t, `form[data-form="serve"]`)
	address, page := served(t, s, url.Values{"exchange": {x}})
	s.Page(page).Has(t, `[data-request="1"] "server/discover"`, `[data-request="3"] "update_work_item"`)
	s.Page("/build").Has(t, `[data-recording] "update_work_item"`)
	s.Page("/history?kind=recording").Has(t, `a[href="`+page+`"]`)
	at, err := url.Parse(address)
	sitetest.Check(t, err)
	call := func(arguments any) sitetest.Answer {
		return s.SendTo(at.Path, 7, playground.ToolsCall,
			map[string]any{"name": "update_work_item", "arguments": arguments}, nil)
	}
	same := map[string]any{"fields": map[string]any{"System.State": "Resolved"}, "workItemId": 4522}
	other := map[string]any{"workItemId": 1}
	call(same).Contains(t, `"id":7`, "How was this bug resolved?")
	call(other).Contains(t, `/arguments/workItemId is 1, recorded: 4522`)
	s.Follow(page, url.Values{"do": {"ignore"}, "part": {"meta", "arguments"}})
	s.Page(page).Has(t, `input[value="arguments"][checked]`)
	call(other).Contains(t, "How was this bug resolved?")
	s.Follow(page, url.Values{"do": {"end"}})
	if got := call(same); got.Status != http.StatusNotFound || got.Header.Get("Mcp-Recording-Error") == "" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	s.Follow(page, url.Values{"do": {"renew"}})
	renewed, err := url.Parse(s.Page(page).HTML().Texts("[data-address]")[0])
	sitetest.Check(t, err)
	if renewed.Path == at.Path {
		t.Error("the same address")
	}
	at = renewed
	call(same).Contains(t, "How was this bug resolved?")

	s.Follow("/x/"+x+"/rerun", url.Values{}) // a branch whose parent is another call
	again := strings.TrimPrefix(s.Last, "/x/")
	again, _, _ = strings.Cut(again, "?")
	if again == x {
		t.Fatal("not run again")
	}
	address, page = served(t, s, url.Values{"exchange": {again}})
	s.Page(page).Has(t, `[data-request] "update_work_item"`)
	at, err = url.Parse(address)
	sitetest.Check(t, err)
	call(same).Contains(t, "How was this bug resolved?")
}

// TestServed_ForPrograms: a browser's form, image or link gets nothing to show, and an answer has
// no cookie and nothing that a page could be.
func TestServed_ForPrograms(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	s.Stranger()
	s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	address, _ := served(t, s, url.Values{"exchange": {strings.TrimPrefix(s.Last, "/x/")}})
	at, err := url.Parse(address)
	sitetest.Check(t, err)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for mode, status := range map[string]int{
		"": 200, "cors": 200, "navigate": http.StatusForbidden, "no-cors": http.StatusForbidden,
	} {
		got := s.Do("POST", at.Path, body, http.Header{
			"Content-Type": {"application/json"}, "Sec-Fetch-Mode": {mode}, "Cookie": nil,
		})
		if got.Status != status || got.Header.Get("Set-Cookie") != "" ||
			!strings.Contains(got.Header.Get("Content-Security-Policy"), "sandbox") ||
			got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%q: %d %v", mode, got.Status, got.Header)
		}
	}
	if got := s.Do("POST", "/mcp/recording/WRONG", body, nil); got.Status != http.StatusNotFound {
		t.Error(got.Status, got.Body)
	}
}
