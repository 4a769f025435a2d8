package rules

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// isPlainText reports whether a header holds a text as it is.
func isPlainText(s string) bool { return wire.FieldValue(s) == s }

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

// annotated returns the only annotated argument of the tool of a call, and whether there is
// one.
func annotated(s *subject) (playground.HeaderAnnotation, bool) {
	list, _ := playground.HeaderAnnotations(s.tool.Get("inputSchema"))
	if len(list) != 1 {
		return playground.HeaderAnnotation{}, false
	}
	return list[0], true
}

// mirrors judges the header of an annotated argument whose value is of a kind.
func mirrors(kind func(*jsontree.Node) bool) func(*Contact) ruling {
	return func(c *Contact) ruling {
		s := c.withTool()
		a, ok := annotated(s)
		if !ok || !kind(s.params().Get("arguments").At(a.Path...)) {
			return na()
		}
		path := append([]string{"params", "arguments"}, a.Path...)
		found := mirrorsParams(s)
		if found.verdict == verdict.Failed {
			return broken(c, path...).inHeader("Mcp-Param-"+a.Header).says("%s", found.text)
		}
		return kept(c, path...).inHeader("Mcp-Param-" + a.Header)
	}
}

// decimalForm notes the form of an integer in a header that has its value.
func decimalForm(c *Contact) ruling {
	s := c.withTool()
	a, ok := annotated(s)
	found := mirrorsParams(s)
	if !ok || found.verdict == verdict.Failed || found.verdict == verdict.NotApplicable {
		return na()
	}
	path := append([]string{"params", "arguments"}, a.Path...)
	return keeps(found.verdict == verdict.Passed, c, path...).inHeader("Mcp-Param-" + a.Header)
}

// inRange judges an annotated integer.
func inRange(c *Contact) ruling {
	a, ok := annotated(c.withTool())
	if !ok {
		return na()
	}
	path := append([]string{"params", "arguments"}, a.Path...)
	value := c.Sent.At(path...)
	if value == nil || value.Kind != jsontree.Number {
		return na()
	}
	return keeps(!playground.ExceedsDouble(value), c, path...)
}
