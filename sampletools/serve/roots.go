package serve

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Roots returns a question that asks for the client's roots.
func Roots(key string) Question { return Question{Key: key, asker: roots{}} }

// Root is a folder that the client exposes.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type roots struct{}

func (roots) method() string { return "roots/list" }

func (roots) params() any { return struct{}{} }

func (roots) missing(c mcp.ClientCapabilities) (string, map[string]any, bool) {
	return "roots", map[string]any{}, c.RootsV2 == nil
}

func (roots) Read(raw json.RawMessage) (Answer, string, error) {
	var m struct {
		Roots *[]Root `json:"roots"`
	}
	if json.Unmarshal(raw, &m) != nil || m.Roots == nil {
		return Answer{}, "", errors.New("is not a ListRootsResult")
	}
	return Answer{Action: "accept", Roots: *m.Roots}, "", nil
}

func (roots) ask(ctx context.Context, s *mcp.ServerSession) (any, error) {
	return s.ListRoots(ctx, nil)
}

func (r roots) withProblem(string) asker { return r }
