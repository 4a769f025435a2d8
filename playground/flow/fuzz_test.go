package flow_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
)

// A text never crashes the reader, and a flow that it accepts can be predicted
// and read again.
func FuzzParse(f *testing.F) {
	for _, e := range flow.Examples() {
		f.Add(e.Source)
	}
	f.Add(`{"flow":1,"name":"x","steps":[{"form":"a","message":"A {{args.n}}","fields":{"x":
		{"enum":["p","q"],"required":true}},"decline":"continue"},
		{"roots":"r","together":true,"when":"args.n > 1"},{"shed":"s"},
		{"progress":"p","done":1,"of":2,"seconds":0.5},{"end":{"error":"e"},"when":"answers.a.x == 'q'"}],
		"arguments":{"n":{"type":"number","example":3}},
		"task":{"steps":[{"sampling":"m","prompt":"{{instances.s}}"}]},
		"result":[{"text":"{{answers.m.text}}","when":"actions.a in ['accept']"},
		{"text":"{{len(answers.r.uris)}}"}],
		"state":{"protection":"signed","life":"1m"},"instances":"a:v1,b:v2",
		"versions":[{"version":"v2","without":["r"],"again":["a"],
		"add":[{"url":"u","message":"M","page":{"text":"{{version}}"}}],"result":"r"}]}`)
	f.Fuzz(func(t *testing.T, source string) {
		parsed, problems := review.Parse([]byte(source))
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
		texts, err := runAll(parsed, parsed.Example())
		if err != nil && len(err.Error()) > 200 {
			t.Fatal(err)
		}
		for _, text := range texts {
			if len(text) > 16<<10 {
				t.Fatalf("a text of %d bytes", len(text))
			}
		}
		if text := parsed.JSON(); len(text) < 64<<10 {
			if again, problems := review.Parse(text); again == nil {
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
		`[x + "x" for x in args.tags]`, `len(*args.tags)`, `{"a": 1}["a"]`, `"%s" % args.kind`,
		`args.kind * 1000000000`, `-9223372036854775808`, `1e999`, "`a`", `b"x"`,
		strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		quoted := "'" + strings.ReplaceAll(source, "'", "''") + "'"
		text := "'{{" + strings.ReplaceAll(source, "'", "''") + "}}'"
		shows, _ := review.Parse([]byte(strings.Replace(written(""), "done", text, 1)))
		if shows != nil {
			shows.Versions[0].Predict(nil, nil)
			shows.Versions[0].Predict(map[string]any{
				"amount": 1e308, "kind": strings.Repeat("a", 9000), "tags": []any{1.0, "a", nil},
			}, nil)
		}
		parsed, _ := review.Parse([]byte(written("  - {roots: a, when: " + quoted + "}")))
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
		again, problems := review.Parse([]byte(written("  - {roots: a, when: " + shown + "}")))
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
