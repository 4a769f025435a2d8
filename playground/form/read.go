package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Read turns what was sent into the object that goes on the wire, in the
// schema's order and with exact types, and says what is wrong with it.
//
// An empty control leaves its property out, unless EmptyName says that "" or
// [] is meant; a required list without a tick is [], a required boolean
// without one is false. Numbers keep the text that was typed. The content is
// complete and valid JSON even when there are problems: what is no number or
// no JSON goes in as a string, which is what "send anyway" then sends.
func (f Form) Read(prefix string, values url.Values) (content json.RawMessage, problems []Problem) {
	content, problems = f.Content(prefix, values)
	return content, merge(problems, f.Validate(content))
}

// Content is what Read makes of the fields, not yet held against the schema:
// enough to show it.
func (f Form) Content(prefix string, values url.Values) (content json.RawMessage, problems []Problem) {
	var b builder
	for i, field := range f.Fields {
		typed := values[Name(prefix, i)]
		raw, problem := field.read(typed, values.Get(EmptyName(prefix, i)) == "true")
		if raw != nil {
			b.add(field.Property, raw)
		}
		if problem != "" {
			problems = append(problems, Problem{i, problem})
		}
	}
	return b.object(), problems
}

// merge adds the problems of fields that have none yet, in the order of the
// fields with the whole form last.
func merge(first, second []Problem) []Problem {
	for _, p := range second {
		known := func(q Problem) bool { return q.Index == p.Index }
		if p.Index < 0 || !slices.ContainsFunc(first, known) {
			first = append(first, p)
		}
	}
	slices.SortStableFunc(first, func(a, b Problem) int {
		return int(uint32(a.Index)) - int(uint32(b.Index)) // -1 sorts last
	})
	return first
}

// read gives the JSON of one field, nil to leave it out. Only what can no
// longer be seen in the JSON is a problem here; Validate finds the rest.
func (f Field) read(typed []string, empty bool) (json.RawMessage, string) {
	first := ""
	if len(typed) > 0 {
		first = typed[0]
	}
	switch f.Control {
	case Checkbox:
		return json.RawMessage(boolText(first == "true")), ""
	case Choices:
		return f.readList(typed, empty), ""
	case JSON:
		return f.readJSON(first)
	}
	if first == "" {
		return f.readEmpty(len(typed) > 0, empty), ""
	}
	return f.readText(first), ""
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// readEmpty decides what an empty control says. A required select whose values
// include "" says it by itself: there is nothing else to tell apart.
func (f Field) readEmpty(sent, empty bool) json.RawMessage {
	chosen := f.Control == Choice && f.Required && sent
	if f.CanBeEmpty() && (empty || chosen) {
		return json.RawMessage(`""`)
	}
	return nil
}

func (f Field) readList(typed []string, empty bool) json.RawMessage {
	if len(typed) == 0 && !f.Required && !empty {
		return nil
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, value := range typed {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(value))
	}
	b.WriteByte(']')
	return b.Bytes()
}

func (f Field) readText(typed string) json.RawMessage {
	switch {
	case f.Control == Number:
		if text, ok := numberText(typed); ok {
			return json.RawMessage(text)
		}
	case f.Control == Toggle && (typed == "true" || typed == "false"):
		return json.RawMessage(typed)
	case f.Control == Choice && f.numeric && f.option(typed):
		return json.RawMessage(typed)
	case f.Input == "datetime-local":
		return f.readTime(typed)
	}
	return quote(typed)
}

// readTime adds what a datetime-local control leaves out: seconds and the zone.
// A default that was not touched goes back as the server wrote it.
func (f Field) readTime(typed string) json.RawMessage {
	var before string
	if f.shown != nil && json.Unmarshal(f.shown, &before) == nil {
		if text, ok := localTime(before); ok && text == typed {
			return f.shown
		}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, strings.TrimSpace(typed)); err == nil {
			return quote(t.Format("2006-01-02T15:04:05.999999999") + "Z")
		}
	}
	return quote(typed)
}

// readJSON keeps the text as it was typed, spaces around it aside.
func (f Field) readJSON(typed string) (json.RawMessage, string) {
	text := strings.ToValidUTF8(strings.TrimSpace(typed), "\uFFFD")
	if text == "" {
		return nil, ""
	}
	if _, err := jsontree.Parse([]byte(text), jsontree.Limits{}); err != nil {
		return quote(text), notJSON(text, err)
	}
	return json.RawMessage(text), ""
}

// notJSON says where the text stops being JSON, counted as people do.
func notJSON(text string, err error) string {
	var syntax *jsontree.SyntaxError
	if !errors.As(err, &syntax) {
		return "This JSON is nested too deep or has too many values."
	}
	at := utf8.RuneCountInString(text[:min(syntax.Offset, len(text))]) + 1
	return fmt.Sprintf("This is not JSON: %s, at character %d.", syntax.Text, at)
}

// quote writes a JSON string. A browser sends UTF-8; anything else must not
// make the whole answer invalid.
func quote(s string) json.RawMessage {
	return jsontree.Quote(strings.ToValidUTF8(s, "\uFFFD"))
}
