package flow

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// What a field says besides its JSON Schema.
const (
	requiredName = "required" // true or false
	exampleName  = "example"  // a value to start with
)

// commonNames are the keywords of JSON Schema that every field can have.
var commonNames = []string{"type", "title", "description", "default"}

// schemaNames are all keywords of JSON Schema that a field can have.
var schemaNames = append(slices.Clip(commonNames), "minLength", "maxLength", "format", "minimum", "maximum",
	"enum", "enumNames", "oneOf", "items", "minItems", "maxItems", "properties", "additionalProperties")

// formats of a text that client/elicitation allows.
var formats = []string{"email", "uri", "date", "date-time"}

// validName is a name that every language of the exported code can carry.
var validName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// javaScriptNames would change what an object of JavaScript is.
var javaScriptNames = []string{"constructor", "prototype", "toString", "valueOf", "hasOwnProperty"}

// name checks the name of a field, key or argument.
func (r *reader) name(at *document.Node, path, name string) bool {
	switch {
	case len(name) > maxName:
		r.Wrong(at, path, "This name is too long: at most %d characters are allowed.", maxName)
	case !validName.MatchString(name):
		r.Wrong(at, path, "The name %s must begin with a letter, and have only letters a to z, digits, "+
			"_ and -.", document.Quote(name))
	case slices.Contains(javaScriptNames, name):
		r.Wrong(at, path, "The name %s has a meaning of its own in JavaScript. Choose another.",
			document.Quote(name))
	default:
		return true
	}
	return false
}

// fields reads the arguments of a flow or the fields of a form.
func (r *reader) fields(n *document.Node, path string, depth int) []Field {
	if !r.Is(n, path, document.Map) {
		return nil
	}
	if len(n.Members) > maxFields {
		r.Wrong(n, path, "There are too many fields: at most %d are allowed.", maxFields)
		return nil
	}
	var list []Field
	for _, m := range n.Members {
		at, place := &document.Node{Line: m.Line, Column: m.Column}, document.Join(path, m.Name)
		if !r.name(at, place, m.Name) {
			continue
		}
		if f, _ := r.field(m.Value, place, m.Name, depth); f.Kind != "" {
			list = append(list, f) // also a wrong one, so that an expression that names it is not wrong too
		}
	}
	return list
}

// maxNesting is how deep objects and lists can be nested in a field.
const maxNesting = 3

// field reads one field.
func (r *reader) field(n *document.Node, path, name string, depth int) (Field, bool) {
	f := Field{Name: name}
	switch {
	case n.KindOf() == document.Null || n.KindOf() == document.Absent:
		n = &document.Node{Kind: document.Map}
	case !r.Fields(n, path, slices.Concat(schemaNames, []string{requiredName, exampleName})...):
		return f, false
	case depth > maxNesting:
		r.Wrong(n, path, "Fields are nested too deeply: at most %d levels are allowed.", maxNesting)
		return f, false
	}
	before := r.Count()
	f.Title = r.Text(n.Get("title"), document.Join(path, "title"), 200)
	r.Text(n.Get("description"), document.Join(path, "description"), maxText)
	f.Required = r.Bool(n.Get(requiredName), document.Join(path, requiredName))
	r.kind(&f, n, path, depth)
	r.keywords(f, n, path)
	if r.Count() > before {
		return f, false
	}
	f.Schema = r.schema(&f, n)
	if n.Gives("default") {
		f.Default = n.Get("default").JSON()
	}
	if n.Gives(exampleName) {
		f.Example = n.Get(exampleName).JSON()
	}
	r.conforms(f, n.Get("default"), document.Join(path, "default"))
	r.conforms(f, n.Get(exampleName), document.Join(path, exampleName))
	if r.Count() == before {
		r.hasExample(f, n, path)
	}
	return f, r.Count() == before
}

// hasExample warns of a required field whose example is a placeholder that it does
// not allow.
func (r *reader) hasExample(f Field, n *document.Node, path string) {
	if r.reviewer == nil || !f.Required {
		return
	}
	b, err := json.Marshal(f.example())
	if err != nil {
		return
	}
	if wrong, err := r.reviewer.Misfits(f.Schema, b); err != nil || len(wrong) > 0 {
		r.warnings.Wrong(n, path, "Give this field an example. Previews, tests and checks have no value "+
			"that it allows.")
	}
}

// conforms reports a value that the field does not allow.
func (r *reader) conforms(f Field, n *document.Node, path string) {
	if r.reviewer == nil || n.KindOf() == document.Absent || n.KindOf() == document.Null {
		return
	}
	switch wrong, err := r.reviewer.Misfits(f.Schema, n.JSON()); {
	case err != nil:
		r.Wrong(n, path, "The field %s has no valid schema.", document.Quote(f.Name))
	case len(wrong) > 0:
		r.Wrong(n, path, "This value does not fit the field: %s.", wrong[0])
	}
}

// kind reads the type of a field and the members that belong to it.
func (r *reader) kind(f *Field, n *document.Node, path string, depth int) {
	typ := r.Choice(n.Get("type"), document.Join(path, "type"),
		"string", "number", "integer", "boolean", "array", "object")
	switch {
	case n.Gives("enum") || n.Gives("oneOf"):
		f.Kind, f.Values = Choice, r.choices(n, path, "oneOf")
		if typ != "" && typ != "string" {
			r.Wrong(n.Get("type"), document.Join(path, "type"), "A choice is of the type string.")
		}
	case typ == "" && n.Gives("items") || typ == "array":
		r.list(f, n, path, depth)
	case typ == "" && n.Gives("properties") || typ == "object":
		r.object(f, n, path, depth)
	case typ == "boolean":
		f.Kind = YesNo
	case typ == "number", typ == "integer":
		f.Kind = FieldKind(typ)
		r.limits(n, path, "minimum", "maximum")
	default:
		f.Kind = TextField
		r.limits(n, path, "minLength", "maxLength")
		r.Choice(n.Get("format"), document.Join(path, "format"), formats...)
	}
}

// keywordsOf are the keywords that a field can have because of its kind.
var keywordsOf = map[FieldKind][]string{
	TextField: {"minLength", "maxLength", "format"}, NumberField: {"minimum", "maximum"},
	IntegerField: {"minimum", "maximum"}, Choice: {"enum", "enumNames"},
	Choices: {"items", "minItems", "maxItems"}, List: {"items", "minItems", "maxItems"},
	Object: {"properties"}, Table: {"additionalProperties"},
}

// keywords reports keywords that say nothing about a field of this kind.
func (r *reader) keywords(f Field, n *document.Node, path string) {
	allowed := keywordsOf[f.Kind]
	if f.Kind == Choice && n.Gives("oneOf") {
		allowed = []string{"oneOf"}
	}
	for _, name := range schemaNames[len(commonNames):] {
		if f.Kind != "" && n.Gives(name) && !slices.Contains(allowed, name) {
			r.Wrong(n.Get(name), document.Join(path, name), "%s does not belong to a field of this kind.%s",
				document.Quote(name), keywordHint(name))
		}
	}
}

// keywordHint says which fields have a keyword.
func keywordHint(name string) string {
	switch name {
	case "minimum", "maximum":
		return " It is for the types number and integer."
	case "minLength", "maxLength", "format":
		return " It is for texts: fields of the type string without enum."
	case "minItems", "maxItems", "items":
		return " It is for the type array."
	case "properties", "additionalProperties":
		return " It is for the type object, which has one of properties and additionalProperties."
	}
	return " A choice has either enum or oneOf."
}

// limits reports a pair of limits that no value can keep.
func (r *reader) limits(n *document.Node, path, least, most string) {
	low, hasLow := r.Number(n.Get(least), document.Join(path, least))
	high, hasHigh := r.Number(n.Get(most), document.Join(path, most))
	if hasLow && hasHigh && low > high {
		r.Wrong(n.Get(most), document.Join(path, most), "%s is less than %s.", most, least)
	}
	if least != "minimum" && (hasLow && low < 0 || hasHigh && high < 0) {
		r.Wrong(n, path, "%s and %s must not be negative.", least, most)
	}
}

// maxChoices is how many values a choice can have.
const maxChoices = 100

// choices reads the values of enum, or of the titled form that named gives.
func (r *reader) choices(n *document.Node, path, named string) []string {
	var values []string
	add := func(v *document.Node, place string) {
		s := r.Text(v, place, 200)
		switch {
		case v.KindOf() != document.Text:
			if v.KindOf() == document.Absent || v.KindOf() == document.Null {
				r.Wrong(n, place, "A choice has texts as its values.")
			}
		case slices.Contains(values, s):
			r.Wrong(v, place, "The value %s is defined twice.", document.Quote(s))
		default:
			values = append(values, s)
		}
	}
	if n.Gives("enum") {
		place := document.Join(path, "enum")
		for i, v := range r.Items(n.Get("enum"), place, maxChoices) {
			add(v, document.Index(place, i))
		}
		names := r.Items(n.Get("enumNames"), document.Join(path, "enumNames"), maxChoices)
		if n.Gives("enumNames") && len(names) != len(values) {
			r.Wrong(
				n.Get("enumNames"),
				document.Join(path, "enumNames"),
				"There must be a name for each value.",
			)
		}
	} else {
		place := document.Join(path, named)
		for i, v := range r.Items(n.Get(named), place, maxChoices) {
			item := document.Index(place, i)
			if r.Fields(v, item, "const", "title") {
				add(v.Get("const"), document.Join(item, "const"))
				r.Needed(v, item, "title", 200)
			}
		}
	}
	if len(values) == 0 {
		r.Wrong(n, path, "A choice needs at least one value.")
	}
	return values
}

// list reads a field of the type array: some of several values, or rows.
func (r *reader) list(f *Field, n *document.Node, path string, depth int) {
	r.limits(n, path, "minItems", "maxItems")
	items, place := n.Get("items"), document.Join(path, "items")
	if items.KindOf() != document.Map {
		r.Wrong(n, place, "A list says what its items are, for example {type: string}.")
		return
	}
	if items.Gives("enum") || items.Gives("anyOf") {
		f.Kind = Choices
		r.Fields(items, place, "type", "enum", "anyOf")
		f.Values = r.choices(items, place, "anyOf")
		return
	}
	item, ok := r.field(items, place, "items", depth+1)
	if ok {
		f.Kind, f.Item = List, &item
	}
}

// object reads a field with fields of its own, or a table of values by name.
func (r *reader) object(f *Field, n *document.Node, path string, depth int) {
	if n.Gives("additionalProperties") && !n.Gives("properties") {
		item, ok := r.field(
			n.Get("additionalProperties"),
			document.Join(path, "additionalProperties"),
			"value",
			depth+1,
		)
		if ok {
			f.Kind, f.Item = Table, &item
		}
		return
	}
	f.Kind = Object
	f.Fields = r.fields(n.Get("properties"), document.Join(path, "properties"), depth+1)
	if n.KindOf() == document.Map && len(f.Fields) == 0 {
		r.Wrong(n, path, "An object says in properties which fields it has, or in additionalProperties "+
			"what its values are.")
	}
}

// schema returns the JSON Schema of a field as it is on the wire.
func (r *reader) schema(f *Field, n *document.Node) json.RawMessage {
	var pairs []jsontree.Pair
	if n.Get("type").Str() == "" {
		typ := map[FieldKind]string{
			Choices: "array", List: "array", Object: "object", Table: "object",
		}[f.Kind]
		if typ == "" {
			typ = "string"
		}
		pairs = append(pairs, pair("type", typ))
	}
	for _, m := range n.Members {
		value := m.Value.JSON()
		if m.Value.Kind == document.Null {
			continue // as if it were absent
		}
		switch m.Name {
		case requiredName, exampleName:
			continue
		case "items":
			if f.Item != nil {
				value = f.Item.Schema
			} else if !m.Value.Gives("type") && !m.Value.Gives("anyOf") {
				value, _ = jsontree.Set(value, pair("type", "string")) // an object
			}
		case "additionalProperties":
			if f.Item != nil {
				value = f.Item.Schema
			}
		case "properties":
			value = properties(f.Fields)
		}
		pairs = append(pairs, jsontree.Pair{Key: m.Name, Value: value})
	}
	if names := requiredOf(f.Fields); len(names) > 0 {
		pairs = append(pairs, pair("required", names))
	}
	return jsontree.ObjectOf(pairs...)
}

// pair returns a member whose value always encodes.
func pair(name string, value any) jsontree.Pair {
	b, err := json.Marshal(value)
	if err != nil {
		panic("flow: encode " + name + ": " + err.Error())
	}
	return jsontree.Pair{Key: name, Value: b}
}

func properties(fields []Field) json.RawMessage {
	pairs := make([]jsontree.Pair, len(fields))
	for i, f := range fields {
		pairs[i] = jsontree.Pair{Key: f.Name, Value: f.Schema}
	}
	return jsontree.ObjectOf(pairs...)
}

func requiredOf(fields []Field) []string {
	var names []string
	for _, f := range fields {
		if f.Required {
			names = append(names, f.Name)
		}
	}
	return names
}

// SchemaOf returns the JSON Schema of an object with these fields: the
// inputSchema of a tool, or the requestedSchema of a form.
func SchemaOf(fields []Field) json.RawMessage {
	pairs := []jsontree.Pair{pair("type", "object"), {Key: "properties", Value: properties(fields)}}
	if names := requiredOf(fields); len(names) > 0 {
		pairs = append(pairs, pair("required", names))
	}
	return jsontree.ObjectOf(pairs...)
}

// flat reports whether a form has only the kinds of fields that
// client/elicitation allows.
func flat(fields []Field) bool {
	return !slices.ContainsFunc(fields, func(f Field) bool {
		return f.Kind == Object || f.Kind == List || f.Kind == Table
	})
}
