package seal_test

import (
	"encoding/json"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

func TestDigest_IgnoresSpelling(t *testing.T) {
	same := [][]string{
		{``, `null`, `{}`, ` { } `},
		{`{"a":1,"b":[2,3]}`, `{"b":[2.0,3e0],"a":1.0}`, "{\n\"a\" : 1, \"b\":[2,3]}"},
		{`{"a":"é"}`, `{"a":"\u00e9"}`},
		{`{"a":0}`, `{"a":-0.0}`},
		{`{"a":9007199254740993}`},
		{`{"a":9007199254740992}`},
		{`{"a":"1"}`}, {`{"a":1}`}, {`{"a":true}`}, {`{"a":null}`}, {`{"a":[1]}`}, {`{"b":1}`},
	}
	seen := map[string]int{}
	for i, group := range same {
		for _, text := range group {
			d, err := seal.Digest(json.RawMessage(text))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if other, ok := seen[d]; ok && other != i {
				t.Errorf("%s has the digest of %s", text, same[other][0])
			}
			if j, _ := seal.Digest(json.RawMessage(group[0])); j != d {
				t.Errorf("%s and %s differ", text, group[0])
			}
			seen[d] = i
		}
	}
	if _, err := seal.Digest(json.RawMessage(`{"a":`)); err == nil {
		t.Error("half a JSON has a digest")
	}
}
