package sampletools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The flow of the proposal (SEP-2322, real-world example), word for word.
func TestAzureDevOps_FollowsTheProposal(t *testing.T) {
	p := newPeer(t)
	path := "/mcp/azure-devops?instances=a,b"

	one := p.send(path, "tools/call", resolve4522, nil)
	wantJSON(t, one.Result["inputRequests"], `{"resolution":{"method":"elicitation/create","params":{
		"message":"Resolving Bug #4522 requires a resolution. How was this bug resolved?",
		"requestedSchema":{"type":"object","properties":{"resolution":{"type":"string","enum":["Fixed",
			"Won't Fix","Duplicate","By Design"],"description":"Resolution type for this bug"}},
			"required":["resolution"]}}}}`)
	if _, ok := one.Result["requestState"]; ok {
		t.Error("round 1 has a state; the arguments come again anyway")
	}

	two := p.send(path, "tools/call", resolve4522, map[string]any{
		"inputResponses": map[string]any{"resolution": accept(`{"resolution":"Duplicate"}`)}})
	wantJSON(t, two.Result["inputRequests"], `{"duplicate_of":{"method":"elicitation/create","params":{
		"message":"Since this is a duplicate, which work item is the original?",
		"requestedSchema":{"type":"object","properties":{"duplicateOfId":{"type":"number",
			"description":"Work item ID of the original bug"}},"required":["duplicateOfId"]}}}}`)
	if !strings.HasPrefix(two.state(), "mrtr1.sealed.") {
		t.Errorf("state of round 2: %q", two.state())
	}

	three := p.send(path, "tools/call", resolve4522, map[string]any{
		"inputResponses": map[string]any{"duplicate_of": accept(`{"duplicateOfId":4301}`)},
		"requestState":   two.state()})
	const want = "Bug #4522 resolved as Duplicate of Bug #4301. State set to Resolved and duplicate " +
		"link created."
	if three.text() != want || three.resultType() != "complete" {
		t.Errorf("round 3: %s", three.body)
	}
	if got := one.instance() + " " + two.instance() + " " + three.instance(); got != "a/v1 b/v1 a/v1" {
		t.Errorf("served by %s", got)
	}
}

func TestAzureDevOps_OtherResolutionsTakeTwoRounds(t *testing.T) {
	p := newPeer(t)
	for _, resolution := range []string{"Fixed", "Won't Fix", "By Design"} {
		content, err := json.Marshal(map[string]string{"resolution": resolution})
		if err != nil {
			t.Fatal(err)
		}
		r := p.send("/mcp/azure-devops", "tools/call", resolve4522, map[string]any{
			"inputResponses": map[string]any{"resolution": accept(string(content))}})
		if want := "Bug #4522 resolved as " + resolution + ". State set to Resolved."; r.text() != want {
			t.Errorf("%s: %s", resolution, r.body)
		}
	}
}

// A caller's mistake is a tool error, which a model can read and correct.
func TestAzureDevOps_ReportsMistakesAsToolErrors(t *testing.T) {
	p := newPeer(t)
	tests := []struct{ arguments, answer, want string }{
		{`{"workItemId":9999,"fields":{"System.State":"Resolved"}}`, ``, "#9999 does not exist"},
		{`{"workItemId":4522.5,"fields":{"System.State":"Resolved"}}`, ``, "does not exist"},
		{`{"workItemId":4522,"fields":{"System.State":"Closed"}}`, ``, "cannot go from Active"},
		{`{"workItemId":4188,"fields":{"System.State":"Resolved"}}`, ``, "cannot go from Closed"},
		{`{"workItemId":4522,"fields":{"System.Secret":"x"}}`, ``, "cannot be set"},
		{`{"workItemId":4522,"fields":{}}`, ``, "at least one field"},
		{`{"workItemId":"4522"}`, ``, "input schema"},
		{`{}`, ``, "required"},
		{`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`, `9999`,
			"#9999 is not another Bug. There is #4301, for example."},
		{`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`, `99999999`,
			"#99999999 is not another Bug"},
		{`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`, `4522`, "is not another Bug"},
		{`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`, `4310`, "is not another Bug"},
	}
	for _, tt := range tests {
		params, extra := `{"name":"update_work_item","arguments":`+tt.arguments+`}`, map[string]any(nil)
		if tt.answer != "" {
			asks := p.send("/mcp/azure-devops", "tools/call", params, map[string]any{
				"inputResponses": map[string]any{"resolution": accept(`{"resolution":"Duplicate"}`)}})
			extra = map[string]any{"requestState": asks.state(), "inputResponses": map[string]any{
				"duplicate_of": accept(`{"duplicateOfId":` + tt.answer + `}`)}}
		}
		r := p.send("/mcp/azure-devops", "tools/call", params, extra)
		if string(r.Result["isError"]) != "true" || !strings.Contains(r.text(), tt.want) {
			t.Errorf("%s %s: %s", tt.arguments, tt.answer, r.body)
		}
	}
}

func TestRefused_DeclineAndCancelDiffer(t *testing.T) {
	p := newPeer(t)
	for slug, call := range map[string][2]string{
		"azure-devops": {resolve4522, "resolution"},
		"confirm":      {`{"name":"delete_records","arguments":{"table":"orders"}}`, "confirm"},
		"wizard":       {`{"name":"create_project","arguments":{}}`, "name"},
		"sign-in":      {`{"name":"list_invoices","arguments":{}}`, "sign_in"},
	} {
		texts := map[string]bool{}
		for _, action := range []string{"decline", "cancel"} {
			r := p.send("/mcp/"+slug, "tools/call", call[0], map[string]any{
				"inputResponses": map[string]any{call[1]: map[string]any{"action": action}}})
			if r.resultType() != "complete" || r.text() == "" {
				t.Errorf("%s, %s: %s", slug, action, r.body)
			}
			texts[r.text()] = true
		}
		if len(texts) != 2 {
			t.Errorf("%s: decline and cancel say the same: %v", slug, texts)
		}
	}
}

func wantJSON(t *testing.T, got json.RawMessage, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
