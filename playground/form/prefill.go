package form

import (
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// prefill takes the schema's default (client/elicitation: clients that support
// defaults SHOULD pre-populate). One of the wrong type is ignored and noted.
func (f *Field) prefill(n *jsontree.Node) {
	if n == nil {
		return
	}
	if !f.show(n) {
		f.Note = "The schema's default does not fit this field, so it is not filled in."
		return
	}
	f.shown = json.RawMessage(n.Raw())
}

// show puts a value of the wire into the control; false when it does not fit
// and nothing was changed.
func (f *Field) show(n *jsontree.Node) bool {
	switch f.Control {
	case JSON:
		f.Value = []string{string(n.Raw())}
		return true
	case Choices:
		return f.showList(n)
	}
	text, ok := f.display(n)
	if !ok {
		return false
	}
	f.Value = []string{text}
	f.Empty = text == "" && f.CanBeEmpty()
	return true
}

// display is the text that a single control shows for a value.
func (f Field) display(n *jsontree.Node) (string, bool) {
	text := wireText(n)
	switch f.Control {
	case Number:
		return text, n.Kind == jsontree.Number && !(f.Step == "1" && fraction(text))
	case Checkbox, Toggle:
		return text, n.Kind == jsontree.Bool
	case Choice:
		return text, n.Kind == f.optionKind() && f.option(text)
	case Text:
		if f.Input == "datetime-local" && n.Kind == jsontree.String {
			return localTime(text)
		}
		return text, n.Kind == jsontree.String
	}
	return "", false
}

func (f Field) optionKind() jsontree.Kind {
	if f.numeric {
		return jsontree.Number
	}
	return jsontree.String
}

// showList fills Choices. Like a default, a list is shown whole or not at all.
func (f *Field) showList(n *jsontree.Node) bool {
	if n.Kind != jsontree.Array {
		return false
	}
	var values []string
	for _, item := range n.Items {
		text, ok := item.Text()
		if !ok || !f.option(text) {
			return false
		}
		values = append(values, text)
	}
	f.Value, f.Empty = values, len(values) == 0
	return true
}

// suggest turns the first example into a placeholder, where a control can show
// one. It is never a value.
func (f *Field) suggest(s *jsontree.Node) {
	examples := s.Get("examples")
	if examples == nil || len(examples.Items) == 0 {
		return
	}
	first := examples.Items[0]
	if f.Control == JSON {
		f.Placeholder = string(first.Raw())
		return
	}
	if text, ok := f.display(first); ok && f.typed() {
		f.Placeholder = text
	}
}

// localTime writes an RFC 3339 time as a datetime-local control wants it: in
// UTC and without a zone, because the control can show none.
func localTime(text string) (string, bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return "", false
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999999"), true
}

// fraction tells whether a number is surely no whole one.
func fraction(text string) bool {
	r, ok := rational(text)
	return ok && !r.IsInt()
}
