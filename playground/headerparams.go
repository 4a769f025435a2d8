package playground

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// HeaderAnnotation names a parameter of a tool that is repeated in a header
// field, so that intermediaries need not read the body
// (basic/transports/streamable-http, "Custom Headers from Tool Parameters").
type HeaderAnnotation struct {
	Path   []string // property names from the root of the arguments
	Header string   // name of the field without the prefix Mcp-Param-
}

// HeaderAnnotations returns the x-mcp-header annotations of an inputSchema. If
// they break a constraint of the clause, fault says which, and the tool must
// not be offered.
func HeaderAnnotations(schema *jsontree.Node) (list []HeaderAnnotation, fault string) {
	m := annotationWalk{}
	m.walk(schema, nil, true)
	return m.list, m.fault
}

// AnnotationFault returns which constraint the x-mcp-header annotations of an
// inputSchema break, or "" if they break none.
func AnnotationFault(inputSchema *jsontree.Node) string {
	_, fault := HeaderAnnotations(inputSchema)
	return fault
}

// HeaderParams returns the header fields that repeat arguments of a call of the
// tool with this definition. Absent and null arguments have none.
func HeaderParams(definition, params json.RawMessage) []wire.Field {
	tool, err := jsontree.Parse(definition, jsontree.Limits{})
	if err != nil {
		return nil
	}
	sent, err := jsontree.Parse(params, jsontree.Limits{})
	if err != nil {
		return nil
	}
	var fields []wire.Field
	for _, m := range MirroredArguments(tool, sent) {
		fields = append(fields, wire.Field{Name: m.Header, Value: wire.FieldValue(m.Text)})
	}
	return fields
}

// MirroredArgument is an argument of a call that a header field repeats.
type MirroredArgument struct {
	Header string         // name of the field
	Value  *jsontree.Node // in the arguments
	Text   string         // of the field before it is encoded
}

// MirroredArguments returns the arguments of a call of the tool that header fields repeat.
func MirroredArguments(tool, params *jsontree.Node) []MirroredArgument {
	annotations, fault := HeaderAnnotations(tool.Get("inputSchema"))
	if fault != "" {
		return nil
	}
	var list []MirroredArgument
	for _, m := range annotations {
		value := valueAt(params.Get("arguments"), m.Path)
		if text, ok := headerText(value); ok {
			list = append(list, MirroredArgument{"Mcp-Param-" + m.Header, value, text})
		}
	}
	return list
}

// valueAt returns the value at a path of property names, or nil.
func valueAt(n *jsontree.Node, path []string) *jsontree.Node {
	for _, p := range path {
		n = n.Get(p)
	}
	return n
}

// headerText returns a value as the section "Value Encoding" requires: an
// integer in decimal digits, whatever its notation. A value that the schema
// does not allow was entered on purpose; it is mirrored unchanged, for the
// server to judge.
func headerText(n *jsontree.Node) (string, bool) {
	if n == nil || n.Kind == jsontree.Null {
		return "", false
	}
	if text, ok := n.Text(); ok {
		return text, true
	}
	if number, ok := n.Int(); ok {
		return strconv.FormatInt(number, 10), true
	}
	return string(n.Raw()), true
}

// maxSafe is the largest integer that a double represents exactly.
const maxSafe = 1<<53 - 1

// ExceedsDouble reports whether n is an integer beyond the range in which
// doubles represent every integer, which annotated integers must not leave
// (server/tools, "x-mcp-header").
func ExceedsDouble(n *jsontree.Node) bool {
	value, isNumber := n.Decimal()
	number, small := n.Int()
	return isNumber && value.IsInt() && (!small || number > maxSafe || number < -maxSafe)
}

// CheckHeaderArguments returns an error if a header cannot repeat an argument of
// the call. It needs the definition of the tool.
func (c Call) CheckHeaderArguments() error {
	tool, err := jsontree.Parse(c.Tool, jsontree.Limits{})
	if err != nil {
		return nil // without a definition there is nothing to repeat
	}
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil {
		return fmt.Errorf("read params: %w", err)
	}
	list, _ := HeaderAnnotations(tool.Get("inputSchema"))
	for _, m := range list {
		if ExceedsDouble(valueAt(params.Get("arguments"), m.Path)) {
			return fmt.Errorf(
				"the header Mcp-Param-%s repeats the argument %s, which must therefore be between -%d and %d",
				m.Header, strings.Join(m.Path, "."), maxSafe, maxSafe)
		}
	}
	return nil
}

// annotationWalk collects the annotations of a schema. They are allowed only on
// properties that can be reached from the root through "properties" alone.
type annotationWalk struct {
	list  []HeaderAnnotation
	fault string // the first one; empty if there is none
}

func (m *annotationWalk) walk(schema *jsontree.Node, path []string, reachable bool) {
	if schema == nil || m.fault != "" {
		return
	}
	if note := schema.Get("x-mcp-header"); note != nil && schema.Kind == jsontree.Object {
		m.annotate(schema, note, path, reachable && len(path) > 0)
	}
	for _, item := range schema.Items {
		m.walk(item, path, false)
	}
	for _, member := range schema.Members {
		switch member.Key {
		case "properties":
			for _, p := range member.Value.Members {
				m.walk(p.Value, append(path[:len(path):len(path)], p.Key), reachable)
			}
		case "enum", "const", "default", "examples": // values, not schemas
		default:
			m.walk(member.Value, path, false)
		}
	}
}

func (m *annotationWalk) annotate(schema, note *jsontree.Node, path []string, reachable bool) {
	name, isText := note.Text()
	kind := schema.Get("type").Str()
	taken := func(o HeaderAnnotation) bool { return strings.EqualFold(o.Header, name) }
	switch {
	case !isText || name == "":
		m.fault = "one of its x-mcp-header annotations is empty"
	case wire.CheckField(wire.Field{Name: "Mcp-Param-" + name}) != nil:
		m.fault = "the x-mcp-header " + short(note) + " is not a header name"
	case !reachable:
		m.fault = "the x-mcp-header " + short(note) + " is not on a property of the arguments"
	case kind != "string" && kind != "integer" && kind != "boolean":
		m.fault = "the x-mcp-header " + short(note) +
			" is on a parameter that is not a string, integer or boolean"
	case slices.ContainsFunc(m.list, taken):
		m.fault = "the x-mcp-header " + short(note) + " is used twice"
	default:
		m.list = append(m.list, HeaderAnnotation{path, name})
	}
}
