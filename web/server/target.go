package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Target shows a server. The address chooses a tool, prompt or resource and
// fills in its arguments (views.CallPath) or a saved call, and ?q= filters the
// list; nothing is called.
func (s *Pages) Target(r *web.Request) error {
	k, err := s.App.Find(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	q := r.QueryParams()
	list := offersOf(k.Connection)
	model, err := s.targetModel(r, k)
	if err != nil {
		return err
	}
	var f *callview.Form
	if q.Get("saved") != "" {
		f, err = s.savedForm(r, k, q.Get("saved"))
	} else {
		f = chosenForm(k, list, q, &model)
	}
	if err != nil {
		return err
	}
	if err := s.choose(r, &model, k, f); err != nil {
		return err
	}
	if added := q.Get("added"); added != "" {
		setAdded(&model, added)
	}
	return s.renderTarget(r, http.StatusOK, model)
}

// chosenForm returns the form that an address chooses, filled in, or nil.
func chosenForm(k app.KnownServer, list []offer, q url.Values, model *serverview.Target) *callview.Form {
	o, missing := chosenOffer(k, list, q)
	if model.Missing = missing; k.Connection.Status != server.Connected {
		model.Missing = ""
	}
	if o == nil {
		return nil
	}
	f := formOf(k, *o)
	if args := q.Get("args"); args != "" && len(args) <= maxLinkArgs {
		fillArguments(f, json.RawMessage(args))
	}
	return f
}

// showTarget shows a server with a form as it was filled in.
func (s *Pages) showTarget(r *web.Request, status int, k app.KnownServer, f *callview.Form) error {
	model, err := s.targetModel(r, k)
	if err != nil {
		return err
	}
	if err := s.choose(r, &model, k, f); err != nil {
		return err
	}
	return s.renderTarget(r, status, model)
}

// choose shows the form f, which may be nil, in the list of the server's
// offers, with its last result and the saved calls.
func (s *Pages) choose(r *web.Request, model *serverview.Target, k app.KnownServer, f *callview.Form) error {
	ctx, workspace := r.Context(), r.Visit.Workspace()
	list := offersOf(k.Connection)
	var chosen *offer
	if f != nil {
		chosen = findOffer(list, f.Kind, f.Name, f.Prefix)
		s.address(r, k, f)
	}
	filter := ""
	if web.IsRead(r.Request) {
		filter = text.Chars(r.QueryParam("q"), maxFilter)
	}
	model.Menu, model.Chosen = menuOf(k, list, chosen, filter), f
	saved, err := s.Store.SavedCalls(ctx, workspace, k.Target.ID)
	if err != nil {
		return err
	}
	for _, call := range saved {
		call.Server = ""
		model.Saved = append(model.Saved, serverview.NewSavedLine(call))
	}
	if f != nil && f.Excluded == "" {
		model.Last, err = s.lastCall(r, k, *f)
	}
	return err
}

// maxFilter is the longest filter, in characters.
const maxFilter = 100

// lastCall returns the newest call of the tool, prompt or resource of a form,
// or nil. Of a template it is that of the URI that is filled in. A recording
// that is large is not shown while too many others are being read.
func (s *Pages) lastCall(r *web.Request, k app.KnownServer, f callview.Form) (*serverview.LastCall, error) {
	v := r.Visit
	arguments := json.RawMessage("{}")
	if f.Kind == "template" {
		arguments = json.RawMessage(f.JSON)
	}
	f.Trace, f.NewTrace = "", false
	call, err := wholeCall(k, f, arguments)
	if err != nil && call.Params == nil {
		return nil, nil // such as a template that is not filled in
	}
	ctx, workspace := v.Context(), v.Workspace()
	id, err := s.Store.LastCall(ctx, workspace, session.CalledKey(k.Target.ID, call))
	if err != nil || id == "" {
		return nil, err
	}
	x, err := s.Store.Exchange(ctx, workspace, id)
	if errors.Is(err, playground.ErrNotFound) {
		return nil, nil
	}
	if err != nil || s.App.TakeTurn(v, session.Session{Exchanges: x.Lineage()}) != nil {
		return nil, err
	}
	return serverview.NewLastCall(x, s.App.Now()), nil
}

// renderTarget renders the page, or the part that htmx asks for.
func (s *Pages) renderTarget(r *web.Request, status int, model serverview.Target) error {
	switch {
	case web.WantsFragment(r) && strings.HasSuffix(r.Header.Get("HX-Target"), "#chosen"):
		return s.App.Render(r, status, serverview.ChosenView(model))
	case web.WantsFragment(r):
		return s.App.Render(r, status, serverview.TargetMain(model))
	}
	page := s.App.Page(r, model.Name, layout.TestPath)
	page.Here = "/servers/" + model.ID
	page.Refresh = model.Status == server.Connecting
	return s.App.Render(r, status, serverview.TargetPage(page, model))
}

func (s *Pages) targetModel(r *web.Request, k app.KnownServer) (serverview.Target, error) {
	t, conn := k.Target, k.Connection
	model := serverview.Target{
		ID: t.ID, Name: cmp.Or(conn.Name, t.Name), URL: t.URL, Status: conn.Status,
		Events: k.Events, Away: serverview.NewAway(k.Away), Tools: len(conn.Tools) > 0,
	}
	model.Report = serverview.NewReport(t, conn, s.App.Reach)
	if k.Sample == nil && s.App.IsOwnPage(t.URL, conn.Class) {
		path, _ := s.App.OwnPath(t.URL)
		model.Report.OnOwnPage(web.StartLines(s.App.Samples.List), s.App.BaseURL, path == web.AgentPath)
	}
	offer, err := s.SignIn.ConnectOffer(r, k)
	if err != nil {
		return model, err
	}
	model.Report.Offer(offer)
	if model.SignedIn, err = s.SignIn.SignedInAs(r, k.Target); err != nil {
		return model, err
	}
	if k.Sample != nil {
		ofSample(&model, *k.Sample)
		model.Flow = s.App.FlowPage(r, *k.Sample)
		return model, nil
	}
	model.Report.ID = t.ID
	if list, since, ok := k.Changes(); ok {
		model.Changes = serverview.NewChanges(since, list)
	}
	model.Fresh = serverview.NewFreshness(conn, s.App.Now())
	command, _ := s.App.Commands.Command(t.URL)
	model.Command = wireview.NewCommand(t, command, s.App.Now())
	if model.Command != nil && model.Report.Failed != nil {
		model.Report.Failed.LastLine = model.Command.Stderr.LastLine()
		if !model.Command.Running {
			model.Command.Restart = ""
		}
	}
	model.Report.Certificate = s.App.Certificate(k)
	form := s.connectForm(r, t, conn.Chosen)
	model.Connect = &form
	for _, trip := range conn.Trips {
		round := wireview.NewRound(trip, false, wireview.CurlOf(trip.Request, t),
			wireview.FramesAt("/servers/"+t.ID, ""))
		round.Label = text.Visible(trip.Method, 80)
		if round.Label == "" { // the stream on which legacy servers send requests
			round.Label, _, _ = strings.Cut(round.Request.Line, " ")
		}
		model.Trips = append(model.Trips, round)
	}
	return model, nil
}

func ofSample(model *serverview.Target, x sampletools.Sample) {
	start := web.StartLine(x)
	model.Name, model.Summary, model.Teaches = x.Title, x.Summary, x.Teaches
	model.Try, model.Options = x.Try, web.OptionLines(x)
	if start.Label != "" {
		model.Start = &start
	}
}

// connectForm returns the form that connects to t again, with the era that was
// chosen before.
func (s *Pages) connectForm(r *web.Request, t playground.Target, era playground.Era) serverview.ConnectForm {
	form := serverview.ConnectForm{
		ID: t.ID, URL: t.URL, Declared: serverview.NewDeclared(t.Capabilities), Reconnect: true, Era: era,
	}
	for _, f := range t.Header {
		form.Saved = append(form.Saved, f.Name)
	}
	_, open := s.App.Unlock(r.Visit, t)
	form.Lost = !open
	form.Open = form.Lost
	return form
}
