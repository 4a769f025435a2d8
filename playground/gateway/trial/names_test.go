package trial

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// listing is the record of an upstream that was asked for its tools once, if it has any.
type listing string

func (l listing) Log(context.Context) ([]playground.Event, error) {
	if l == "" {
		return nil, nil
	}
	const head = "Content-Type: application/json\r\n\r\n"
	at := time.Unix(1000, 0)
	return []playground.Event{
		{Seq: 1, At: at, Conn: 1, Kind: playground.Sent, Data: []byte("POST /mcp HTTP/1.1\r\nHost: h\r\n" +
			head + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)},
		{Seq: 2, At: at, Conn: 1, Kind: playground.Received, Data: []byte("HTTP/1.1 200 OK\r\n" + head +
			`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":` + string(l) + `}}`)},
	}, nil
}

func (listing) Arrived(context.Context, string, string, bool) bool { return false }

// TestOwn_CallsNoOtherTool: of tools whose names end with that of the one that was chosen, none is
// called in its place, and nothing is called where it cannot be told which one it is.
func TestOwn_CallsNoOtherTool(t *testing.T) {
	const both = `[{"name":"issue"},{"name":"create_issue"}]`
	for name, c := range map[string]struct {
		upstream listing
		listed   []string
		called   string // empty for nothing
	}{
		"sorted":                     {both, []string{"gh_create_issue", "gh_issue"}, "gh_issue"},
		"sorted, not known":          {"", []string{"gh_create_issue", "gh_issue"}, "gh_issue"},
		"a filter":                   {both, []string{"gh_create_issue"}, ""},
		"a filter without a prefix":  {both, []string{"create_issue"}, ""},
		"two servers":                {"", []string{"a.issue", "b.issue"}, ""},
		"the same":                   {both, []string{"create_issue", "issue"}, "issue"},
		"nothing like it, by itself": {both, []string{"other"}, "issue"},
	} {
		call := OwnCall{Method: playground.ToolsCall, Name: "issue"}
		var entries []entry
		for _, n := range c.listed {
			entries = append(entries, entry{name: n})
		}
		x := &trial{
			Config:  Config{Upstream: c.upstream, Own: []OwnCall{call}},
			offered: map[string][]entry{playground.ToolsCall: entries},
		}
		x.matchAll(t.Context())
		called := ""
		if x.callable(call) {
			called = x.find(call.Method, call.Name).name
		}
		if called != c.called || (x.uncallable() == "") != (called != "") {
			t.Errorf("%s: called %q, want %q; %s", name, called, c.called, x.uncallable())
		}
	}
}

// TestPlans_CallNoOtherTool: a plan calls what is listed under its own name only.
func TestPlans_CallNoOtherTool(t *testing.T) {
	x := &trial{Config: Config{Upstream: listing("")}, offered: map[string][]entry{
		playground.ToolsCall: {{name: "srv_hop_stream"}, {name: "srv_stream"}, {name: "srv_task_cancel"}},
	}}
	x.matchAll(t.Context())
	got := fmt.Sprintln(x.find(playground.ToolsCall, "stream").name, x.offers(plan{tool: "cancel"}),
		x.offers(plan{tool: "task_cancel"}), x.offers(plan{method: playground.Listen}))
	if got != "srv_stream false true true\n" {
		t.Error(got)
	}
}
