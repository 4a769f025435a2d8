package sampletools

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
)

// workspace asks the client for its folders.
func workspace() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "workspace",
			Title:   "Workspace",
			Summary: "The server asks which folders it may look at.",
			Teaches: "roots/list inside inputRequests. Roots are deprecated in 2026-07-28 but still work.",
			Try: []string{
				"Offer no folder at all.",
				"Offer a root that is no file: URI.",
			},
			Replay:    "The same retry gives the same answer again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Look at the workspace",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"describe_workspace","arguments":{}}`),
			},
		},
		tools: []tool{{
			name: "describe_workspace", title: "Describe workspace",
			description: "Lists the folders that the client offers. Looks into none of them.",
			input:       `{"type":"object"}`,
			run:         describeWorkspace,
		}},
	}
}

func describeWorkspace(_ context.Context, t *Turn) (Result, error) {
	a, err := t.AskOne(Roots("folders"))
	if err != nil {
		return nil, err
	}
	if len(a.Roots) == 0 {
		return text("The client offers no folder."), nil
	}
	var lines []string
	for _, r := range a.Roots {
		lines = append(lines, describeRoot(r))
	}
	return text("Folders that the client offers (%d):\n%s", len(a.Roots), strings.Join(lines, "\n")), nil
}

// describeRoot checks what client/roots demands of a root: a file URI.
func describeRoot(r Root) string {
	name := r.Name
	if name == "" {
		name = "(no name)"
	}
	if u, err := url.Parse(r.URI); err != nil || u.Scheme != "file" {
		return name + ": " + r.URI + " (not a file URI)"
	}
	return name + ": " + r.URI
}
