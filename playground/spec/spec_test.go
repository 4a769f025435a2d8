package spec_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

func TestSentences_AreWhole(t *testing.T) {
	levels := []spec.Level{spec.Must, spec.MustNot, spec.Should, spec.ShouldNot}
	parties := []spec.Party{spec.Client, spec.Server, spec.Both}
	id := regexp.MustCompile(`^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, s := range spec.Sentences() {
		if !id.MatchString(s.ID) || seen[s.ID] {
			t.Errorf("%s: the id has another form or is used twice", s.ID)
		}
		seen[s.ID] = true
		if s.Page == "" || s.Anchor == "" {
			t.Errorf("%s has no page or anchor", s.ID)
		}
		if !slices.Contains(levels, s.Level) || !slices.Contains(parties, s.Party) {
			t.Errorf("%s: level %q, party %q", s.ID, s.Level, s.Party)
		}
		if (len(s.Rules) > 0) == (s.Reason != "") {
			t.Errorf("%s needs either rules or a reason", s.ID)
		}
		for _, text := range []string{s.Text, s.Client, s.Samples, s.Reason, s.Unseen} {
			if fault := wording(text); fault != "" {
				t.Errorf("%s: %q %s", s.ID, text, fault)
			}
		}
		if s.Text == "" {
			t.Errorf("%s has no text", s.ID)
		}
	}
}

// wording returns the fault of a text of the table, or "".
func wording(text string) string {
	switch {
	case text == "" || text == spec.Kept || text == spec.Unused:
		return ""
	case !strings.HasSuffix(text, "."):
		return "does not end with a period"
	case regexp.MustCompile(`\b(MUST|SHOULD|MAY|REQUIRED)\b`).MatchString(text):
		return "repeats the keyword, which the level says"
	}
	return ""
}

func TestSentences_SayWhetherThisProductKeepsThem(t *testing.T) {
	for _, s := range spec.Sentences() {
		client, server := s.Party != spec.Server, s.Party != spec.Client
		if client != (s.Client != "") || server != (s.Samples != "") {
			t.Errorf("%s is for %s; client %q, samples %q", s.ID, s.Party, s.Client, s.Samples)
		}
		if !client && s.Unseen != "" {
			t.Errorf("%s does not bind clients and says why the client test does not show it", s.ID)
		}
	}
}

func TestPages_HaveSentences(t *testing.T) {
	paths, total := map[string]bool{}, 0
	for _, p := range spec.Pages() {
		if len(p.Sentences) == 0 || p.Title == "" || paths[p.Path] {
			t.Errorf("page %q: %d sentences, title %q", p.Path, len(p.Sentences), p.Title)
		}
		paths[p.Path] = true
		total += len(p.Sentences)
		for _, s := range p.Sentences {
			if s.Page != p.Path || !strings.HasPrefix(s.ID, p.Name+".") {
				t.Errorf("%s is on page %q of %q", s.ID, s.Page, p.Path)
			}
			if !strings.HasPrefix(s.Link(), p.Link()+"#") {
				t.Errorf("%s links to %s", s.ID, s.Link())
			}
		}
	}
	if total != len(spec.Sentences()) || total < 250 {
		t.Errorf("%d sentences on the pages, %d in all", total, len(spec.Sentences()))
	}
}

// Sections of one page follow each other as on the page: the same anchor does
// not come back after another one.
func TestPages_KeepSectionsTogether(t *testing.T) {
	for _, p := range spec.Pages() {
		var anchors []string
		for _, s := range p.Sentences {
			anchors = append(anchors, s.Anchor)
		}
		once := slices.Compact(anchors)
		slices.Sort(once)
		if n := len(slices.Compact(slices.Clone(once))); n != len(once) {
			t.Errorf("%s: a section is in %d places too many", p.Path, len(once)-n)
		}
	}
}
