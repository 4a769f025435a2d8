package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ErrUnchecked is wrapped by the error of Conforms if a value cannot be checked
// against a schema, because one of them is broken, too large or too costly.
var ErrUnchecked = errors.New("not checked")

// Conforms checks any JSON value against a schema, such as a tool's structured
// content against its outputSchema (server/tools, "Output Schema"). It returns
// one sentence for each violation, with its location. Nothing is fetched.
func Conforms(schema, value json.RawMessage) ([]string, error) {
	if len(schema) > MaxBytes {
		return nil, fmt.Errorf("%w: the schema is larger than %d bytes", ErrUnchecked, MaxBytes)
	}
	node, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	s, err := validator(schema, node)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(evaluate(s, doc), &invalid) {
		return nil, nil
	}
	return violations(invalid), nil
}

// maxViolations bounds the result of Conforms.
const maxViolations = 10

func violations(invalid *jsonschema.ValidationError) []string {
	var list []string
	for _, leaf := range leaves(invalid, nil) {
		if s := sentence(leaf.ErrorKind); s != "" && len(list) < maxViolations {
			list = append(list, located(leaf.InstanceLocation, s))
		}
	}
	return list
}
