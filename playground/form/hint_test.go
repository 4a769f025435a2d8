package form

import "testing"

func TestHint_Bounds(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"integer","exclusiveMinimum":0,"maximum":9007199254740991}`: "whole " +
			"number, more than 0",
		`{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}`: "whole number",
		`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`: "number, " +
			"more than 0 and less than 1",
		`{"type":"number","minimum":0,"exclusiveMaximum":1}`: "number, 0 " +
			"or more and less than 1",
		`{"type":"integer","minimum":1,"maximum":10}`: "whole " +
			"number, 1 to 10",
		`{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991.0}`: "whole " +
			"number, 9007199254740991.0 or less",
		`{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10,"description":"d"}`: "whole " +
			"number, more than 0 and less than 10",
	} {
		f, err := Arguments([]byte(`{"type":"object","properties":{"n":` + schema + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Fields[0]; got.Hint != want || got.Unknown != nil {
			t.Errorf("%s: %q, unknown %s", schema, got.Hint, got.Unknown)
		}
	}
	f, err := Question([]byte(`{"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":0}}}`))
	if err != nil || f.Fields[0].Unknown == nil {
		t.Errorf("outside the subset of a question: %s, %v", f.Fields[0].Unknown, err)
	}
}
