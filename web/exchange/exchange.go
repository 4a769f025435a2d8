package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Exchange shows a call, with the part that its address selects.
func (s *Pages) Exchange(r *web.Request) error {
	x, err := s.App.Load(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	in, err := s.Input(r, x, x.Fold())
	if err != nil {
		return err
	}
	chosen, ok := selection.Read(r.QueryParams())
	if !ok {
		return app.NotFound()
	}
	in.Selection = chosen
	return s.showExchange(r, http.StatusOK, in)
}

// Input returns the parts that an exchange's page is made from, before anything
// is filled in; f is what x folds to.
func (s *Pages) Input(r *web.Request, x playground.Exchange,
	f playground.Transcript) (exchangeview.Input, error) {
	in := exchangeview.Input{Exchange: x, Transcript: f, Lesson: s.App.LessonOf(r, x),
		Selection: selection.Selection{Panel: panelOf(r)}, Stale: web.Number(r.QueryParam("stale"), 0)}
	if sample, ok := s.App.Samples.Lookup(x.Target.Sample); ok {
		in.Instances, in.Flow = cluster.InstancesOf(x.Target.URL, sample.Instances), s.App.FlowPage(r, sample)
		if in.Explain = s.App.Explain; app.ContinuesForeign(x) {
			in.Explain = nil
		}
	}
	if f.Foreign() {
		return s.foreign(r, in)
	}
	in.Command, _ = s.App.Commands.Command(x.Target.URL)
	var err error
	if in.SignIn, err = s.SignIn.CallOffer(r, x, f); err != nil {
		return in, err
	}
	if in.SignedOut, err = s.signedOut(r, x, f); err != nil {
		return in, err
	}
	if in.Lab, err = s.Lab.Board(r, x, panelOf(r)); err != nil {
		return in, err
	}
	last := f.Last()
	if last == nil || !last.Open() {
		return in, nil
	}
	if last.Kind == playground.OutcomeRetry {
		in.Next = s.nextRequest(x, f, playground.Decision{Action: playground.ActionRetry, Round: last.N + 1})
	}
	in.Draft, err = s.draft(r, x, f)
	d, incomplete := in.Draft.Unchanged().Decide(f, question.Send, s.App.Topology(x), "")
	if incomplete == nil && in.Next == nil {
		in.Next = s.nextRequest(x, f, d)
	}
	return in, err
}

// foreign returns the parts that the page of a foreign client's call is made
// from: nothing is sent there.
func (s *Pages) foreign(r *web.Request, in exchangeview.Input) (exchangeview.Input, error) {
	id := in.Exchange.Session
	n, err := s.Store.CaptureProgress(r.Context(), id)
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
func panelOf(r *web.Request) selection.Panel {
	if web.IsRead(r.Request) {
		return selection.Panel(r.QueryParam("panel"))
	}
	chosen, ok := selection.Read(url.Values{"panel": r.PostForm["panel"]})
	if !ok {
		return ""
	}
	return chosen.Panel
}

// draft returns the questions of the newest Round of x, which folds to f, with
// what they suggest.
func (s *Pages) draft(r *web.Request, x playground.Exchange,
	f playground.Transcript) (question.Draft, error) {
	roots, err := s.roots(r, f)
	draft := question.NewDraft(*f.Last(), roots...)
	if sample, ok := s.App.Samples.Lookup(x.Target.Sample); ok {
		draft = draft.Suggest(app.Leads(sample.Start.Answers))
	}
	return draft, err
}

// roots returns the user's roots if the newest Round asks for them.
func (s *Pages) roots(r *web.Request, f playground.Transcript) ([]question.Root, error) {
	last := f.Last()
	if last == nil || !slices.ContainsFunc(last.Questions,
		func(q playground.Question) bool { return q.Method == playground.RootsList }) {
		return nil, nil
	}
	return s.Store.Roots(r.Context(), r.Visit.Workspace())
}

// nextRequest returns the request that a decision would send, or nil if it
// cannot be built, for instance because answers are missing.
func (s *Pages) nextRequest(x playground.Exchange, f playground.Transcript,
	d playground.Decision) *wire.Request {
	req, err := playground.Next(x, f, d, s.App.Client)
	if err != nil {
		return nil
	}
	return &req
}

func (s *Pages) showExchange(r *web.Request, status int, in exchangeview.Input) error {
	model, ok := exchangeview.New(in)
	if !ok {
		return app.NotFound()
	}
	if web.WantsDrawer(r) {
		return s.App.Render(r, status, exchangeview.DrawerUpdate(model))
	}
	var err error
	if model.Links, err = s.App.LinksTo(r, in.Exchange.Session); err != nil {
		return err
	}
	switch {
	case web.WantsFragment(r):
		return s.App.Render(r, status, exchangeview.Main(model))
	}
	page := s.App.Page(r, model.Heading, "")
	page.Here = "/x/" + in.Exchange.ID
	page.Refresh = model.Live() != ""
	return s.App.Render(r, status, exchangeview.Page(page, model))
}

// Cancel asks the server to cancel the task that the call became, else it
// closes the connection of the running request or stops automatic retries.
func (s *Pages) Cancel(r *web.Request) error {
	v := r.Visit
	x, form, err := s.App.LoadForm(r)
	if err != nil {
		return err
	}
	err = playground.ErrNotOpen
	if f := x.Fold(); f.Task() != nil {
		out, unknown := s.App.IsSignedOut(v, x, f)
		if unknown != nil {
			return unknown
		}
		if out {
			return s.showSignedOut(r, x, f, chooseStop)
		}
		open, locked := s.App.UnlockExchange(v, x)
		if locked != nil {
			return locked
		}
		_, err = s.App.Driver(v).Open(v.Context(), open, playground.Decision{Action: playground.ActionStop})
	}
	if app.IsStale(err) && s.App.Runner.Cancel(x.ID) {
		err = nil
	}
	if err != nil && !app.IsStale(err) {
		return err
	}
	s.App.Await(v.Context(), x.ID)
	return web.SeeOther(r, cmp.Or(web.BackToLesson(web.First(form["back"])), "/x/"+x.ID))
}
