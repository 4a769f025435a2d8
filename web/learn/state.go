package learn

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// StatePage shows the workbench: with a token of the samples' format, with one of
// another format (?example=), with the state of an exchange (?x= and ?round=), or as it
// was left (?w=).
func (s *Pages) StatePage(c echo.Context) error {
	if id := c.QueryParam("w"); id != "" {
		b, err := s.keptWorkbench(c, id)
		if err != nil {
			return err
		}
		return s.showKept(c, b)
	}
	mode, err := seal.ParseMode(c.QueryParam("mode"))
	if err != nil {
		mode = seal.Sealed
	}
	b := workbench{Claims: s.newClaims(nil), Mode: mode, Key: views.OwnKey, Retry: views.SameRetry}
	keys, err := s.throwaway(c)
	if err != nil {
		return err
	}
	b.make(keys, nil) // example claims make a token
	if token, ok := state.NewExample(c.QueryParam("example"), s.Now()); ok {
		b.Token = token
		b.read(s, keys.own, nil)
	}
	id := c.QueryParam("x")
	if id == "" {
		return s.showWorkbench(c, http.StatusOK, b, nil, nil)
	}
	t, err := s.take(c, id, web.Number(c.QueryParam("round"), playground.MaxRounds))
	switch {
	case err != nil:
		return err
	case t == nil:
		problem := views.SentenceCode("no_state", "This call has no requestState.",
			"Its server has not returned one. Take the state of another call, or make one here.")
		return s.showWorkbench(c, http.StatusOK, b, nil, &problem)
	}
	b.Token, b.Exchange, b.Round = t.round.StateText(), id, t.round.N
	b.read(s, keys.own, t)
	return s.showWorkbench(c, http.StatusOK, b, t, nil)
}

// showKept shows a workbench as it was left. Its exchange may be gone since.
func (s *Pages) showKept(c echo.Context, b workbench) error {
	t, err := s.takenFor(c, &b)
	if err != nil {
		return err
	}
	return s.showWorkbench(c, http.StatusOK, b, t, nil)
}

// takenFor returns the state that b was taken from. If the exchange was deleted,
// it returns nil, and b is like one that was pasted.
func (s *Pages) takenFor(c echo.Context, b *workbench) (*taken, error) {
	if b.Exchange == "" {
		return nil, nil
	}
	t, err := s.take(c, b.Exchange, b.Round)
	if errors.Is(err, playground.ErrNotFound) || err == nil && t == nil {
		b.Exchange, b.Round = "", 0
		return nil, nil
	}
	return t, err
}

// take returns the state that Round n of an exchange of the visitor returned, or
// the last one before it; the newest if n is 0. It returns nil if there is none.
func (s *Pages) take(c echo.Context, id string, n int) (*taken, error) {
	x, err := s.Load(web.VisitOf(c), id)
	if err != nil {
		return nil, err
	}
	var t *taken
	for _, r := range x.Fold().Rounds {
		if r.State != nil && (n == 0 || r.N <= n) {
			t = &taken{x: x, round: r}
		}
	}
	if t != nil && s.Checks.OpensStates(x) {
		if e := s.Explain(t.round.StateText()); e.Claims != nil {
			t.own = &e
		}
	}
	return t, nil
}

// EditState changes what is on the workbench. A button leads to an address that
// restores it, and which never holds the token. While the user types, htmx gets
// what changes on the page, and nothing is stored.
func (s *Pages) EditState(c echo.Context) error {
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	b, err := readWorkbench(form)
	var refused *app.Refusal
	if web.WantsFragment(c) && errors.As(err, &refused) {
		return s.showWorkbenchParts(c, b, b, nil, web.SentenceOf(refused))
	}
	if err != nil {
		return err
	}
	t, err := s.takenFor(c, &b)
	if err != nil {
		return err
	}
	if t != nil && b.Token == controlText(t.round.StateText()) {
		b.Token = t.round.StateText()
	}
	v, err := web.VisitOf(c).NewVault()
	if err != nil {
		return err
	}
	keys, err := s.throwaway(c)
	if err != nil {
		return err
	}
	before := b
	problem := b.do(s, web.First(form["do"]), keys, t)
	if web.WantsFragment(c) {
		return s.showWorkbenchParts(c, b, before, t, problem)
	}
	if problem != nil {
		return s.showWorkbench(c, http.StatusUnprocessableEntity, b, t, problem)
	}
	id, err := s.keepWorkbench(c, v, b)
	var full *app.Refusal
	if errors.As(err, &full) { // it works without being kept
		return s.showWorkbench(c, http.StatusOK, b, t, web.SentenceOf(full))
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/state?w="+url.QueryEscape(id))
}

// showWorkbench shows the page.
func (s *Pages) showWorkbench(
	c echo.Context, status int, b workbench, t *taken, problem *views.Sentence,
) error {
	in, err := s.stateInput(c, b, t, problem)
	if err != nil {
		return err
	}
	if in.Calls, err = s.newestCalls(c); err != nil {
		return err
	}
	page := s.Page(c, "requestState workbench", "/learn")
	if c.Request().Method == http.MethodPost {
		page.Here = views.StatePath
	}
	return s.Render(c, status, views.StateWorkbench(page, views.NewStateBench(in)))
}

// showWorkbenchParts shows what changed on the page since before, which is what
// the form has.
func (s *Pages) showWorkbenchParts(
	c echo.Context, b, before workbench, t *taken, problem *views.Sentence,
) error {
	in, err := s.stateInput(c, b, t, problem)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, views.StateParts(views.NewStateBench(in), views.StateChanges{
		Token: b.Token != before.Token, Claims: b.Claims != before.Claims,
		Choices: b.Mode != before.Mode || b.Key != before.Key,
	}))
}

func (s *Pages) stateInput(
	c echo.Context, b workbench, t *taken, problem *views.Sentence,
) (views.StateInput, error) {
	in := views.StateInput{
		Token: b.Token, Claims: b.Claims, Mode: b.Mode, Key: b.Key, Retry: b.Retry, Problem: problem,
		Kept: c.QueryParam("w") != "",
	}
	keys, err := s.throwaway(c)
	if err != nil {
		return in, err
	}
	_, in.Source = s.claimsOf(b.Token, keys.own, t)
	s.verify(&in, keys, t)
	if t != nil {
		in.Exchange, in.Round, in.Heading = t.x.ID, t.round.N, app.Title(t.x.Redacted().Call)
		in.Server, in.Sample = t.x.Target.Name, t.x.Target.Sample != ""
		in.Original = t.round.StateText()
		in.Send, in.SendWhy = s.sendState(c, b, t)
	}
	return in, nil
}

// verify asks the visitor's own server, and the sample that a state was taken
// from, to verify the token. Neither discloses claims.
func (s *Pages) verify(in *views.StateInput, keys throwawayKeys, t *taken) {
	if in.Token == "" {
		return
	}
	call, mode, now := workbenchCall(), in.Mode, s.Now()
	if t != nil && t.own != nil {
		call, mode = t.own.Claims.Request, t.own.Mode
	}
	call, now = in.Retry.Of(call, now)
	if t != nil && t.own != nil {
		in.Theirs = s.Verify(in.Token, mode, call, now)
	}
	in.Own = seal.Verify(in.Token, keys.own, in.Mode, call, now)
}

// sendState returns the form that sends the token in the place of the state that
// was taken, through the editor of the request. It returns why there is none.
func (s *Pages) sendState(c echo.Context, b workbench, t *taken) (*views.StateSend, string) {
	const answered = "No request that echoes this state can be edited."
	if from, ok := lab.EditFrom(t.x.Fold(), t.round.N); !ok || from.N != t.round.N {
		return nil, answered
	}
	e, err := s.Checks.Editor(c, t.x, fmt.Sprint(t.round.N))
	var refused *app.Refusal
	switch {
	case errors.As(err, &refused):
		return nil, refused.What + " " + refused.Try
	case err != nil:
		s.Logger.Warn("prepare a request with another state", "exchange", t.x.ID, "err", err)
		return nil, answered
	}
	made := e.Shown.WithState(b.Token)
	return &views.StateSend{
		Path: "/x/" + url.PathEscape(t.x.ID) + "/edit", Round: t.round.N, Body: string(made.Body),
		Headers: web.HeaderLines(made), Claims: string(e.Claims), Mine: s.Mine(web.VisitOf(c), t.x.Target),
	}, ""
}

// newestCalls returns the newest calls of the visitor, to take a state from.
func (s *Pages) newestCalls(c echo.Context) ([]views.StateCall, error) {
	page, err := s.Store.Sessions(
		c.Request().Context(), web.VisitOf(c).Workspace(), session.Search{Limit: workbenchCalls},
	)
	if err != nil {
		return nil, err
	}
	var list []views.StateCall
	for _, row := range page.Rows {
		if row.Kind == session.KindExchange && len(row.Exchanges) > 0 {
			list = append(list, views.NewStateCall(row))
		}
	}
	return list, nil
}
