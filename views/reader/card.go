package reader

import (
	"strings"

	resultview "github.com/mrtr-playground/mrtr-playground/views/result"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// NewCard returns the preview image of a share without its pictures: the event,
// in one sentence, and its result. A title that the owner gave comes first.
func NewCard(v share.View, s session.Session) picture.Card {
	shown := Input{View: v, Session: s}.shown()
	card := picture.Card{Title: prose.TitleOr(s.Title), Line: DescribeShare(v, s),
		Foot: "Step through the recording"}
	switch {
	case v.Kind == share.KindBoard:
		card.Foot = "Open the results board"
	case v.Kind == share.KindFlow:
		card.Foot = "Read the flow, or fork it and run it"
	case v.Kind == share.KindDemo:
		story, _ := demo.Stage{Story: v.Demo.Story, Text: v.Demo.Text}.Played()
		own := s.Exchanges[v.Demo.Own-1]
		cardWords(
			&card,
			strings.TrimSuffix(s.Title, " (demo)"),
			story.Title,
			story.Claim,
			narrate.Call(own.Target, own.Fold()),
		)
		card.Foot = "Demo: " + story.Title
	case v.Kind == share.KindCompare || len(shown) == 0:
	default:
		x := s.Exchanges[shown[0]-1]
		f := x.Fold()
		if f.Last() == nil {
			break
		}
		happened, came := narrate.Call(x.Target, f), ""
		if last := f.Last(); happened != "" {
			came = strings.Join(narrate.Result(resultview.FinalOf(*last)), " ")
		} else {
			came = narrate.Recorded(x.Target, f, len(f.Rounds)-1).Sentence
		}
		name := prose.Heading(x.Call)
		cardWords(&card, s.Title, name, happened, came)
		card.Foot = aboutCall(x, name)
	}
	if s.Imported {
		card.Foot += " (imported)"
	}
	return card
}

// cardWords sets the words of a card: the event and its result, or below a
// title that the owner gave, the event. given is the title that a session has
// without its owner.
func cardWords(c *picture.Card, title, given, happened, came string) {
	switch {
	case happened == "":
		c.Line = came
	case title != "" && title != given:
		c.Line = happened
	default:
		c.Title, c.Line = happened, came
	}
}

// aboutCall names a call and its server.
func aboutCall(x playground.Exchange, name string) string {
	return text.Visible(name, 60) + ", " + text.Visible(x.Target.Name, 80)
}
