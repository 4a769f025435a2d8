package flow_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
)

// Each starting point is valid in every version, and its prepared answers lead
// to its end.
func TestExamples_AreComplete(t *testing.T) {
	if len(flow.Examples()) < 12 {
		t.Fatalf("%d starting points, want a dozen", len(flow.Examples()))
	}
	for _, e := range flow.Examples() {
		t.Run(e.Slug, func(t *testing.T) {
			f, problems := review.Parse([]byte(e.Source))
			for _, p := range problems {
				t.Error(p)
			}
			if f == nil {
				return
			}
			again, problems := review.Parse(f.JSON())
			if again == nil {
				t.Fatalf("as JSON: %v", problems)
			}
			for i := range f.Versions {
				v := &f.Versions[i]
				rounds := v.Predict(f.Example(), v.ExampleAnswers())
				last := rounds[len(rounds)-1]
				if last.Ending == nil || last.Ending.Error {
					t.Errorf("%s ends with %+v", v.Name, last)
				} else {
					t.Logf("%s: %d rounds: %s", v.Name, len(rounds), last.Ending.Text)
				}
			}
		})
	}
}

// Editors complete and check a flow by the schema, so it must allow what Parse
// allows, and know every word of it.
func TestSchema_FitsTheFormat(t *testing.T) {
	for _, e := range flow.Examples() {
		f, _ := review.Parse([]byte(e.Source))
		if fit, err := form.Conforms(flow.Schema, f.JSON()); err != nil || len(fit.All()) > 0 {
			t.Errorf("%s: %v %v", e.Slug, fit, err)
		}
	}
	for _, wrong := range []string{
		`{"flow": 1, "name": "x"}`, `{"flow": 1, "name": "x", "result": "a", "stepz": []}`,
		`{"flow": 1, "name": "x", "result": "a", "steps": [{"form": "a"}]}`,
		`{"flow": 1, "name": "x", "result": "a", "steps": [{"roots": "a", "shed": "b"}]}`,
		`{"flow": 1, "name": "x", "result": {"text": "a", "error": "b"}}`,
	} {
		if fit, err := form.Conforms(flow.Schema, []byte(wrong)); err != nil || len(fit.All()) == 0 {
			t.Errorf("the schema allows %s (%v)", wrong, err)
		}
	}
}
