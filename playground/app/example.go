package app

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// NameOf returns the name in the params of a call, or the URI.
func NameOf(params json.RawMessage) string {
	name, _ := ExampleCall(params)
	return name
}

// ExampleCall returns the tool and the arguments of a sample's own call.
func ExampleCall(params json.RawMessage) (name, arguments string) {
	node, err := jsontree.Parse(params, jsontree.Limits{})
	if err != nil {
		return "", ""
	}
	return node.Get("name").Str(), string(node.Get("arguments").Raw())
}
