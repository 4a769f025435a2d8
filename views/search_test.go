package views_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
)

func hitsOf(kind string, n int, titles ...string) []search.Hit {
	var list []search.Hit
	for i := range n {
		title := fmt.Sprint(kind, i)
		if i < len(titles) {
			title = titles[i]
		}
		list = append(list, search.Hit{Entry: search.Entry{Kind: kind, Title: title}})
	}
	return list
}

// TestNewPaletteEntry_LosesNoWord: the word at which a text is cut is found, too.
func TestNewPaletteEntry_LosesNoWord(t *testing.T) {
	e := historyview.NewPaletteEntry(search.Entry{Title: "x", Text: "A server seals the requestState"}, 24)
	if e.About != "A server seals the reque…" || e.Words != "requeststate" {
		t.Errorf("%q, %q", e.About, e.Words)
	}
}

func TestNewSearch_GroupsByKind(t *testing.T) {
	hits := append(hitsOf("Tool", 20), append(hitsOf("Term", 6), hitsOf("Lesson", 2)...)...)
	s := learnview.NewSearch("state", "", hits)
	got := ""
	for _, g := range s.Groups {
		got += fmt.Sprintf("%s %d+%d, ", g.Title, len(g.Hits), g.More)
	}
	if want := "Lessons 2+0, Glossary 6+0, Tools 5+15, "; got != want || s.Total != 28 {
		t.Errorf("%d: %s", s.Total, got)
	}
	if s = learnview.NewSearch("state", "Tool", hits); len(s.Groups) != 1 || len(s.Groups[0].Hits) != 20 {
		t.Errorf("of one kind: %+v", s.Groups)
	}
	best := hitsOf("Tool", 2)
	best[1].Score = 9
	s = learnview.NewSearch("Go", "", append(hitsOf("Term", 1), best...))
	if s.Groups[0].Title != "Tools" {
		t.Errorf("the kind with the best result is not first: %+v", s.Groups)
	}
}

// TestEntry_OfACheck: how the correct call of a check ended is not how the check did.
func TestEntry_OfACheck(t *testing.T) {
	row := rowOf(0)
	call := historyview.SessionRow{Title: "Check of a tool", First: &row.Exchanges[0]}
	check := call
	check.What = "Check"
	word := standing.OfRow(row.Exchanges[0]).Word
	if of := call.Entry("now").Text; !strings.Contains(of, word) {
		t.Errorf("a call: %q does not say %q", of, word)
	}
	if of := check.Entry("now"); strings.Contains(of.Title+of.Text, word) {
		t.Errorf("a check: %q, %q", of.Title, of.Text)
	}
}
