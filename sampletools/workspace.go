package sampletools

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// workspace asks the client for its roots.
func workspace() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "workspace",
			Title:   "Workspace",
			Summary: "The server asks which folders it can use.",
			Teaches: "roots/list in inputRequests. Roots are deprecated in 2026-07-28 but still work.",
			Try: []string{
				"Answer with no folder at all.",
				"Answer with a root that is not a file: URI.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Look at the workspace",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"describe_workspace","arguments":{}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "describe_workspace", Title: "Describe workspace",
			Description: "Lists the roots of the client. Reads none of them.",
			Input:       `{"type":"object"}`,
			Run:         describeWorkspace,
		}},
	}
}

func describeWorkspace(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(serve.Roots("folders"))
	if err != nil {
		return nil, err
	}
	if len(a.Roots) == 0 {
		return serve.Text("The client has no roots."), nil
	}
	var lines []string
	for _, r := range a.Roots {
		lines = append(lines, describeRoot(r))
	}
	return serve.Text("Roots of the client (%d):\n%s", len(a.Roots), strings.Join(lines, "\n")), nil
}

// describeRoot returns one line about a root. client/roots requires a file URI.
func describeRoot(r serve.Root) string {
	name := r.Name
	if name == "" {
		name = "(no name)"
	}
	if u, err := url.Parse(r.URI); err != nil || u.Scheme != "file" {
		return name + ": " + r.URI + " (not a file URI)"
	}
	return name + ": " + r.URI
}
