package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// toolsHaveSchemas is tool-schema.
func toolsHaveSchemas(s *subject) ruling {
	return s.eachTool(func(t *jsontree.Node) ruling {
		input, output := t.Get("inputSchema"), t.Get("outputSchema")
		name := quoted(t.Get("name").Str())
		switch {
		case input == nil || input.Kind != jsontree.Object:
			return fail("The tool %s has no inputSchema.", name)
		case input.Get("type").Str() != "object":
			return fail("The inputSchema of the tool %s does not have type object.", name)
		case output != nil && output.Kind != jsontree.Object:
			return fail("The outputSchema of the tool %s is %s, not an object.", name, article(output))
		}
		for _, member := range []string{"inputSchema", "outputSchema"} {
			if fault := schemaFault(t.Get(member)); fault != "" {
				return fail("The %s of the tool %s is not valid JSON Schema: %s.", member, name, fault)
			}
		}
		return pass()
	})
}

// schemaFault returns the fault of a schema, or "". A schema that is absent or
// cannot be checked has no fault.
func schemaFault(schema *jsontree.Node) string {
	if schema == nil {
		return ""
	}
	faults, err := form.SchemaFaults(schema.Raw())
	if err != nil || len(faults) == 0 {
		return ""
	}
	return faults[0]
}

// toolNamePattern matches the names that tools should have (server/tools, "Tool
// Names").
var toolNamePattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// toolsHaveNames is tool-name.
func toolsHaveNames(s *subject) ruling {
	seen := s.listedBefore()
	return s.eachTool(func(t *jsontree.Node) ruling {
		name, ok := t.Get("name").Text()
		switch {
		case !ok:
			return fail("A tool has no name.")
		case seen[name]:
			return hint("Two tools have the name %s.", quoted(name))
		case !toolNamePattern.MatchString(name):
			return hint("The tool name %s has characters or a length that names should not have.",
				quoted(name))
		}
		seen[name] = true
		return pass()
	})
}

// listedBefore returns the names of the tools on the pages before this one.
func (s *subject) listedBefore() map[string]bool {
	seen := map[string]bool{}
	for _, page := range s.pagesBefore() {
		for _, t := range page.Result.Get("tools").Elements() {
			if name, ok := t.Get("name").Text(); ok {
				seen[name] = true
			}
		}
	}
	return seen
}

// pagesBefore returns the pages of a list that come before this one, newest first.
func (s *subject) pagesBefore() []playground.Round {
	var list []playground.Round
	goesOn := s.params().Has("cursor")
	for _, r := range slices.Backward(s.earlier) {
		if !goesOn {
			break
		}
		if r.Method == s.Method {
			list = append(list, r)
			goesOn = r.Sent.At("params", "cursor") != nil
		}
	}
	return list
}

// listsEnd is list-pages: the pages of a list come to an end.
func listsEnd(s *subject) ruling {
	if !strings.HasSuffix(s.Method, "/list") || s.finalResult() == nil {
		return na()
	}
	next := s.Result.Get("nextCursor")
	cursor, ok := next.Text()
	if !ok {
		return pass()
	}
	pages := s.pagesBefore()
	again := jsontree.Equal(next, s.params().Get("cursor")) || slices.ContainsFunc(pages,
		func(r playground.Round) bool { return jsontree.Equal(next, r.Result.Get("nextCursor")) })
	switch {
	case again:
		return hint("The list goes on with the cursor %s, which led here before, so it never ends.",
			quoted(cursor))
	case len(pages)+1 >= server.MaxListPages:
		return hint("The list has more than %d pages; clients may not read them all.", server.MaxListPages)
	}
	return pass()
}

// eachTool returns the worst ruling on a listed tool.
func (s *subject) eachTool(judge func(*jsontree.Node) ruling) ruling {
	found := na()
	if s.Method != playground.ToolsList || s.finalResult() == nil {
		return found
	}
	for _, t := range s.Result.Get("tools").Elements() {
		if a := judge(t); a.verdict.Compare(found.verdict) < 0 {
			found = a
		}
	}
	return found
}

// listCapabilities are the capabilities whose list a server must answer for, by
// method.
var listCapabilities = map[string]string{
	playground.ToolsList: "tools", playground.PromptsList: "prompts", playground.ResourcesList: "resources",
}

// implementsDiscover is server-discover. Servers of earlier revisions do not know the method
// either, so the next response must show that the server is none of them.
func implementsDiscover(s *subject) ruling {
	switch {
	case s.Method != playground.Discover:
	case s.Kind == playground.OutcomeComplete:
		return pass()
	case s.Error != nil && s.Error.Code == -32601 && s.next != nil && s.next.Result.Has("resultType"):
		return fail("The server does not know server/discover, although it answers %s as a server of %s.",
			s.next.Method, wire.ProtocolVersion)
	}
	return na()
}

// answersDeclaredLists is declared-lists. It needs the result of
// server/discover in the same record.
func answersDeclaredLists(s *subject) ruling {
	capability := listCapabilities[s.Method]
	if capability == "" || !s.responded() {
		return na()
	}
	declared := false
	for _, r := range s.earlier {
		declared = declared || r.Method == playground.Discover && r.Result.Get("capabilities").Has(capability)
	}
	switch {
	case !declared:
		return na()
	case s.Error != nil && slices.Contains([]int64{-32601, -32602}, s.Error.Code):
		return fail("The server declares %s, but answers %s with error %d.",
			capability, s.Method, s.Error.Code)
	}
	return pass()
}

// extensionsHavePrefix is extension-names.
func extensionsHavePrefix(s *subject) ruling {
	found := na()
	if s.Method != playground.Discover {
		return found
	}
	for _, m := range s.Result.At("capabilities", "extensions").Entries() {
		if !isExtensionName(m.Key) {
			return fail("The server declares the extension %s, whose name has no valid prefix.",
				quoted(m.Key))
		}
		found = pass()
	}
	return found
}

// namesServer is server-info. The clause is about every result. A server that never
// names itself gets one finding, on the result of server/discover; one that does gets
// one in each record, on the first result without its name. The result of a request of
// no revision or another one, which the server should have rejected, is not judged.
func namesServer(s *subject) ruling {
	if s.Result == nil || s.Result.Kind != jsontree.Object || !s.isCurrentRevision() || s.hasNoVersion() {
		return na()
	}
	named, nameless := s.named, false
	before := func(result *jsontree.Node) {
		if result != nil && result.Kind == jsontree.Object {
			named = named || hasServerInfo(result)
			nameless = nameless || !hasServerInfo(result)
		}
	}
	for _, r := range s.earlier {
		before(r.Result)
	}
	for _, t := range s.polls {
		before(resultOf(t))
	}
	switch {
	case hasServerInfo(s.Result):
		return pass()
	case s.Method != playground.Discover && (!named || nameless):
		return na()
	}
	return hint("The result does not name the server in _meta.")
}

// hasServerInfo reports whether a result names its server.
func hasServerInfo(result *jsontree.Node) bool {
	return result.Get("_meta").Has("io.modelcontextprotocol/serverInfo")
}
