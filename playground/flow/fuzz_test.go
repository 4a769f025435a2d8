package flow_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// A text never crashes the reader, and a flow that it accepts can be predicted
// and read again.
func FuzzParse(f *testing.F) {
	for _, e := range flow.Examples() {
		f.Add(e.Source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		parsed, problems := flow.Parse([]byte(source))
		if parsed == nil {
			if len(problems) == 0 {
				t.Fatal("neither a flow nor a problem")
			}
			return
		}
		for i := range parsed.Versions {
			v := &parsed.Versions[i]
			v.Predict(parsed.Example(), v.ExampleAnswers())
			v.Predict(nil, nil)
		}
		if text := parsed.JSON(); len(text) < 64<<10 {
			if again, problems := flow.Parse(text); again == nil {
				t.Fatalf("as JSON it is no flow: %v", problems)
			}
		}
	})
}

// An expression never crashes the reader. What it accepts can be computed, and
// means the same as it is shown.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{
		`args.amount > 100`, `not (args.rush and args.kind == "new")`, `len(args.tags) / 2 >= 1`,
		`"a" in args.tags`, `"z" in args.extra["x y"] + "z"`, `true if args.rush else version == "v1"`,
		`-args.amount * 2 < 1e300`, `((((((1))))))==1`, `(lambda: 1)() > 0`, `[1][0:] == 1`,
		`args.kind.startswith("n") and "e" not in args.kind`, `args["kind"] == r"\n"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		quoted := "'" + strings.ReplaceAll(source, "'", "''") + "'"
		parsed, _ := flow.Parse([]byte(written("  - {roots: a, when: " + quoted + "}")))
		if parsed == nil {
			return
		}
		when := parsed.Versions[0].Steps[0].When
		if when == nil {
			return
		}
		values := flow.Values{"args": map[string]any{
			"amount": 120.0, "rush": true, "kind": "new", "tags": []any{"a", "b"},
			"extra": map[string]any{"x y": "z"},
		}, "version": "v1"}
		before := when.Holds(values)
		shown := "'" + strings.ReplaceAll(when.String(), "'", "''") + "'"
		again, problems := flow.Parse([]byte(written("  - {roots: a, when: " + shown + "}")))
		if again == nil {
			if len(when.String()) > 400 {
				return // the longer spelling is beyond the limit
			}
			t.Fatalf("%s is shown as %s, which is wrong: %v", source, shown, problems)
		}
		if after := again.Versions[0].Steps[0].When.Holds(values); after != before {
			t.Fatalf("%s is %v, and as it is shown, %s, it is %v", source, before, shown, after)
		}
	})
}
