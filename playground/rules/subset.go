package rules

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// flatSchemas judges whether requestedSchema is in its subset of JSON Schema
// (client/elicitation, "Requested Schema").
func flatSchemas(s *subject) ruling {
	questions := s.elicitations("form")
	found := na()
	for _, q := range questions {
		a := s.subset(q)
		if a.verdict == verdict.Failed {
			return a
		}
		if found.verdict != verdict.Advisory {
			found = a
		}
	}
	return found
}

// subset judges the schema of one form. elicitation-params reports a missing
// one.
func (s *subject) subset(q jsontree.Member) ruling {
	schema := q.Value.At("params", "requestedSchema")
	if schema == nil || schema.Kind != jsontree.Object {
		return na()
	}
	properties := schema.Get("properties")
	if schema.Get("type").Str() != "object" || properties == nil || properties.Kind != jsontree.Object {
		return fail("The schema of the form %s is not an object with properties.", quoted(q.Key))
	}
	f, err := s.form(schema)
	if err != nil {
		return hint("The form %s is too large to be shown: %s.", quoted(q.Key), err)
	}
	for _, field := range f.Fields {
		schema := properties.Get(field.Property)
		switch {
		case field.Outside != "":
			return fail("The form %s has the property %s outside of the form subset. %s",
				quoted(q.Key), quoted(field.Property), field.Outside)
		case !schema.Has("type"):
			return fail("The form %s has the property %s without a type.",
				quoted(q.Key), quoted(field.Property))
		case hasUntitled(schema.Get("oneOf")), hasUntitled(schema.At("items", "anyOf")):
			return fail("The form %s has the property %s with a choice that has no title.",
				quoted(q.Key), quoted(field.Property))
		}
	}
	return onlyKnownKeywords(q.Key, f)
}

// hasUntitled reports whether one of several titled choices has no title.
func hasUntitled(choices *jsontree.Node) bool {
	return slices.ContainsFunc(choices.Elements(),
		func(c *jsontree.Node) bool { return missingText(c, "title") != "" })
}

// onlyKnownKeywords reports unknown keywords and defaults of the wrong type. It
// accepts vendor keywords (x-...), which some servers send.
func onlyKnownKeywords(key string, f form.Form) ruling {
	for _, field := range f.Fields {
		if field.Note != "" {
			return hint("The form %s has an invalid default for %s.", quoted(key), quoted(field.Property))
		}
		unknown, err := jsontree.Parse(field.Unknown, jsontree.Limits{})
		if err != nil {
			continue
		}
		for _, m := range unknown.Members {
			if !strings.HasPrefix(m.Key, "x-") {
				return hint("The form %s uses %s, which is not in the form subset; clients may ignore it.",
					quoted(key), quoted(m.Key))
			}
		}
	}
	return pass()
}
