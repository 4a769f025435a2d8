package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// dialect2020 is the protocol's default dialect (basic/index, "Schema Dialect").
// The validator has its meta-schema built in.
const dialect2020 = "https://" + address2020

var metaSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	return c.Compile(dialect2020)
})

// SchemaFaults checks a schema, such as a tool's inputSchema, against the
// meta-schema of its dialect. It returns one sentence for each violation, with
// its location. The error wraps [ErrUnchecked] if the schema declares another
// dialect than 2020-12 or is too large. Nothing is fetched.
func SchemaFaults(schema json.RawMessage) ([]string, error) {
	root, err := jsontree.Parse(schema, jsontree.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	var c census
	if c.count(root); len(schema) > MaxBytes || c.objects > maxObjects || c.values > maxValues {
		return nil, fmt.Errorf("%w: the schema is too large", ErrUnchecked)
	}
	if d := root.Get("$schema"); d != nil && strings.TrimSuffix(d.Str(), "#") != dialect2020 {
		return nil, fmt.Errorf("%w: the schema has another dialect", ErrUnchecked)
	}
	meta, err := metaSchema()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnchecked, err)
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(evaluate(meta, doc), &invalid) {
		return nil, nil
	}
	return violations(invalid), nil
}
