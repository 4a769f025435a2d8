package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAgent_WithoutALinkNothingIsKept: a result that gets no link, because the address has
// made too many, says so, and nothing of it stays.
func TestAgent_WithoutALinkNothingIsKept(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, func(l *app.Limits) { l.Shares = app.Rate{N: 1, Per: time.Hour, Burst: 1} })
	in := sitetest.Resolving()
	in["answers"] = map[string]any{"resolution": map[string]any{"resolution": "Fixed"}}
	a := s.Agent()
	for range 5 { // an address has five times what a workspace has
		var r agentResult
		if a.Call("call_tool", in, sitetest.ToolResult{}).Read(t, &r); r.URL == "" {
			t.Fatalf("%+v", r)
		}
	}
	const query = `SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM exchange)`
	before := s.Number(t, query)
	var r agentResult
	a.Call("call_tool", in, sitetest.ToolResult{}).Read(t, &r)
	if r.Status != "complete" || r.URL != "" || !strings.Contains(r.Note, "Too many links") {
		t.Errorf("%+v", r)
	}
	if after := s.Number(t, query); after != before {
		t.Errorf("%d rows, before %d", after, before)
	}
}
