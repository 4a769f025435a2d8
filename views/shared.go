package views

import (
	"fmt"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// BoardReport returns the report of a shared board. It is judged again from the
// snapshot.
func BoardReport(v share.View, s session.Session) lab.Report {
	if v.Check {
		return lab.NewReport(s.Exchanges, server.Connection{}, false)
	}
	x, newest := s.Exchanges[v.Of-1], 0 // the Round that the owner's Lab opens with
	if last := x.Fold().Last(); last != nil {
		newest = last.N
	}
	return lab.NewLabReport(s.Exchanges, x, newest, server.Connection{}, false)
}

// SharedBoard is the page of a shared results board.
type SharedBoard struct {
	Head     ReaderHead
	Report   CheckReport
	Exercise *Exercise // the list of the exercise; nil for other checks
}

// NewSharedBoard returns the page of a shared results board.
func NewSharedBoard(in ReaderInput) SharedBoard {
	report := BoardReport(in.View, in.Session)
	model := SharedBoard{
		Head:   NewReaderHead(in, report.Control),
		Report: NewCheckReport(report.Target.ID, "", report, ""),

		Exercise: ExerciseList(report, in.Session.Exchanges),
	}
	numbers := map[string]int{} // of the exchanges that can be opened
	for _, n := range in.shown() {
		numbers[in.Session.Exchanges[n-1].ID] = n
	}
	address := func(id string, round int) string {
		if numbers[id] == 0 {
			return ""
		}
		return in.place().exchange(numbers[id], Selection{Round: round})
	}
	model.Report.Board.readOnly(address)
	model.Report.Base = address(report.Control.ID, 0)
	return model
}

// SharedComparison is the page of a shared compare.
type SharedComparison struct {
	Head       ReaderHead
	Comparison Comparison
}

// NewSharedComparison returns the page of a shared compare.
func NewSharedComparison(in ReaderInput) SharedComparison {
	shown := in.shown()
	a, b := in.Session.Exchanges[shown[0]-1], in.Session.Exchanges[shown[1]-1]
	c := NewComparison(a, b)
	c.A.Path = in.place().exchange(shown[0], Selection{})
	c.B.Path = in.place().exchange(shown[1], Selection{})
	return SharedComparison{Head: NewReaderHead(in, a), Comparison: c}
}

// NewDemoPlayer returns the player of a shared demo.
func NewDemoPlayer(in ReaderInput, own playground.Exchange) *DemoPlayer {
	place := in.place()
	p := &DemoPlayer{Head: NewReaderHead(in, own)}
	p.Own = place.exchange(in.View.Demo.Own, Selection{})
	if n := in.View.Demo.Legacy; n > 0 {
		p.Legacy = place.exchange(n, Selection{})
	}
	p.address = func(step int, present bool) string {
		q := url.Values{"step": {fmt.Sprint(step)}}
		for name, values := range place.Query {
			q[name] = values
		}
		if present {
			q.Set("present", "1")
		}
		return place.Path + "?" + q.Encode()
	}
	return p
}
