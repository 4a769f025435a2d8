package capture

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// places are the requests of a run, in order, and where each is found.
type places struct {
	run      string
	contacts []Contact
	index    map[rules.Recorded]int // of contacts
}

func newPlaces(r Run) places {
	p := places{r.Scenario, r.Report.Contacts(), map[rules.Recorded]int{}}
	for i, c := range slices.Backward(p.contacts) {
		p.index[rules.Recorded{Exchange: c.Exchange, Conn: c.Conn}] = i
	}
	return p
}

// where returns a request, with its number among the contacts.
func (p places) where(at rules.Recorded) verdict.Place {
	i, ok := p.index[at]
	if !ok || at.Conn == 0 {
		return verdict.Place{Run: p.run}
	}
	c := p.contacts[i]
	return verdict.Place{
		Run: p.run, Request: i + 1, Method: c.Method, Name: playground.NameIn(c.Method, c.Sent.Get("params")),
		Lines: c.RequestSeq == 0,
	}
}
