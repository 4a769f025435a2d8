package form

import (
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A page compiles the same few schemas in every round, so the last ones are
// kept. Larger ones are not: compiled, a schema can have 250 times its bytes.
const (
	maxCompiled      = 32
	maxCompiledBytes = 1 << 10
)

var compiledSchemas, _ = lru.New[compiledKey, compiledSchema](maxCompiled)

type compiledKey struct {
	schema string
	how    formats
}

type compiledSchema struct {
	*jsonschema.Schema
	err error
}

// compiled returns the result of compile for the schema.
func compiled(schema []byte, how formats) (*jsonschema.Schema, error) {
	if len(schema) > maxCompiledBytes {
		return compile(schema, how)
	}
	key := compiledKey{string(schema), how}
	if kept, ok := compiledSchemas.Get(key); ok {
		return kept.Schema, kept.err
	}
	s, err := compile(schema, how)
	compiledSchemas.Add(key, compiledSchema{s, err})
	return s, err
}
