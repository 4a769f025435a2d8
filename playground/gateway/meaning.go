package gateway

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// void are the members of a JSON Schema that mean nothing when they are empty.
var void = []string{
	"required", "properties", "patternProperties", "$defs", "definitions", "dependentRequired",
	"dependentSchemas",
}

// schemas are the members of messages that are JSON Schemas.
var schemas = []string{"inputSchema", "outputSchema", "requestedSchema"}

// dialect is the default of $schema (basic/index, "Schema Dialect").
const dialect = "https://json-schema.org/draft/2020-12/schema"

// meansNothing reports whether a value that was added or dropped is what its absence means too.
// A gateway that writes messages again from types of its own often leaves out defaults.
func meansNothing(c jsontree.Change, path []string) bool {
	only := c.Before
	switch {
	case c.Before == nil:
		only = c.After
	case c.After != nil:
		return false
	}
	name := path[len(path)-1]
	at := slices.IndexFunc(path, func(p string) bool { return slices.Contains(schemas, p) })
	switch {
	case at >= 0 && at < len(path)-1:
		return name == "$schema" && only.Str() == dialect || slices.Contains(void, name) && isEmpty(only)
	case name == "isError": // server/tools, "Error Handling"
		return only.Kind == jsontree.Bool && !only.True() && path[0] == "result" && len(path) == 2
	case name == "mode": // client/elicitation, "Elicitation Requests"
		return only.Str() == "form" && slices.Contains(path, "inputRequests")
	}
	return name == "arguments" && len(path) == 2 && isEmpty(only)
}
