package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// exchangeStore keeps exchanges. Each belongs to a session, a branch to that of
// the exchange that it continues.
type exchangeStore interface {
	AddExchange(ctx context.Context, workspace, title string, x playground.Exchange) error
	AddBranch(ctx context.Context, workspace string, x playground.Exchange) error
	Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error)
	ExchangeRows(ctx context.Context, workspace, session string) ([]session.ExchangeRow, error)
}

// start makes an exchange of a sample's own call, or of a tool of a server,
// and sends its first request.
func (s *app) start(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	if slug := first(form["sample"]); slug != "" {
		return s.startSample(c, slug)
	}
	return s.startCall(c, form)
}

func (s *app) startSample(c echo.Context, slug string) error {
	x, ok := s.samples.lookup(slug)
	if !ok || x.Start.Method == "" {
		return notFound()
	}
	call := playground.Call{Method: x.Start.Method, Params: x.Start.Params}
	return s.begin(c, s.samples.target(x, x.Start.Query), call)
}

// begin opens a new exchange and leads to its page.
func (s *app) begin(c echo.Context, t playground.Target, call playground.Call) error {
	id, err := s.open(c, t, call, "")
	if err != nil {
		return err
	}
	return seeOther(c, "/x/"+id)
}

// open stores a new exchange and sends its first request, to an instance of a
// sample if one is named. It gives the id.
func (s *app) open(c echo.Context, t playground.Target, call playground.Call,
	instance string) (string, error) {
	ctx := c.Request().Context()
	workspace, err := s.owners.writing(c)
	if err != nil {
		return "", err
	}
	x := playground.Exchange{
		ID: s.NewID(), Session: s.NewID(), Target: s.targetWithToken(c, t), Call: call, Created: s.Now(),
	}
	if err := s.admit(c, x); err != nil {
		return "", err
	}
	if x, err = s.lockExchange(c, x); err != nil {
		return "", err
	}
	hidden := x.Redacted()
	if err := s.Store.AddExchange(ctx, workspace, title(hidden.Call), hidden); err != nil {
		return "", err
	}
	start := playground.Decision{Action: playground.ActionStart, Round: 1, Instance: instance}
	if _, err := s.driver(c).Open(ctx, x, start); err != nil {
		return "", err
	}
	return x.ID, nil
}

// title names a session until the user does.
func title(call playground.Call) string {
	params, err := jsontree.Parse(call.Params, jsontree.Limits{})
	if err != nil {
		return call.Method
	}
	if name := params.Get("name").Str(); name != "" {
		return name
	}
	return params.Get("uri").Str()
}

// settle gives a quick answer the time to be on the page it leads to.
func (s *app) settle(ctx context.Context, id string) {
	ctx, stop := context.WithTimeout(ctx, s.Settle)
	defer stop()
	s.Runner.Answered(ctx, id)
	ctx, stop = context.WithTimeout(ctx, s.Settle/4) // what went on as a task may be done soon
	defer stop()
	s.Runner.Wait(ctx, id)
}

// load reads an exchange of the browser's workspace.
func (s *app) load(c echo.Context, id string) (playground.Exchange, error) {
	x, err := s.Store.Exchange(c.Request().Context(), s.owners.reading(c), id)
	x.Target = x.Target.At(s.BaseURL)
	if err == nil {
		x.ReadOnce()
		s.look(c, x)
	}
	if err == nil && isRead(c.Request()) {
		err = s.takeTurn(c, session.Session{Exchanges: x.Lineage()})
	}
	return x, err
}

// look notes that the owner of exchanges looks at them: their tasks are polled
// on. Only a GET is a look.
func (s *app) look(c echo.Context, list ...playground.Exchange) {
	if c.Request().Method != http.MethodGet {
		return
	}
	for _, x := range list {
		s.Runner.Look(c.Request().Context(), x.ID)
	}
}

// exchange shows a call, with what its address selects.
func (s *app) exchange(c echo.Context) error {
	x, err := s.load(c, c.Param("id"))
	if err != nil {
		return err
	}
	in, err := s.input(c, x, x.Fold())
	if err != nil {
		return err
	}
	selection, ok := views.ReadSelection(c.QueryParams())
	if !ok {
		return notFound()
	}
	in.Selection = selection
	return s.showExchange(c, http.StatusOK, in)
}

// input returns what an exchange's page is made from, before anything is filled
// in; f is what x folds to.
func (s *app) input(c echo.Context, x playground.Exchange,
	f playground.Transcript) (views.ExchangeInput, error) {
	in := views.ExchangeInput{Exchange: x, Transcript: f, Lesson: s.lessonOf(c, x),
		Selection: views.Selection{Panel: panelOf(c)}, Stale: number(c.QueryParam("stale"), 0)}
	if sample, ok := s.samples.lookup(x.Target.Sample); ok {
		in.Instances = server.InstancesOf(x.Target.URL, sample.Instances)
		if in.Explain = s.explain(); continuesForeign(x) {
			in.Explain = nil
		}
	}
	in.SignIn, in.SignedOut = s.callOffer(c, x, f), s.signedOut(c, x, f)
	var err error
	if in.Lab, err = s.lab(c, x, panelOf(c)); err != nil {
		return in, err
	}
	last := f.Last()
	if last == nil || !last.Open() {
		return in, nil
	}
	if last.Kind == playground.OutcomeRetry {
		in.Next = s.nextRequest(x, f, playground.Decision{Action: playground.ActionRetry, Round: last.N + 1})
	}
	in.Draft, err = s.draft(c, x, f)
	d, incomplete := in.Draft.Unchanged().Decide(f, question.Send, s.topology(x), "")
	if incomplete == nil && in.Next == nil {
		in.Next = s.nextRequest(x, f, d)
	}
	return in, err
}

// panelOf returns the panel that is open on a page, or on the page of a form.
func panelOf(c echo.Context) views.Panel {
	if isRead(c.Request()) {
		return views.Panel(c.QueryParam("panel"))
	}
	selection, ok := views.ReadSelection(url.Values{"panel": c.Request().PostForm["panel"]})
	if !ok {
		return ""
	}
	return selection.Panel
}

// draft returns the questions of the newest Round of x, which folds to f, with
// what they suggest.
func (s *app) draft(c echo.Context, x playground.Exchange,
	f playground.Transcript) (question.Draft, error) {
	roots, err := s.roots(c, f)
	draft := question.NewDraft(*f.Last(), roots...)
	if sample, ok := s.samples.lookup(x.Target.Sample); ok {
		draft = draft.Suggest(leads(sample.Start.Answers))
	}
	return draft, err
}

// roots returns the user's roots if the newest Round asks for them.
func (s *app) roots(c echo.Context, f playground.Transcript) ([]question.Root, error) {
	last := f.Last()
	if last == nil || !slices.ContainsFunc(last.Questions,
		func(q playground.Question) bool { return q.Method == "roots/list" }) {
		return nil, nil
	}
	return s.Store.Roots(c.Request().Context(), s.owners.reading(c))
}

func (s *app) explain() func(string) seal.Explanation { return s.Explain }

// nextRequest returns the request that a decision would send, or nil if it
// cannot be built, for instance because answers are missing.
func (s *app) nextRequest(x playground.Exchange, f playground.Transcript,
	d playground.Decision) *wire.Request {
	req, err := playground.Next(x, f, d, s.Client)
	if err != nil {
		return nil
	}
	return &req
}

func (s *app) showExchange(c echo.Context, status int, in views.ExchangeInput) error {
	model, ok := views.NewExchange(in)
	if !ok {
		return notFound()
	}
	if wantsDrawer(c) {
		return s.render(c, status, views.DrawerUpdate(model))
	}
	var err error
	if model.Links, err = s.linksTo(c, in.Exchange.Session); err != nil {
		return err
	}
	switch {
	case wantsFragment(c):
		return s.render(c, status, views.ExchangeMain(model))
	}
	page := s.page(c, model.Heading, "")
	page.Here = "/x/" + in.Exchange.ID
	page.Refresh = model.Live() != ""
	return s.render(c, status, views.ExchangePage(page, model))
}

// cancel asks the server to cancel the task that the call became, else it
// closes the connection of the running request or stops automatic retries.
func (s *app) cancel(c echo.Context) error {
	ctx := c.Request().Context()
	x, form, err := s.loadForm(c)
	if err != nil {
		return err
	}
	err = playground.ErrNotOpen
	if f := x.Fold(); f.Task() != nil {
		if s.isSignedOut(c, x, f) {
			return s.showSignedOut(c, x, f, chooseStop)
		}
		open, locked := s.unlockExchange(c, x)
		if locked != nil {
			return locked
		}
		_, err = s.driver(c).Open(ctx, open, playground.Decision{Action: playground.ActionStop})
	}
	if isStale(err) && s.Runner.Cancel(x.ID) {
		err = nil
	}
	if err != nil && !isStale(err) {
		return err
	}
	s.settle(ctx, x.ID)
	return seeOther(c, cmp.Or(backToLesson(first(form["back"])), "/x/"+x.ID))
}

// isStale reports whether another decision was faster.
func isStale(err error) bool { return errors.Is(err, playground.ErrNotOpen) }
