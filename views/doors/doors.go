// Package doors shows the page from which everything is tested, with three doors: the URL
// of a server, an address for a client, and the upstream of a gateway. Below them is what the visitor
// has tested, and the samples.
package doors

import (
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	startview "github.com/mrtr-playground/mrtr-playground/views/start"
)

// Doors is the page.
type Doors struct {
	Connect  serverview.ConnectForm
	Problem  *prose.Sentence   // why no address was made; nil if one was or none was wanted
	Upstream *prose.Sentence   // why no upstream of a gateway was made, like Problem
	Servers  []server.Row      // of the visitor
	Captures []Capture         // of the visitor, but for those of Gateways
	Gateways []gateway.Saved   // tests of the visitor, the newest first
	Results  map[string]Result // of servers that were checked, of captures and of tests of gateways, by id
	Samples  []startview.Line
	Base     string         // base URL of the samples, such as "http://127.0.0.1:2322"
	Program  launch.Program // of the reader
}

// Capture is a capture in the list.
type Capture struct {
	capture.Capture
	Open bool // its address answers
}

// Result is what came of testing a server, a client or a gateway.
type Result struct {
	Standing standing.Standing
	Path     string // of the report of a check
	Who      string // names of the client; may be empty
}

// mine returns what the visitor has tested, the newest first.
func (d Doors) mine() []row {
	var rows []row
	for _, t := range d.Servers {
		rows = append(rows, d.serverRow(t))
	}
	for _, k := range d.Captures {
		rows = append(rows, d.captureRow(k))
	}
	for _, g := range d.Gateways {
		rows = append(rows, d.gatewayRow(g))
	}
	slices.SortStableFunc(rows, func(a, b row) int { return b.at.Compare(a.at) })
	return rows
}

// capturable returns the visitor's servers that an address can stand in front of.
func (d Doors) capturable() []server.Row {
	var list []server.Row
	for _, t := range d.Servers {
		if !wire.IsCommand(t.URL) {
			list = append(list, t)
		}
	}
	return list
}

// groups returns the samples by group.
func (d Doors) groups() [][]startview.Line {
	var list [][]startview.Line
	for i, x := range d.Samples {
		if i == 0 || d.Samples[i-1].Group != x.Group {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], x)
	}
	return list
}

// day returns the day of a time in short words.
func day(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }
