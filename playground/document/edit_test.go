package document_test

import (
	"encoding/json"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

func TestApply(t *testing.T) {
	const source = `# what it is
flow: 1
name: a # the tool
steps:
  # first
  - form: x
    message: X
  - roots: y
`
	for _, test := range []struct {
		name, source string
		edits        []document.Edit
		want         string
	}{
		{"nothing", source, nil, source},
		{
			"set", source,
			[]document.Edit{{Op: document.Set, Path: []string{"name"}, Value: json.RawMessage(`"b: c"`)}},
			"# what it is\nflow: 1\nname: 'b: c' # the tool\n" +
				"steps:\n  # first\n  - form: x\n    message: X\n  - roots: y\n"},
		{
			"set deep", "flow: 1\n",
			[]document.Edit{{
				Op: document.Set, Path: []string{"state", "life"}, Value: json.RawMessage(`"5m"`),
			}},
			"flow: 1\nstate:\n  life: 5m\n"},
		{"remove", source, []document.Edit{{Op: document.Remove, Path: []string{"steps", "0", "message"}}},
			"# what it is\nflow: 1\nname: a # the tool\nsteps:\n  # first\n  - form: x\n  - roots: y\n"},
		{"insert and move", "steps:\n  - roots: y\n", []document.Edit{
			{
				Op: document.Insert, Path: []string{"steps"}, Index: 1,
				Value: json.RawMessage(`{"form":"z","fields":{"n":{"type":"number"}}}`),
			},
			{Op: document.Move, Path: []string{"steps"}, Index: 1, To: 0},
		}, "steps:\n  - form: z\n    fields:\n      n: {type: number}\n  - roots: y\n"},
		{
			"insert into nothing", "steps:\n",
			[]document.Edit{{
				Op: document.Insert, Path: []string{"steps"}, Value: json.RawMessage(`{"roots":"z"}`),
			}},
			"steps:\n  - {roots: z}\n"},
		{"insert a field", "arguments: {a: {type: number}}\n", []document.Edit{
			{
				Op: document.Insert, Path: []string{"arguments"}, Name: "b",
				Value: json.RawMessage(`{"type":"string"}`),
			},
			{Op: document.Rename, Path: []string{"arguments", "a"}, Name: "c"},
		}, "arguments:\n  c: {type: number}\n  b: {type: string}\n"},
		{"JSON", `{"flow": 1, "steps": [{"form": "x", "when": "true", "text": "a\nb"}]}`, nil,
			"flow: 1\nsteps:\n  - form: x\n    when: \"true\"\n    text: |-\n      a\n      b\n"},
		{"what JSON escapes", `{"a": "\ud83d\ude00 \/ \u00e9"}`, nil, "a: \U0001F600 / é\n"},
		{"an emoji", "# 😀\na: 😀 b\n", []document.Edit{
			{Op: document.Set, Path: []string{"c"}, Value: json.RawMessage(`"🚀: \\U0001F600"`)},
		}, "# 😀\na: 😀 b\nc: '🚀: \\U0001F600'\n"},
		{"private use", "a: \ue000\n", []document.Edit{
			{Op: document.Set, Path: []string{"c"}, Value: json.RawMessage(`"🚀"`)},
		}, "a: \ue000\nc: \"\\U0001F680\"\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := document.Apply([]byte(test.source), test.edits...)
			if err != nil || string(got) != test.want {
				t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, test.want)
			}
		})
	}
	for _, e := range []document.Edit{
		{
			Op: document.Remove, Path: []string{"nothing"}}, {Op: document.Remove,
			Path: []string{"steps", "9"}}, {Op: document.Remove},
		{
			Op: document.Move, Path: []string{"steps"}, Index: 0, To: 9}, {Op: document.Insert,
			Path: []string{"name"}, Value: json.RawMessage(`1`),
		},
		{
			Op: document.Rename, Path: []string{"name"}, Name: "flow"}, {Op: document.Set,
			Path: []string{"name"}, Value: json.RawMessage(`{`),
		},
	} {
		if got, err := document.Apply([]byte(source), e); err == nil {
			t.Errorf("%+v gives %s", e, got)
		}
	}
}
