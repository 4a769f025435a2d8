package lesson_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

func TestNew_BookIsComplete(t *testing.T) {
	b := book(t)
	texts, err := filepath.Glob("content/*.md")
	if err != nil {
		t.Fatal(err)
	}
	// Every text but the glossary, the quiz and Spot the fault is a lesson.
	if len(b.Lessons) < 13 || len(b.Lessons) != len(texts)-3 || len(b.Quiz) != 12 || len(b.Glossary) < 30 {
		t.Errorf("%d lessons, %d scenarios, %d terms", len(b.Lessons), len(b.Quiz), len(b.Glossary))
	}
	for _, l := range b.Lessons {
		words := len(strings.Fields(l.Plain))
		t.Logf("%2d %-18s %3d words, %2d claims", l.N, l.Slug, words, l.Script.Claims())
		if words >= lesson.MaxWords || words < 100 {
			t.Errorf("%s has %d words", l.Slug, words)
		}
	}
}

func TestBook_EveryRuleHasALesson(t *testing.T) {
	b := book(t)
	for _, r := range rules.All() {
		if _, ok := b.ForRule(r.ID); !ok {
			t.Errorf("rule %s is in no lesson", r.ID)
		}
	}
}

// The pages' content security policy forbids inline styles.
func TestLesson_NeedsNoInlineStyle(t *testing.T) {
	unwanted := regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son[a-z]+=|<!-- raw HTML`)
	for _, l := range book(t).Lessons {
		all := []string{l.HTML, l.Question.Text}
		for _, x := range l.Listings {
			all = append(all, x.HTML)
		}
		if found := unwanted.FindString(strings.Join(all, "")); found != "" {
			t.Errorf("%s has %q", l.Slug, found)
		}
	}
}

func TestGlossary_LinksStayOnThePage(t *testing.T) {
	b := book(t)
	ids := map[string]bool{}
	for i, term := range b.Glossary {
		ids[term.ID] = true
		if i > 0 && strings.ToLower(b.Glossary[i-1].Name) > strings.ToLower(term.Name) {
			t.Errorf("%s is not in its place", term.Name)
		}
	}
	for _, term := range b.Glossary {
		for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(term.HTML, -1) {
			if !ids[m[1]] {
				t.Errorf("%s links to %s, which is not there", term.Name, m[1])
			}
		}
	}
}

func TestSearch_FindsEveryWord(t *testing.T) {
	entries := book(t).Entries()
	tests := []struct{ query, first string }{
		{"load shedding", "load shedding"},
		{"requestState", "requestState"},
		{"REPLAY", "replay"},
		{"idempotency", "The same idea without MCP"},
	}
	for _, tt := range tests {
		hits := lesson.Search(entries, tt.query)
		if len(hits) == 0 || hits[0].Title != tt.first {
			t.Errorf("%q finds %v first, want %q", tt.query, hits, tt.first)
		}
	}
	for _, query := range []string{"", "  ", "xyzzy", strings.Repeat("a ", 500)} {
		if hits := lesson.Search(entries, query); len(hits) > 0 &&
			strings.TrimSpace(query) != strings.TrimSpace(strings.Repeat("a ", 500)) {
			t.Errorf("%.20q finds %d", query, len(hits))
		}
	}
}

// If no entry has every word, those with the most come first. A word inside
// another does not count.
func TestSearch_FallsBackToSomeWords(t *testing.T) {
	entries := append(book(t).Entries(), lesson.Entry{Kind: "Term", Title: "tasking",
		Text: "The user and a task."})
	tests := []struct{ query, first string }{
		{"how do I ask the user of xyzzy", "elicitation"},
		{"explain idempotency plugh", "The same idea without MCP"},
		{"replay xyzzy", "replay"},
	}
	for _, tt := range tests {
		hits := lesson.Search(entries, tt.query)
		if len(hits) == 0 || hits[0].Title != tt.first || !hits[0].Partial {
			t.Errorf("%q finds %v first, want %q", tt.query, hits, tt.first)
		}
		if len(hits) > 12 {
			t.Errorf("%q finds %d", tt.query, len(hits))
		}
	}
	for _, h := range lesson.Search(entries, "what should I ask xyzzy") {
		if h.Title == "tasking" {
			t.Error("ask is found in task")
		}
	}
	for _, query := range []string{"stateless", "load shedding", "multi round-trip request",
		"How do I ask the user?", "what is a branch"} {
		if hits := lesson.Search(entries, query); len(hits) == 0 || hits[0].Partial {
			t.Errorf("%q is only partly found", query)
		}
	}
	if hits := lesson.Search(entries, "xyzzy of the plugh"); len(hits) > 0 {
		t.Errorf("nonsense finds %v", hits)
	}
}

func FuzzSearch(f *testing.F) {
	b, err := lesson.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("state … ü")
	f.Fuzz(func(t *testing.T, query string) {
		for _, h := range lesson.Search(b.Entries(), query) {
			if h.Title == "" || h.Path == "" {
				t.Errorf("hit %+v", h)
			}
		}
	})
}

func TestProgress_RoundTripsThroughItsCookie(t *testing.T) {
	p := lesson.Progress{"why": {"x1", 1}, "rounds": {"", 3}}
	got := lesson.ParseProgress(p.String())
	if got["why"] != p["why"] || got["rounds"] != p["rounds"] || len(got) != 2 {
		t.Errorf("%q reads as %v", p.String(), got)
	}
	for _, text := range []string{"", "~~~", "a.b", "a.b.c", "why.x.99", "why.<b>.1",
		strings.Repeat("x", 5000)} {
		if got := lesson.ParseProgress(text); len(got) != 0 {
			t.Errorf("%.20q reads as %v", text, got)
		}
	}
}

func TestProgress_Current(t *testing.T) {
	b := book(t)
	p := lesson.Progress{}
	if here := p.Current(b); here.N != 1 {
		t.Errorf("a beginner is in lesson %d", here.N)
	}
	first := b.Lessons[0]
	for i, a := range first.Question.Answers {
		p[first.Slug] = lesson.Mark{Answer: i + 1}
		if p.Done(first) != a.Right {
			t.Errorf("answer %d: done is %v", i+1, p.Done(first))
		}
	}
}

// BenchmarkNew measures what the lessons add to the start of the program.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := lesson.New(); err != nil {
			b.Fatal(err)
		}
	}
}
