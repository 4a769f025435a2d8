package flow

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// node returns an operation whose arguments must all have one kind.
func node(op Op, result *Type, want FieldKind, args ...*Expr) (*Expr, error) {
	for _, a := range args {
		if a.Type.Kind != want {
			return nil, wrongf("%s needs %s, and %s is %s.", opName(op), &Type{Kind: want}, a, a.Type)
		}
	}
	return &Expr{Op: op, Args: args, Type: result}, nil
}

// opName returns an operation as a reader knows it.
func opName(op Op) string {
	if op == Negate {
		return "-"
	}
	return string(op)
}

// equality checks == and !=. A text that a choice cannot have is wrong: it would
// never be equal.
func equality(op Op, a, b *Expr) (*Expr, error) {
	kinds := []FieldKind{TextField, NumberField, YesNo}
	if a.Type.Kind != b.Type.Kind || !slices.Contains(kinds, a.Type.Kind) {
		return nil, wrongf("%s is %s and %s is %s: they cannot be compared.", a, a.Type, b, b.Type)
	}
	if err := impossible(a, b); err != nil {
		return nil, err
	}
	if err := impossible(b, a); err != nil {
		return nil, err
	}
	return &Expr{Op: op, Args: []*Expr{a, b}, Type: boolType}, nil
}

// impossible returns an error if a is a choice and b a text that it never has.
func impossible(a, b *Expr) error {
	text, ok := b.Value.(string)
	if a.Op != Name || a.Type.Values == nil || !ok || text == "" || slices.Contains(a.Type.Values, text) {
		return nil
	}
	return wrongf("%s is never %s. It can be: %s.", a, document.Quote(text),
		strings.Join(a.Type.Values, ", "))
}

// membership checks in: a text in a text, in a list of texts, or in the names of a table.
func membership(a, b *Expr) (*Expr, error) {
	if a.Type.Kind == TextField && b.Type.Kind == TextField {
		return &Expr{Op: Contains, Args: []*Expr{b, a}, Type: boolType}, nil
	}
	isList := b.Type.Kind == List && b.Type.Item.Kind == TextField
	if a.Type.Kind != TextField || !isList && b.Type.Kind != Table {
		return nil, wrongf("in needs a text, and a text or a list of texts: %s is %s, and %s is %s.",
			a, a.Type, b, b.Type)
	}
	if list, ok := b.Value.([]string); ok {
		for _, text := range list {
			if err := impossible(a, &Expr{Op: Const, Value: text}); err != nil {
				return nil, err
			}
		}
	}
	if isList && b.Op == Name && b.Type.Item.Values != nil {
		if text, ok := a.Value.(string); ok && !slices.Contains(b.Type.Item.Values, text) {
			return nil, wrongf("%s never has %s. It can have: %s.", b, document.Quote(text),
				strings.Join(b.Type.Item.Values, ", "))
		}
	}
	return &Expr{Op: In, Args: []*Expr{a, b}, Type: boolType}, nil
}
