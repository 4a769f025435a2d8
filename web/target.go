package web

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// knownServer is a server as pages show it, with its connection report.
type knownServer struct {
	target     playground.Target
	connection server.Connection
	sample     *sampletools.Sample
	events     int // of connecting, so far
}

// find returns the server with an id: a sample's slug, or the id of one of the
// user's servers.
func (s *app) find(ctx context.Context, workspace, id string) (knownServer, error) {
	if x, ok := s.samples.lookup(id); ok {
		return knownServer{s.samples.target(x, ""), s.samples.connection(ctx, x), &x, 0}, nil
	}
	t, log, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return knownServer{}, err
	}
	connection := server.FoldConnection(log)
	t.Era = connection.Era
	if connection.Name != "" { // the name is the server's own claim, so the address stays beside it
		t.Name = text.Visible(connection.Name, 80) + " at " + t.Name
	}
	return knownServer{t, connection, nil, len(log)}, nil
}

// target shows a server. ?tool= and ?args= open a tool and fill in its
// arguments; nothing is called.
func (s *app) target(c echo.Context) error {
	k, err := s.find(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err != nil {
		return err
	}
	calls := callForms(k)
	q := c.QueryParams()
	for i := range calls {
		if calls[i].Kind == "tool" && calls[i].Name == q.Get("tool") {
			calls[i].Open = true
			fillArguments(&calls[i], q.Get("args"))
		}
	}
	return s.showTarget(c, http.StatusOK, k, calls)
}

func (s *app) showTarget(c echo.Context, status int, k knownServer, calls []views.CallForm) error {
	model := s.targetModel(c, k, calls)
	if wantsFragment(c) {
		return s.render(c, status, views.TargetMain(model))
	}
	page := s.page(c, model.Name, "/servers")
	page.Here = "/servers/" + k.target.ID
	page.Refresh = model.Status == server.Connecting
	return s.render(c, status, views.TargetPage(page, model))
}

func (s *app) targetModel(c echo.Context, k knownServer, calls []views.CallForm) views.Target {
	t, conn := k.target, k.connection
	model := views.Target{
		ID: t.ID, Name: cmp.Or(conn.Name, t.Name), URL: t.URL, Status: conn.Status,
		Offers: offers(conn, calls), Events: k.events,
	}
	model.Report = views.NewReport(t, conn, s.Mode == Public)
	if k.sample != nil {
		ofSample(&model, *k.sample)
		return model
	}
	model.Report.ID = t.ID
	model.Report.Certificate = s.certificate(k)
	form := s.connectForm(c, t, conn.Chosen)
	model.Connect = &form
	for _, trip := range conn.Trips {
		round := views.NewWireRound(trip, false, views.CurlOf(trip.Request, t),
			views.FramesAt("/servers/"+t.ID, ""))
		round.Label = text.Visible(trip.Method, 80)
		if round.Label == "" { // the stream on which legacy servers send requests
			round.Label, _, _ = strings.Cut(round.Request.Line, " ")
		}
		model.Trips = append(model.Trips, round)
	}
	return model
}

func ofSample(model *views.Target, x sampletools.Sample) {
	start := startLine(x)
	model.Name, model.Summary, model.Teaches = x.Title, x.Summary, x.Teaches
	model.Try, model.Options = x.Try, optionLines(x)
	if start.Label != "" {
		model.Start = &start
	}
}

// connectForm returns the form that connects to t again, with the era that was
// chosen before.
func (s *app) connectForm(c echo.Context, t playground.Target, era playground.Era) views.ConnectForm {
	form := views.ConnectForm{
		ID: t.ID, URL: t.URL, Declared: views.NewDeclared(t.Capabilities), Reconnect: true, Era: era,
	}
	for _, f := range t.Header {
		form.Saved = append(form.Saved, f.Name)
	}
	_, open := s.unlock(c, t)
	form.Lost = !open
	form.Open = form.Lost
	return form
}

// offers returns the lists of what can be called.
func offers(conn server.Connection, calls []views.CallForm) []views.Offer {
	var list []views.Offer
	for _, o := range []struct{ kind, title, id, method string }{
		{"tool", "Tools", "tools", "tools/list"}, {"prompt", "Prompts", "prompts", "prompts/list"},
		{
			"resource", "Resources", "resources", "resources/list",
		}, {"template", "Resource templates", "templates", "resources/templates/list"},
	} {
		offer := views.Offer{Title: o.title, ID: o.id}
		for _, call := range calls {
			if call.Kind == o.kind {
				offer.Calls = append(offer.Calls, call)
			}
		}
		for _, method := range conn.Truncated {
			offer.Cut = offer.Cut || method == o.method
		}
		if len(offer.Calls) > 0 {
			list = append(list, offer)
		}
	}
	return list
}

func fillArguments(f *views.CallForm, args string) {
	node, err := jsontree.Parse([]byte(args), jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return
	}
	f.Form, f.JSON = f.Form.Fill(json.RawMessage(args)), args
}
