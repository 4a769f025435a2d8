package rules

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// flatSchemas holds requestedSchema to its subset (client/elicitation,
// "Requested Schema").
func flatSchemas(s scene) answer {
	questions := s.elicitations("form")
	verdict := na()
	for _, q := range questions {
		a := subset(q)
		if a.verdict == Fail {
			return a
		}
		if verdict.verdict != Hint {
			verdict = a
		}
	}
	return verdict
}

// subset judges the schema of one form. One that is missing altogether is
// another rule's matter.
func subset(q jsontree.Member) answer {
	schema := q.Value.At("params", "requestedSchema")
	if schema == nil || schema.Kind != jsontree.Object {
		return na()
	}
	properties := schema.Get("properties")
	if schema.Get("type").Str() != "object" || properties == nil || properties.Kind != jsontree.Object {
		return fail("The form %s does not have the schema of an object with properties.", quoted(q.Key))
	}
	f, err := form.Question(schema.Raw())
	if err != nil {
		return hint("The form %s is too large to be shown: %s.", quoted(q.Key), err)
	}
	for _, field := range f.Fields {
		switch {
		case field.Reason != "":
			return fail("The form %s asks for %s in a way that no simple control can. %s", quoted(q.Key), quoted(field.Property), field.Reason)
		case !properties.Get(field.Property).Has("type"):
			return fail("The form %s gives its property %s no type.", quoted(q.Key), quoted(field.Property))
		}
	}
	return onlyKnownKeywords(q.Key, f)
}

// onlyKnownKeywords also notices defaults of the wrong type. It lets vendor keywords (x-...) pass: real servers send them,
// and nobody relies on them.
func onlyKnownKeywords(key string, f form.Form) answer {
	for _, field := range f.Fields {
		if field.Note != "" {
			return hint("The form %s gives %s a default that does not fit it.", quoted(key), quoted(field.Property))
		}
		unknown, err := jsontree.Parse(field.Unknown, jsontree.Limits{})
		if err != nil {
			continue
		}
		for _, m := range unknown.Members {
			if !strings.HasPrefix(m.Key, "x-") {
				return hint("The form %s uses %s, which is not in the subset for questions, so clients may ignore it.", quoted(key), quoted(m.Key))
			}
		}
	}
	return pass()
}
