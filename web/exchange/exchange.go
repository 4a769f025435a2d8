package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Exchange shows a call, with what its address selects.
func (s *Pages) Exchange(c echo.Context) error {
	x, err := s.Load(web.VisitOf(c), c.Param("id"))
	if err != nil {
		return err
	}
	in, err := s.Input(c, x, x.Fold())
	if err != nil {
		return err
	}
	selection, ok := views.ReadSelection(c.QueryParams())
	if !ok {
		return app.NotFound()
	}
	in.Selection = selection
	return s.showExchange(c, http.StatusOK, in)
}

// Input returns what an exchange's page is made from, before anything is filled
// in; f is what x folds to.
func (s *Pages) Input(c echo.Context, x playground.Exchange,
	f playground.Transcript) (views.ExchangeInput, error) {
	in := views.ExchangeInput{Exchange: x, Transcript: f, Lesson: s.LessonOf(c, x),
		Selection: views.Selection{Panel: panelOf(c)}, Stale: web.Number(c.QueryParam("stale"), 0)}
	if sample, ok := s.Samples.Lookup(x.Target.Sample); ok {
		in.Instances, in.Flow = server.InstancesOf(x.Target.URL, sample.Instances), s.FlowPage(c, sample)
		if in.Explain = s.Explain; app.ContinuesForeign(x) {
			in.Explain = nil
		}
	}
	if f.Foreign() {
		return s.foreign(c, in)
	}
	in.Command, _ = s.Commands.Command(x.Target.URL)
	in.SignIn, in.SignedOut = s.SignIn.CallOffer(c, x, f), s.signedOut(c, x, f)
	var err error
	if in.Lab, err = s.Lab.Board(c, x, panelOf(c)); err != nil {
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
	d, incomplete := in.Draft.Unchanged().Decide(f, question.Send, s.Topology(x), "")
	if incomplete == nil && in.Next == nil {
		in.Next = s.nextRequest(x, f, d)
	}
	return in, err
}

// foreign returns what the page of a foreign client's call is made from: nothing is sent
// there.
func (s *Pages) foreign(c echo.Context, in views.ExchangeInput) (views.ExchangeInput, error) {
	id := in.Exchange.Session
	n, err := s.Store.CaptureProgress(c.Request().Context(), id)
	switch {
	case errors.Is(err, playground.ErrNotFound):
		return in, nil // a copy of the recording
	case err != nil:
		return in, err
	}
	in.Capture, in.Live = "/clients/"+id, fmt.Sprintf("/clients/%s/events?after=%d", id, n)
	return in, nil
}

// panelOf returns the panel that is open on a page, or on the page of a form.
func panelOf(c echo.Context) views.Panel {
	if web.IsRead(c.Request()) {
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
func (s *Pages) draft(c echo.Context, x playground.Exchange,
	f playground.Transcript) (question.Draft, error) {
	roots, err := s.roots(c, f)
	draft := question.NewDraft(*f.Last(), roots...)
	if sample, ok := s.Samples.Lookup(x.Target.Sample); ok {
		draft = draft.Suggest(app.Leads(sample.Start.Answers))
	}
	return draft, err
}

// roots returns the user's roots if the newest Round asks for them.
func (s *Pages) roots(c echo.Context, f playground.Transcript) ([]question.Root, error) {
	last := f.Last()
	if last == nil || !slices.ContainsFunc(last.Questions,
		func(q playground.Question) bool { return q.Method == playground.RootsList }) {
		return nil, nil
	}
	return s.Store.Roots(c.Request().Context(), web.VisitOf(c).Workspace())
}

// nextRequest returns the request that a decision would send, or nil if it
// cannot be built, for instance because answers are missing.
func (s *Pages) nextRequest(x playground.Exchange, f playground.Transcript,
	d playground.Decision) *wire.Request {
	req, err := playground.Next(x, f, d, s.Client)
	if err != nil {
		return nil
	}
	return &req
}

func (s *Pages) showExchange(c echo.Context, status int, in views.ExchangeInput) error {
	model, ok := views.NewExchange(in)
	if !ok {
		return app.NotFound()
	}
	if web.WantsDrawer(c) {
		return s.Render(c, status, views.DrawerUpdate(model))
	}
	var err error
	if model.Links, err = s.LinksTo(c, in.Exchange.Session); err != nil {
		return err
	}
	switch {
	case web.WantsFragment(c):
		return s.Render(c, status, views.ExchangeMain(model))
	}
	page := s.Page(c, model.Heading, "")
	page.Here = "/x/" + in.Exchange.ID
	page.Refresh = model.Live() != ""
	return s.Render(c, status, views.ExchangePage(page, model))
}

// Cancel asks the server to cancel the task that the call became, else it
// closes the connection of the running request or stops automatic retries.
func (s *Pages) Cancel(c echo.Context) error {
	v := web.VisitOf(c)
	x, form, err := s.LoadForm(c)
	if err != nil {
		return err
	}
	err = playground.ErrNotOpen
	if f := x.Fold(); f.Task() != nil {
		if s.IsSignedOut(v, x, f) {
			return s.showSignedOut(c, x, f, chooseStop)
		}
		open, locked := s.UnlockExchange(v, x)
		if locked != nil {
			return locked
		}
		_, err = s.Driver(v).Open(v.Context(), open, playground.Decision{Action: playground.ActionStop})
	}
	if app.IsStale(err) && s.Runner.Cancel(x.ID) {
		err = nil
	}
	if err != nil && !app.IsStale(err) {
		return err
	}
	s.Await(v.Context(), x.ID)
	return web.SeeOther(c, cmp.Or(web.BackToLesson(web.First(form["back"])), "/x/"+x.ID))
}
