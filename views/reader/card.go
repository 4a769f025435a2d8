package reader

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	resultview "github.com/mrtr-playground/mrtr-playground/views/result"
)

// NewCard returns the preview image of a share without its pictures: the event,
// in one sentence, and its result. A title that the owner gave comes first.
func NewCard(v share.View, s session.Session) picture.Card {
	shown := Input{View: v, Session: s}.Exchanges()
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

// Card draws the preview image of a share. instances returns the topology of the sample
// that an exchange talks to, or "" for other servers.
func Card(v share.View, s session.Session, instances func(playground.Exchange) string) ([]byte, error) {
	c := NewCard(v, s)
	switch v.Kind {
	case share.KindBoard:
		c.Parts = cardParts(v, s)
	case share.KindCompare:
		c.Pictures = Pictures(v, s, instances)
	default:
		c.Pictures = []picture.Picture{wholePicture(v, s, instances)}
	}
	return c.PNG()
}

// wholePicture returns the whole call of a share in one drawing, as the page of
// a call that has ended shows it: of a demo with what happened to its instances
// on the way.
func wholePicture(
	v share.View, s session.Session, instances func(playground.Exchange) string,
) picture.Picture {
	x := s.Exchanges[v.Shown[0]-1]
	f := x.Fold()
	o := picture.StageOptions{
		Instances: picture.ParseInstances(instances(x)), Events: picture.EventsOf(x, f),
	}
	if v.Demo != nil {
		if t, ok := demo.FromShare(v, s); ok {
			o.Events = picture.StageEvents(t.Stage.History(t.Story, t.Newest()))
		}
	}
	return picture.Stage(x, f, o)
}

// Pictures returns the diagrams of a share: none of a board, two of a compare
// and one of anything else.
func Pictures(
	v share.View, s session.Session, instances func(playground.Exchange) string,
) []picture.Picture {
	of := func(n int) picture.Picture {
		x := s.Exchanges[n-1]
		return picture.Of(x, x.Fold(), picture.Options{Instances: picture.ParseInstances(instances(x))})
	}
	switch v.Kind {
	case share.KindBoard:
		return nil
	case share.KindCompare:
		a, b := of(v.Shown[0]), of(v.Shown[1])
		a.ID, b.ID = "a", "b"
		return []picture.Picture{a, b}
	}
	return []picture.Picture{of(v.Shown[0])}
}

// cardParts returns the counts of a board for its picture.
func cardParts(v share.View, s session.Session) []picture.CardPart {
	counts := BoardReport(v, s).Experiments().Counts()
	var list []picture.CardPart
	for _, o := range verdict.Outcomes() {
		if n := counts.Of(o); n > 0 {
			list = append(list, picture.CardPart{N: n, Words: o.Count(n), Colour: cardColours[o]})
		}
	}
	return list
}

// cardColours are the colors of the outcomes in the picture of a board.
var cardColours = map[verdict.Outcome]string{
	verdict.Failed: "fail", verdict.Advisory: "muted", verdict.Passed: "pass", verdict.Stopped: "ink",
	verdict.NotJudged: "edge", verdict.NotReached: "edge", verdict.NotApplicable: "rule",
}

// aboutCall names a call and its server.
func aboutCall(x playground.Exchange, name string) string {
	return text.Visible(name, 60) + ", " + text.Visible(x.Target.Name, 80)
}
