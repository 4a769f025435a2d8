package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ErrUnchecked is wrapped by the error of Conforms when a value cannot be held
// against a schema: it is broken, too large or too costly.
var ErrUnchecked = errors.New("not checked")

// Conforms holds any JSON value against a schema, such as a tool's structured
// content against its outputSchema (server/tools, "Output Schema"). It returns
// one sentence for each thing that is wrong, with its place; nothing is ever
// fetched.
func Conforms(schema, value json.RawMessage) ([]string, error) {
	if len(schema) > MaxBytes {
		return nil, fmt.Errorf("%w: the schema is larger than %d bytes", ErrUnchecked, MaxBytes)
	}
	node, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	root, err := jsontree.Parse(schema, jsontree.Limits{})
	if err == nil {
		err = affordable(root, node)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	compiled, err := compile(schema)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(evaluate(compiled, doc), &invalid) {
		return nil, nil
	}
	return places(invalid), nil
}

// maxPlaces is how many things that are wrong are worth reading.
const maxPlaces = 10

func places(invalid *jsonschema.ValidationError) []string {
	var list []string
	for _, leaf := range leaves(invalid, nil) {
		text := sentence(leaf.ErrorKind)
		if text == "" || len(list) == maxPlaces {
			continue
		}
		if at := strings.Join(leaf.InstanceLocation, "/"); at != "" {
			text = "At " + clip(at, 80) + ": " + strings.ToLower(text[:1]) + text[1:]
		}
		list = append(list, text)
	}
	return list
}
