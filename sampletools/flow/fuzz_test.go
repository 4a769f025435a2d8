package flow_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/flow"
)

// FuzzRead reads any text as a flow. One that is read runs to an end in every version.
func FuzzRead(f *testing.F) {
	f.Add(written(`"steps":[{"form":"a","message":"A {{args.n}}","fields":{"x":{"enum":["p","q"],` +
		`"required":true}},
		"decline":"continue"},{"roots":"r","together":true,"when":"args.n > 1"},{"shed":"s"},
		{"progress":"p","done":1,"of":2,"seconds":0.5},{"end":{"error":"e"},"when":"answers.a.x == 'q'"}],
		"arguments":{"n":{"type":"number","example":3}},
		"task":{"steps":[{"sampling":"m","prompt":"{{instances.s}}"}]},
		"result":[{"text":"{{answers.m.text}}","when":"actions.a in ['accept']"},
		{"text":"{{len(answers.r.uris)}}"}],
		"state":{"protection":"signed","life":"1m"},"instances":"a:v1,b:v2",
		"versions":[{"version":"v2","without":["r"],"again":["a"],
		"add":[{"url":"u","message":"M","page":{"text":"{{version}}"}}]}]`))
	f.Add(written(`"steps":[],"result":"r"`))
	f.Fuzz(func(t *testing.T, source string) {
		read, err := flow.Read([]byte(source))
		if err != nil {
			return
		}
		if !json.Valid(read.Input) || !json.Valid(read.Arguments()) {
			t.Fatalf("%s %s", read.Input, read.Arguments())
		}
		var arguments map[string]any
		if err := json.Unmarshal(read.Arguments(), &arguments); err != nil {
			t.Fatal(err)
		}
		texts, err := runAll(read, arguments)
		if err != nil && len(err.Error()) > 200 {
			t.Fatal(err)
		}
		for _, text := range texts {
			if len(text) > 16<<10 {
				t.Fatalf("a text of %d bytes", len(text))
			}
		}
	})
}

// FuzzExpression compiles any text as a condition and as a value, and computes it.
func FuzzExpression(f *testing.F) {
	for _, source := range []string{
		`args.n > 1 and not (args.s in ["a", "b"]) or "z" in args.m["x y"]`, `args.l[0]`,
		`1 + 2 * -3 / 4`,
		`args.s if len(args.l) == 2 else version`, `"a" in args.m and args.s.startswith("b")`,
		`[x + "x" for x in args.l]`, `args.n or 1`, `(lambda x: x)(1)`, `len(*args.l)`,
		`{"a": 1}["a"]`, `"%s" % args.s`, `args.s * 1000000000`,
		strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100), `-9223372036854775808`, `1e999`,
		"`a`", `b"x"`,
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		b, err := json.Marshal(source)
		if err != nil {
			t.Fatal(err)
		}
		value, err := json.Marshal("{{" + source + "}}")
		if err != nil {
			t.Fatal(err)
		}
		for _, rest := range []string{
			`"steps":[{"progress":"p","when":` + string(b) + `}],"result":"r"`, `"steps":[],"result":` +
				string(value),
		} {
			read, err := flow.Read([]byte(written(`"arguments":{"n":{"type":"number"},"s":{},"l":{"items":{}},
				"m":{"type":"object","additionalProperties":{}}},` + rest)))
			if err != nil {
				continue
			}
			for _, arguments := range []map[string]any{nil, {"n": 1e308, "s": strings.Repeat("a", 9000),
				"l": []any{"a", "b"}, "m": map[string]any{"x y": "z"}}} {
				if _, err := runAll(read, arguments); err != nil && len(err.Error()) > 200 {
					t.Fatal(err)
				}
			}
		}
	})
}
