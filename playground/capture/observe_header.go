package capture

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// isPlainText reports whether a header holds a text as it is.
func isPlainText(s string) bool { return wire.FieldValue(s) == s }

// nameEncoded judges the header of a name that must be encoded.
func nameEncoded(_ *observation, c *contact) finding { return standardHeader(c, "Mcp-Name") }

// Kinds of values of annotated arguments, of which each check judges one.
func isPlain(n *jsontree.Node) bool {
	s, ok := n.Text()
	return ok && isPlainText(s)
}

func isUnicode(n *jsontree.Node) bool {
	return strings.ContainsFunc(n.Str(), func(r rune) bool { return r > '~' })
}

func looksEncoded(n *jsontree.Node) bool {
	return strings.HasPrefix(n.Str(), "=?base64?") && strings.HasSuffix(n.Str(), "?=")
}

func isSafe(n *jsontree.Node) bool {
	return n != nil && n.Kind != jsontree.Null && !playground.ExceedsDouble(n)
}

func isAbsent(n *jsontree.Node) bool { return n == nil }

func isNull(n *jsontree.Node) bool { return n != nil && n.Kind == jsontree.Null }

// mirrored judges the header of an annotated argument whose value is of a kind.
func mirrored(kind func(*jsontree.Node) bool) func(*observation, *contact) finding {
	return func(o *observation, c *contact) finding {
		tool := o.tool(c, c.name())
		list, _ := playground.HeaderAnnotations(tool.Get("inputSchema"))
		if len(list) != 1 || !kind(c.params.Get("arguments").At(list[0].Path...)) {
			return finding{}
		}
		header := "Mcp-Param-" + list[0].Header
		path := append([]string{"params", "arguments"}, list[0].Path...)
		f, ok := rule([]*contact{c}, "client-param-headers", tool)
		if ok && f.Verdict == verdict.Failed {
			return fault(c, path...).at(header).says("%s", f.Text)
		}
		return fine(c, path...).at(header)
	}
}

// decimalForm notes the form of an integer in a header that has its value.
func decimalForm(o *observation, c *contact) finding {
	list, _ := playground.HeaderAnnotations(o.tool(c, c.name()).Get("inputSchema"))
	if len(list) != 1 {
		return finding{}
	}
	f, ok := rule([]*contact{c}, "client-param-headers", o.tool(c, c.name()))
	if !ok || f.Verdict == verdict.Failed {
		return finding{}
	}
	path := append([]string{"params", "arguments"}, list[0].Path...)
	return is(f.Verdict == verdict.Passed, c, path...).at("Mcp-Param-" + list[0].Header)
}

// inRange judges an annotated integer.
func inRange(o *observation, c *contact) finding {
	list, _ := playground.HeaderAnnotations(o.tool(c, c.name()).Get("inputSchema"))
	if len(list) != 1 {
		return finding{}
	}
	path := append([]string{"params", "arguments"}, list[0].Path...)
	value := c.Sent.At(path...)
	if value == nil || value.Kind != jsontree.Number {
		return finding{}
	}
	return is(!playground.ExceedsDouble(value), c, path...)
}
