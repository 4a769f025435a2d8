package recorded

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// field is an argument, or a field of a form, as it is written in a flow.
type field struct {
	name  string // in the flow
	path  []string
	kind  flow.FieldKind
	pairs []jsontree.Pair // what a flow says of it
	// reduced is how much was left out because the language refused it: 1 for its values,
	// 2 for everything but its type.
	reduced int
}

// json returns the field as it is written.
func (f field) json() json.RawMessage {
	if f.reduced == 0 {
		return jsontree.ObjectOf(f.pairs...)
	}
	var kept []jsontree.Pair
	for _, p := range f.pairs {
		isValue := p.Key == "default" || p.Key == "example"
		if f.reduced == 1 && !isValue || p.Key == "required" {
			kept = append(kept, p)
		}
	}
	return jsontree.ObjectOf(kept...)
}

// validNames is what the names of fields and keys are like in a flow.
var validNames = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,59}$`)

// reserved are names that a flow cannot have: see the language.
var reserved = []string{"constructor", "prototype", "toString", "valueOf", "hasOwnProperty"}

// validName returns a name that a flow can have.
func validName(name, otherwise string) string {
	if validNames.MatchString(name) && !slices.Contains(reserved, name) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			b.WriteRune(r)
		} else if b.Len() > 0 {
			b.WriteByte('_')
		}
		if b.Len() > 40 {
			break
		}
	}
	name = strings.Trim(b.String(), "_")
	if name == "" {
		return otherwise
	}
	if !validNames.MatchString(name) || slices.Contains(reserved, name) {
		return otherwise + "_" + name
	}
	return name
}

// fieldsOf returns the fields of an object's schema. values are objects that were recorded
// for it; notes gets what is left out.
func fieldsOf(schema *jsontree.Node, values []*jsontree.Node, note func(string)) []field {
	required := textsOf(schema.Get("required"))
	var list []field
	used := map[string]bool{}
	add := func(name string, of *jsontree.Node, needed bool) {
		if len(list) == maxFields {
			note("More fields than a flow can have: “" + name + "” is left out.")
			return
		}
		f := newField(name, of, valuesOf(values, name), 1, note)
		for used[f.name] {
			f.name += "_"
		}
		used[f.name] = true
		if f.name != name {
			note("The field “" + name + "” is “" + f.name + "” here.")
		}
		if needed {
			f.pairs = append(f.pairs, jsontree.Pair{Key: "required", Value: json.RawMessage("true")})
		}
		list = append(list, f)
	}
	for _, m := range schema.Get("properties").Entries() {
		add(m.Key, m.Value, slices.Contains(required, m.Key))
	}
	for _, v := range values {
		for _, m := range v.Entries() {
			isNew := !slices.ContainsFunc(list, func(f field) bool { return f.path[0] == m.Key })
			if isNew {
				add(m.Key, nil, len(valuesOf(values, m.Key)) == len(values))
			}
		}
	}
	return list
}

// valuesOf returns the values of a member in the objects that have it.
func valuesOf(objects []*jsontree.Node, name string) []*jsontree.Node {
	var list []*jsontree.Node
	for _, o := range objects {
		if v := o.Get(name); v != nil {
			list = append(list, v)
		}
	}
	return list
}

func textsOf(n *jsontree.Node) []string {
	var list []string
	for _, e := range n.Elements() {
		list = append(list, e.Str())
	}
	return list
}

// keywords of JSON Schema that say something which a flow has another word for or does not
// need.
var silent = []string{
	"type", "enum", "oneOf", "anyOf", "items", "properties", "additionalProperties", "required", "default",
	"title", "description", "examples", "const", "$schema", "enumNames",
}

// newField returns a field with what a flow can say of its schema. Without a schema, the
// recorded values show its type.
func newField(
	name string, schema *jsontree.Node, values []*jsontree.Node, depth int, note func(string),
) field {
	f := field{name: validName(name, "field"), path: []string{name}}
	say := func(key string, value json.RawMessage) {
		f.pairs = append(f.pairs, jsontree.Pair{Key: key, Value: value})
	}
	typ := typeOf(schema, values)
	allowed := []string{}
	choices, titles := choicesOf(schema)
	switch {
	case len(choices) > 0 && titles != nil && schema.Has("enumNames"):
		f.kind = flow.Choice
		say("enum", marshal(choices))
		say("enumNames", marshal(titles))
	case len(choices) > 0 && titles != nil:
		f.kind = flow.Choice
		say("oneOf", titled(choices, titles))
	case len(choices) > 0:
		f.kind = flow.Choice
		say("enum", marshal(choices))
	case typ == "boolean":
		f.kind = flow.YesNo
		say("type", marshal(typ))
	case typ == "number", typ == "integer":
		f.kind = flow.FieldKind(typ)
		say("type", marshal(typ))
		allowed = []string{"minimum", "maximum"}
	case typ == "array":
		allowed = []string{"minItems", "maxItems"}
		say("type", marshal(typ))
		f.kind = listOf(&f, schema, values, depth, note)
	case typ == "object":
		f.kind = objectOf(&f, schema, values, depth, note)
	default:
		f.kind = flow.TextField
		say("type", marshal("string"))
		allowed = []string{"minLength", "maxLength", "format"}
	}
	for _, m := range schema.Entries() {
		switch {
		case m.Key == "title":
			say(m.Key, marshal(clean(m.Value.Str(), maxTitle)))
		case m.Key == "description":
			say(m.Key, marshal(clean(m.Value.Str(), maxText)))
		case slices.Contains(allowed, m.Key):
			say(m.Key, m.Value.Raw())
		case m.Key == "default" && !text.HasMask(m.Value.Raw()):
			say(m.Key, m.Value.Raw())
		case !slices.Contains(silent, m.Key):
			note("“" + m.Key + "” of the field “" + name + "”: no field of a flow has it.")
		}
	}
	if value := example(f, schema, values); value != nil && depth == 1 {
		say("example", value)
	}
	if slices.ContainsFunc(values, func(v *jsontree.Node) bool { return text.HasMask(v.Raw()) }) {
		note("The value of “" + name + "”: it is masked in the recording.")
	}
	return f
}

// example returns the first recorded value that the field allows and that is not masked.
func example(f field, of *jsontree.Node, values []*jsontree.Node) json.RawMessage {
	schema := jsontree.ObjectOf(f.pairs...)
	if of != nil && of.Kind == jsontree.Object {
		schema = of.Raw()
	}
	for _, v := range values[:min(len(values), 8)] {
		fit, err := form.Conforms(schema, v.Raw())
		if err == nil && len(fit.All()) == 0 && !text.HasMask(v.Raw()) && len(v.Raw()) < maxText {
			return v.Raw()
		}
	}
	return nil
}

// typeOf returns the type of a schema, or of the values.
func typeOf(schema *jsontree.Node, values []*jsontree.Node) string {
	switch t := schema.Get("type"); {
	case t.Str() != "":
		return t.Str()
	case t != nil && t.Kind == jsontree.Array:
		for _, name := range textsOf(t) {
			if name != "null" {
				return name
			}
		}
	case schema.Has("properties"):
		return "object"
	case schema.Has("items"):
		return "array"
	}
	for _, v := range values {
		switch v.Kind {
		case jsontree.Bool:
			return "boolean"
		case jsontree.Number:
			return "number"
		case jsontree.Array:
			return "array"
		case jsontree.Object:
			return "object"
		case jsontree.String:
			return "string"
		}
	}
	return "string"
}

// choicesOf returns the texts that a schema allows, with their titles if they have some.
func choicesOf(schema *jsontree.Node) (values, titles []string) {
	if c, ok := schema.Get("const").Text(); ok {
		return []string{clean(c, maxTitle)}, nil
	}
	add := func(v *jsontree.Node) bool {
		s, ok := v.Text()
		if ok = ok && !slices.Contains(values, s) && s != "" && s == clean(s, maxTitle); ok {
			values = append(values, s)
		}
		return ok && len(values) <= maxValues
	}
	for _, v := range schema.Get("enum").Elements() {
		if !add(v) {
			return nil, nil
		}
	}
	if names := textsOf(schema.Get("enumNames")); len(names) == len(values) && len(values) > 0 {
		for i, name := range names {
			if names[i] = clean(name, maxTitle); names[i] == "" {
				return values, nil
			}
		}
		return values, names
	}
	if len(values) > 0 {
		return values, nil
	}
	for _, of := range []string{"oneOf", "anyOf"} {
		for _, v := range schema.Get(of).Elements() {
			title := clean(v.Get("title").Str(), maxTitle)
			if !add(v.Get("const")) {
				return nil, nil
			}
			if title == "" {
				title = values[len(values)-1]
			}
			titles = append(titles, title)
		}
		if len(values) > 0 {
			return values, titles
		}
	}
	return nil, nil
}

// titled returns the values of a choice with their titles.
func titled(values, titles []string) json.RawMessage {
	list := make([]json.RawMessage, len(values))
	for i := range values {
		list[i] = jsontree.ObjectOf(jsontree.Pair{Key: "const", Value: marshal(values[i])},
			jsontree.Pair{Key: "title", Value: marshal(titles[i])})
	}
	return marshal(list)
}

// maxNesting is how deep fields are nested in a flow.
const maxNesting = 3

// listOf adds the items of a list to a field.
func listOf(
	f *field, schema *jsontree.Node, values []*jsontree.Node, depth int, note func(string),
) flow.FieldKind {
	items := schema.Get("items")
	if choices, titles := choicesOf(items); len(choices) > 0 {
		of := jsontree.Pair{Key: "enum", Value: marshal(choices)}
		if titles != nil {
			of = jsontree.Pair{Key: "anyOf", Value: titled(choices, titles)}
		}
		f.pairs = append(f.pairs, jsontree.Pair{Key: "items", Value: jsontree.ObjectOf(of)})
		return flow.Choices
	}
	var inner []*jsontree.Node
	for _, v := range values {
		inner = append(inner, v.Elements()...)
	}
	item := jsontree.ObjectOf(jsontree.Pair{Key: "type", Value: marshal("string")})
	if depth < maxNesting {
		item = newField("items", items, inner, depth+1, note).json()
	} else {
		note("What the items of “" + f.path[0] + "” are: fields are nested too deeply for a flow.")
	}
	f.pairs = append(f.pairs, jsontree.Pair{Key: "items", Value: item})
	return flow.List
}

// objectOf adds the fields of an object to a field, or the type of its values if their names
// are not known.
func objectOf(
	f *field, schema *jsontree.Node, values []*jsontree.Node, depth int, note func(string),
) flow.FieldKind {
	f.pairs = append(f.pairs, jsontree.Pair{Key: "type", Value: marshal("object")})
	properties := schema.Get("properties").Entries()
	if len(properties) > 0 && depth < maxNesting {
		required := textsOf(schema.Get("required"))
		var pairs []jsontree.Pair
		for _, m := range properties[:min(len(properties), maxFields)] {
			in := newField(m.Key, m.Value, valuesOf(values, m.Key), depth+1, note)
			if slices.Contains(required, m.Key) {
				in.pairs = append(in.pairs, jsontree.Pair{Key: "required", Value: json.RawMessage("true")})
			}
			pairs = append(pairs, jsontree.Pair{Key: in.name, Value: in.json()})
		}
		f.pairs = append(f.pairs, jsontree.Pair{Key: "properties", Value: jsontree.ObjectOf(pairs...)})
		return flow.Object
	}
	var inner []*jsontree.Node
	for _, v := range values {
		for _, m := range v.Entries() {
			inner = append(inner, m.Value)
		}
	}
	item := jsontree.ObjectOf(jsontree.Pair{Key: "type", Value: marshal("string")})
	if of := schema.Get("additionalProperties"); depth < maxNesting &&
		(of != nil && of.Kind == jsontree.Object || len(inner) > 0) {
		if of != nil && of.Kind != jsontree.Object {
			of = nil
		}
		item = newField("value", of, inner, depth+1, note).json()
	}
	f.pairs = append(f.pairs, jsontree.Pair{Key: "additionalProperties", Value: item})
	return flow.Table
}

// marshal returns a value as JSON. Texts and lists of them always encode.
func marshal(v any) json.RawMessage {
	if s, ok := v.(string); ok {
		return jsontree.Quote(s)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

// clean returns a text without the characters that no text of a flow has, cut to a number
// of characters.
func clean(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\uFFFD' {
			return -1
		}
		return r
	}, strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\r\n", "\n"))
	return text.Chars(s, most)
}
