package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ErrUnchecked is wrapped by the error of Conforms and SchemaFaults if there is no
// verdict. Its text goes on after "not checked: ".
var ErrUnchecked = errors.New("not checked")

// Conformity is the verdict on a value: how it differs from its schema, one clause
// for each place, such as `"list/1" must be a string, not a number`.
type Conformity struct {
	Faults []string // what the schema does not allow
	// faults that there are only if formats count, or only if they don't: no
	// dialect that is supported says that they do (JSON Schema Validation
	// 2020-12, section 7.2.1, and draft-07, section 7.2)
	Formats []string
}

// All returns all faults, also those by formats alone.
func (c Conformity) All() []string { return slices.Concat(c.Faults, c.Formats) }

// Conforms judges any JSON value by a schema, such as a tool's structured content
// by its outputSchema (server/tools, "Output Schema"). Nothing is fetched.
func Conforms(schema, value json.RawMessage) (Conformity, error) {
	if len(schema) > MaxBytes {
		return Conformity{}, unchecked(fmt.Errorf("the schema is larger than %d bytes", MaxBytes))
	}
	node, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return Conformity{}, unchecked(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return Conformity{}, unchecked(err)
	}
	var faults [2][]string
	for i, how := range []formats{declared, asserted} {
		s, err := validator(schema, node, how)
		if err != nil {
			return Conformity{}, unchecked(err)
		}
		if faults[i], err = differences(s, doc); err != nil {
			return Conformity{}, unchecked(err)
		}
	}
	if plain, strict := faults[0], faults[1]; len(plain) == 0 || len(strict) == 0 {
		return Conformity{Formats: append(plain, strict...)}, nil
	}
	return Conformity{Faults: faults[0]}, nil
}

func unchecked(err error) error { return fmt.Errorf("%w: %w", ErrUnchecked, err) }

// maxDifferences bounds the number of clauses about one value.
const maxDifferences = 10

// differences returns how a value differs from a schema. The error is for a schema
// that cannot be followed to its end.
func differences(s *jsonschema.Schema, value any) ([]string, error) {
	err := evaluate(s, value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil, err
	}
	var list []string
	for _, leaf := range reasons(invalid) {
		says := messageOf(leaf.ErrorKind).verdict
		switch {
		case says == "" || len(list) >= maxDifferences:
		case len(leaf.InstanceLocation) == 0:
			list = append(list, "it "+says)
		default:
			list = append(list, fmt.Sprintf("%q %s", pathText(leaf.InstanceLocation), says))
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the schema refers to itself without end")
	}
	return list, nil
}

// reasons returns the leaves of the tree of errors, of alternatives only those whose
// format alone is wrong, if there are any: the others are no use to know.
func reasons(invalid *validationError) []*validationError {
	var list []*validationError
	for _, leaf := range leaves(invalid, nil) {
		if inner := onlyFormats(leaf); len(inner) > 0 {
			list = append(list, inner...)
			continue
		}
		list = append(list, leaf)
	}
	return list
}

// onlyFormats returns the errors of the first alternative of a failed anyOf or oneOf
// that fails by nothing but formats.
func onlyFormats(err *validationError) []*validationError {
	if !isAlternatives(err) {
		return nil
	}
	for _, cause := range err.Causes {
		inner := leaves(cause, nil)
		isFormat := func(e *validationError) bool { _, ok := e.ErrorKind.(*kind.Format); return ok }
		if !slices.ContainsFunc(inner, func(e *validationError) bool { return !isFormat(e) }) {
			return inner
		}
	}
	return nil
}
