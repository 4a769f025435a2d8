package form_test

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

func TestReadInputs(t *testing.T) {
	values := url.Values{}
	for name, value := range map[string]string{
		form.ActionName(1): "accept", form.TextName(1): "text", form.CannedName(1): "canned",
		form.ToolName(1):      "tool",
		form.ArgumentsName(1): "{}", form.RawName(1): "true", form.JSONName(1): "[]",
		form.Name(form.Prefix(1), 0): "zero", form.EmptyName(form.Prefix(1), 2): "true",
		form.ActionName(0): "decline", form.Name(form.Prefix(0), 12): "twelve",
		"a1": "x", "a01.text": "x", "a-1.text": "x", "b1.text": "x", "a1.f": "x", "a1.f01": "x",
		"a1.f-1": "x", "a1.f1.other": "x",
		"a99999999999999999999.text": "x",
	} {
		values.Set(name, value)
	}
	values[form.URIName(1)], values[form.RootName(1)] = []string{"file:///a", "file:///b"}, []string{"A"}
	want := form.Input{
		Action: "accept", Text: "text", Canned: "canned", Tool: "tool", Arguments: "{}",
		Raw: true, JSON: "[]",
		URIs: []string{"file:///a", "file:///b"}, Names: []string{"A"},
		Fields: form.Entries{0: {Values: []string{"zero"}}, 2: {Empty: true}},
	}
	inputs := form.ReadInputs(values)
	got, ok := inputs.For(1, "key")
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("question 1: %v -want +got:\n%s", ok, diff)
	}
	got, _ = inputs.For(0, "key")
	want = form.Input{Action: "decline", Fields: form.Entries{12: {Values: []string{"twelve"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("question 0: -want +got:\n%s", diff)
	}
	if got, ok := inputs.For(7, "key"); !ok || !cmp.Equal(form.Input{}, got) {
		t.Errorf("a question without input: %v, %v", got, ok)
	}
}

// TestInputsFor reads a question where the page had it.
func TestInputsFor(t *testing.T) {
	tests := []struct {
		name, key, form string
		i               int
		want            string // text of the input; "-" if the page did not have the question
	}{
		{"at its place", "5", "a0.key=5&a1.key=6&a0.text=A&a1.text=B", 0, "A"},
		{"another was asked before it", "6", "a0.key=6&a0.text=A", 1, "A"},
		{"one before it was withdrawn", "6", "a0.key=5&a1.key=6&a0.text=A&a1.text=B", 0, "B"},
		{"not on the page", "7", "a0.key=5&a1.key=6&a2.text=C", 2, "-"},
		{"a page without keys", "7", "a2.text=C", 2, "C"},
		{"a key twice", "5", "a0.key=5&a1.key=5&a0.text=A&a1.text=B", 1, "A"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values, err := url.ParseQuery(test.form)
			if err != nil {
				t.Fatal(err)
			}
			in, ok := form.ReadInputs(values).For(test.i, test.key)
			got := in.Text
			if !ok {
				got = "-"
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
