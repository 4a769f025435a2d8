package reader

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	exerciseview "github.com/mrtr-playground/mrtr-playground/views/exercise"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
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
	Head     shareview.Head
	Report   checkview.Report
	Exercise *exerciseview.Exercise // the list of the exercise; nil for other checks
}

// NewSharedBoard returns the page of a shared results board.
func NewSharedBoard(in Input) SharedBoard {
	report := BoardReport(in.View, in.Session)
	model := SharedBoard{
		Head:   NewHead(in, report.Control),
		Report: checkview.NewReport(report.Target.ID, "", report, ""),

		Exercise: exerciseview.List(report, in.Session.Exchanges),
	}
	numbers := map[string]int{} // of the exchanges that can be opened
	for _, n := range in.Exchanges() {
		numbers[in.Session.Exchanges[n-1].ID] = n
	}
	address := func(id string, round int) string {
		if numbers[id] == 0 {
			return ""
		}
		return in.place().exchange(numbers[id], selection.Selection{Round: round})
	}
	model.Report.Board.ReadOnly(address)
	model.Report.Base = address(report.Control.ID, 0)
	return model
}

// SharedComparison is the page of a shared compare.
type SharedComparison struct {
	Head       shareview.Head
	Comparison historyview.Comparison
}

// NewSharedComparison returns the page of a shared compare.
func NewSharedComparison(in Input) SharedComparison {
	shown := in.Exchanges()
	a, b := in.Session.Exchanges[shown[0]-1], in.Session.Exchanges[shown[1]-1]
	c := historyview.NewComparison(a, b)
	c.A.Path = in.place().exchange(shown[0], selection.Selection{})
	c.B.Path = in.place().exchange(shown[1], selection.Selection{})
	return SharedComparison{Head: NewHead(in, a), Comparison: c}
}

// OpenDemo returns the demo of a share, or false if it does not fit its recording.
func OpenDemo(in Input) (demo.Showing, bool) {
	t, ok := demo.FromShare(in.View, in.Session)
	return t, ok && t.Newest() > 0
}

// DemoStep returns step n of a shared demo, from 1 to its newest one.
func DemoStep(in Input, t demo.Showing, n int, present bool) stageview.Stage {
	if t.Story.IsRecorded() {
		position, _ := strconv.Atoi(t.Stage.Call(t.Story, n)) // FromShare has read it
		t.Own = in.Session.Exchanges[in.View.Shown[position-1]-1]
	}
	return stageview.New(stageview.Input{
		Story: t.Story, Stage: t.Stage, Own: t.Own, Legacy: t.Legacy, N: n, Present: present,
		Explain: in.Explain, Player: NewDemoPlayer(in, t.Own),
	})
}

// NewDemoPlayer returns the player of a shared demo.
func NewDemoPlayer(in Input, own playground.Exchange) *stageview.DemoPlayer {
	place := in.place()
	p := &stageview.DemoPlayer{Head: NewHead(in, own), File: in.File}
	p.Own = place.exchange(in.View.Demo.Own, selection.Selection{})
	if n := in.View.Demo.Legacy; n > 0 {
		p.Legacy = place.exchange(n, selection.Selection{})
	}
	p.Address = func(step int, present bool) string {
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
