package flow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// script is a Turn that has all answers.
type script struct {
	answers map[string]flow.Answer
	waits   float64 // seconds
}

func (s *script) Ask(context.Context, []flow.Asked) (map[string]flow.Answer, error) {
	return s.answers, nil
}

func (s *script) Forget(string) {}

func (s *script) Shed(context.Context, string) (string, error) { return "a/v1", nil }

func (s *script) Progress(_ context.Context, r flow.Report) error {
	s.waits += r.Wait.Seconds()
	return nil
}

// runAll runs every version of a flow with arguments and its example answers.
func runAll(f *flow.Flow, arguments map[string]any) (texts []string, err error) {
	for i := range f.Versions {
		v := &f.Versions[i]
		s, r := &script{answers: v.ExampleAnswers()}, v.Start(arguments, "a/"+v.Name)
		e, err := r.Call(context.Background(), s)
		if e == nil && err == nil {
			e, err = r.Task(context.Background(), s)
		}
		if err != nil {
			return nil, err
		}
		if s.waits > 60 {
			return nil, fmt.Errorf("waited for %v seconds", s.waits)
		}
		texts = append(texts, e.Text)
	}
	return texts, nil
}

// read reads a flow that no reviewer has seen.
func read(t *testing.T, rest string) *flow.Flow {
	t.Helper()
	f, problems := flow.Parse([]byte(`{"flow":1,"name":"x",`+rest+`}`), nil)
	if f == nil {
		t.Fatal(problems)
	}
	return f
}

func repeated(n int, s, separator string) string {
	return strings.TrimSuffix(strings.Repeat(s+separator, n), separator)
}

// What expressions compute and texts say has a limit, whatever they are given.
func TestRun_Costs(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	sum := repeated(60, "args.s", "+")
	conditions := repeated(60, `{"progress":"p","when":"len(`+sum+`) > 0"}`, ",")
	for name, test := range map[string]struct{ rest, want string }{
		"a value": {`"steps":[],"result":"{{args.s}}"`, "A text of the flow is too long"},
		"a sum":   {`"steps":[],"result":"{{` + sum + `}}"`, "The values of this call are too long"},
		"many sums": {`"steps":[` + conditions + `],"result":"r"`,
			"The values of this call are too long"},
		"many values": {`"steps":[],"result":"` + repeated(300, "{{args.s}}", "") + `"`,
			"A text of the flow is too long"},
		"lists": {`"steps":[],"result":"{{args.l}}"`, "A text of the flow is too long"},
		"many searches": {`"steps":[` + repeated(60, `{"progress":"p","when":"version in args.s"}`,
			",") + `],"result":"r"`, "The values of this call are too long"},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, `"arguments":{"s":{},"l":{"items":{}}},`+test.rest)
			var list []any
			for range 100 {
				list = append(list, long[:1000])
			}
			_, err := runAll(f, map[string]any{"s": long, "l": list})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if texts, err := runAll(f, map[string]any{"s": "x", "l": []any{"x"}}); err != nil {
				t.Errorf("with short values: %q %v", texts, err)
			}
		})
	}
	f := read(t, `"steps":[`+repeated(64, `{"progress":"{{args.s}}"}`, ",")+
		`],"arguments":{"s":{}},"result":"r"`)
	if _, err := runAll(f, map[string]any{"s": long[:2000]}); err == nil ||
		!strings.Contains(err.Error(), "The texts of the flow are too long") {
		t.Errorf("64 texts of 2000 bytes: %v", err)
	}
}

// Values that do not have their type count as absent, and never reach an operator.
func TestRun_WrongValues(t *testing.T) {
	f := read(t, `"arguments":{"s":{},"n":{"type":"number"},"b":{"type":"boolean"},
		"l":{"items":{}},"m":{"type":"object","additionalProperties":{"type":"number"}}},"steps":[],
		"result":"{{args.s + version}} {{args.n * 2}} {{args.b}} {{len(args.l)}} `+
		`{{'x' in args.m}} {{args.m.x + 1}}"`)
	for _, arguments := range []map[string]any{
		nil, {"s": 1.0, "n": "1", "b": "true", "l": "ab", "m": []any{1.0}},
		{"s": nil, "n": true, "b": 1.0, "l": map[string]any{}, "m": "x"},
	} {
		texts, err := runAll(f, arguments)
		if err != nil || texts[0] != "v1 0 false 0 false 1" {
			t.Errorf("%v: %q %v", arguments, texts, err)
		}
	}
}

// Items of another type are empty, and a value that is no number equals
// nothing.
func TestRun_OddValues(t *testing.T) {
	f := read(t, `"arguments":{"l":{"items":{}},"n":{"type":"number"}},"steps":[],
		"result":"{{args.l}} {{'' in args.l}} {{args.n * 10 - args.n * 10 == 0}} `+
		`{{args.n * 10 - args.n * 10 == args.n * 10 - args.n * 10}} {{args.n * 10 > args.n}}"`)
	texts, err := runAll(f, map[string]any{"l": []any{"a", 1.0, nil}, "n": 1e308})
	if err != nil || texts[0] != "a, ,  true false false true" {
		t.Errorf("%q %v", texts, err)
	}
}

// A prediction shows the limits of a call, as its server does.
func TestPredict_Limits(t *testing.T) {
	f := read(t, `"arguments":{"s":{}},"steps":[{"roots":"r"}],"result":"{{args.s}}"`)
	v := &f.Versions[0]
	rounds := v.Predict(map[string]any{"s": strings.Repeat("a", 20<<10)}, v.ExampleAnswers())
	last := rounds[len(rounds)-1].Ending
	if len(rounds) != 2 || last == nil || !last.Error ||
		last.Text != "A text of the flow is too long with the values of this call." {
		t.Errorf("%+v", rounds)
	}
}
