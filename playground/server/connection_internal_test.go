package server

import (
	"strings"
	"testing"
)

// TestConnection_NoTool: it names the tools that clients may offer, and dots stand for more of
// them only.
func TestConnection_NoTool(t *testing.T) {
	many := make([]Tool, mostNames+1)
	for i := range many {
		many[i].Name = "t"
	}
	for name, c := range map[string]struct {
		tools []Tool
		end   string
	}{
		"none":     {nil, `"x". It lists none.`},
		"excluded": {[]Tool{{Name: "a"}, {Name: "b", Excluded: "why"}}, `"x". It has: a.`},
		"most":     {many[1:], strings.Repeat("t, ", mostNames-1) + "t."},
		"many":     {many, strings.Repeat("t, ", mostNames) + "…."},
	} {
		if got := (Connection{Tools: c.tools}).NoTool("x"); !strings.HasSuffix(got, c.end) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
