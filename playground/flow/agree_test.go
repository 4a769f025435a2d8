package flow_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	runs "github.com/mrtr-playground/mrtr-playground/sampletools/flow"
)

// prepared is a turn of the server that has all answers.
type prepared map[string]flow.Answer

func (p prepared) Ask(_ context.Context, list []runs.Question) (map[string]runs.Answer, error) {
	given := map[string]runs.Answer{}
	for _, q := range list {
		given[q.Key] = runs.Answer{Action: p[q.Key].Action, Values: p[q.Key].Values}
	}
	return given, nil
}

func (p prepared) Forget(string) {}

func (p prepared) Shed(context.Context, string) (string, error) { return "a/v1", nil }

func (p prepared) Progress(context.Context, runs.Progress) error { return nil }

// agree fails unless the server runs what the check accepts, and ends as predicted.
func agree(t *testing.T, source string) {
	t.Helper()
	checked, problems := flow.Parse([]byte(source))
	if len(problems) > 0 {
		return
	}
	read, err := runs.Read(checked.JSON())
	if err != nil {
		t.Fatalf("the server refuses a flow without problems: %v", err)
	}
	for _, argument := range checked.Arguments {
		value, has := checked.Example()[argument.Name]
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fit, err := form.Conforms(argument.Schema, raw)
		if err != nil || has && len(fit.All()) > 0 && len(checked.Warnings) == 0 {
			t.Fatalf("the example %s of %s: %v %v", raw, argument.Name, fit, err)
		}
	}
	for i, v := range checked.Versions {
		answers := v.ExampleAnswers()
		rounds := v.Predict(checked.Example(), answers)
		last := rounds[len(rounds)-1].Ending
		if last == nil || strings.Contains(source, "shed") || len(last.Text) > 16<<10 {
			continue // the instances of the prediction take turns
		}
		run := read.Versions[i].Start(checked.Example(), "a/"+v.Name)
		e, err := run.Call(t.Context(), prepared(answers))
		if e == nil && err == nil {
			e, err = run.Task(t.Context(), prepared(answers))
		}
		if err != nil || e.Text != last.Text || e.Error != last.Error {
			t.Fatalf("%s: got %+v %v, predicted %+v", v.Name, e, err, last)
		}
	}
}

func FuzzServer_AgreesOnFlows(f *testing.F) {
	for _, e := range flow.Examples() {
		f.Add(e.Source)
	}
	for _, source := range []string{
		`# null is as absent
flow: 1
name: a
task:
steps: [{url: u, message: m, page: }]
result: {text: b, error: }
versions: [{version: v2, steps: , task: , result: , without: , add: [{roots: r}]}]
`,
		`flow: 1
name: a
arguments: {x: {type: , enum: , minimum: , format: , default: , required: true}}
steps: []
result: '{{args.x}}'
`,
		`# values to start with
flow: 1
name: a
arguments:
  mail: {format: email, required: true}
  n: {type: integer, minimum: 2.5, required: true}
  long: {minLength: 20, required: true}
  short: {maxLength: 3, required: true}
  some: {items: {enum: [p, q, r]}, minItems: 2, required: true}
  rows: {items: {type: number, maximum: -4}, minItems: 2, required: true}
  o: {properties: {y: {format: date, required: true}}, required: true}
steps: []
result: '{{args.mail}} {{args.n}} {{args.long}} {{args.short}} {{args.some}} {{args.rows}} {{args.o.y}}'
`,
	} {
		if _, problems := flow.Parse([]byte(source)); len(problems) > 0 {
			f.Fatal(problems)
		}
		f.Add(source)
	}
	f.Fuzz(agree)
}

func FuzzServer_AgreesOnExpressions(f *testing.F) {
	for _, source := range []string{
		`args.amount / 4 - 2 * -1`, `-args.count + 0.5`, `args.name + args.kind`, `args.extra["a b"]`,
		`len(args.name) == 3 and not ("c" in args.tags)`, `args.kind in ["new", "used"]`, `args.sizes`,
		`args.address.zip >= 0 or args.empty == ""`, `"o" in args.name`, `version + instance`,
		`args.name.startswith("Z") and args.kind.endswith("d")`, `1 if args.calm else args.amount`,
		`1e21 + args.big`, `0x10`, `"\u00e9\n"`, `'a'`, `r"\d"`, `"a" not in args.tags`, `len("é")`,
		strings.Repeat("1+", 249) + "1", strings.Repeat("not ", 120) + "true",
		strings.Repeat("-", 490) + "1 == 1", "\n args.calm\n or\ttrue # so\n",
		`args.kind in [` + strings.Repeat(`"new", `, 60) + `"used"]`,
		strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200),
	} {
		f.Add(source)
	}
	beginning, _ := behaviors(f)
	f.Fuzz(func(t *testing.T, source string) {
		quoted, err := json.Marshal(source)
		if err != nil || strings.Contains(source, "shed") {
			return
		}
		value := strings.TrimSuffix(strings.TrimPrefix(string(quoted), `"`), `"`)
		agree(t, beginning+"steps:\n  - {end: yes, when: "+string(quoted)+"}\nresult: no")
		agree(t, beginning+"steps: []\nresult: \"{{"+value+"}}\"")
	})
}
