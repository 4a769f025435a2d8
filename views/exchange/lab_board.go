package exchange

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
)

// newLabBoard returns the board of the Session of an exchange, whose further
// experiments are made on Round n if they can be.
func newLabBoard(in Input, n int) boardview.Board {
	x, all := in.Exchange, in.Lab.Session
	if !slices.ContainsFunc(all, func(o playground.Exchange) bool { return o.ID == x.ID }) {
		all = append(slices.Clone(all), x)
	}
	report := lab.NewLabReport(all, x, n, in.Lab.Connection, in.Lab.Running)
	b := boardview.New(report, paths.Check(x.Target.ID, x.Session))
	b.Exchange, b.Session = x.ID, x.Session
	if b.Session != "" {
		b.Share = "/sessions/" + b.Session + "/share?kind=board&x=" + b.Exchange
	}
	b.Run = &boardview.Run{One: "/x/" + x.ID + "/branches", All: "/x/" + x.ID + "/run-all", Round: n,
		Mine: in.Lab.Mine, Sample: x.Target.Sample != ""}
	values := map[string]string{}
	for _, p := range report.Results {
		if !p.Possible {
			continue
		}
		b.Run.Left++
		b.Run.Person = b.Run.Person || p.Wants == lab.WantsOtherPerson && !b.Run.Sample
		values[p.ID] = p.ID
		if p.From != n && !p.FromStart() && p.Group != lab.GroupTask {
			values[p.ID] = fmt.Sprintf("%s@%d", p.ID, p.From)
		}
	}
	if !b.Running() {
		b.SetValues(values)
	}
	return b
}
