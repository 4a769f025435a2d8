package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// newTurn reads what a script needs to know from the SDK's request.
func newTurn(method string, req mcp.Request, c cluster.Instance) *Turn {
	t := &Turn{Method: method, Instance: c, Principal: principal(req), kept: map[string]json.RawMessage{}}
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		t.Name, t.Arguments, t.token = p.Name, p.Arguments, p.GetProgressToken()
	case *mcp.GetPromptParams:
		t.Name, t.token = p.Name, p.GetProgressToken()
		t.Arguments, _ = json.Marshal(p.Arguments) // a map of strings always marshals
	case *mcp.ReadResourceParams:
		t.Name, t.token = p.URI, p.GetProgressToken()
	}
	t.session, _ = req.GetSession().(*mcp.ServerSession)
	if r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	}); ok && r.ClientCapabilities() != nil {
		t.asks = *r.ClientCapabilities()
	}
	return t
}

// run calls the script. A panic ends the call, not the program: the SDK runs handlers outside of
// net/http's protection.
func (t *Turn) run(ctx context.Context, run script) (res Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			res, err = nil, fmt.Errorf("script panicked: %v", v)
		}
	}()
	return run(ctx, t)
}

// missingCapability says what the client would have to declare (basic/index, error codes).
func missingCapability(missing map[string]any) error {
	data, err := json.Marshal(map[string]any{"requiredCapabilities": missing})
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(missing))
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "this call needs client capabilities that the request did not declare: " + strings.Join(names, ", "),
		Data:    data,
	}
}
