package run

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// mostPages is how many pages of tools/list are read for one tool.
const mostPages = 10

// FindTool asks a server for the definition of one tool, which a call of it
// needs: some arguments are repeated in header fields. It is false when the
// server does not list the tool; the call may be made all the same.
func FindTool(ctx context.Context, caller Caller, me playground.Client, now func() time.Time, t playground.Target, name string) (server.Tool, bool) {
	var params []jsontree.Pair
	for range mostPages {
		body, err := jsontree.Set(nil, params...)
		if err != nil {
			return server.Tool{}, false
		}
		r, err := Ask(ctx, caller, me, now, t, "tools/list", body)
		if err != nil || r.Outcome != playground.OutcomeComplete {
			return server.Tool{}, false
		}
		for _, tool := range server.ToolsOf(r) {
			if tool.Name == name {
				return tool, true
			}
		}
		cursor := r.Result.Get("nextCursor")
		if cursor.Str() == "" {
			break
		}
		params = []jsontree.Pair{{Key: "cursor", Value: cursor.Raw()}}
	}
	return server.Tool{}, false
}
