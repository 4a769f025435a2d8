package server

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Argument is an argument of a tool or a prompt, for people.
type Argument struct {
	Name        string
	Type        string // of its JSON value: "integer", "string | null", `"a" | "b"`, or "any"
	Description string
	Required    bool
}

// Bounds of the part of a schema that is read.
const (
	maxArguments = 50
	maxChoices   = 6
	maxTypeDepth = 3
)

// Arguments returns the arguments of the tool in the order of its schema, at
// most 50. It is for people: what the schema requires beyond types is left out.
func (t Tool) Arguments() []Argument {
	schema, err := jsontree.Parse(t.InputSchema, jsontree.Limits{})
	if err != nil {
		return nil
	}
	required := stringsIn(schema.Get("required"))
	var list []Argument
	for _, m := range schema.Get("properties").Entries() {
		if len(list) == maxArguments {
			break
		}
		list = append(list, Argument{
			Name: m.Key, Type: typeWords(m.Value, schema, maxTypeDepth),
			Description: m.Value.Get("description").Str(), Required: slices.Contains(required, m.Key),
		})
	}
	return list
}

// ArgumentList returns the arguments of the prompt, which are strings.
func (p Prompt) ArgumentList() []Argument {
	list := make([]Argument, len(p.Arguments))
	for i, a := range p.Arguments {
		list[i] = Argument{a.Name, "string", a.Description, a.Required}
	}
	return list
}

// typeWords returns the types that a schema names. root is the whole schema, in
// which references are looked up.
func typeWords(schema, root *jsontree.Node, depth int) string {
	if ref, ok := schema.Get("$ref").Text(); ok && depth > 0 {
		if path, inside := strings.CutPrefix(ref, "#/"); inside {
			return typeWords(root.At(strings.Split(path, "/")...), root, depth-1)
		}
	}
	var words []string
	add := func(word string) {
		if word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	choices := schema.Get("enum").Elements()
	if only := schema.Get("const"); only != nil {
		choices = append(choices, only)
	}
	for i, v := range choices {
		if i == maxChoices {
			add("…")
			break
		}
		add(string(v.Raw()))
	}
	if len(words) == 0 {
		add(schema.Get("type").Str())
		for _, name := range stringsIn(schema.Get("type")) {
			add(name)
		}
	}
	if slices.Equal(words, []string{"array"}) && schema.Has("items") && depth > 0 {
		words[0] = "array of " + typeWords(schema.Get("items"), root, depth-1)
	}
	for _, member := range []string{"anyOf", "oneOf"} {
		for _, other := range schema.Get(member).Elements() {
			if len(words) == 0 || depth > 0 {
				add(typeWords(other, root, depth-1))
			}
		}
	}
	if len(words) == 0 {
		return "any"
	}
	return strings.Join(words, " | ")
}
