package form

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Names of the controls of question i of a page. Like Name, they have no text
// of the server.
const (
	keyControl       = "key"
	actionControl    = "action"
	textControl      = "text"
	cannedControl    = "canned"
	toolControl      = "tool"
	argumentsControl = "input"
	uriControl       = "uri"
	rootControl      = "name"
	rawControl       = "raw"
	jsonControl      = "json"
)

// Prefix returns the prefix of the control names of question i.
func Prefix(i int) string { return questionLetter + strconv.Itoa(i) }

func controlName(i int, control string) string { return Prefix(i) + "." + control }

// KeyName returns the name of the hidden control with the key of question i. A
// page has these controls if its questions may change while it is open.
func KeyName(i int) string { return controlName(i, keyControl) }

// ActionName returns the name of the choice to accept, decline or cancel.
func ActionName(i int) string { return controlName(i, actionControl) }

// TextName returns the name of the text that a model would return.
func TextName(i int) string { return controlName(i, textControl) }

// CannedName returns the name of the choice of a ready-made text.
func CannedName(i int) string { return controlName(i, cannedControl) }

// ToolName returns the name of the choice of a tool that the model uses.
func ToolName(i int) string { return controlName(i, toolControl) }

// ArgumentsName returns the name of the arguments of that tool.
func ArgumentsName(i int) string { return controlName(i, argumentsControl) }

// URIName returns the name of the URI of a root. It occurs once per root.
func URIName(i int) string { return controlName(i, uriControl) }

// RootName returns the name of the name of a root. It occurs once per root.
func RootName(i int) string { return controlName(i, rootControl) }

// RawName returns the name of the checkbox that sends the JSON of JSONName
// instead of the fields.
func RawName(i int) string { return controlName(i, rawControl) }

// JSONName returns the name of the whole answer as JSON.
func JSONName(i int) string { return controlName(i, jsonControl) }

// Input holds the values of a page's form for one question.
type Input struct {
	Action    string
	Text      string
	Canned    string // used if Text is empty
	Tool      string
	Arguments string // of Tool, as JSON
	URIs      []string
	Names     []string // of URIs, by index; may be shorter
	Raw       bool     // JSON counts instead of the rest
	JSON      string
	Fields    Entries
}

// Entry holds the values of a form for one field, row or alternative.
type Entry struct {
	Values []string // nil if the form sent no value
	Empty  bool     // EmptyName was ticked
	Null   bool     // NullName was ticked
	JSON   string   // of JSONPart
	Key    string   // of KeyPart
	Rows   []int    // of RowsName: which Parts are rows, in order
	Parts  Entries
}

// Entries holds the values of a form for its fields, by index.
type Entries map[int]Entry

// ReadEntries returns the input for the fields of the form with this prefix.
func ReadEntries(values url.Values, prefix string) Entries {
	entries := Entries{}
	for name, list := range values {
		if control, ok := strings.CutPrefix(name, prefix+"."); ok {
			entries.set(control, list)
		}
	}
	return entries
}

// maxPath bounds the parts in a control name. The deepest field has fewer.
const maxPath = 12

// set stores the values of a control: "f1", "f1.0.2" or "f1.empty". It ignores
// others.
func (e Entries) set(control string, values []string) {
	path, suffix := control, ""
	for _, s := range []string{emptySuffix, nullSuffix, jsonSuffix, rowsSuffix, keySuffix} {
		if rest, found := strings.CutSuffix(control, s); found {
			path, suffix = rest, s
		}
	}
	if indexes, ok := parsePath(path); ok {
		e.at(indexes, func(entry *Entry) { entry.set(suffix, values) })
	}
}

// at changes the entry at a path.
func (e Entries) at(path []int, change func(*Entry)) {
	entry := e[path[0]]
	if len(path) == 1 {
		change(&entry)
	} else {
		if entry.Parts == nil {
			entry.Parts = Entries{}
		}
		entry.Parts.at(path[1:], change)
	}
	e[path[0]] = entry
}

func (e *Entry) set(suffix string, values []string) {
	switch suffix {
	case emptySuffix:
		e.Empty = first(values) == "true"
	case nullSuffix:
		e.Null = first(values) == "true"
	case jsonSuffix:
		e.JSON = first(values)
	case keySuffix:
		e.Key = first(values)
	case rowsSuffix:
		for _, value := range values {
			if i, ok := index(value, ""); ok && !slices.Contains(e.Rows, i) && len(e.Rows) < MaxRows {
				e.Rows = append(e.Rows, i)
			}
		}
	default:
		e.Values = values
	}
}

// rows returns the indexes of the rows in order. A caller that sends no
// RowsName has all rows that it sent values for.
func (e Entry) rows() []int {
	if len(e.Rows) > 0 {
		return e.Rows
	}
	list := slices.Sorted(maps.Keys(e.Parts))
	return list[:min(len(list), MaxRows)]
}

// parsePath reads the places in a control name like "f1.0.2".
func parsePath(name string) ([]int, bool) {
	names := strings.SplitN(name, ".", maxPath+1)
	if len(names) > maxPath {
		return nil, false
	}
	path := make([]int, len(names))
	for i, s := range names {
		letter := ""
		if i == 0 {
			letter = fieldLetter
		}
		n, ok := index(s, letter)
		if !ok {
			return nil, false
		}
		path[i] = n
	}
	return path, true
}

// Entries returns the values that a page sends for the form if nothing on it is
// changed.
func (f Form) Entries() Entries { return entriesOf(f.Fields) }

func entriesOf(fields []Field) Entries {
	entries := Entries{}
	for i, field := range fields {
		entries[i] = field.Entry()
	}
	return entries
}

// Entry returns the values that a page sends for the field if nothing is
// changed.
func (f Field) Entry() Entry {
	e := Entry{Values: f.Value, Empty: f.Empty, Null: f.Null}
	if f.AsText {
		return Entry{JSON: first(f.Value), Null: f.Null}
	}
	switch f.Control {
	case Group, Tuple:
		e.Parts = entriesOf(f.Fields)
	case OneOf:
		if i := f.Chosen(); i >= 0 {
			e.Parts = Entries{i: f.Fields[i].Entry()}
		}
	case List, Map:
		e.Parts = Entries{}
		for i, row := range f.Rows {
			part := row.Field.Entry()
			part.Key = row.Key
			e.Parts[i], e.Rows = part, append(e.Rows, i)
		}
	}
	return e
}

// index reads the number of a name like "f12", as Name writes it.
func index(name, letter string) (int, bool) {
	digits, found := strings.CutPrefix(name, letter)
	i, err := strconv.Atoi(digits)
	return i, found && err == nil && i >= 0 && strconv.Itoa(i) == digits
}

// Inputs holds the values of a page's form, question by question.
type Inputs struct {
	list   map[int]Input
	places map[string]int // of the questions on the page, by key; nil if it sent no keys
}

// ReadInputs reads the values of a page's form.
func ReadInputs(values url.Values) Inputs {
	in := Inputs{list: map[int]Input{}}
	for name, list := range values {
		question, control, _ := strings.Cut(name, ".")
		if i, ok := index(question, questionLetter); ok {
			input := in.list[i]
			input.set(control, list)
			in.list[i] = input
		}
	}
	for i := 0; values.Has(KeyName(i)); i++ {
		if in.places == nil {
			in.places = map[string]int{}
		}
		key := values.Get(KeyName(i))
		if _, known := in.places[key]; !known {
			in.places[key] = i
		}
	}
	return in
}

func (in *Input) set(control string, values []string) {
	switch control {
	case actionControl:
		in.Action = first(values)
	case textControl:
		in.Text = first(values)
	case cannedControl:
		in.Canned = first(values)
	case toolControl:
		in.Tool = first(values)
	case argumentsControl:
		in.Arguments = first(values)
	case uriControl:
		in.URIs = values
	case rootControl:
		in.Names = values
	case rawControl:
		in.Raw = first(values) == "true"
	case jsonControl:
		in.JSON = first(values)
	default:
		if in.Fields == nil {
			in.Fields = Entries{}
		}
		in.Fields.set(control, values)
	}
}

// For returns the input for the question with this key, which is now the i-th:
// a legacy server may have asked or withdrawn other questions since the page
// was made. It returns false for a question that the page did not have.
func (in Inputs) For(i int, key string) (Input, bool) {
	if in.places != nil {
		place, ok := in.places[key]
		return in.list[place], ok
	}
	return in.list[i], true
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
