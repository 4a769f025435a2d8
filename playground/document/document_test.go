package document_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// The same document as YAML and as JSON has the same values; YAML's own spellings
// are texts.
func TestParse_YAMLAndJSON(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"a: 1\nb: [x, 'y', null, true]\n", `{"a":1,"b":["x","y",null,true]}`},
		{"{\"a\": 1e3,\n \"b\": \"x<y>\"}", `{"a":1e3,"b":"x<y>"}`},
		{"a: 0x10\nb: 1_000\nc: .inf\nd: 0o7\n", `{"a":"0x10","b":"1_000","c":".inf","d":"0o7"}`},
		{"a: yes\nb: no\nc: on\n", `{"a":"yes","b":"no","c":"on"}`},
		{"a: 2026-11-26\nb: 12:30\n", `{"a":"2026-11-26","b":"12:30"}`},
		{"1: x\ntrue: y\n", `{"1":"x","true":"y"}`},
		{"a: |\n  one\n  two\nb: >-\n  one\n  two\n", `{"a":"one\ntwo\n","b":"one two"}`},
		{"# only a comment\na:\n", `{"a":null}`},
	} {
		n, problems := document.Parse([]byte(test.source))
		if len(problems) > 0 || string(n.JSON()) != test.want {
			t.Errorf("%q gives %s %v, want %s", test.source, n.JSON(), problems, test.want)
		}
	}
}

func TestParse_Places(t *testing.T) {
	for _, source := range []string{"a:\n  b: [1,\n    two]\n", "{\"a\":\n {\"b\": [1,\n   \"two\"]}}"} {
		n, problems := document.Parse([]byte(source))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		two := n.Get("a").Get("b").Items[1]
		if two.Line != 3 || two.Str() != "two" {
			t.Errorf("%q: the text is at line %d", source, two.Line)
		}
	}
}

func TestReader_KeepsEachProblemOnce(t *testing.T) {
	var r document.Reader
	for i := range 1000 {
		r.Wrong(&document.Node{Line: i % 30}, "a", "wrong")
	}
	list := r.Problems()
	if r.Count() != 1000 || len(list) != 20 || fmt.Sprint(list[0]) != "line 0, a: wrong" ||
		list[1].Line != 1 {
		t.Errorf("%d counted, kept %v", r.Count(), list)
	}
}

// A text never crashes the reader, and an accepted text is valid JSON that
// reads the same again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a: 1", "{\"a\": [1, {}]}", "a: &x [*x]", "? [a]\n: b", "a: !!int 3", "- - - x",
		"%YAML 1.2\n---\na: b",
		"a: \"\\u0000\"",
		"{a: b, ? c}", "\ufeffa: 1", "a: |2\n   x", "*a : b", "<<: {a: 1}", "a: 1\n---\nb: 2",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		n, problems := document.Parse(source)
		if n == nil {
			if len(problems) == 0 {
				t.Fatal("neither a document nor a problem")
			}
			return
		}
		text := n.JSON()
		if !json.Valid(text) {
			t.Fatalf("not JSON: %s", text)
		}
		if n.Kind != document.Map || len(text) > document.MaxBytes {
			return
		}
		again, problems := document.Parse(text)
		if again == nil || string(again.JSON()) != string(text) {
			t.Fatalf("%s reads as %s %v", text, again.JSON(), problems)
		}
	})
}
