package web_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TestExperimentsGiveTheOutcomeOfTheTable makes every experiment by its button
// on the page, in each of the three protections, and holds what came of it
// against the table in the code.
func TestExperimentsGiveTheOutcomeOfTheTable(t *testing.T) {
	for _, mode := range []playground.Protection{playground.Plain, playground.Signed, playground.Sealed} {
		for _, slug := range []string{"azure-devops", "voucher"} {
			t.Run(string(mode)+"/"+slug, func(t *testing.T) {
				t.Parallel()
				s := newSite(t, web.Local)
				original := s.inMode(slug, mode)
				before := s.get(original).body
				for _, e := range playground.Experiments() {
					s.tries(original, slug, mode, e)
				}
				if after := s.get(original).body; rounds(after) != rounds(before) {
					t.Error("the original did not stay as it was")
				}
			})
		}
	}
}

// inMode makes the sample's own call in a protection and answers it to its end.
func (s *site) inMode(slug string, mode playground.Protection) string {
	s.t.Helper()
	s.post("/exchanges", "sample="+slug)
	s.post(s.last+"/redrive", "state="+string(mode))
	path := s.last
	answers := map[string][]string{"azure-devops": {"Duplicate", "4301"}, "voucher": {"true"}}
	for i, answer := range answers[slug] {
		got := s.post(path+"/rounds", fmt.Sprintf("round=%d&a0.action=accept&a0.f0=%s", i+1, answer))
		if got.status != 303 {
			s.t.Fatalf("round %d: %d", i+1, got.status)
		}
	}
	return path
}

func rounds(body string) string {
	return strings.Join(regexp.MustCompile(`data-round="\d+" data-outcome="\w+"`).FindAllString(body, -1), " ")
}

// tries makes one experiment from the first Round that has it.
func (s *site) tries(original, slug string, mode playground.Protection, e playground.Experiment) {
	s.t.Helper()
	for n := range 3 {
		got := s.post(original+"/branches", fmt.Sprintf("round=%d&experiment=%s", n, e.ID))
		if got.status != 303 {
			continue
		}
		page := s.get(s.last).body
		want := fmt.Sprintf(`data-reaction="%s"`, e.Outcome(mode, slug))
		if !strings.Contains(page, want) || !strings.Contains(page, "data-foreseen") {
			s.t.Errorf("%s from round %d: want %s, got %s", e.ID, n, want, regexp.MustCompile(`data-reaction="\w*"|data-verdict="\w+"`).FindString(page))
		}
		return
	}
	if slug == "azure-devops" {
		s.t.Errorf("%s was never made", e.ID)
	}
}
