package flow_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
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

// Every mistake is an error at its line and field, in words: those of
// testdata/problems.txt, and those that are too large or no text.
func TestParse_Problems(t *testing.T) {
	for _, test := range append(readProblems(t), []mistake{
		{"empty", "", "line 1: The text is empty."},
		{"invalid UTF-8", "flow: 1\nname: \xff", "line 2: The text is not valid UTF-8."},
		{"too long", strings.Repeat("#", 65<<10), "The text is too long"},
		{"too deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), "nested too deeply"},
		{
			"too many steps", written(strings.Repeat("  - {roots: a}\n", 65)),
			"line 10, steps: This list is too long",
		},
		{
			"too many steps of a version", written(strings.Repeat("  - {progress: a}\n", 64)) +
				"versions:\n  - {version: v2, add: [{progress: a}]}", "This version has too many steps",
		},
	}...) {
		t.Run(test.name, func(t *testing.T) {
			f, problems := review.Parse([]byte(test.source))
			if f != nil || !strings.Contains(fmt.Sprint(problems), test.want) {
				t.Errorf("got %v\nwant %s", problems, test.want)
			}
		})
	}
}

// mistake is a text of a flow and the problem of it.
type mistake struct{ name, source, want string }

// readProblems reads testdata/problems.txt.
func readProblems(t *testing.T) []mistake {
	t.Helper()
	text, err := os.ReadFile("testdata/problems.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []mistake
	var lines []string
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch kind {
		case "=":
			list, lines = append(list, mistake{name: rest}), nil
		case "|":
			lines = append(lines, rest)
		case ">":
			last := &list[len(list)-1]
			last.source, last.want = strings.Join(lines, "\n"), rest
			if strings.HasPrefix(last.source, "  - ") {
				steps, rest, _ := strings.Cut(last.source, "\nresult: done")
				last.source = written(steps) + rest
			}
		}
	}
	if len(list) < 50 {
		t.Fatalf("only %d mistakes", len(list))
	}
	return list
}

// What is no mistake and likely not meant is a warning.
func TestParse_Warnings(t *testing.T) {
	for text, want := range map[string]string{
		"Paid {amount}.": "{amount} is text. For a value, use two braces. " +
			"Did you mean “args.amount”?",
		"Paid {args.amount}.":     "One brace is text. For the value, write {{args.amount}}.",
		"Paid {{args.amount}}.":   "",
		"A set is written {a, b}": "",
		"{unknown}":               "",
	} {
		source := strings.Replace(written(""), "result: done", "result: '"+text+"'", 1)
		f, problems := review.Parse([]byte(source))
		if f == nil {
			t.Fatal(problems)
		}
		if got := fmt.Sprint(f.Warnings); want == "" && len(f.Warnings) > 0 || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What could be mistaken for a mistake.
func TestParse_Accepts(t *testing.T) {
	const q = "  - {form: a, message: A, fields: {x: {enum: [p, q], required: true}, ok: {type: boolean}}"
	for name, steps := range map[string]string{
		"declined and gone on": q + ", decline: continue}\n" +
			`  - {roots: b, when: 'actions.a == "decline"'}`,
		"an optional choice": "  - {form: a, message: A, fields: {x: {enum: [p]}}}\n" +
			`  - {roots: b, when: 'answers.a.x == ""'}`,
		"not asked": q + ", when: args.rush}\n" + `  - {roots: b, when: 'answers.a.x == ""'}`,
		"a table":   `  - {roots: b, when: '"a b" in args.extra and args.extra["a b"] == "c"'}`,
		"nested": "  - {form: a, message: A, fields: {o: {type: object, " +
			"properties: {x: {type: number}}}}}\n  - {roots: b, when: answers.a.o.x > 1}",
		"a number for a name": "  - {form: a, message: '{{args.amount / 2}} {{len(args.tags)}} " +
			"{{args.rush}}', fields: {x: {}}}",
		"version": `  - {roots: b, when: 'version == "v1"'}`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, problems := review.Parse([]byte(written(steps))); len(problems) > 0 {
				t.Error(problems)
			}
		})
	}
}

// The reference of the format has a flow that is right.
func TestReference(t *testing.T) {
	page, err := os.ReadFile("../lesson/content/reference/8-flows.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	source, _, _ := strings.Cut(rest, "```")
	if f, problems := review.Parse([]byte(source)); f == nil || len(f.Warnings) > 0 {
		t.Error(problems, f)
	}
}
