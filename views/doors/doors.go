// Package doors shows the page from which everything is tested, with two doors: the URL of a
// server, and an address for a client. Below them is what the visitor has tested, and the samples.
package doors

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
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
	Servers  []server.Row      // of the visitor
	Captures []Capture         // of the visitor
	Results  map[string]Result // of servers that were checked, and of captures, by id
	Samples  []startview.Line
	Base     string         // base URL of the samples, such as "http://127.0.0.1:2322"
	Program  launch.Program // of the reader
}

// Capture is a capture in the list.
type Capture struct {
	capture.Capture
	Open bool // its address answers
}

// Result is what came of testing a server or a client.
type Result struct {
	Standing standing.Standing
	Path     string // of the report of a check
	Who      string // names of the client; may be empty
}

// mine returns what the visitor has tested, the newest first.
func (d Doors) mine() []row {
	rows := make([]row, 0, len(d.Servers)+len(d.Captures))
	servers, captures := d.Servers, d.Captures
	for len(servers)+len(captures) > 0 {
		if len(captures) == 0 || len(servers) > 0 && !servers[0].Created.Before(captures[0].Created) {
			rows = append(rows, d.serverRow(servers[0]))
			servers = servers[1:]
			continue
		}
		rows = append(rows, d.captureRow(captures[0]))
		captures = captures[1:]
	}
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
