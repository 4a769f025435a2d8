package views_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
)

// TestCard_SaysWhatHappened: the preview image of a link opens with what happened,
// unless the owner named it, and of a demo with what the demo claims.
func TestCard_SaysWhatHappened(t *testing.T) {
	b := newFixtures(t)
	done := b.recording("azure-devops")
	open := session.Session{Title: "update_work_item"}
	open.Exchanges = append(open.Exchanges, upTo(b.recorded("azure-devops"), 1))
	const words = "Three requests, two instances, nothing remembered in between."
	view := share.View{Kind: share.KindExchange, Shown: []int{1}}
	demo := share.View{Kind: share.KindDemo, Shown: []int{1}, Demo: &share.Demo{Story: "azure-devops",
		Own: 1}}
	for _, c := range []struct {
		name, title       string
		view              share.View
		session           session.Session
		big, below, lower string
	}{
		{"finished", "update_work_item", view, done, words,
			"Bug #4522 resolved as Duplicate of Bug #4301.", "update_work_item, Azure DevOps (sample)"},
		{"named", "Look at this", view, done, "Look at this", words,
			"update_work_item, Azure DevOps (sample)"},
		{"waiting", "update_work_item", view, open, "update_work_item", "resolution",
			"update_work_item, Azure DevOps (sample)"},
		{"demo", "Azure DevOps", demo, done, "Kill the server that asked. The call still completes.", words,
			"Demo: Azure DevOps"},
	} {
		c.session.Title = c.title
		card := readerview.NewCard(c.view, c.session)
		if card.Title != c.big || !strings.Contains(card.Line, c.below) || card.Foot != c.lower {
			t.Errorf("%s: %q, %q, %q", c.name, card.Title, card.Line, card.Foot)
		}
	}
}
