package web

import (
	"bytes"
	"encoding/json"
)

// LaidOut returns JSON with one value per line, or nil if there is none.
func LaidOut(text []byte) []byte {
	var out bytes.Buffer
	if len(text) == 0 || json.Indent(&out, text, "", "  ") != nil {
		return nil
	}
	return out.Bytes()
}

// CompactJSON returns JSON without white space, or any other text unchanged.
func CompactJSON(s string) []byte {
	var out bytes.Buffer
	if json.Compact(&out, []byte(s)) != nil {
		return []byte(s)
	}
	return out.Bytes()
}
