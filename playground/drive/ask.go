package drive

import (
	"context"
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Discover connects to a target here and now and returns its Connection.
// Nothing is kept; the Log of c is not used.
func Discover(ctx context.Context, c run.Config, t playground.Target) server.Connection {
	log := run.NewMemory()
	c.Log, c.Replicas = log, nil
	runner := run.New(c)
	if err := runner.Connect(ctx, t, nil); err != nil {
		return server.Connection{Status: server.ConnectFailed, Detail: err.Error()}
	}
	runner.Wait(ctx, t.ID)
	_ = runner.Close(ctx)
	return server.FoldConnection(log.Events(t.ID))
}

// Ask sends one request here and now and returns its Round: for values that
// help to fill in a form. Nothing is kept; the Log of c is not used.
func Ask(ctx context.Context, c run.Config, t playground.Target, method string,
	params json.RawMessage) (playground.Round, error) {
	x, err := Fetch(ctx, c, t, method, params)
	if err != nil {
		return playground.Round{}, err
	}
	return *x.Fold().Last(), nil
}

// Fetch sends one request as Ask does, and returns its exchange with the log as it came.
func Fetch(ctx context.Context, c run.Config, t playground.Target, method string,
	params json.RawMessage) (playground.Exchange, error) {
	if t.Era == playground.Legacy {
		return playground.Exchange{}, playground.ErrLegacy
	}
	c.Log, c.Replicas = run.NewMemory(), nil
	runner := run.New(c)
	defer func() { _ = runner.Close(ctx) }()
	x := playground.Exchange{ID: "ask", Target: t, Call: playground.Call{Method: method, Params: params}}
	return Driver{Runner: runner}.Open(ctx, x, playground.Decision{Action: playground.ActionStart, Round: 1})
}

// maxToolPages is how many pages of tools/list are read for one tool.
const maxToolPages = 10

// FindTool asks a server for the definition of one tool, which a call of it
// needs: some arguments are repeated in header fields. It returns false if the
// server does not list the tool; the call may be made all the same. If the server
// lists others to the end, none says which.
func FindTool(ctx context.Context, c run.Config, t playground.Target, name string) (
	tool server.Tool, found bool, none string,
) {
	var params []jsontree.Pair
	var listed server.Connection
	for range maxToolPages {
		r, err := Ask(ctx, c, t, playground.ToolsList, jsontree.ObjectOf(params...))
		if err != nil || r.Kind != playground.OutcomeComplete {
			return server.Tool{}, false, ""
		}
		for _, tool := range server.ToolsOf(r) {
			if tool.Name == name {
				return tool, true, ""
			}
			listed.Tools = append(listed.Tools, tool)
		}
		cursor := r.Result.Get("nextCursor")
		if _, more := cursor.Text(); !more { // the empty one is a cursor too
			return server.Tool{}, false, listed.NoTool(name)
		}
		params = []jsontree.Pair{{Key: "cursor", Value: cursor.Raw()}}
	}
	return server.Tool{}, false, ""
}
