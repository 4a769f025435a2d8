package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// The functions of this file judge an error that refuses a request in which nothing is wrong
// that the error names. They return NA if there is no such error.

// isError reports whether the response is the error with a code.
func (s *subject) isError(code int64) bool { return s.Error != nil && s.Error.Code == code }

// isRight reports whether the request is one that the rules on clients have nothing against,
// apart from what it asks for.
func (s *subject) isRight() bool {
	return s.Decision.Experiment == "" && s.envelopeFault() == "" && s.headerFault() == "" &&
		s.metaFault() == "" && malformed(s) == "" && hasParams(s).verdict != verdict.Failed &&
		tokenIsText(s).verdict != verdict.Failed && (s.OnLine() || acceptsBoth(s).verdict != verdict.Failed)
}

// refusesHeaders judges error -32020, given what is wrong with the headers. Of a tool whose
// definition is not known, a header of an argument may be missing.
func (s *subject) refusesHeaders(wrong string) ruling {
	switch {
	case wrong != "" || !s.isError(-32020) || s.isNotification(),
		s.Method == playground.ToolsCall && s.tool == nil:
		return na()
	case s.oddNumber() != "":
		return hint("The server returned error -32020 for the header %s, "+
			"whose number is that of the arguments.", s.oddNumber())
	}
	if values := s.head.Values("Mcp-Name"); len(values) == 1 && decodeHeader(values[0]) != values[0] {
		return fail("The server returned error -32020, but the headers match the body. "+
			"Mcp-Name is %s; it must be decoded before it is compared.", quoted(values[0]))
	}
	return fail("The server returned error -32020, but the headers match the body.")
}

// refusesVersion judges error -32022 for a version that it lists as supported.
func (s *subject) refusesVersion(version string) ruling {
	if version == "" || !s.isError(-32022) || s.headerFault() != "" {
		return na()
	}
	isSent := func(n *jsontree.Node) bool { return n.Str() == version }
	if slices.ContainsFunc(s.Error.Data.Get("supported").Elements(), isSent) {
		return fail("The server returned error -32022 for version %s, which it lists as supported.",
			quoted(version))
	}
	return na()
}

// refusesCapabilities judges error -32021 for capabilities that the request declares.
func (s *subject) refusesCapabilities() ruling {
	if has(s.clientCapabilities(), s.Error.Data.Get("requiredCapabilities")) {
		return fail("Error -32021 requires capabilities that the request declares.")
	}
	return na()
}

// has reports whether declared capabilities have all that are required.
func has(declared, required *jsontree.Node) bool {
	if declared == nil || required.Len() == 0 {
		return declared != nil
	}
	for _, m := range required.Entries() {
		if !has(declared.Get(m.Key), m.Value) {
			return false
		}
	}
	return true
}

// parameterless are the methods whose params need nothing beside _meta.
var parameterless = []string{
	playground.Discover, playground.ToolsList, playground.PromptsList, playground.ResourcesList,
	playground.TemplatesList,
}

// refusesParams judges error -32602 for a request that needs no params beside _meta.
func (s *subject) refusesParams() ruling {
	if !s.isError(-32602) || !s.isRight() || !slices.Contains(parameterless, s.Method) ||
		s.params().Has("cursor") ||
		s.meta().Get(metaPrefix+"protocolVersion").Str() != wire.ProtocolVersion ||
		s.clientCapabilities().Kind != jsontree.Object {
		return na()
	}
	return hint("The server returned error -32602, but %s needs no other params than those it has.", s.Method)
}
