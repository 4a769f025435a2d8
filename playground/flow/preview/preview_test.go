package preview_test

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/preview"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// The preview of every starting point is an exchange that ends, with the rounds
// that are predicted, and no rule finds anything in it.
func TestExchange_OfExamples(t *testing.T) {
	for _, e := range flow.Examples() {
		f, problems := review.Parse([]byte(e.Source))
		if f == nil {
			t.Fatal(problems)
		}
		for i := range f.Versions {
			v := &f.Versions[i]
			t.Run(e.Slug+" "+v.Name, func(t *testing.T) {
				x := preview.Exchange(preview.Input{
					Flow: f, Version: v, Answers: v.ExampleAnswers(), At: time.Unix(1_800_000_000, 0),
					Target: playground.Target{
						Name: "Flow", URL: "http://127.0.0.1:2322/mcp/flow/x",
						Capabilities: playground.Declare(playground.Declarable()),
					},
				})
				got, want := x.Fold(), v.Predict(f.Example(), v.ExampleAnswers())
				if got.Status != playground.StatusComplete || len(got.Rounds) < len(want) {
					t.Errorf("%s after %d rounds, want %d", got.Status, len(got.Rounds), len(want))
				}
				for _, finding := range rules.Judge(x) {
					if finding.Verdict == verdict.Failed {
						t.Errorf("%s: %s", finding.Rule, finding.Text)
					}
				}
			})
		}
	}
}
