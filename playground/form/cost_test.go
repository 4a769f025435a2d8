package form_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// doubling returns a schema with n definitions, each of which uses the next one
// twice.
func doubling(n int, use string) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"p":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range n {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		fmt.Fprintf(&b, `"d%d":{%s},`, i, strings.ReplaceAll(use, "X", next))
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string"}}}`, n)
	return b.String()
}

func hostile() map[string]string {
	return map[string]string{
		"self reference": `{"$ref":"#"}`,
		"self property":  `{"type":"object","properties":{"p":{"$ref":"#"}}}`,
		"allOf doubling": doubling(60, `"allOf":[X,X]`),
		"anyOf doubling": doubling(60, `"anyOf":[X,X]`),
		"not doubling":   doubling(60, `"not":{"anyOf":[X,X]}`),
		"dependencies":   doubling(60, `"dependentSchemas":{"a":X,"b":X}`),
		"if doubling":    doubling(60, `"if":X,"then":X`),
		"items doubling": `{"type":"object","properties":{"p":{"$ref":"#/$defs/a"}},` +
			`"$defs":{"a":{"items":{"$ref":"#/$defs/a"},"contains":{"$ref":"#/$defs/a"}}}}`,
		"cycle": `{"type":"object","properties":{"p":{"$ref":"#/$defs/a"}},` +
			`"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`,
		"file": `{"type":"object","properties":{"p":{"$ref":"file:///etc/passwd"}}}`,
		"http": `{"type":"object","properties":{"p":{"$ref":"http://127.0.0.1:1/x"}}}`,
		"dialect": `{"type":"object","$id":"http://127.0.0.1:1/",` +
			`"properties":{"p":{"$schema":"http://127.0.0.1:1/s","$id":"x"}}}`,
		"evil pattern":  one(`{"type":"string","pattern":"(a+)+$"}`, true),
		"large program": one(`{"type":"string","pattern":"((a{10}){10}){10}$"}`, true),
		"many patterns": many(900, `"k%d":{"pattern":"x{1000}"}`),
		"many schemas":  many(3000, `"k%d":{}`),
		"999 schemas":   many(990, `"k%d":{}`),
		"990 typed":     many(990, `"k%d":{"type":"string","title":"t"}`),
		"huge bound":    one(`{"type":"number","maximum":1e999999}`, true),
		"huger bound":   one(`{"type":"number","multipleOf":1e-9999999}`, true),
		"wide allOf":    one(`{"allOf":[`+strings.Repeat(`{},`, 20000)+`{}]}`, true),
		"long enum":     one(`{"enum":[`+strings.Repeat(`"x",`, 499)+`"y"]}`, true),
		"enum in list": one(`{"type":"array","items":{"allOf":[`+
			strings.Repeat(`{"enum":[`+strings.Repeat(`"x",`, 200)+`"y"]},`, 60)+`{}]}}`, true),
		"unevaluated": doubling(60, `"allOf":[X],"unevaluatedProperties":X`),
		"pattern on names": one(`{"patternProperties":{`+
			strings.TrimSuffix(strings.Repeat(`"(a|b)*c":{},`, 1), ",")+`}}`, true),
		"tree of everything": `{"type":"object","properties":{"p":{"$ref":"#/$defs/t"}},"$defs":{"t":` +
			`{"type":"object","default":{"a":"` + strings.Repeat("x", 9000) + `"},"properties":{` +
			`"a":{"oneOf":[{"$ref":"#/$defs/t"},{"type":"array","items":{"$ref":"#/$defs/t"}},` +
			`{"additionalProperties":{"$ref":"#/$defs/t"},"type":"object"}]},` +
			`"b":{"$ref":"#/$defs/t"},"c":{"$ref":"#/$defs/t"},"d":{"allOf":[{"$ref":"#/$defs/t"}]},` +
			`"e":{"prefixItems":[{"$ref":"#/$defs/t"},{"$ref":"#/$defs/t"}]}}}}}`,
		"wide merges": `{"type":"object","properties":{` + repeat(90, `"p%d":{"$ref":"#/$defs/t"},`) +
			`"p":{"$ref":"#/$defs/t"}},"$defs":{"t":{` + repeat(1500, `"k%d":1,`) + `"$ref":"#/$defs/u"},` +
			`"u":{` + repeat(1500, `"l%d":1,`) + `"type":"string"}}}`,
		"repeated enum": `{"type":"object","properties":{` + repeat(90, `"p%d":{"$ref":"#/$defs/t"},`) +
			`"p":{"$ref":"#/$defs/t"}},"$defs":{"t":{"enum":["x"` + strings.Repeat(`,"x"`, 12000) + `]}}}`,
		"repeated required": `{"type":"object","properties":{"p":{"$ref":"#/$defs/t"}},"$defs":{"t":` +
			`{"type":"object","required":["x"` + strings.Repeat(`,"x"`, 9000) + `],"properties":{` +
			repeat(90, `"p%d":{"$ref":"#/$defs/t"},`) + `"p":{}}}}}`,
		"64 KiB of letters": one(`{"title":"`+strings.Repeat("x", 60000)+`"}`, true),
		"64 KiB of properties": `{"type":"object","properties":{` +
			strings.Repeat(`"p":{"type":"string"},`, 2800) + `"p":{}}}`,
		"deep": strings.Repeat(`{"properties":{"p":`, 31) + `{}` + strings.Repeat(`}}`, 31),
	}
}

// repeat returns a text n times with its number in it.
func repeat(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, text, i)
	}
	return b.String()
}

func many(n int, member string) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"p":{"properties":{`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, member, i)
	}
	b.WriteString(`}}}}`)
	return b.String()
}

func answers() map[string]string {
	return map[string]string{
		"text":    strings.Repeat("a", 100_000) + "!",
		"nested":  strings.Repeat("[", 60) + strings.Repeat("]", 60),
		"objects": strings.Repeat(`{"a":`, 60) + `{"b":1,"a":1}` + strings.Repeat("}", 60),
		"wide":    "[" + strings.Repeat("1,", 30_000) + "1]",
		"names":   `{"` + strings.Repeat("a", 100_000) + `":1}`,
		"number":  "1e400",
		"huge":    "1e999999999",
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, schema := range hostile() {
		for answer, text := range answers() {
			b.Run(name+"/"+answer, func(b *testing.B) {
				for b.Loop() {
					f, err := form.Arguments([]byte(schema))
					if err != nil {
						continue
					}
					f.Read(form.ReadEntries(sent(text), "a0"))
				}
			})
		}
	}
}

// TestHostileSchemasMakeSmallForms bounds what a page shows of a hostile schema.
func TestHostileSchemasMakeSmallForms(t *testing.T) {
	for name, schema := range hostile() {
		f, err := form.Arguments([]byte(schema))
		if err != nil {
			continue
		}
		parts, words := 0, 0
		for _, field := range f.Fields {
			for _, part := range field.All() {
				parts += 1 + len(part.Options)/20
				words += len(part.Placeholder) + len(strings.Join(part.Value, ""))
			}
		}
		if parts > 2*form.MaxWeight || words > 4*form.MaxBytes {
			t.Errorf("%s: %d parts with %d bytes", name, parts, words)
		}
	}
}

// TestHostileSchemasEnd fails if it does not end; the benchmark shows the time.
func TestHostileSchemasEnd(t *testing.T) {
	for name, schema := range hostile() {
		t.Run(name, func(t *testing.T) {
			f, err := form.Arguments([]byte(schema))
			if err != nil {
				t.Log(err) // refused at once
				return
			}
			for _, answer := range answers() {
				f.Read(form.ReadEntries(sent(answer), "a0"))
			}
		})
	}
}

func TestUnchecked(t *testing.T) {
	far := "it refers to another document, which is not fetched: %s"
	tests := map[string]string{
		hostile()["self reference"]:               "its references are too complex to be checked",
		hostile()["many schemas"]:                 "schema or value is too large to be checked",
		hostile()["many patterns"]:                "it has too many patterns to be checked",
		hostile()["huge bound"]:                   "it has a number that is too large to be checked",
		hostile()["evil pattern"]:                 "",
		hostile()["file"]:                         fmt.Sprintf(far, "file:///etc/passwd"),
		hostile()["http"]:                         fmt.Sprintf(far, "http://127.0.0.1:1/x"),
		`{"type":"object","$ref":"#/$defs/none"}`: "it has a reference that leads nowhere",
		`{"type":"object","required":1}`:          "it is not valid JSON Schema",
		`{"type":"object","$schema":"https://example.com/mine"}`: "it has the dialect " +
			"https://example.com/mine, which is not supported",
		`{"type":"object","$schema":"https://json-schema.org/draft/2020-12/schema"}`: "",
		`{"type":"object","$schema":"http://json-schema.org/draft-07/schema#"}`:      "",
		`{"type":"object","$schema":"http://json-schema.org/draft-03/schema#"}`: "it has the dialect " +
			"http://json-schema.org/draft-03/schema#, which is not supported",
	}
	for schema, want := range tests {
		f, err := form.Arguments([]byte(schema))
		if err != nil {
			t.Fatal(schema, err)
		}
		if got := f.Unchecked(); got != want {
			t.Errorf("%.200s: %q, want %q", schema, got, want)
		}
	}
}

// BenchmarkUnchecked measures what a page with one form pays.
func BenchmarkUnchecked(b *testing.B) {
	f, err := form.Arguments([]byte(one(`{"type":"string","minLength":3}`, true)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.Unchecked()
	}
}
