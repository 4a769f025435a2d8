package flow

import _ "embed"

// Schema is the JSON Schema of the format, for editors. It knows the fields and
// their types; Parse knows the rest.
//
//go:embed schema.json
var Schema []byte
