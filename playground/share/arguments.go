package share

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// Arguments returns the arguments of a call, a JSON object, without the members
// that hold a secret, and the names of these: members whose name asks for one,
// with the shape of one, or with one of the user's own credentials. Without any,
// the arguments are returned byte for byte; any other value than an object
// gives nil. Text that only looks random stays, because ids look the same.
func Arguments(arguments json.RawMessage, own *redact.Secrets) (kept json.RawMessage, omitted []string) {
	node, err := jsontree.Parse(arguments, jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return nil, nil
	}
	var pairs []jsontree.Pair
	for _, m := range node.Members {
		if holdsSecret(m.Key, m.Value, own) {
			omitted = append(omitted, m.Key)
			continue
		}
		pairs = append(pairs, jsontree.Pair{Key: m.Key, Value: m.Value.Raw()})
	}
	if len(omitted) == 0 {
		return arguments, nil
	}
	return jsontree.ObjectOf(pairs...), omitted
}

func holdsSecret(key string, value *jsontree.Node, own *redact.Secrets) bool {
	raw := value.Raw()
	if asksSecret(key, value) || !bytes.Equal(own.Mask(raw), raw) {
		return true
	}
	found := append(Scan(string(raw)), Scan(key+"="+value.Str())...)
	return slices.ContainsFunc(found, func(f Finding) bool { return !f.Random })
}

// asksSecret reports whether a member, or one inside it, is named like a secret
// and has a value.
func asksSecret(key string, value *jsontree.Node) bool {
	filled := value.Kind == jsontree.String && value.Str() != "" || value.Kind == jsontree.Number
	if filled && form.AsksSecret(key) {
		return true
	}
	inner := func(m jsontree.Member) bool { return asksSecret(m.Key, m.Value) }
	return slices.ContainsFunc(value.Members, inner) ||
		slices.ContainsFunc(value.Items, func(n *jsontree.Node) bool { return asksSecret(key, n) })
}
