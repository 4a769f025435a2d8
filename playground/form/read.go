package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Read turns submitted values into the object to send, in the schema's order
// and with exact types, and returns its problems.
//
// An empty control leaves out its property, unless EmptyName asks for "" or [].
// A required list without a tick is [], a required boolean without a tick is
// false. Numbers keep the notation that was entered. An optional part in which
// nothing was entered is left out, and so is such a row. The content is complete
// and valid JSON even if there are problems: input that is not a number or not
// JSON becomes a string, which "send it anyway" then sends.
func (f Form) Read(entries Entries) (content json.RawMessage, problems []Problem) {
	filled := f.With(entries)
	content, problems = filled.content()
	return content, merge(problems, filled.validate(content))
}

// Content returns the object of Read, not yet checked against the schema.
func (f Form) Content(entries Entries) (content json.RawMessage, problems []Problem) {
	return f.With(entries).content()
}

// content returns the object that the controls say, and records the places of
// its rows.
func (f Form) content() (content json.RawMessage, problems []Problem) {
	var b builder
	for i := range f.Fields {
		r := reading{index: i}
		if raw := r.field(&f.Fields[i], ""); raw != nil {
			b.add(f.Fields[i].Property, raw)
		}
		problems = append(problems, r.problems...)
	}
	return b.object(), problems
}

// merge adds the problems of controls that have none yet. It sorts by field,
// the whole form last.
func merge(first, second []Problem) []Problem {
	for _, p := range second {
		known := func(q Problem) bool { return q.Index == p.Index && q.Part == p.Part }
		if p.Index < 0 || !slices.ContainsFunc(first, known) {
			first = append(first, p)
		}
	}
	slices.SortStableFunc(first, func(a, b Problem) int {
		return int(uint32(a.Index)) - int(uint32(b.Index)) // -1 sorts last
	})
	return first
}

// reading reads the controls of one field. It reports only problems that cannot
// be seen in the JSON; Validate finds the others.
type reading struct {
	index    int
	problems []Problem
}

// field returns the JSON of a field, or nil to leave it out.
func (r *reading) field(f *Field, part string) json.RawMessage {
	raw := r.value(f, part)
	if raw == nil && f.Nullable && f.Null {
		return json.RawMessage("null")
	}
	return raw
}

func (r *reading) value(f *Field, part string) json.RawMessage {
	value := first(f.Value)
	switch f.Control {
	case Checkbox:
		return json.RawMessage(strconv.FormatBool(value == "true"))
	case Choices:
		return f.readList()
	case JSON:
		raw, problem := readJSON(value)
		if problem != "" {
			r.problems = append(r.problems, Problem{Index: r.index, Text: problem, Part: part})
		}
		return raw
	case Group, Tuple, List, Map, OneOf:
		return r.parts(f, part)
	}
	if value == "" {
		return f.readEmpty()
	}
	return f.readText(value)
}

// readEmpty returns the JSON of an empty control. In a required select whose
// values include "", the empty choice means "".
func (f Field) readEmpty() json.RawMessage {
	chosen := f.Control == Choice && f.Required && len(f.Value) > 0 && !f.Null
	if f.CanBeEmpty() && (f.Empty || chosen) {
		return json.RawMessage(`""`)
	}
	return nil
}

func (f Field) readList() json.RawMessage {
	if len(f.Value) == 0 && (f.Null || !f.Required && !f.Empty) {
		return nil
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, value := range f.Value {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(value))
	}
	b.WriteByte(']')
	return b.Bytes()
}

func (f Field) readText(entered string) json.RawMessage {
	switch {
	case f.Control == Number:
		if number, ok := numberText(entered); ok {
			return json.RawMessage(number)
		}
	case f.Control == Toggle && (entered == "true" || entered == "false"):
		return json.RawMessage(entered)
	case f.Control == Choice && f.numeric && f.option(entered):
		return json.RawMessage(entered)
	case f.Input == "datetime-local":
		return f.readTime(entered)
	}
	return quote(entered)
}

// readTime adds the seconds and the zone that a datetime-local control leaves
// out. An unedited default is sent as the server wrote it.
func (f Field) readTime(entered string) json.RawMessage {
	var before string
	if f.shown != nil && json.Unmarshal(f.shown, &before) == nil {
		if local, ok := localTime(before); ok && local == entered {
			return f.shown
		}
	}
	for _, layout := range localLayouts {
		if t, err := time.Parse(layout, strings.TrimSpace(entered)); err == nil {
			return quote(t.Format("2006-01-02T15:04:05.999999999") + "Z")
		}
	}
	return quote(entered)
}

var localLayouts = []string{
	"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
}

// readJSON returns the entered text without white space around it.
func readJSON(entered string) (json.RawMessage, string) {
	value := strings.ToValidUTF8(strings.TrimSpace(entered), "\uFFFD")
	if value == "" {
		return nil, ""
	}
	if _, err := jsontree.Parse([]byte(value), jsontree.Limits{}); err != nil {
		return quote(value), NotJSON(value, err)
	}
	return json.RawMessage(value), ""
}

// NotJSON returns a sentence about the error of a JSON text that was entered,
// with the position of a syntax error, counted in characters from 1.
func NotJSON(s string, err error) string {
	var syntax *jsontree.SyntaxError
	if !errors.As(err, &syntax) {
		return "This JSON is nested too deeply or has too many values."
	}
	at := utf8.RuneCountInString(s[:min(syntax.Offset, len(s))]) + 1
	return fmt.Sprintf("This is not JSON: %s, at character %d.", syntax.Text, at)
}

// quote returns a JSON string, with U+FFFD for invalid UTF-8.
func quote(s string) json.RawMessage {
	return jsontree.Quote(strings.ToValidUTF8(s, "\uFFFD"))
}
