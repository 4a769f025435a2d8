package check_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// TestRun_QuotesTheErrorOfTheBaseline: the report says in the tool's words why the right
// call does not work, shortened and made harmless, in every format.
func TestRun_QuotesTheErrorOfTheBaseline(t *testing.T) {
	for words, want := range map[string]string{
		"The code was refused.": `The right call ended with a tool error: "The code was refused." Other`,
		"no such code":          `The right call ended with a tool error: "no such code". Other`,
		"":                      "The right call ended with a tool error. Other",
		"\u202eevil\x1b[2J " + strings.Repeat("x", 5000): "xxx…\" Other",
	} {
		parallel(t, words, func(t *testing.T) {
			clock := newClock()
			r := checked(t, clock, odd(fakeServer{now: clock.Now},
				func(w http.ResponseWriter, _ *http.Request, m message) bool {
					fails := m.Params.InputResponses["who"] != nil
					if fails {
						answer(w, m, `{"resultType":"complete","isError":true,"content":`+
							`[{"type":"text","text":`+string(jsontree.Quote(words))+`}]}`)
					}
					return fails
				}))
			var junit bytes.Buffer
			if err := r.Verdict().WriteJUnit(&junit); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(r.Detail, want) || len(r.Detail) > 500 ||
				strings.ContainsAny(r.Detail, "\x1b\u202e") {
				t.Errorf("%q", r.Detail)
			}
			if r.Worked || r.Document().Detail != r.Detail ||
				!strings.Contains(junit.String(), "with a tool error") {
				t.Errorf("%s\n%s", r.Document().Detail, junit.String()[:600])
			}
		})
	}
}

// TestRun_SaysOnceWhichCallWorks: the right call works, and the one with another choice
// that the experiments go on from does not. The two are not mixed up.
func TestRun_SaysOnceWhichCallWorks(t *testing.T) {
	parallel(t, "azure-devops", func(t *testing.T) {
		b := newBench(t)
		p := b.plan(t, "azure-devops", "")
		p.Answers = nil
		r := checkOf(t, b.config, p)
		var junit bytes.Buffer
		if err := r.Verdict().WriteJUnit(&junit); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"Baseline: the correct call, tools/call update_work_item, completed in 2 rounds. " +
				"The experiments go on from the same call with another choice, made ",
			" times, which ended with a tool error after 3 rounds.",
			"The call with the other choice ended with a tool error: ",
			`"duplicate_of" looks like a placeholder`,
		} {
			if said := r.Compared + "\n" + r.Detail; !strings.Contains(said, want) {
				t.Errorf("%q is not in\n%s", want, said)
			}
		}
		if !r.Verdict().OK() || !strings.Contains(junit.String(), "The call with the other choice") {
			t.Errorf("%t, %s\n%s", r.Verdict().OK(), r.Status, junit.String()[:600])
		}
	})
}
