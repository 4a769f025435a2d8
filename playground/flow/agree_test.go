package flow_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// agree fails unless the server runs what the editor accepts, and does in every round
// what the editor predicts.
func agree(t *testing.T, source string) {
	t.Helper()
	checked, problems := review.Parse([]byte(source))
	if len(problems) > 0 {
		return
	}
	if !conform(t, checked, flow.SchemaOf(checked.Arguments), checked.Example()) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.add("x", source)
		for i := range checked.Versions {
			v := &checked.Versions[i]
			answers := v.ExampleAnswers()
			for _, q := range v.Forms() {
				if !conform(t, checked, q.Schema, q.Example()) {
					return
				}
			}
			want := predicted(v.PredictOn(checked.Example(), answers, "a", "b"))
			if len(want) >= playground.MaxRounds {
				continue
			}
			s.driver.Decide = drive.Answers(s.answer(answers))
			call := s.call("flow-x", fmt.Sprintf("instances=a:%s,b:%[1]s", v.Name))
			x, err := s.driver.To(t.Context(), call, playground.MaxRounds)
			if err != nil {
				t.Fatal(err)
			}
			if got := served(x); !slices.Equal(got, want) &&
				!strings.Contains(got[len(got)-1], "too long for a link") {
				t.Fatalf("%s:\n got %q\nwant %q", v.Name, got, want)
			}
		}
	})
}

// conform reports whether the values to start with fit their schema. They do unless
// there is a warning.
func conform(t *testing.T, f *flow.Flow, schema json.RawMessage, values map[string]any) bool {
	t.Helper()
	raw, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := form.Conforms(schema, raw)
	fits := err == nil && len(fit.All()) == 0
	if !fits && len(f.Warnings) == 0 {
		t.Fatalf("the example %s of %s: %v %v", raw, schema, fit, err)
	}
	return fits
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
		if _, problems := review.Parse([]byte(source)); len(problems) > 0 {
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
		if err != nil {
			return
		}
		value := strings.TrimSuffix(strings.TrimPrefix(string(quoted), `"`), `"`)
		agree(t, beginning+"steps:\n  - {end: yes, when: "+string(quoted)+"}\nresult: no")
		agree(t, beginning+"steps: []\nresult: \"{{"+value+"}}\"")
	})
}
