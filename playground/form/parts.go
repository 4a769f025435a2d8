package form

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// parts returns the JSON of a control with parts, or nil to leave it out.
func (r *reading) parts(f *Field, part string) json.RawMessage {
	switch f.Control {
	case Group:
		return r.group(f, part)
	case Tuple:
		return r.tuple(f, part)
	case OneOf:
		if i := f.Chosen(); i >= 0 {
			return r.field(&f.Fields[i], place(part, i))
		}
		return nil
	}
	raw := r.rows(f, part)
	if len(raw) == len("[]") && (f.Null || !f.Required && !f.Empty) {
		return nil
	}
	return raw
}

// place returns the Part of a part: "1.0".
func place(part string, i int) string {
	if part == "" {
		return strconv.Itoa(i)
	}
	return Part(part, i)
}

func (r *reading) group(f *Field, part string) json.RawMessage {
	var b builder
	entered := false
	for i := range f.Fields {
		raw := r.field(&f.Fields[i], place(part, i))
		if raw != nil {
			b.add(f.Fields[i].Property, raw)
		}
		entered = entered || !f.Fields[i].untouched(raw)
	}
	if !entered && !f.Empty && (f.Null || !f.Required) {
		return nil
	}
	return b.object()
}

// untouched reports whether the user entered nothing into a part that reads as
// raw.
func (f Field) untouched(raw json.RawMessage) bool {
	switch {
	case raw == nil, f.shown != nil && bytes.Equal(raw, f.shown):
		return true
	case f.Control == Checkbox:
		return string(raw) == "false"
	case f.Control == Choices, f.Control == List:
		return string(raw) == "[]" && !f.Empty
	case f.Control == Map:
		return string(raw) == "{}" && !f.Empty
	case f.Control == Group && !f.Empty:
		for i := range f.Fields {
			if !f.Fields[i].untouched((&reading{}).field(&f.Fields[i], "")) {
				return false
			}
		}
		return true
	}
	return false
}

// tuple returns an array that ends with the last part that was entered. A part
// that is missing before it is null.
func (r *reading) tuple(f *Field, part string) json.RawMessage {
	var items []json.RawMessage
	entered, length := false, 0
	for i := range f.Fields {
		raw := r.field(&f.Fields[i], place(part, i))
		entered = entered || !f.Fields[i].untouched(raw)
		if raw != nil {
			length = i + 1
		} else {
			raw = json.RawMessage("null")
		}
		items = append(items, raw)
	}
	if !entered && !f.Empty && (f.Null || !f.Required) {
		return nil
	}
	return array(items[:length])
}

func array(items []json.RawMessage) json.RawMessage {
	return slices.Concat([]byte("["), joined(items), []byte("]"))
}

func joined(items []json.RawMessage) []byte {
	var b []byte
	for i, raw := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, raw...)
	}
	return b
}

// rows returns the array or object of the rows without those that are blank.
func (r *reading) rows(f *Field, part string) json.RawMessage {
	var items []json.RawMessage
	var b builder
	names := map[string]bool{}
	for i := range f.Rows {
		row := &f.Rows[i]
		raw := r.field(&row.Field, place(part, i))
		if raw == nil && f.Control == Map && row.Key != "" {
			raw = r.blankMember(&row.Field, place(part, i))
		}
		if row.at = -1; raw == nil {
			continue
		}
		row.at = len(names) + len(items)
		if f.Control == List {
			items = append(items, raw)
			continue
		}
		if names[row.Key] {
			r.problems = append(r.problems, Problem{
				Index: r.index, Text: "This name occurs twice.", Part: place(part, i) + keySuffix,
			})
			row.at = -1
		}
		names[row.Key] = true
		b.add(row.Key, raw)
	}
	if f.Control == List {
		return array(items)
	}
	return b.object()
}

// blankMember returns the value of a member that has a name and a blank value.
func (r *reading) blankMember(f *Field, part string) json.RawMessage {
	switch f.Control {
	case Text:
		return json.RawMessage(`""`)
	case Group, Map:
		return json.RawMessage("{}")
	case List, Choices, Tuple:
		return json.RawMessage("[]")
	}
	r.problems = append(r.problems, Problem{Index: r.index, Text: f.missing(), Part: part})
	return nil
}

// weight returns the cost of showing the field, without its parts.
func (f Field) weight() int { return 1 + len(f.Options)/optionsPerWeight }

// with returns the field with the submitted values in its controls.
func (f Field) with(e Entry, left *int) Field {
	f = f.inParts()
	*left -= f.weight()
	f.Null = e.Null && f.Nullable
	if f.nested() && e.JSON != "" {
		return f.asText(e.JSON)
	}
	f.Value, f.Empty = slices.Clone(e.Values), e.Empty
	switch f.Control {
	case Group, Tuple:
		f.Fields = slices.Clone(f.Fields)
		for i := range f.Fields {
			f.Fields[i] = f.Fields[i].with(e.Parts[i], left)
		}
	case OneOf:
		f = f.choose(e, left)
	case List, Map:
		f.Rows = nil
		for _, i := range e.rows() {
			if *left > 0 {
				f.Rows = append(f.Rows, Row{Key: e.Parts[i].Key, Field: f.row.with(e.Parts[i], left)})
			}
		}
	}
	return f
}

// choose fills in the alternative that was chosen. One that was just chosen,
// and has no values yet, keeps its defaults.
func (f Field) choose(e Entry, left *int) Field {
	i := f.Chosen()
	if i < 0 {
		return f
	}
	f.Fields = slices.Clone(f.Fields)
	if part, ok := e.Parts[i]; ok {
		f.Fields[i] = f.Fields[i].with(part, left)
	} else {
		f.Fields[i] = f.Fields[i].with(f.Fields[i].Entry(), left)
	}
	return f
}

// asText returns the field with its whole value as JSON.
func (f Field) asText(text string) Field {
	parts := f
	f.parts, f.Null = &parts, false
	f.Control, f.AsText, f.Value, f.Empty = JSON, true, []string{text}, false
	f.Reason = "JSON: this value does not fit the fields. Clear it to get them back."
	return f
}

// inParts returns the field with its parts if it is shown as JSON instead.
func (f Field) inParts() Field {
	if f.AsText {
		return *f.parts
	}
	return f
}

// clear returns the field without a value, whatever its default is.
func (f Field) clear() Field {
	f = f.inParts()
	f.Value, f.Empty, f.Null = nil, false, false
	switch f.Control {
	case Group, Tuple:
		f.Fields = slices.Clone(f.Fields)
		for i := range f.Fields {
			f.Fields[i] = f.Fields[i].clear()
		}
	case List, Map:
		f.Rows = f.firstRows()
	}
	return f
}

// showNested sets the parts to a value, or the whole to JSON if a part has none
// for it.
func (f *Field) showNested(n *jsontree.Node, left *int) {
	filled := f.clear()
	fits := false
	switch filled.Control {
	case Group:
		fits = filled.showGroup(n, left)
	case Tuple:
		fits = filled.showTuple(n, left)
	case List, Map:
		fits = filled.showRows(n, left)
	case OneOf:
		fits = filled.showOneOf(n, left)
	}
	if !fits || *left < 0 {
		*f = f.asText(string(n.Raw()))
		return
	}
	*f = filled
	if raw := (&reading{}).field(f, ""); raw == nil && f.CanBeEmpty() {
		f.Empty = true
	}
}

func (f *Field) showGroup(n *jsontree.Node, left *int) bool {
	if n.Kind != jsontree.Object || repeats(n) {
		return false
	}
	known := 0
	for i := range f.Fields {
		value := n.Get(f.Fields[i].Property)
		if value == nil {
			continue
		}
		if known++; *left < 0 || !f.Fields[i].show(value, left) {
			return false
		}
	}
	return known == len(n.Members)
}

// repeats reports whether an object has a name twice.
func repeats(n *jsontree.Node) bool {
	return slices.ContainsFunc(n.Members, func(m jsontree.Member) bool { return m.Duplicate })
}

func (f *Field) showTuple(n *jsontree.Node, left *int) bool {
	if n.Kind != jsontree.Array || len(n.Items) == 0 || len(n.Items) > len(f.Fields) {
		return false
	}
	for i, item := range n.Items {
		if *left < 0 || !f.Fields[i].show(item, left) {
			return false
		}
	}
	raw := (&reading{}).field(f, "")
	again, err := jsontree.Parse(raw, jsontree.Limits{})
	return err == nil && jsontree.Equal(n, again)
}

func (f *Field) showRows(n *jsontree.Node, left *int) bool {
	kind := jsontree.Array
	if f.Control == Map {
		kind = jsontree.Object
	}
	if n.Kind != kind || n.Len() > MaxRows || repeats(n) {
		return false
	}
	var rows []Row
	for i, item := range nodes(n) {
		row := Row{Field: f.row.clear(), at: i}
		if f.Control == Map {
			row.Key = n.Members[i].Key
		}
		if *left < 0 || !row.Field.show(item, left) {
			return false
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		f.Rows = rows
	}
	return true
}

// showOneOf chooses the first alternative that has fields for the value and
// accepts it, else the first that has fields for it.
func (f *Field) showOneOf(n *jsontree.Node, left *int) bool {
	chosen := -1
	var best Field
	for i := range f.Fields {
		filled := f.Fields[i].clear()
		if *left < 0 || !filled.show(n, left) || filled.text() {
			continue
		}
		var c checking
		c.field(&filled, n, "")
		if accepted := len(c.problems) == 0 && filled.Control != JSON; accepted || chosen < 0 {
			chosen, best = i, filled
			if accepted {
				break
			}
		}
	}
	if chosen < 0 {
		return false
	}
	f.Value = []string{strconv.Itoa(chosen)}
	f.Fields = slices.Clone(f.Fields)
	f.Fields[chosen] = best
	raw := (&reading{}).field(f, "")
	return raw != nil
}

// text reports whether a part is shown as JSON because it does not fit.
func (f Field) text() bool {
	if f.AsText {
		return true
	}
	return f.Control == Group && slices.ContainsFunc(f.Fields, Field.text)
}
