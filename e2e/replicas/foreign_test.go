//go:build linux

package replicas

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lostInMemory is what the sample says of an open call whose process stops.
const lostInMemory = "The open call existed only in its memory, so it is lost."

// playForeign is a client of the official SDK that calls a sample from before
// 2026-07-28, in a session that one of the processes has in its memory.
func playForeign(ctx context.Context, v *visitor) {
	asked := 0
	client := mcp.NewClient(&mcp.Implementation{Name: "foreign", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			content := map[string]any{"resolution": "Duplicate"}
			if strings.Contains(string(mustJSON(req.Params)), "duplicateOfId") {
				content = map[string]any{"duplicateOfId": 4301}
			}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		},
	})
	s, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: v.site.Origin + "/mcp/before-mrtr", HTTPClient: v.client, MaxRetries: -1,
	}, nil)
	if err != nil {
		v.seen.add(&v.seen.others, "foreign client cut off")
		return
	}
	defer s.Close()
	res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "update_work_item", Arguments: map[string]any{
		"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
	}})
	switch {
	case err != nil, res.IsError && strings.Contains(string(mustJSON(res)), lostInMemory):
		v.seen.add(&v.seen.others, "foreign client cut off")
	case res.IsError || asked != 2:
		v.t.Errorf("a foreign client was asked %d times and got %s", asked, mustJSON(res))
	default:
		v.seen.add(&v.seen.others, "foreign client done")
	}
}
