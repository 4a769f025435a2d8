package rules

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// validHeaderAnnotations checks the x-mcp-header annotations of listed tools.
// One invalid annotation makes its tool unusable over HTTP.
func validHeaderAnnotations(s *subject) ruling {
	if s.Method != playground.ToolsList || s.finalResult() == nil {
		return na()
	}
	found := false
	tools := s.Result.Get("tools")
	if tools == nil {
		return na()
	}
	for _, tool := range tools.Items {
		a := annotations{used: map[string]bool{}}
		schema := tool.Get("inputSchema")
		if schema.Has("x-mcp-header") {
			a.fault = "is on the arguments as a whole"
		}
		a.walk(schema, true)
		if a.fault != "" {
			return fail("An x-mcp-header of the tool %s %s, so clients must ignore the tool.",
				quoted(tool.Get("name").Str()), a.fault)
		}
		found = found || len(a.used) > 0
	}
	if !found {
		return na()
	}
	return pass()
}

// annotations collects the x-mcp-header values of one inputSchema.
type annotations struct {
	used  map[string]bool // in lower case
	fault string          // the first one found
}

// walk checks the subschemas of a schema. reachable means that a chain of
// properties leads to it from the root.
func (a *annotations) walk(schema *jsontree.Node, reachable bool) {
	if schema == nil {
		return
	}
	for _, item := range schema.Items {
		a.visit(item, false)
	}
	for _, m := range schema.Members {
		switch m.Key {
		case "properties":
			a.properties(m.Value, reachable)
		case "enum", "const", "default", "examples":
		default:
			a.visit(m.Value, false)
		}
	}
}

func (a *annotations) properties(n *jsontree.Node, reachable bool) {
	for _, p := range n.Members {
		a.visit(p.Value, reachable)
	}
}

// visit checks the annotation of a schema, then its subschemas.
func (a *annotations) visit(schema *jsontree.Node, reachable bool) {
	if header := schema.Get("x-mcp-header"); header != nil && a.fault == "" {
		a.fault = a.check(schema, header, reachable)
	}
	a.walk(schema, reachable)
}

// headerTypes are the types of parameters that can be sent in a header.
var headerTypes = []string{"string", "integer", "boolean"}

func (a *annotations) check(schema, header *jsontree.Node, reachable bool) string {
	name, ok := header.Text()
	key := strings.ToLower(name)
	switch {
	case !ok || !wire.IsToken(name):
		return "is not a valid header name"
	case !reachable:
		return "is not reached by a chain of properties"
	case !slices.Contains(headerTypes, schema.Get("type").Str()):
		return "is on a parameter that is not a string, integer or boolean"
	case a.used[key]:
		return "is used twice"
	}
	a.used[key] = true
	return ""
}
