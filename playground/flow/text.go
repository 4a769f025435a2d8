package flow

import "strings"

// Text is a text with values filled in: "Order {{args.id}} was refunded."
type Text []Part

// Part is a piece of a Text: a literal, or the value of an expression.
type Part struct {
	Literal string
	Value   *Expr // nil for a literal
}

// shown returns the values of the text as it shows them.
func (t Text) shown(m *meter, v Values) ([]string, error) {
	var list []string
	size := 0
	for _, p := range t {
		if p.Value == nil {
			continue
		}
		result, err := m.eval(p.Value, v)
		if err != nil {
			return nil, err
		}
		word := Show(result)
		if size += len(word); size > maxFilled {
			return nil, Refusal("A text of the flow is too long with the values of this call.")
		}
		list = append(list, word)
	}
	return list, nil
}

// With returns the text with values as it shows them, in order. It reports false
// if the text has more or fewer.
func (t Text) With(shown []string) (string, bool) {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.Value == nil:
			b.WriteString(p.Literal)
		case len(shown) == 0:
			return "", false
		default:
			b.WriteString(shown[0])
			shown = shown[1:]
		}
	}
	return b.String(), len(shown) == 0
}

// Plain reports whether the text has no values, and returns it.
func (t Text) Plain() (string, bool) {
	var b strings.Builder
	for _, p := range t {
		if p.Value != nil {
			return "", false
		}
		b.WriteString(p.Literal)
	}
	return b.String(), true
}

// parseText reads a text with expressions in double braces.
func parseText(source string, s scope) (Text, error) {
	var t Text
	for source != "" {
		literal, rest, found := strings.Cut(source, "{{")
		if literal != "" {
			t = append(t, Part{Literal: literal})
		}
		if !found {
			break
		}
		code, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, wrongf("A value begins with {{ and has no }}.")
		}
		e, err := compile(strings.TrimSpace(code), s)
		if err != nil {
			return nil, err
		}
		if k := e.Type.Kind; k == Object || k == Table || k == List && e.Type.Item.Kind != TextField &&
			e.Type.Item.Kind != NumberField {
			return nil, wrongf(
				"%s is %s: a text can show texts, numbers, true or false, and lists of them.",
				e,
				e.Type,
			)
		}
		t = append(t, Part{Value: e})
		source = after
	}
	return t, nil
}
