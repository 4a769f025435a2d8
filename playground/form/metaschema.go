package form

import (
	"bytes"
	"encoding/json"
	"errors"
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

// SchemaFaults judges a schema, such as a tool's inputSchema, by the meta-schema of
// its dialect. It returns one clause for each place, as in a Conformity. The error wraps
// [ErrUnchecked] if the schema declares another dialect than 2020-12 or is too large.
// Nothing is fetched.
func SchemaFaults(schema json.RawMessage) ([]string, error) {
	root, err := jsontree.Parse(schema, jsontree.Limits{})
	if err != nil {
		return nil, unchecked(err)
	}
	var c census
	if c.count(root); len(schema) > MaxBytes || c.objects > maxObjects || c.values > maxValues {
		return nil, unchecked(errors.New("the schema is too large"))
	}
	if d := root.Get("$schema"); d != nil && strings.TrimSuffix(d.Str(), "#") != dialect2020 {
		return nil, unchecked(errors.New("the schema has another dialect"))
	}
	meta, err := metaSchema()
	if err != nil {
		return nil, unchecked(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, unchecked(err)
	}
	faults, err := differences(meta, doc)
	if err != nil {
		return nil, unchecked(err)
	}
	return faults, nil
}
