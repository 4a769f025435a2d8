package jsontree

import (
	"bytes"
	"encoding/json"
)

// Indent returns JSON with one value per line, and any other text unchanged. Values
// keep their spelling.
func Indent(text []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, text, "", "  ") != nil {
		return text
	}
	return out.Bytes()
}

// Compact returns JSON without white space between its tokens, and any other text
// unchanged. Values keep their spelling.
func Compact(text []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return text
	}
	return out.Bytes()
}
