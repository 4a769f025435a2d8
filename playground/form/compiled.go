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

var compiledSchemas, _ = lru.New[string, compiledSchema](maxCompiled)

type compiledSchema struct {
	*jsonschema.Schema
	err error
}

// compiled returns what compile returns for the schema.
func compiled(schema []byte) (*jsonschema.Schema, error) {
	if len(schema) > maxCompiledBytes {
		return compile(schema)
	}
	key := string(schema)
	if kept, ok := compiledSchemas.Get(key); ok {
		return kept.Schema, kept.err
	}
	s, err := compile(schema)
	compiledSchemas.Add(key, compiledSchema{s, err})
	return s, err
}
