package server

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ToolCall is the call of a tool with these arguments, as a listing defines
// it: some of its arguments may have to be repeated in headers.
func ToolCall(t Tool, arguments []byte) playground.Call {
	params, err := jsontree.Set(nil, jsontree.Pair{Key: "name", Value: jsontree.Quote(t.Name)}, jsontree.Pair{Key: "arguments", Value: arguments})
	if err != nil { // an empty object takes any member that is JSON
		params = jsontree.Quote(t.Name)
	}
	return playground.Call{Method: playground.ToolsCall, Params: params, Tool: t.Definition}
}

// SecondTool is a second tool for the probe that needs one: it is called with no
// arguments and a state that is not its own. Without anyTool it must say of
// itself that it changes nothing (server/tools, "readOnlyHint").
func SecondTool(c Connection, not string, anyTool bool) *playground.Call {
	for _, t := range c.Tools {
		if t.Name == not || t.Excluded != "" || !anyTool && !readOnly(t) {
			continue
		}
		call := ToolCall(t, []byte("{}"))
		return &call
	}
	return nil
}

func readOnly(t Tool) bool {
	definition, err := jsontree.Parse(t.Definition, jsontree.Limits{})
	return err == nil && definition.At("annotations", "readOnlyHint").True()
}
