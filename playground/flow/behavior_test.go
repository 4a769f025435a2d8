package flow_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// arguments of the flows of TestServer_Behavior.
const behaviorArguments = `
arguments:
  amount: {type: number, example: 120.50}
  count: {type: integer, example: 3}
  big: {type: number, example: 12345678901234567890}
  rush: {type: boolean, example: true}
  calm: {type: boolean}
  kind: {enum: [new, used], required: true, example: used}
  name: {type: string, example: Zoë}
  empty: {type: string}
  tags: {type: array, items: {type: string}, example: [a, b]}
  sizes: {type: array, items: {type: number}, example: [1, 2.5]}
  extra: {type: object, additionalProperties: {type: string}, example: {"a b": c}}
  address: {type: object, properties: {city: {required: true}, zip: {type: number}}, example: {city: Rome}}
`

// A server does the same as the prediction with refusals, missing values and every
// operation of expressions.
func TestServer_Behavior(t *testing.T) {
	accept := func(values string) flow.Answer {
		a := flow.Answer{Action: "accept"}
		if err := json.Unmarshal([]byte(values), &a.Values); err != nil {
			t.Fatal(err)
		}
		return a
	}
	decline, cancel := flow.Answer{Action: "decline"}, flow.Answer{Action: "cancel"}
	const ask = "steps:\n  - {form: a, message: A, fields: {x: {type: number}, y: {enum: [p, q]}}"
	for _, test := range []struct {
		name, rest string
		answers    map[string]flow.Answer
	}{
		{"no steps", "steps: []\nresult: done", nil},
		{"declined", ask + "}\nresult: done", map[string]flow.Answer{"a": decline}},
		{"dismissed", ask + "}\nresult: done", map[string]flow.Answer{"a": cancel}},
		{"declined with words", ask + ", decline: 'Kept {{args.name}}.'}\nresult: done", map[string]flow.Answer{"a": decline}},
		{"dismissed with an error", ask + ", cancel: {error: 'No {{args.kind}}.'}}\nresult: done", map[string]flow.Answer{"a": cancel}},
		{"declined and gone on", ask + ", decline: continue}\n  - {roots: r, when: 'actions.a == \"decline\"'}\n" +
			"result: '{{actions.a}} {{answers.a.x}} {{answers.a.y}} {{answers.r.names}} {{actions.r}}'",
			map[string]flow.Answer{"a": decline, "r": accept(`{"uris":["file:///x"],"names":["x"]}`)}},
		{"an answer without values", ask + "}\nresult: '{{answers.a.x + 1}}{{answers.a.y}}!'", map[string]flow.Answer{"a": accept(`{}`)}},
		{"not asked", ask + ", when: args.calm}\nresult: '{{answers.a.x}} {{actions.a}}.'", nil},
		{"one of a round is not asked", ask + ", when: args.calm}\n  - {roots: r, together: true}\nresult: '{{answers.r.uris}}'",
			map[string]flow.Answer{"r": accept(`{"uris":["file:///x"],"names":["x"]}`)}},
		{"conditions of a round see what was before", ask + "}\n  - {roots: r, together: true, when: 'args.rush'}\n" +
			"result: '{{answers.a.y}} {{answers.r.uris}}'",
			map[string]flow.Answer{"a": accept(`{"y":"q"}`), "r": accept(`{"uris":["file:///x"],"names":["x"]}`)}},
		{"an end between", ask + "}\n  - {end: {error: 'Not {{answers.a.y}}.'}, when: 'answers.a.y == \"q\"'}\nresult: done",
			map[string]flow.Answer{"a": accept(`{"y":"q"}`)}},
		{"an end passed by", ask + "}\n  - {end: no, when: 'answers.a.y == \"q\"'}\nresult: done", map[string]flow.Answer{"a": accept(`{"y":"p"}`)}},
		{"a page declined", "steps:\n  - {url: u, message: M, page: {title: T, text: X}, decline: continue}\nresult: '{{actions.u}}'",
			map[string]flow.Answer{"u": decline}},
		{"a page finished", "steps:\n  - {url: u, message: M, page: {text: 'For {{args.name}}'}}\n" +
			"  - {form: b, message: B, fields: {z: {type: boolean}}}\nresult: '{{actions.u}} {{answers.b.z}}'",
			map[string]flow.Answer{"u": {Action: "accept"}, "b": accept(`{"z":true}`)}},
		{"nested fields", "steps:\n  - form: n\n    message: N\n    fields:\n" +
			"      o: {type: object, properties: {x: {type: number, required: true}}}\n" +
			"      l: {type: array, items: {type: string}}\n      t: {type: array, items: {enum: [u, v]}}\n" +
			"result: '{{answers.n.o.x}} {{answers.n.l}} {{answers.n.t}}'",
			map[string]flow.Answer{"n": accept(`{"o":{"x":0.5},"l":["a","b"],"t":["v"]}`)}},
		{"values", "steps: []\nresult: '{{args.amount}} {{args.count}} {{args.big}} {{args.rush}} {{args.calm}} {{args.empty}}" +
			" {{args.tags}} {{args.sizes}} {{args.extra[\"a b\"]}} {{args.extra.none}} {{args.address.city}} {{args.address.zip}}" +
			" {{version}} {{instance}}'", nil},
		{"arithmetic", "steps: []\nresult: '{{args.amount / 4}} {{args.count * 2 - 7}} {{-args.count}} {{args.count + 0.5}}" +
			" {{0 * -1}} {{args.name + args.kind}} {{1 + 2 * 3}}'", nil},
		{"lengths", "steps: []\nresult: '{{len(args.name)}} {{len(args.tags)}} {{len(args.extra)}} {{len(args.empty)}} {{len(args.tags) / 4}}'", nil},
		{"logic", "steps: []\nresult: '{{args.rush and not args.calm}} {{args.rush && args.calm or true}} {{!args.rush || args.calm}}'", nil},
		{"comparisons", "steps: []\nresult: '{{args.count < 3}} {{args.count <= 3}} {{args.count > 2.5}} {{args.count >= 4}}" +
			" {{args.count == 3}} {{args.kind != \"new\"}} {{args.rush == true}} {{len(args.tags) == 2}}'", nil},
		{"texts", "steps: []\nresult: '{{args.name contains \"o\"}} {{args.name startsWith \"Z\"}} {{args.name endsWith \"z\"}}" +
			" {{args.empty contains \"\"}}'", nil},
		{"membership", "steps: []\nresult: '{{args.kind in [\"new\", \"used\"]}} {{\"c\" in args.tags}} {{\"a b\" in args.extra}}" +
			" {{args.name not in [\"x\"]}} {{\"x\" in args.extra}}'", nil},
		{"a choice of values", "steps: []\nresult: '{{args.rush ? args.name : \"nothing\"}} {{args.calm ? 1 : args.amount}}'", nil},
		{"results", "steps: []\nresult:\n  - {when: args.calm, text: no}\n  - {when: 'args.count == 3', error: three}\n  - {text: other}", nil},
		{"a page in a task", "steps: []\ntask:\n  steps:\n    - {url: u, message: M, page: {text: 'For {{args.name}}'}}\nresult: '{{actions.u}}'",
			map[string]flow.Answer{"u": {Action: "accept"}}},
		{"a task declined", "steps: []\ntask:\n  steps:\n    - {progress: Working, seconds: 1}\n" +
			"    - {form: a, message: A, fields: {x: {}}, decline: Stopped.}\nresult: done", map[string]flow.Answer{"a": decline}},
		{"a task that ends", ask + "}\ntask:\n  steps:\n    - {end: {error: '{{answers.a.y}}'}, when: 'answers.a.y == \"p\"'}\nresult: done",
			map[string]flow.Answer{"a": accept(`{"y":"p"}`)}},
	} {
		bubble(t, test.name, func(t *testing.T) {
			for _, declared := range []string{capabilities, strings.Split(capabilities, `,"extensions"`)[0] + "}"} {
				s := newServer(t)
				f := s.add("x", "flow: 1\nname: x"+behaviorArguments+test.rest)
				v := f.Version("v1")
				s.driver.Decide = drive.Answers(s.answer(test.answers))
				x := s.call("flow-x", "")
				x.Target.Capabilities = json.RawMessage(declared)
				x, err := s.driver.To(t.Context(), x, playground.MaxRounds)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := served(x), predicted(v.Predict(f.Example(), test.answers)); !slices.Equal(got, want) {
					t.Errorf("\n got %q\nwant %q", got, want)
				}
			}
		})
	}
}
