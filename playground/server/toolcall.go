package server

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ToolCall returns a call of the tool with these arguments, a JSON object. The
// call carries the tool's definition, since arguments may be repeated in
// headers.
func ToolCall(t Tool, arguments []byte) playground.Call {
	params, err := jsontree.Set(nil,
		jsontree.Pair{Key: "name", Value: jsontree.Quote(t.Name)}, jsontree.Pair{Key: "arguments",
			Value: arguments})
	if err != nil { // only if arguments is not JSON
		params = jsontree.Quote(t.Name)
	}
	return playground.Call{Method: playground.ToolsCall, Params: params, Tool: t.Definition}
}

// SecondTool returns a call, without arguments, of a tool other than the named
// one, for the experiment that sends it the state of another tool. Unless
// anyTool is true, the tool must be declared read-only (server/tools,
// "readOnlyHint"). It returns nil if there is none.
func SecondTool(c Connection, name string, anyTool bool) *playground.Call {
	for _, t := range c.Tools {
		if t.Name == name || t.Excluded != "" || !anyTool && !readOnly(t) {
			continue
		}
		call := ToolCall(t, []byte("{}"))
		return &call
	}
	return nil
}

// readOnly reports whether a tool is declared read-only.
func readOnly(t Tool) bool {
	definition, err := jsontree.Parse(t.Definition, jsontree.Limits{})
	return err == nil && definition.At("annotations", "readOnlyHint").True()
}
