package capture

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// places are the requests of a run, in order, and where each is found.
type places struct {
	run      string
	contacts []Contact
	index    map[connID]int // of contacts
	calls    map[string]*playground.Transcript
}

// connID names a connection of a log.
type connID struct {
	exchange string
	conn     int
}

func newPlaces(r Run) places {
	p := places{r.Scenario, r.Report.Contacts(), map[connID]int{}, map[string]*playground.Transcript{}}
	for i, c := range slices.Backward(p.contacts) {
		p.index[connID{c.Exchange, c.Conn}] = i
	}
	for i := range r.Report.Calls {
		p.calls[r.Report.Calls[i].Exchange.ID] = &r.Report.Calls[i].Transcript
	}
	return p
}

// evidence returns the request that a finding is about.
func (p places) evidence(f Finding) Evidence {
	if f.Conn != 0 {
		return Evidence{Exchange: f.Exchange, Conn: f.Conn}
	}
	if t := p.calls[f.Exchange]; t != nil {
		if round := t.Round(f.Round); round != nil {
			return Evidence{Exchange: f.Exchange, Conn: round.Conn}
		}
	}
	return Evidence{}
}

// where returns the request of some evidence, with its number among the contacts.
func (p places) where(e Evidence) verdict.Place {
	i, ok := p.index[connID{e.Exchange, e.Conn}]
	if !ok || e.Conn == 0 {
		return verdict.Place{Run: p.run}
	}
	c := newContact(p.contacts[i])
	return verdict.Place{
		Run: p.run, Request: i + 1, Method: c.Method, Name: c.name(), Path: e.Path, Header: e.Header,
		Lines: c.RequestSeq == 0,
	}
}
