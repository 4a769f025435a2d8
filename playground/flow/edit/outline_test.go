package edit_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/edit"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
)

// A form that is sent as it was shown changes nothing.
func TestChange_NothingChanged(t *testing.T) {
	for _, e := range flow.Examples() {
		values := shown(t, e.Source)
		got, err := edit.Change(
			e.Source,
			func(name string) (string, bool) { v, ok := values[name]; return v, ok },
		)
		if err != nil || got != e.Source {
			t.Errorf("%s: %v\n%s", e.Slug, err, got)
		}
	}
}

// shown returns the values of the controls of a form, by name.
func shown(t *testing.T, source string) map[string]string {
	t.Helper()
	root, problems := document.Parse([]byte(source))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	values := map[string]string{}
	add := func(list ...edit.Control) {
		for _, c := range list {
			if c.Name != "" {
				values[c.Name] = c.Value
			}
		}
	}
	fields := func(list []edit.Field) {
		for _, f := range list {
			add(f.Name, f.Title, f.Kind, f.Required, f.Values, f.Example)
		}
	}
	o := edit.NewOutline(root)
	add(o.Name, o.Title, o.Description, o.Protection, o.Life)
	fields(o.Arguments)
	for _, s := range o.Steps {
		add(s.Key, s.When, s.Together, s.Message, s.Decline, s.Error)
		add(s.Numbers...)
		fields(s.Fields)
	}
	for _, r := range o.Results {
		add(r.When, r.Text, r.Error)
	}
	return values
}

// Each control changes its place in the text, and nothing else.
func TestChange(t *testing.T) {
	refund, _ := flow.FindExample("refund")
	for _, test := range []struct{ control, value, was, is string }{
		{"name", "refund", "name: refund_order", "name: refund"},
		{"title", "", "title: Refund an order\n", ""},
		{"a0.name", "number", "  orderId: {", "  number: {"},
		{"a1.required", "", ", required: true, example: 120}", ", example: 120}"},
		{"a1.example", "12.5", "example: 120", "example: 12.5"},
		{"a1.kind", "whole number", "{type: number, description: Amount in euros, minimum: 0, " +
			"maximum: 1000, required: true, example: 120}",
			"{type: integer, description: Amount in euros, required: true}"},
		{
			"s0.message", "Why: {{args.orderId}}?", "message: Why is order {{args.orderId}} refunded?",
			"message: 'Why: {{args.orderId}}?'",
		},
		{"s0.f0.values", "Damaged, Late", "enum: [Damaged, Late, Wrong item, Goodwill]",
			"enum: [Damaged, Late]"},
		{"s0.f0.title", "", "title: Reason, ", ""},
		{"s0.together", "true", "    decline: Order {{args.orderId}} was not refunded.\n  - form: confirm",
			"    decline: Order {{args.orderId}} was not refunded.\n    together: true\n  - form: confirm"},
		{"s1.when", "args.amount > 50", "when: args.amount > 100", "when: args.amount > 50"},
		{"s1.key", "size", "form: confirm", "form: size"},
		{
			"r0.when", "",
			"  - when: answers.confirm.choice == \"half\"\n    text: \"Order {{args.orderId}}: " +
				"{{args.amount / 2}} euros",
			"  - text: \"Order {{args.orderId}}: {{args.amount / 2}} euros",
		},
		{
			"r1.error", "true", "  - text: \"Order {{args.orderId}}: {{args.amount}} euros",
			"  - error: \"Order {{args.orderId}}: {{args.amount}} euros",
		},
	} {
		t.Run(test.control, func(t *testing.T) {
			got, err := edit.Change(
				refund.Source,
				func(name string) (string, bool) { return test.value, name == test.control },
			)
			want := strings.Replace(refund.Source, test.was, test.is, 1)
			if err != nil || got != want || want == refund.Source {
				t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// The protection and the life of the state are written where they belong, and what is the default is
// not written.
func TestChange_State(t *testing.T) {
	const rest = "flow: 1 # kept\nname: a\nresult: Done.\n"
	for _, test := range []struct{ control, value, was, is string }{
		{"state.protection", "signed", "", "state:\n  protection: signed\n"},
		{"state.life", "10m", "", "state:\n  life: 10m\n"},
		{"state.life", "10m", "state:\n", "state:\n  life: 10m\n"},
		{"state.life", "10m", "state: {protection: plain}\n", "state: {protection: plain, life: 10m}\n"},
		{"state.life", "soon", "state:\n  life: 1m # short\n", "state:\n  life: soon # short\n"},
		{"state.life", "", "state: {protection: plain, life: 10m}\n", "state: {protection: plain}\n"},
		{"state.protection", "", "state: {protection: plain}\n", ""},
		{"state.protection", "", "state:\n", "state:\n"},
		{"state.protection", "plain", "state: much\n", "state: much\n"},
	} {
		got, err := edit.Change(rest+test.was, func(name string) (string, bool) {
			return test.value, name == test.control
		})
		if err != nil || got != rest+test.is {
			t.Errorf("%s %q of %q: %v\n%s", test.control, test.value, test.was, err, got)
		}
	}
}

// Each button gives a flow that is still valid, or has one more thing to say.
func TestAct(t *testing.T) {
	refund, _ := flow.FindExample("refund")
	for _, test := range []struct{ do, want, problem string }{
		{"add form", "form: question1", ""},
		{"add url", "url: question1", ""},
		{"add sampling", "sampling: question1", ""},
		{"add roots", "roots: question1", ""},
		{"add shed", "shed: part1", ""},
		{"add progress", "progress: Working", ""},
		{"add end", "end: Nothing was done.", "never reached"},
		{"field arguments", "  field: {type: string}", ""},
		{"field steps/0/fields", "      field: {type: string}", ""},
		{"down steps/0", "steps:\n  - form: confirm", ""},
		{"up steps/1", "steps:\n  - form: confirm", ""},
		{"result", "text: Another result.", "never used"},
		{"remove arguments/amount", "arguments:\n  orderId", "args has no “amount”"},
		{"remove steps/0/fields/reason", "fields: {}", "has no “reason”"},
	} {
		t.Run(test.do, func(t *testing.T) {
			got, _, err := edit.Act(refund.Source, test.do)
			if err != nil || !strings.Contains(got, test.want) {
				t.Fatalf("%v\n%s", err, got)
			}
			_, problems := review.Parse([]byte(got))
			switch {
			case test.problem == "" && len(problems) > 0:
				t.Errorf("%v\n%s", problems, got)
			case test.problem != "" && (len(problems) == 0 ||
				!strings.Contains(problems[0].String(), test.problem)):
				t.Errorf("got %v, want %s", problems, test.problem)
			}
		})
	}
	for _, do := range []string{"", "add nothing", "remove steps/9", "up steps/0", "down steps/1",
		"field result", "up name"} {
		if _, _, err := edit.Act(refund.Source, do); err == nil {
			t.Errorf("%q did something", do)
		}
	}
	if got, _, err := edit.Act("flow: 1\nname: x\nresult: done\n", "result"); err != nil ||
		!strings.Contains(got, "result:\n  - {when: \"false\", text: Another result.}\n  - {text: done}") {
		t.Errorf("%v\n%s", err, got)
	}
}
