package flow

import "strings"

// Text is a text with values filled in: "Order {{args.id}} was refunded."
type Text []Part

// Part is a piece of a Text: a literal, or the value of an expression.
type Part struct {
	Literal string
	Value   *Expr // nil for a literal
}

// Fill returns the text with the values.
func (t Text) Fill(v Values) string {
	var b strings.Builder
	for _, p := range t {
		if p.Value == nil {
			b.WriteString(p.Literal)
		} else {
			b.WriteString(Show(p.Value.Eval(v)))
		}
	}
	return b.String()
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
