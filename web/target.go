package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// knownServer is a server as pages show it, with its connection report.
type knownServer struct {
	target     playground.Target
	connection server.Connection
	sample     *sampletools.Sample
	start      sampletools.Start // of the sample at its URL, if there is one
	events     int               // of connecting, so far
}

// find returns the server with an id: a sample's slug, or the id of one of the
// user's servers.
func (s *app) find(c echo.Context, id string) (knownServer, error) {
	if x, ok := s.samples.lookup(id); ok {
		t := s.samples.target(x, "")
		return knownServer{t, s.sampleConnection(c, x, t), &x, x.Start, 0}, nil
	}
	t, log, err := s.Store.Target(c.Request().Context(), s.owners.reading(c), id)
	if err != nil {
		return knownServer{}, err
	}
	connection := server.FoldConnection(log)
	t.Era = connection.Era
	if connection.Name != "" { // the name is the server's own claim, so the address stays beside it
		t.Name = text.Visible(connection.Name, 80) + " at " + t.Name
	}
	return knownServer{t, connection, nil, s.sampleAt(t.URL).Start, len(log)}, nil
}

// sampleConnection returns what a sample offers. A protected one offers it to
// those who have signed in.
func (s *app) sampleConnection(c echo.Context, x sampletools.Sample, t playground.Target) server.Connection {
	conn := s.samples.connection(c.Request().Context(), x, t)
	if _, refused := connectChallenge(conn); !refused {
		return conn
	}
	if token := s.tokenOf(c, t); token != nil {
		t = t.WithToken(token.Field(), nil)
		return s.samples.connection(c.Request().Context(), x, t)
	}
	return conn
}

// target shows a server. The address chooses a tool, prompt or resource and
// fills in its arguments (views.CallPath) or a saved call, and ?q= filters the
// list; nothing is called.
func (s *app) target(c echo.Context) error {
	k, err := s.find(c, c.Param("id"))
	if err != nil {
		return err
	}
	q := c.QueryParams()
	list := offersOf(k.connection)
	model := s.targetModel(c, k)
	var f *views.CallForm
	if q.Get("saved") != "" {
		f, err = s.savedForm(c, k, q.Get("saved"))
	} else {
		f = k.chosenForm(list, q, &model)
	}
	if err != nil {
		return err
	}
	if err := s.choose(c, &model, k, f); err != nil {
		return err
	}
	if added := q.Get("added"); added != "" {
		setAdded(&model, added)
	}
	return s.renderTarget(c, http.StatusOK, model)
}

// chosenForm returns the form that an address chooses, filled in, or nil.
func (k knownServer) chosenForm(list []offer, q url.Values, model *views.Target) *views.CallForm {
	o, missing := k.chosenOffer(list, q)
	if model.Missing = missing; k.connection.Status != server.Connected {
		model.Missing = ""
	}
	if o == nil {
		return nil
	}
	f := k.form(*o)
	if args := q.Get("args"); args != "" && len(args) <= maxLinkArgs {
		fillArguments(f, json.RawMessage(args))
	}
	return f
}

// showTarget shows a server with a form as it was filled in.
func (s *app) showTarget(c echo.Context, status int, k knownServer, f *views.CallForm) error {
	model := s.targetModel(c, k)
	if err := s.choose(c, &model, k, f); err != nil {
		return err
	}
	return s.renderTarget(c, status, model)
}

// choose shows the form f, which may be nil, in the list of what the server
// offers, with its last result and the saved calls.
func (s *app) choose(c echo.Context, model *views.Target, k knownServer, f *views.CallForm) error {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	list := offersOf(k.connection)
	var chosen *offer
	if f != nil {
		chosen = findOffer(list, f.Kind, f.Name, f.Prefix)
		s.address(c, k, f)
	}
	filter := ""
	if isRead(c.Request()) {
		filter = cut(c.QueryParam("q"), maxFilter)
	}
	model.Menu, model.Chosen = k.menu(list, chosen, filter), f
	saved, err := s.Store.SavedCalls(ctx, workspace, k.target.ID)
	if err != nil {
		return err
	}
	for _, call := range saved {
		call.Server = ""
		model.Saved = append(model.Saved, views.NewSavedLine(call))
	}
	if f != nil && f.Excluded == "" {
		model.Last, err = s.lastCall(c, k, *f)
	}
	return err
}

// maxFilter is the longest filter, in characters.
const maxFilter = 100

// lastCall returns the newest call of what a form is for, or nil. Of a template
// it is that of the URI that is filled in. A recording that is large is not
// shown while too many others are being read.
func (s *app) lastCall(c echo.Context, k knownServer, f views.CallForm) (*views.LastCall, error) {
	arguments := json.RawMessage("{}")
	if f.Kind == "template" {
		arguments = json.RawMessage(f.JSON)
	}
	f.Trace, f.NewTrace = "", false
	call, err := k.call(f, arguments)
	if err != nil && call.Params == nil {
		return nil, nil // such as a template that is not filled in
	}
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	id, err := s.Store.LastCall(ctx, workspace, session.CalledKey(k.target.ID, call))
	if err != nil || id == "" {
		return nil, err
	}
	x, err := s.Store.Exchange(ctx, workspace, id)
	if errors.Is(err, playground.ErrNotFound) {
		return nil, nil
	}
	if err != nil || s.takeTurn(c, session.Session{Exchanges: x.Lineage()}) != nil {
		return nil, err
	}
	return views.NewLastCall(x, s.Now()), nil
}

// renderTarget renders the page, or the part that htmx asks for.
func (s *app) renderTarget(c echo.Context, status int, model views.Target) error {
	switch {
	case wantsFragment(c) && strings.HasSuffix(c.Request().Header.Get("HX-Target"), "#chosen"):
		return s.render(c, status, views.ChosenView(model))
	case wantsFragment(c):
		return s.render(c, status, views.TargetMain(model))
	}
	page := s.page(c, model.Name, "/servers")
	page.Here = "/servers/" + model.ID
	page.Refresh = model.Status == server.Connecting
	return s.render(c, status, views.TargetPage(page, model))
}

func (s *app) targetModel(c echo.Context, k knownServer) views.Target {
	t, conn := k.target, k.connection
	model := views.Target{
		ID: t.ID, Name: cmp.Or(conn.Name, t.Name), URL: t.URL, Status: conn.Status,
		Events: k.events, Tools: len(conn.Tools) > 0,
	}
	model.Report = views.NewReport(t, conn, s.Mode == Public)
	if k.sample == nil && s.isOwnPage(t.URL, conn.Class) {
		model.Report.OnOwnPage(s.samples.lines(), s.BaseURL)
	}
	model.Report.Offer(s.connectOffer(c, k))
	model.SignedIn = s.signedInAs(c, k.target)
	if k.sample != nil {
		ofSample(&model, *k.sample)
		return model
	}
	model.Report.ID = t.ID
	model.Fresh = views.NewFreshness(conn, s.Now())
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

// isOwnPage reports whether a URL that failed with a class of failure leads to
// this program and not to one of its samples.
func (s *app) isOwnPage(address string, class playground.Class) bool {
	switch class {
	case playground.HTTP403, playground.HTTP404, playground.HTTP405, playground.HTTP4xx,
		playground.ContentType, playground.NotJSON, playground.HTTPStatus, playground.Redirect:
	default:
		return false
	}
	_, own := s.ownPath(address)
	return own && s.sampleAt(address).Slug == ""
}

// sampleAt returns the sample of this program that a URL leads to, or a zero
// Sample.
func (s *app) sampleAt(address string) sampletools.Sample {
	path, _ := s.ownPath(address)
	slug, _ := strings.CutPrefix(path, "/mcp/")
	x, _ := s.samples.lookup(slug)
	return x
}

// ownPath returns the path of a URL that leads to this program, by one of its
// names.
func (s *app) ownPath(address string) (path string, own bool) {
	u, err := url.Parse(address)
	base, baseErr := url.Parse(s.BaseURL)
	if err != nil || baseErr != nil || u.Scheme != base.Scheme {
		return "", false
	}
	named := func(name string) bool { return strings.EqualFold(name, u.Hostname()) }
	local := s.Mode != Public && (isLoopbackHost(u.Host) || slices.ContainsFunc(s.Hosts, named))
	if !strings.EqualFold(u.Host, base.Host) && (!local || u.Port() != base.Port()) {
		return "", false
	}
	return u.Path, true
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
