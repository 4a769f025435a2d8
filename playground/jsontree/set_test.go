package jsontree

import (
	"encoding/json"
	"testing"
)

func TestSetChangesNothingElse(t *testing.T) {
	one := json.RawMessage("1")
	for _, tt := range []struct {
		name, obj string
		pairs     []Pair
		want      string
	}{
		{"empty counts as {}", "", []Pair{{"a", one}}, `{"a":1}`},
		{"nothing to do", ` { "a" : 1.50 } `, nil, ` { "a" : 1.50 } `},
		{"append in order", `{"z":1e2 }`, []Pair{{"b", one}, {"a", one}}, `{"z":1e2,"b":1,"a":1 }`},
		{"append to spaces", "{\n}", []Pair{{"a", one}}, "{\"a\":1\n}"},
		{"replace in place", `{"a":  [ 1 ] , "b":2}`, []Pair{{"a", one}}, `{"a":  1 , "b":2}`},
		{"replace keeps the name's spelling", `{"\u0061":0}`, []Pair{{"a", one}}, `{"\u0061":1}`},
		{"remove first", `{ "a":1, "b":2 }`, []Pair{{"a", nil}}, `{ "b":2 }`},
		{"remove middle", `{"a":1, "b":2 , "c":3}`, []Pair{{"b", nil}}, `{"a":1 , "c":3}`},
		{"remove last", `{"a":1, "b":2 }`, []Pair{{"b", nil}}, `{"a":1 }`},
		{"remove all", `{ "a":1, "b":2 }`, []Pair{{"b", nil}, {"a", nil}}, `{ }`},
		{"remove all, add one", `{"a":1}`, []Pair{{"a", nil}, {"b", one}}, `{"b":1}`},
		{"remove what is not there", `{"a":1}`, []Pair{{"b", nil}}, `{"a":1}`},
		{
			"duplicates: the last is replaced", `{"a":1,"a":2}`, []Pair{{"a", json.RawMessage("3")}},
			`{"a":1,"a":3}`,
		},
		{"duplicates: all are removed", `{"a":1,"b":0,"a":2}`, []Pair{{"a", nil}}, `{"b":0}`},
		{"the last pair wins", `{}`, []Pair{{"a", one}, {"a", json.RawMessage(`"x"`)}}, `{"a":"x"}`},
		{"added and taken back", `{"z":0}`, []Pair{{"a", one}, {"a", nil}}, `{"z":0}`},
		{
			"odd names", `{}`, []Pair{{"__proto__", one}, {"", one}, {"<\"", one}},
			`{"__proto__":1,"":1,"<\"":1}`,
		},
		{"values as they are", `{}`, []Pair{{"s", json.RawMessage(` "\u0041<" `)}}, `{"s": "\u0041<" }`},
	} {
		got, err := Set(json.RawMessage(tt.obj), tt.pairs...)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s (%v), want %s", tt.name, got, err, tt.want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for _, tt := range []struct{ obj, value string }{
		{"[]", "1"}, {"null", "1"}, {"{", "1"}, {" ", "1"}, {"{}", ""}, {"{}", "{"}, {"{}", `1,"x":2`},
	} {
		if got, err := Set(json.RawMessage(tt.obj), Pair{"a", json.RawMessage(tt.value)}); err == nil {
			t.Errorf("Set(%q, %q) = %s", tt.obj, tt.value, got)
		}
	}
}

func TestSetLeavesItsArgumentAlone(t *testing.T) {
	obj := json.RawMessage(`{"a":1}      `)[:7]
	if _, err := Set(obj, Pair{"a", json.RawMessage("12345")}, Pair{"b", json.RawMessage("2")}); err != nil ||
		string(obj[:13]) != `{"a":1}      ` {
		t.Errorf("obj is now %q (%v)", obj[:13], err)
	}
}
