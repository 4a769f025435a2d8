package doors

import (
	"cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// row is one thing that the visitor has tested.
type row struct {
	Kind     string // "server" or "client"
	ID, Path string
	Name     string
	Standing standing.Standing
	More     string // its address, or what stands behind it
	Made     string // when it was connected or made
}

func serverRow(t server.Row) row {
	r := row{
		Kind: "server", ID: t.ID, Path: "/servers/" + t.ID,
		Name:     text.Visible(cmp.Or(t.ReportedName, t.Name), 120),
		Standing: standing.OfTarget(t.Status), More: text.Visible(t.URL, 300), Made: day(t.Created),
	}
	if wire.IsCommand(t.URL) {
		r.More = text.Visible(t.Name, 300)
	}
	return r
}

func captureRow(k Capture) row {
	return row{
		Kind: "client", ID: k.ID, Path: "/clients/" + k.ID, Name: text.Visible(k.Target.Name, 120),
		Standing: clientview.StandingOf(k.Capture, k.Open), Made: day(k.Created),
	}
}
