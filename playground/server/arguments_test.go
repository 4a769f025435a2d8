package server_test

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

func TestTool_Arguments(t *testing.T) {
	for schema, want := range map[string][]server.Argument{
		`{"type":"object","properties":{"id":{"type":"integer","description":"Number"},"b":{"type":` +
			`["string","null"]}},"required":["id"]}`: {{"id", "integer", "Number", true},
			{"b", "string | null", "",
				false}},
		`{"properties":{"n":{"anyOf":[{"type":"number"},{"type":"null"}]}}}`: {{Name: "n",
			Type: "number | null"}},
		`{"properties":{"e":{"type":"string","enum":["a","b"]}}}`: {{Name: "e",
			Type: `"a" | "b"`}},
		`{"properties":{"l":{"type":"array","items":{"type":"string"}}}}`: {{Name: "l",
			Type: "array of string"}},
		`{"properties":{"x":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"boolean"}}}`: {
			{Name: "x", Type: "boolean"}},
		`{"properties":{"x":{"$ref":"#/properties/x"}}}`: {{Name: "x", Type: "any"}},
		`{"properties":{"x":{"$ref":"https://x/y"},"y":true,"z":7}}`: {
			{Name: "x", Type: "any"}, {Name: "y", Type: "any"}, {Name: "z", Type: "any"}},
		`{"properties":{"x":{"enum":[1,2,3,4,5,6,7]}}}`: {{Name: "x", Type: "1 | 2 | 3 | 4 | 5 | 6 | …"}},
		`{"properties":[]}`:                             nil, `{`: nil, ``: nil, `{"required":["x"]}`: nil,
	} {
		if got := (server.Tool{InputSchema: []byte(schema)}).Arguments(); !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", schema, got, want)
		}
	}
}
