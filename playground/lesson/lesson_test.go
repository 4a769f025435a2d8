package lesson_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

func TestNew_BookIsComplete(t *testing.T) {
	b := book(t)
	texts, err := filepath.Glob("content/*.md")
	if err != nil {
		t.Fatal(err)
	}
	// Every text but the glossary, the quiz and Spot the fault is a lesson.
	if len(b.Lessons) < 13 || len(b.Lessons) != len(texts)-3 || len(b.Quiz) < 18 ||
		len(b.Glossary) < 30 {
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

// Every rule is explained somewhere, and a lesson is only named for a rule if one
// of its sentences is about it: the sentence has the id that the link leads to,
// and shares a word with the rule.
func TestBook_RulesLeadToTheirSentences(t *testing.T) {
	b := book(t)
	inLessons := 0
	for _, r := range rules.All() {
		path, ok := b.RulePath(r.ID)
		if !ok {
			t.Errorf("rule %s leads nowhere", r.ID)
		}
		l, taught := b.ForRule(r.ID)
		if !taught {
			if !strings.HasPrefix(path, "/learn/specification#") {
				t.Errorf("rule %s is in no lesson and leads to %s", r.ID, path)
			}
			continue
		}
		inLessons++
		id := lesson.RuleAnchor(r.ID)
		if path != l.Path()+"#"+id || strings.Count(l.HTML, `id="`+id+`"`) != 1 {
			t.Errorf("rule %s leads to %s, which is not once on the page", r.ID, path)
			continue
		}
		_, after, _ := strings.Cut(l.HTML, `id="`+id+`">`)
		sentence, _, _ := strings.Cut(after, "\n")
		about := r.ID + " " + r.Requirement
		for _, s := range spec.Sentences() {
			if slices.Contains(s.Rules, r.ID) {
				about += " " + s.Text
			}
		}
		if !shareAWord(sentence, about) {
			t.Errorf("rule %s (%s) leads to %q", r.ID, r.Requirement, sentence)
		}
	}
	if inLessons < 20 {
		t.Errorf("only %d rules are in lessons", inLessons)
	}
	for _, l := range b.Lessons {
		for _, id := range l.Rules {
			if _, ok := b.RulePath(id); !ok {
				t.Errorf("%s marks a sentence for %s, which is no rule", l.Slug, id)
			}
		}
		if strings.Contains(l.HTML+l.Plain, "{#") || strings.Contains(l.HTML+l.Plain, "{/}") {
			t.Errorf("%s shows a mark", l.Slug)
		}
	}
}

// shareAWord reports whether two texts have the beginning of a word in common,
// or an error code.
func shareAWord(a, b string) bool {
	words := regexp.MustCompile(`\b[a-z]{4,5}|-32\d+`)
	in := words.FindAllString(strings.ToLower(b), -1)
	for _, w := range words.FindAllString(strings.ToLower(a), -1) {
		if slices.Contains(in, w) {
			return true
		}
	}
	return false
}

// Names in a lesson and the examples name what the picture draws.
func TestLesson_PointsAtThePicture(t *testing.T) {
	l, _ := book(t).Lesson("one-round")
	for _, want := range []string{
		`code-sent" data-m="1.request"`, `code-received" data-m="1.response"`,
		`code-sent" data-m="2.request"`, `code-received" data-m="2.response"`,
		`<code data-point="asks">inputRequests</code>`,
	} {
		if strings.Count(l.HTML, want) != 1 && !strings.HasPrefix(want, "<code") ||
			!strings.Contains(l.HTML, want) {
			t.Errorf("lesson %s has %s %d times", l.Slug, want, strings.Count(l.HTML, want))
		}
	}
	l, _ = book(t).Lesson("why")
	if !strings.Contains(l.HTML, `<span data-point="instance-b">instance <strong>b</strong></span>`) {
		t.Error("lesson 1 does not point at instance b")
	}
	l, _ = book(t).Lesson("rounds")
	if !strings.Contains(l.HTML, `<code data-point="state">requestState</code>`) {
		t.Error("lesson 3 does not point at requestState")
	}
}

// The time of a lesson grows with its words, its code and what there is to do.
func TestLesson_Time(t *testing.T) {
	sum := 0
	b := book(t)
	for _, l := range b.Lessons {
		t.Logf("%2d %-18s %d minutes, %d actions", l.N, l.Slug, l.Minutes(), l.Actions)
		if l.Minutes() < 1 || l.Minutes() > 10 || l.Actions < 3 {
			t.Errorf("%s takes %d minutes and %d actions", l.Slug, l.Minutes(), l.Actions)
		}
		words := len(strings.Fields(l.Plain))
		if least := time.Duration(words) * time.Minute / 200; l.Time <= least {
			t.Errorf("%s takes %v; its %d words alone take %v", l.Slug, l.Time, words, least)
		}
		sum += l.Minutes()
	}
	if n := b.Minutes(); n%5 != 0 || n < sum-2 || n > sum+2 {
		t.Errorf("the lessons take about %d minutes, one by one %d", n, sum)
	}
}

// The pages' content security policy forbids inline styles.
func TestLesson_NeedsNoInlineStyle(t *testing.T) {
	unwanted := regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son[a-z]+=|<!-- raw HTML`)
	for _, l := range book(t).Lessons {
		all := []string{l.HTML, l.Question.Text}
		for _, x := range l.Listings {
			all = append(all, x.HTML())
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
		hits := search.Find(entries, tt.query)
		if len(hits) == 0 || hits[0].Title != tt.first {
			t.Errorf("%q finds %v first, want %q", tt.query, hits, tt.first)
		}
	}
	for _, query := range []string{"", "  ", "xyzzy", strings.Repeat("a ", 500)} {
		if hits := search.Find(entries, query); len(hits) > 0 &&
			strings.TrimSpace(query) != strings.TrimSpace(strings.Repeat("a ", 500)) {
			t.Errorf("%.20q finds %d", query, len(hits))
		}
	}
}

// If no entry has every word, those with the most come first. A word inside
// another does not count.
func TestSearch_FallsBackToSomeWords(t *testing.T) {
	entries := append(book(t).Entries(), search.Entry{Kind: "Term", Title: "tasking",
		Text: "The user and a task."})
	tests := []struct{ query, first string }{
		{"how do I ask the user of xyzzy", "elicitation"},
		{"explain idempotency plugh", "The same idea without MCP"},
		{"replay xyzzy", "replay"},
	}
	for _, tt := range tests {
		hits := search.Find(entries, tt.query)
		if len(hits) == 0 || hits[0].Title != tt.first || !hits[0].Partial {
			t.Errorf("%q finds %v first, want %q", tt.query, hits, tt.first)
		}
		if len(hits) > 12 {
			t.Errorf("%q finds %d", tt.query, len(hits))
		}
	}
	for _, h := range search.Find(entries, "what should I ask xyzzy") {
		if h.Title == "tasking" {
			t.Error("ask is found in task")
		}
	}
	for _, query := range []string{"stateless", "load shedding", "multi round-trip request",
		"How do I ask the user?", "what is a branch"} {
		if hits := search.Find(entries, query); len(hits) == 0 || hits[0].Partial {
			t.Errorf("%q is only partly found", query)
		}
	}
	if hits := search.Find(entries, "xyzzy of the plugh"); len(hits) > 0 {
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
		for _, h := range search.Find(b.Entries(), query) {
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
