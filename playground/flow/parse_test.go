package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// written returns a flow with these lines for its steps, from line 10.
func written(steps string) string {
	return `flow: 1
name: refund
arguments:
  amount: {type: number}
  rush: {type: boolean}
  kind: {enum: [new, used], required: true}
  tags: {type: array, items: {type: string}}
  extra: {type: object, additionalProperties: {type: string}}
steps:
` + steps + `
result: done
`
}

// Every mistake is an error at its line and field, in words.
func TestParse_Problems(t *testing.T) {
	const q = "  - {form: a, message: A, fields: {x: {enum: [p, q], required: true}, ok: {type: boolean}}"
	for _, test := range []struct{ name, source, want string }{
		{"empty", "", "line 1: The text is empty."},
		{"not YAML", "a: [", "line 1: This is not YAML:"},
		{"not JSON", `{"flow": 1,}`, "line 1: This is not JSON:"},
		{"a list", "- 1", "line 1: A flow begins with its fields"},
		{"no version", "name: x\nsteps: []\nresult: a", "flow: A flow begins with flow: 1"},
		{"no result", "flow: 1\nname: x\nsteps: []", "result: The field “result” is missing"},
		{"unknown field", "flow: 1\nname: x\nstep: []\nresult: a", "line 3, step: The field “step” is not known. Did you mean “steps”?"},
		{"field twice", "flow: 1\nname: x\nname: y\nresult: a", "“name” is"},
		{"anchor", "flow: 1\nname: &a x\nresult: a", "line 2: Anchors and aliases"},
		{"alias bomb", "a: &a [x]\nb: [*a, *a]", "Anchors and aliases"},
		{"recursive anchor", "a: &a [*a]", "Anchors and aliases"},
		{"tag", "a: !!binary aGk=", "line 1: Tags (!) are not allowed"},
		{"merge key", "a: {<<: {b: 1}}", "The name of a field must be a text."},
		{"two documents", "a: 1\n---\nb: 2", "second document"},
		{"control character", "flow: 1\nname: \"a\\x07\"\nresult: a", "line 2: A text has the control character U+0007."},
		{"invalid UTF-8", "flow: 1\nname: \xff", "line 2: The text is not valid UTF-8."},
		{"too long", strings.Repeat("#", 65<<10), "The text is too long"},
		{"too deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), "nested too deeply"},
		{"too many steps", written(strings.Repeat("  - {roots: a}\n", 65)), "line 10, steps: This list is too long"},
		{"__proto__ as a key", written("  - {roots: __proto__}"), "line 10, steps[1]: The name “__proto__” must begin with a letter"},
		{"__proto__ as a field", written("  - {form: a, message: A, fields: {__proto__: {}}}"), "must begin with a letter"},
		{"constructor", written("  - {roots: constructor}"), "has a meaning of its own in JavaScript"},
		{"two kinds", written("  - {form: a, url: b}"), "line 10, steps[1]: A step has exactly one of"},
		{"asked twice", written("  - {roots: a}\n  - {roots: a}"), "line 11, steps[2]: The key “a” is there twice: it is at line 10, too."},
		{"secret", written("  - {form: a, message: A, fields: {password: {}}}"), "must not ask for a secret"},
		{"secret in the message", written("  - {form: a, message: What is your password, fields: {x: {}}}"), "must not ask for a secret"},
		{"unknown name", written("  - {roots: a, when: args.amont > 1}"), "line 10, steps[1].when: args has no “amont”. Did you mean “amount”?"},
		{"unknown root", written("  - {roots: a, when: argss.amount > 1}"), "“argss” is not known. Did you mean “args”?"},
		{"wrong type", written("  - {roots: a, when: args.kind > 1}"), "> needs a number, and args.kind is a text."},
		{"no condition", written("  - {roots: a, when: args.amount}"), "A condition must be true or false, and this is a number."},
		{"compared with another type", written(`  - {roots: a, when: 'args.amount == "1"'}`), "they cannot be compared"},
		{"never equal", written(`  - {roots: a, when: 'args.kind == "old"'}`), "args.kind is never “old”. It can be: new, used."},
		{"asked later", written("  - {roots: b, when: len(answers.a.uris) > 0}\n  - {roots: a}"), "“a” has no answer yet here: it is asked at line 11."},
		{"asked in the same round", written("  - {roots: a}\n  - {roots: b, together: true, when: len(answers.a.uris) > 0}"), "no answer yet"},
		{"together with nothing", written("  - {roots: a, together: true}"), "The step before this one must be a question"},
		{"broken expression", written("  - {roots: a, when: 'args.amount >'}"), "This is no expression"},
		{"a call", written("  - {roots: a, when: 'now() != 1'}"), "The function “now” is not allowed. There is only len."},
		{"a closure", written("  - {roots: a, when: 'all(args.tags, # == \"a\")'}"), "The function “all” is not allowed"},
		{"a range", written("  - {roots: a, when: 'len(1..1000000000) > 1'}"), "The operator “..” is not allowed."},
		{"a pattern", written("  - {roots: a, when: 'args.kind matches \"(a+)+$\"'}"), "The operator “matches” is not allowed."},
		{"a variable", written("  - {roots: a, when: 'let x = 1; x > 0'}"), "Only names, values"},
		{"division by zero", written("  - {roots: a, when: 'args.amount / 0 > 1'}"), "Divide by a number other than 0"},
		{"value without an end", written("  - {form: a, message: 'A {{args.amount', fields: {x: {}}}"), "begins with {{ and has no }}"},
		{"object in a text", written("  - {form: a, message: 'A {{args}}', fields: {x: {}}}"), "args is an object"},
		{"constant", written("  - {roots: a, when: 1 > 2}"), "line 10, steps[1].when: The question “a” is never asked: its condition is never true."},
		{"boolean constant", written("  - {roots: a, when: false}"), "never true"},
		{"two values", written(`  - {roots: a, when: 'args.kind == "new" and args.kind == "used"'}`), "never true"},
		{"both ways", written("  - {roots: a, when: args.rush and not args.rush}"), "never true"},
		{"excluded by a question before", written(q + `, when: args.rush}` + "\n" +
			`  - {roots: b, when: 'answers.a.x == "p" and not args.rush'}`), "line 11, steps[2]: The question “b” is never asked: the steps before"},
		{"excluded by an end", written("  - {end: no, when: args.rush}\n  - {roots: b, when: args.rush}"), "“b” is never asked"},
		{"excluded by all values", written("  - {end: no, when: 'args.kind in [\"new\", \"used\"]'}\n  - {roots: b}"), "“b” is never asked"},
		{"declined and gone on", written(q + "}\n" + `  - {roots: b, when: 'actions.a == "decline"'}`), "“b” is never asked"},
		{"an end for all", written("  - {end: no}"), "This step always ends the call."},
		{"default that does not fit", written("  - {form: a, message: A, fields: {n: {type: integer, maximum: 3, default: 9}}}"), "fields.n.default: This value does not fit the field"},
		{"limits crossed", written("  - {form: a, message: A, fields: {n: {type: integer, minimum: 5, maximum: 3}}}"), "maximum is less than minimum."},
		{"long progress", written("  - {progress: a, seconds: 61}"), "at most 60 seconds"},
		{"life", "flow: 1\nname: x\nstate: {life: 2d}\nresult: a", "line 3, state.life: Write a time from 1s to 24h"},
		{"result with a condition", "flow: 1\nname: x\nresult:\n  - {text: a, when: 1 > 0}", "The last result must have no condition"},
		{"no instance", "flow: 1\nname: x\nresult: a\ninstances: a:v1,z", "line 4, instances: “z” is no instance."},
		{"an instance twice", "flow: 1\nname: x\nresult: a\ninstances: a,a:v1", "The instance a is there twice."},
		{"no such version", "flow: 1\nname: x\nresult: a\ninstances: a:v2", "The flow has no version v2."},
		{"too many steps of a version", written(strings.Repeat("  - {progress: a}\n", 64)) +
			"versions:\n  - {version: v2, add: [{progress: a}]}", "This version has too many steps"},
		{"a version without", "flow: 1\nname: x\nresult: a\nversions:\n  - {version: v2, without: [q]}", "has no question “q”"},
		{"an answer taken away", written("  - {roots: a}\n  - {roots: b, when: len(answers.a.uris) > 0}") +
			"versions:\n  - {version: v2, without: [a]}", "line 11, steps[2].when: answers has no “a”"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, problems := flow.Parse([]byte(test.source))
			if f != nil || !strings.Contains(fmt.Sprint(problems), test.want) {
				t.Errorf("got %v\nwant %s", problems, test.want)
			}
		})
	}
}

// What could be mistaken for a mistake.
func TestParse_Accepts(t *testing.T) {
	const q = "  - {form: a, message: A, fields: {x: {enum: [p, q], required: true}, ok: {type: boolean}}"
	for name, steps := range map[string]string{
		"declined and gone on": q + ", decline: continue}\n" + `  - {roots: b, when: 'actions.a == "decline"'}`,
		"an optional choice":   "  - {form: a, message: A, fields: {x: {enum: [p]}}}\n" + `  - {roots: b, when: 'answers.a.x == ""'}`,
		"not asked":            q + ", when: args.rush}\n" + `  - {roots: b, when: 'answers.a.x == ""'}`,
		"a table":              `  - {roots: b, when: '"a b" in args.extra and args.extra["a b"] == "c"'}`,
		"nested":               "  - {form: a, message: A, fields: {o: {type: object, properties: {x: {type: number}}}}}\n  - {roots: b, when: answers.a.o.x > 1}",
		"a number for a name":  "  - {form: a, message: '{{args.amount / 2}} {{len(args.tags)}} {{args.rush}}', fields: {x: {}}}",
		"version":              `  - {roots: b, when: 'version == "v1"'}`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, problems := flow.Parse([]byte(written(steps))); len(problems) > 0 {
				t.Error(problems)
			}
		})
	}
}
