package doors

import (
	"cmp"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// row is one thing that the visitor has tested.
type row struct {
	Kind     string // "server", "client" or "gateway"
	ID, Path string
	Name     string
	Standing standing.Standing
	Report   string // address of the report that Standing is from; empty for none
	Check    string // address of the form that checks a server; empty unless it was never checked
	URL      string // of a server; the command of one that is started
	More     string // of a client: what stands behind its address, and whether that answers
	Made     string // when it was connected or made
	at       time.Time
}

// serverRow has the verdict of the last check. Being connected is no verdict.
func (d Doors) serverRow(t server.Row) row {
	r := row{
		Kind: "server", ID: t.ID, Path: "/servers/" + t.ID,
		Name:     text.Visible(cmp.Or(t.ReportedName, t.Name), 120),
		Standing: standing.OfTarget(t.Status), URL: text.Visible(t.URL, 300),
		Made: day(t.Created), at: t.Created,
	}
	if wire.IsCommand(t.URL) {
		r.URL = text.Visible(t.Name, 300)
	}
	if result, ok := d.Results[t.ID]; ok {
		r.Standing, r.Report = result.Standing, result.Path
	} else if t.Status == server.Connected {
		r.Standing, r.Check = standing.Muted("not checked"), r.Path+"/check"
	}
	return r
}

// captureRow has the verdict of the board of a client.
func (d Doors) captureRow(k Capture) row {
	result := d.Results[k.ID]
	behind := text.Visible(k.Target.Name, 120)
	return row{
		Kind: "client", ID: k.ID, Path: "/clients/" + k.ID, Name: cmp.Or(result.Who, behind),
		Standing: result.Standing, Made: day(k.Created), at: k.Created,
		More: behind + " · address " + clientview.StandingOf(k.Capture, k.Open).Word,
	}
}

// gatewayRow has the verdict of the test of a gateway.
func (d Doors) gatewayRow(g gateway.Saved) row {
	r := row{
		Kind: "gateway", ID: g.ID, Path: paths.Gateway(g.ID), Made: day(g.Created), at: g.Created,
		Name: cmp.Or(text.Visible(g.Name, 120), "A gateway"), Standing: standing.Muted("not tested"),
	}
	if result, ok := d.Results[g.ID]; ok {
		r.Standing = result.Standing
	}
	return r
}
