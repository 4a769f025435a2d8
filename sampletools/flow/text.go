package flow

import (
	"strings"
	"unicode/utf8"
)

// text is a text with values filled in.
type text []part

// part is a literal, or the value of an expression.
type part struct {
	literal string
	value   *expression // nil for a literal
}

// readText compiles a text with expressions in double braces.
func (r *reader) readText(source string, names *typ) (text, error) {
	if utf8.RuneCountInString(source) > maxText {
		return nil, Refusal("a text is too long")
	}
	var t text
	for source != "" {
		literal, rest, found := strings.Cut(source, "{{")
		if literal != "" {
			t = append(t, part{literal: literal})
		}
		if !found {
			break
		}
		code, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, Refusal("a value begins with {{ and has no }}")
		}
		e, err := r.compile(strings.TrimSpace(code), names, false)
		if err != nil {
			return nil, err
		}
		t = append(t, part{value: e})
		source = after
	}
	return t, nil
}

// fill returns the text with its values.
func (t text) fill(m *meter, v values) (string, error) {
	shown, err := t.shown(m, v)
	if err != nil {
		return "", err
	}
	filled, _ := t.with(shown)
	if len(filled) > maxFilled {
		return "", Refusal("A text of the flow is too long with the values of this call.")
	}
	if m.filled += len(filled); m.filled > maxFilledAll {
		return "", Refusal("The texts of the flow are too long with the values of this call.")
	}
	return filled, nil
}

// shown returns the values of the text as it shows them.
func (t text) shown(m *meter, v values) ([]string, error) {
	var list []string
	size := 0
	for _, p := range t {
		if p.value == nil {
			continue
		}
		result, err := p.value.eval(m, v)
		if err != nil {
			return nil, err
		}
		word := show(result)
		if size += len(word); size > maxFilled {
			return nil, Refusal("A text of the flow is too long with the values of this call.")
		}
		list = append(list, word)
	}
	return list, nil
}

// with returns the text with values as they are shown. It reports false if it needs
// more or fewer.
func (t text) with(shown []string) (string, bool) {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.value == nil:
			b.WriteString(p.literal)
		case len(shown) == 0:
			return "", false
		default:
			b.WriteString(shown[0])
			shown = shown[1:]
		}
	}
	return b.String(), len(shown) == 0
}
