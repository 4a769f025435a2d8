package flow_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// behaviors returns the sections of testdata/behavior.txt: the beginning of all flows,
// and then one flow each with its name, and with answers if it has questions.
func behaviors(t testing.TB) (beginning string, sections []string) {
	t.Helper()
	b, err := os.ReadFile("testdata/behavior.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(b), "\n== ")
	return all[0] + "\n", all[1:]
}

// A server does the same as the prediction with refusals, missing values and every
// operation of expressions, for clients with and without tasks.
func TestServer_Behavior(t *testing.T) {
	beginning, sections := behaviors(t)
	for _, section := range sections {
		name, rest, _ := strings.Cut(section, "\n")
		bubble(t, name, func(t *testing.T) {
			answers := map[string]flow.Answer{}
			first, more, _ := strings.Cut(rest, "\n")
			if given, ok := strings.CutPrefix(first, "answers: "); ok {
				rest = more
				if err := json.Unmarshal([]byte(given), &answers); err != nil {
					t.Fatal(err)
				}
			}
			without, _, _ := strings.Cut(capabilities, `,"extensions"`)
			for _, declared := range []string{capabilities, without + "}"} {
				s := newServer(t)
				f := s.add("x", beginning+rest)
				s.driver.Decide = drive.Answers(s.answer(answers))
				x := s.call("flow-x", "")
				x.Target.Capabilities = json.RawMessage(declared)
				x, err := s.driver.To(t.Context(), x, playground.MaxRounds)
				if err != nil {
					t.Fatal(err)
				}
				want := predicted(f.Version("v1").Predict(f.Example(), answers))
				if got := served(x); !slices.Equal(got, want) {
					t.Errorf("\n got %q\nwant %q", got, want)
				}
			}
		})
	}
}
