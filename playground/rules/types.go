package rules

import (
	"slices"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// optionalMembers are the members of results that may be absent and must else be
// of a kind, by method. Other rules judge required members and those of questions
// and tasks.
var optionalMembers = map[string][]member{
	playground.Discover:      {{"instructions", jsontree.String}},
	playground.ToolsList:     {{"nextCursor", jsontree.String}},
	playground.PromptsList:   {{"nextCursor", jsontree.String}},
	playground.ResourcesList: {{"nextCursor", jsontree.String}},
	playground.TemplatesList: {{"nextCursor", jsontree.String}},
	playground.ToolsCall:     {{"isError", jsontree.Bool}},
	playground.PromptsGet:    {{"description", jsontree.String}},
}

// optionalOfItems are the same for listed items, by the member that lists them.
var optionalOfItems = map[string][]member{
	"tools": {{"title", jsontree.String}, {"description", jsontree.String}, {"annotations", jsontree.Object}},
	"prompts": {{"title", jsontree.String}, {"description", jsontree.String},
		{"arguments", jsontree.Array}},
	"resources": {{"title", jsontree.String}, {"description", jsontree.String},
		{"mimeType", jsontree.String}, {"size", jsontree.Number}},
	"resourceTemplates": {{"title", jsontree.String}, {"description", jsontree.String},
		{"mimeType", jsontree.String}},
}

// toolHints are the members of the annotations of tools, and promptArgument those of
// the arguments of prompts.
var (
	toolHints = []member{{"title", jsontree.String}, {"readOnlyHint", jsontree.Bool},
		{"destructiveHint", jsontree.Bool}, {"idempotentHint", jsontree.Bool}, {"openWorldHint",
			jsontree.Bool}}
	promptArgument = []member{{"title", jsontree.String}, {"description", jsontree.String},
		{"required", jsontree.Bool}}
)

// capabilityNames are the capabilities of servers, each of which is an object.
var capabilityNames = []string{"tools", "prompts", "resources", "completions", "logging", "experimental",
	"extensions"}

// rightTypes is member-types: what a result may have is of the type of the schema.
func rightTypes(s *subject) ruling {
	result, method := s.final()
	if result == nil {
		return na()
	}
	found := na()
	judge := func(owner string, n *jsontree.Node, members []member) ruling {
		for _, m := range members {
			value := n.Get(m.name)
			if value == nil {
				continue
			}
			if found = pass(); value.Kind != m.kind {
				return fail("The member %s of %s is %s; it must be %s.", quoted(m.name), owner,
					article(value), articleOf(m.kind))
			}
		}
		return found
	}
	if a := judge("the result of "+method, result, optionalMembers[method]); a.verdict == verdict.Failed {
		return a
	}
	for _, required := range requiredMembers[method] {
		for _, item := range result.Get(required.name).Elements() {
			owner := "an item of " + quoted(required.name)
			if a := judge(owner, item, optionalOfItems[required.name]); a.verdict == verdict.Failed {
				return a
			}
			if a := judge("the annotations of a tool", item.Get("annotations"),
				toolHints); a.verdict == verdict.Failed &&
				required.name == "tools" {
				return a
			}
			for _, argument := range item.Get("arguments").Elements() {
				a := judge("an argument of a prompt", argument, promptArgument)
				if a.verdict == verdict.Failed {
					return a
				}
			}
		}
	}
	if method != playground.Discover {
		return found
	}
	for _, m := range result.Get("capabilities").Entries() {
		if !slices.Contains(capabilityNames, m.Key) {
			continue
		}
		if found = pass(); m.Value.Kind != jsontree.Object {
			return fail("The capability %s is %s; it must be an object.", quoted(m.Key), article(m.Value))
		}
	}
	return found
}

// validUTF8 is utf-8: every message is UTF-8. What a gateway sends is not judged.
func validUTF8(s *subject) ruling {
	if !s.isMCP() {
		return na()
	}
	found := na()
	for _, m := range s.Messages {
		if len(m.Raw) == 0 || s.isCut(m) || m.Node.Get("jsonrpc").Str() != "2.0" && (m.Err == nil ||
			s.Head.Status/100 != 2) {
			continue
		}
		if found = pass(); !utf8.Valid(m.Raw) {
			return fail("A message is not UTF-8.")
		}
	}
	return found
}
