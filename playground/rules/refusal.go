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
// apart from its subject, and none that an experiment changed or followed from.
func (s *subject) isRight() bool {
	return s.Decision.Experiment == "" && s.envelopeFault() == "" && s.headerFault() == "" &&
		s.metaFault() == "" && malformed(s) == "" && hasParams(s).verdict != verdict.Failed &&
		tokenIsText(s).verdict != verdict.Failed && (s.OnLine() || acceptsBoth(s).verdict != verdict.Failed)
}

// refusesHeaders judges error -32020. A tool may have got a header since it was listed, so
// its call is judged by the definition that is listed after the refusal.
func (s *subject) refusesHeaders() ruling {
	if !s.isError(-32020) || !s.isRight() || s.isNotification() {
		return na()
	}
	if s.Method == playground.ToolsCall && s.tool != nil {
		switch now := s.toolSince(); {
		case now == nil:
			return unjudged("The server returned error -32020. The headers match the body, " +
				"and those of the tool as it was last listed. Whether it has changed since is not known.")
		case s.lacksHeaderOf(now):
			return na()
		}
	}
	switch {
	case s.Method == playground.ToolsCall && s.tool == nil:
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

// toolSince returns the definition of the called tool that was listed after the request was
// refused for its headers, or nil.
func (s *subject) toolSince() *jsontree.Node {
	if s.next != nil && s.next.RelistedTool() != nil {
		return parse(s.next.RelistedTool())
	}
	return s.listed
}

// lacksHeaderOf reports whether the headers of arguments are not those that a definition of
// the called tool asks for.
func (s *subject) lacksHeaderOf(tool *jsontree.Node) bool {
	as := *s
	as.tool = tool
	return as.paramHeaderFault() != ""
}

// refusesVersion judges error -32022 for a version that it lists as supported.
func (s *subject) refusesVersion(version string) ruling {
	if version == "" || !s.isError(-32022) || s.headerFault() != "" || s.Decision.Changed {
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
	declared, required := s.clientCapabilities(), s.Error.Data.Get("requiredCapabilities")
	if s.Decision.Changed || !has(declared, required) || !hasForms(declared, required) {
		return na()
	}
	return fail("Error -32021 requires capabilities that the request declares.")
}

// has reports whether declared capabilities have all that are required, apart from forms.
func has(declared, required *jsontree.Node) bool {
	if declared == nil || required.Len() == 0 {
		return declared != nil
	}
	for _, m := range required.Entries() {
		if m.Key != formMode && !has(declared.Get(m.Key), m.Value) {
			return false
		}
	}
	return true
}

// formMode is the member of the capability elicitation that stands for itself without any
// (client/elicitation, "Capabilities").
const formMode = "form"

// hasForms reports whether forms are declared, if they are required.
func hasForms(declared, required *jsontree.Node) bool {
	forms := func(n *jsontree.Node) bool {
		modes := n.Get("elicitation")
		return modes != nil && (modes.Len() == 0 || modes.Has(formMode))
	}
	return forms(declared) || !forms(required)
}

// refusesMedia is request-media: only wrong media types are refused as such. No clause says
// that right ones must be accepted.
func refusesMedia(s *subject) ruling {
	types := s.head.Values("Content-Type")
	switch status := s.Head.Status; {
	case status != 415 && status != 406 || !s.isPost() || s.isNotification():
		return na()
	case status == 415 && (len(types) != 1 || types[0] != "application/json"),
		status == 406 && acceptsBoth(s).verdict == verdict.Failed:
		return pass()
	case !s.isRight():
		return na()
	case status == 415:
		return hint("The server returned HTTP status 415, " +
			"but the request has the Content-Type application/json.")
	}
	return hint("The server returned HTTP status 406, but the request accepts JSON and event streams.")
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
