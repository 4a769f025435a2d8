package form

import (
	"slices"
	"strings"
)

// EditName is the name of the buttons that change a form without sending it.
// Their values are those of [AddRow], [RemoveRow], [Choose] and [Enter].
const EditName = "edit"

// AddRow returns the value of the button that adds a row to a List or Map.
func AddRow(name string) string { return "add " + name }

// RemoveRow returns the value of the button that removes row i.
func RemoveRow(name string, i int) string { return "remove " + Part(name, i) }

// Choose returns the value of the button that shows the fields of the
// alternative that is chosen in a OneOf.
func Choose(name string) string { return "choose " + name }

// Enter returns the value of the button that enters a value in a control.
func Enter(name, value string) string { return "enter " + name + " " + value }

// AddName returns the name of the place of the button that adds a row, which
// Focus may have.
func AddName(name string) string { return name + ".add" }

// Edited returns the form, which was filled in by With, after the edit of a
// button, and false if it is not for the form with this prefix. Focus names the
// control to go on with. A list that is full stays as it is.
func (f Form) Edited(edit, prefix string) (Form, bool) {
	verb, name, _ := strings.Cut(edit, " ")
	value := ""
	if verb == "enter" {
		name, value, _ = strings.Cut(name, " ")
	}
	control, ours := strings.CutPrefix(name, prefix+".")
	path, ok := parsePath(control)
	if !ours || !ok {
		return f, false
	}
	row := -1
	if verb == "remove" {
		if len(path) < 2 {
			return f, false
		}
		row, path = path[len(path)-1], path[:len(path)-1]
		control = control[:strings.LastIndexByte(control, '.')]
	}
	f.Fields = slices.Clone(f.Fields)
	field := at(f.Fields, path)
	if field == nil {
		return f, false
	}
	switch {
	case verb == "add" && field.row != nil && !field.AsText:
		f.Focus = f.addRow(field, control)
	case verb == "remove" && row < len(field.Rows):
		field.Rows = slices.Delete(slices.Clone(field.Rows), row, row+1)
		f.Focus = AddName(control)
		if len(field.Rows) > 0 {
			next := min(row, len(field.Rows)-1)
			f.Focus = focus(field.Rows[next], field, control, next)
		}
	case verb == "choose" && field.Control == OneOf:
		f.Focus = control
	case verb == "enter" && field.takesText():
		field.Value, field.Null, field.Empty = []string{value}, false, false
		f.Focus = control
	default:
		return f, false
	}
	return f, true
}

// addRow adds a row to a list of the form and returns the control to go on
// with.
func (f Form) addRow(field *Field, control string) string {
	i := len(field.Rows)
	if i >= MaxRows || f.weight()+field.row.total() > MaxWeight {
		return AddName(control)
	}
	row := field.NewRow()
	field.Rows = append(slices.Clone(field.Rows), row)
	return focus(row, field, control, i)
}

func focus(row Row, list *Field, control string, i int) string {
	if list.Control == Map {
		return KeyPart(Part(control, i))
	}
	return firstControl(row.Field, Part(control, i))
}

// firstControl returns the name of the first control in a field.
func firstControl(f Field, name string) string {
	switch {
	case f.AsText:
		return JSONPart(name)
	case (f.Control == Group || f.Control == Tuple) && len(f.Fields) > 0:
		return firstControl(f.Fields[0], Part(name, 0))
	case f.row != nil && len(f.Rows) > 0:
		return focus(f.Rows[0], &f, name, 0)
	case f.row != nil:
		return AddName(name)
	}
	return name
}

// weight returns the weight of the form as it is filled in.
func (f Form) weight() int {
	sum := 0
	for _, field := range f.Fields {
		sum += field.total()
	}
	return sum
}

// total returns the weight of a field with its parts.
func (f Field) total() int {
	sum := f.weight()
	switch f.Control {
	case Group, Tuple:
		for _, part := range f.Fields {
			sum += part.total()
		}
	case OneOf:
		if i := f.Chosen(); i >= 0 {
			sum += f.Fields[i].total()
		}
	case List, Map:
		for _, row := range f.Rows {
			sum += row.Field.total()
		}
	}
	return sum
}

// at returns the part at a path, whose parents are copied so that changing it
// changes no other form.
func at(fields []Field, path []int) *Field {
	if path[0] >= len(fields) {
		return nil
	}
	f := &fields[path[0]]
	for _, i := range path[1:] {
		if f.row != nil {
			if f.Rows = slices.Clone(f.Rows); i >= len(f.Rows) {
				return nil
			}
			f = &f.Rows[i].Field
			continue
		}
		if f.Fields = slices.Clone(f.Fields); i >= len(f.Fields) {
			return nil
		}
		f = &f.Fields[i]
	}
	return f
}

// Full reports whether the list of a field can get no more rows.
func (f Field) Full() bool { return len(f.Rows) >= MaxRows }
