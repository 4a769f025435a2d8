package flow

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
)

// typ is the type that a field or a name has in expressions.
type typ struct {
	kind   string          // string, number, boolean, array or object
	item   *typ            // of an array, and of an object whose names are not known
	fields map[string]*typ // of an object
}

var (
	textType  = &typ{kind: "string"}
	textsType = &typ{kind: "array", item: textType}
)

// field returns the type of a field, or nil if there is none.
func (t *typ) field(name string) *typ {
	switch {
	case t.kind != "object":
		return nil
	case t.item != nil:
		return t.item
	}
	return t.fields[name]
}

// value returns the value if it has the type, or else the empty value.
func (t *typ) value(v any) any {
	switch t.kind {
	case "string":
		s, _ := v.(string)
		return s
	case "number":
		f, _ := v.(float64)
		return f
	case "boolean":
		b, _ := v.(bool)
		return b
	case "array":
		return t.list(v)
	}
	m, _ := v.(map[string]any)
	return m
}

// list returns an array as a slice of its type. Items of another type are empty.
func (t *typ) list(v any) any {
	list, _ := v.([]any)
	switch t.item.kind {
	case "string":
		texts := make([]string, len(list))
		for i, item := range list {
			texts[i], _ = item.(string)
		}
		return texts
	case "number":
		numbers := make([]float64, len(list))
		for i, item := range list {
			numbers[i], _ = item.(float64)
		}
		return numbers
	}
	return list
}

// equal reports whether two types are the same.
func (t *typ) equal(o *typ) bool {
	switch {
	case t == o:
		return true
	case t == nil || o == nil || t.kind != o.kind || len(t.fields) != len(o.fields) || !t.item.equal(o.item):
		return false
	}
	for name, f := range t.fields {
		if !f.equal(o.fields[name]) {
			return false
		}
	}
	return true
}

// field is an argument, or a field of a form.
type field struct {
	name     string
	required bool
	typ      *typ
	schema   json.RawMessage // as it is on the wire
	example  any             // a value to start with; nil if the field may be left out

	placeholder any      // a value that the schema allows
	choices     []string // of a choice
}

// writtenField is a field as it is written: JSON Schema, and two members of ours.
type writtenField struct {
	Type, Title, Description, Format string
	Default, Example                 any
	Required                         bool
	MinLength, MaxLength             *float64
	Minimum, Maximum                 *float64
	Enum, EnumNames                  []string
	OneOf, AnyOf                     []writtenChoice
	Items, AdditionalProperties      json.RawMessage
	MinItems, MaxItems               *float64
	Properties                       json.RawMessage
}

type writtenChoice struct{ Const, Title string }

// member is a member of an object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the members of an object in their order.
func members(raw json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, Refusal("an object is expected")
	}
	var list []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, Refusal("an object is expected")
		}
		m := member{name: key.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, Refusal("an object is expected")
		}
		list = append(list, m)
	}
	return list, nil
}

// validName is the form of a key and the name of a field.
var validName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func checkName(name string) error {
	if len(name) > maxName || !validName.MatchString(name) {
		return Refusal("the name " + strconv.Quote(cut(name)) + " is not allowed")
	}
	return nil
}

// cut shortens what a message quotes.
func cut(s string) string {
	if len(s) > 100 {
		return s[:100] + "…"
	}
	return s
}

// readFields reads arguments, the fields of a form or the properties of an object.
func readFields(raw json.RawMessage, depth int) ([]field, error) {
	if isAbsent(raw) {
		return nil, nil
	}
	all, err := members(raw)
	if err != nil {
		return nil, err
	}
	if len(all) > maxFields {
		return nil, Refusal("there are too many fields")
	}
	var list []field
	for _, m := range all {
		if err := checkName(m.name); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(f field) bool { return f.name == m.name }) {
			return nil, Refusal("the field " + m.name + " is defined twice")
		}
		f, err := readField(m.value, depth)
		if err != nil {
			return nil, err
		}
		f.name = m.name
		list = append(list, f)
	}
	return list, nil
}

func isAbsent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// strict decodes JSON whose members are all known.
func strict(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return Refusal("it is not in the format of flows")
	}
	if _, err := d.Token(); err != io.EOF {
		return Refusal("it is not in the format of flows")
	}
	return nil
}

// readField reads one field.
func readField(raw json.RawMessage, depth int) (field, error) {
	if depth > maxNesting {
		return field{}, Refusal("fields are nested too deeply")
	}
	if isAbsent(raw) {
		raw = json.RawMessage(`{}`)
	}
	var w writtenField
	if err := strict(raw, &w); err != nil {
		return field{}, err
	}
	if len(w.Enum) > maxChoices || len(w.OneOf) > maxChoices || len(w.AnyOf) > maxChoices {
		return field{}, Refusal("a choice has too many values")
	}
	f := field{required: w.Required}
	n := nested{schemas: map[string]json.RawMessage{}}
	var err error
	if f.typ, err = w.read(&n, depth); err != nil {
		return f, err
	}
	f.schema, err = wireSchema(raw, f.typ, w, n.schemas)
	f.placeholder, f.choices = w.placeholder(f.typ, n), w.choices()
	if f.example = w.Example; f.example == nil {
		f.example = w.Default
	}
	if f.example == nil && w.Required {
		f.example = f.placeholder
	}
	return f, err
}

// nested is what a field has inside.
type nested struct {
	schemas map[string]json.RawMessage // by member, where they are others than what is written
	item    field                      // of a list, and of an object whose names are not known
	fields  []field                    // of an object
}

// read returns the type of the field, and sets the schemas of what is nested in it.
func (w writtenField) read(n *nested, depth int) (*typ, error) {
	kind := w.Type
	switch {
	case w.Enum != nil || w.OneOf != nil || w.AnyOf != nil:
		kind = "string"
	case kind == "" && w.Items != nil:
		kind = "array"
	case kind == "" && w.Properties != nil:
		kind = "object"
	case kind == "":
		kind = "string"
	case kind == "integer":
		kind = "number"
	}
	switch kind {
	case "string", "number", "boolean":
		return &typ{kind: kind}, nil
	case "array":
		item, err := readField(w.Items, depth+1)
		n.item, n.schemas["items"] = item, item.schema
		return &typ{kind: kind, item: item.typ}, err
	case "object":
		if more := string(w.AdditionalProperties); more != "" && more != "true" && more != "false" {
			item, err := readField(w.AdditionalProperties, depth+1)
			n.schemas["additionalProperties"] = item.schema
			if err != nil || w.Properties == nil {
				return &typ{kind: kind, item: item.typ}, err
			}
		}
		fields, err := readFields(w.Properties, depth+1)
		n.fields = fields
		n.schemas["properties"], n.schemas["required"] = propertiesOf(fields), requiredOf(fields)
		return objectOf(fields), err
	}
	return nil, Refusal("the type " + strconv.Quote(cut(w.Type)) + " is not known")
}

// choices returns the values of a choice.
func (w writtenField) choices() []string {
	if w.Enum != nil {
		return w.Enum
	}
	var values []string
	for _, c := range slices.Concat(w.OneOf, w.AnyOf) {
		values = append(values, c.Const)
	}
	return values
}

func objectOf(fields []field) *typ {
	t := &typ{kind: "object", fields: map[string]*typ{}}
	for _, f := range fields {
		t.fields[f.name] = f.typ
	}
	return t
}

// wireSchema returns the JSON Schema of a field: what is written without our members,
// and with a type.
func wireSchema(raw json.RawMessage, t *typ, w writtenField, nested map[string]json.RawMessage) (
	json.RawMessage, error,
) {
	all, err := members(raw)
	if err != nil {
		return nil, err
	}
	var list []member
	if w.Type == "" && w.AnyOf == nil {
		list = append(list, member{"type", quote(t.kind)})
	}
	for _, m := range all {
		if m.name == "required" || m.name == "example" || isAbsent(m.value) {
			continue
		}
		if schema := nested[m.name]; schema != nil {
			m.value = schema
		}
		list = append(list, m)
	}
	if names := nested["required"]; names != nil {
		list = append(list, member{"required", names})
	}
	return object(list), nil
}

// schemaOf returns the JSON Schema of an object with these fields.
func schemaOf(fields []field) json.RawMessage {
	list := []member{{"type", quote("object")}}
	if len(fields) > 0 {
		list = append(list, member{"properties", propertiesOf(fields)})
	}
	if names := requiredOf(fields); names != nil {
		list = append(list, member{"required", names})
	}
	return object(list)
}

func propertiesOf(fields []field) json.RawMessage {
	list := make([]member, len(fields))
	for i, f := range fields {
		list[i] = member{f.name, f.schema}
	}
	return object(list)
}

// requiredOf returns the list of the required fields, or nil if it is empty.
func requiredOf(fields []field) json.RawMessage {
	var names []string
	for _, f := range fields {
		if f.required {
			names = append(names, f.name)
		}
	}
	if names == nil {
		return nil
	}
	b, _ := json.Marshal(names) // strings always encode
	return b
}

func object(list []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func quote(s string) json.RawMessage {
	b, _ := json.Marshal(s) // a string always encodes
	return b
}

// exampleOf returns the values of fields to start with.
func exampleOf(fields []field) map[string]any {
	all := map[string]any{}
	for _, f := range fields {
		if f.example != nil {
			all[f.name] = f.example
		}
	}
	return all
}
