package agent_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAgent_Commands: an agent can call a server on standard input that the command line
// named, by the address or the words that its page shows, and start no other.
func TestAgent_Commands(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	address, name := s.Lines.Add(linestest.Words("modern"))
	a := s.Agent()
	processes := func() int {
		c, _ := s.Lines.Command(address)
		return len(c.Processes)
	}
	for _, other := range []string{
		wire.CommandURL([]string{"touch", "/tmp/started"}), "touch /tmp/started", "./server", "stdio:touch",
		name + " more", "file:///bin/sh", "sh -c 'touch /tmp/started'",
	} {
		for _, tool := range []string{"call_tool", "check_server"} {
			got := a.Call(tool, map[string]any{"url": other, "tool": "pid"}, sitetest.ToolResult{})
			if !got.IsError || got.Questions != nil || processes() != 0 {
				t.Errorf("%s of %s: %d processes, %+v", tool, other, processes(), got)
			}
		}
	}
	for _, known := range []string{address, name} {
		in := map[string]any{"url": known, "tool": "ask"}
		asked := a.Call("call_tool", in, sitetest.ToolResult{})
		question := asked.Questions["round-1-1"]
		params, _ := question["params"].(map[string]any)
		if words, _ := params["message"].(string); !strings.HasPrefix(words, "The server "+name+" asks: ") {
			t.Fatalf("%+v", asked)
		}
		var done struct{ Status, Server string }
		got := a.Call("call_tool", in, asked, "round-1-1", map[string]any{"name": "Ada"})
		if got.Read(t, &done); done.Status != "complete" || done.Server != name ||
			!strings.Contains(got.Words(), "Hello, Ada") {
			t.Errorf("%+v", got)
		}
	}
	before := processes()
	var board struct {
		Server, Note string
		Passed       []string
	}
	a.Call("check_server", map[string]any{"url": name, "tool": "pid"}, sitetest.ToolResult{}).Read(t, &board)
	if board.Server != name || board.Note != "" || len(board.Passed) < 10 { // it needs no confirmation
		t.Errorf("%+v", board)
	}
	if processes() <= before {
		t.Error("the check did not start the command again")
	}
	a.NoErrors()
}
