package learn

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	stateview "github.com/mrtr-playground/mrtr-playground/views/state"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// StatePage shows the workbench: with a token of the samples' format, with one of
// another format (?example=), with the state of an exchange (?x= and ?round=), or as it
// was left (?w=).
func (s *Pages) StatePage(r *web.Request) error {
	if id := r.QueryParam("w"); id != "" {
		b, err := s.keptWorkbench(r, id)
		if err != nil {
			return err
		}
		return s.showKept(r, b)
	}
	mode, err := seal.ParseMode(r.QueryParam("mode"))
	if err != nil {
		mode = seal.Sealed
	}
	b := workbench{Claims: s.newClaims(nil), Mode: mode, Key: stateview.OwnKey, Retry: stateview.SameRetry}
	keys, err := s.throwaway(r)
	if err != nil {
		return err
	}
	b.make(keys, nil) // example claims make a token
	if token, ok := state.NewExample(r.QueryParam("example"), s.App.Now()); ok {
		b.Token = token
		b.read(s, keys.own, nil)
	}
	id := r.QueryParam("x")
	if id == "" {
		return s.showWorkbench(r, http.StatusOK, b, nil, nil)
	}
	t, err := s.take(r, id, web.Number(r.QueryParam("round"), playground.MaxRounds))
	switch {
	case err != nil:
		return err
	case t == nil:
		problem := prose.SentenceCode("no_state", "This call has no requestState.",
			"Its server has not returned one. Take the state of another call, or make one here.")
		return s.showWorkbench(r, http.StatusOK, b, nil, &problem)
	}
	b.Token, b.Exchange, b.Round = t.round.StateText(), id, t.round.N
	b.read(s, keys.own, t)
	return s.showWorkbench(r, http.StatusOK, b, t, nil)
}

// showKept shows a workbench as it was left. Its exchange may be gone since.
func (s *Pages) showKept(r *web.Request, b workbench) error {
	t, err := s.takenFor(r, &b)
	if err != nil {
		return err
	}
	return s.showWorkbench(r, http.StatusOK, b, t, nil)
}

// takenFor returns the state that b was taken from. If the exchange was deleted,
// it returns nil, and b is like one that was pasted.
func (s *Pages) takenFor(r *web.Request, b *workbench) (*taken, error) {
	if b.Exchange == "" {
		return nil, nil
	}
	t, err := s.take(r, b.Exchange, b.Round)
	if errors.Is(err, playground.ErrNotFound) || err == nil && t == nil {
		b.Exchange, b.Round = "", 0
		return nil, nil
	}
	return t, err
}

// take returns the state that Round n of an exchange of the visitor returned, or
// the last one before it; the newest if n is 0. It returns nil if there is none.
func (s *Pages) take(r *web.Request, id string, n int) (*taken, error) {
	x, err := s.App.Load(r.Visit, id)
	if err != nil {
		return nil, err
	}
	var t *taken
	for _, round := range x.Fold().Rounds {
		if round.State != nil && (n == 0 || round.N <= n) {
			t = &taken{x: x, round: round}
		}
	}
	if t != nil && s.Checks.OpensStates(x) {
		if e := s.App.Explain(t.round.StateText()); e.Claims != nil {
			t.own = &e
		}
	}
	return t, nil
}

// EditState changes the workbench. A button leads to an address that restores
// it, and which never holds the token. While the user types, htmx gets the
// changed parts of the page, and nothing is stored.
func (s *Pages) EditState(r *web.Request) error {
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	b, err := readWorkbench(form)
	var refused *app.Refusal
	if web.WantsFragment(r) && errors.As(err, &refused) {
		return s.showWorkbenchParts(r, b, b, nil, web.SentenceOf(refused))
	}
	if err != nil {
		return err
	}
	t, err := s.takenFor(r, &b)
	if err != nil {
		return err
	}
	if t != nil && b.Token == controlText(t.round.StateText()) {
		b.Token = t.round.StateText()
	}
	v, err := r.Visit.NewVault()
	if err != nil {
		return err
	}
	keys, err := s.throwaway(r)
	if err != nil {
		return err
	}
	before := b
	problem := b.do(s, web.First(form["do"]), keys, t)
	if web.WantsFragment(r) {
		return s.showWorkbenchParts(r, b, before, t, problem)
	}
	if problem != nil {
		return s.showWorkbench(r, http.StatusUnprocessableEntity, b, t, problem)
	}
	id, err := s.keepWorkbench(r, v, b)
	var full *app.Refusal
	if errors.As(err, &full) { // it works without being kept
		return s.showWorkbench(r, http.StatusOK, b, t, web.SentenceOf(full))
	}
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/state?w="+url.QueryEscape(id))
}

// showWorkbench shows the page.
func (s *Pages) showWorkbench(
	r *web.Request, status int, b workbench, t *taken, problem *prose.Sentence,
) error {
	in, err := s.stateInput(r, b, t, problem)
	if err != nil {
		return err
	}
	if in.Calls, err = s.newestCalls(r); err != nil {
		return err
	}
	page := s.App.Page(r, "requestState workbench", "/learn")
	if r.Method == http.MethodPost {
		page.Here = paths.State
	}
	return s.App.Render(r, status, stateview.Workbench(page, stateview.NewBench(in)))
}

// showWorkbenchParts shows the changes on the page since before, which is the
// state of the form.
func (s *Pages) showWorkbenchParts(
	r *web.Request, b, before workbench, t *taken, problem *prose.Sentence,
) error {
	in, err := s.stateInput(r, b, t, problem)
	if err != nil {
		return err
	}
	return s.App.Render(r, http.StatusOK, stateview.Parts(stateview.NewBench(in), stateview.Changes{
		Token: b.Token != before.Token, Claims: b.Claims != before.Claims,
		Choices: b.Mode != before.Mode || b.Key != before.Key,
	}))
}

func (s *Pages) stateInput(
	r *web.Request, b workbench, t *taken, problem *prose.Sentence,
) (stateview.Input, error) {
	in := stateview.Input{
		Token: b.Token, Claims: b.Claims, Mode: b.Mode, Key: b.Key, Retry: b.Retry, Problem: problem,
		Kept: r.QueryParam("w") != "",
	}
	keys, err := s.throwaway(r)
	if err != nil {
		return in, err
	}
	_, in.Source = s.claimsOf(b.Token, keys.own, t)
	s.verify(&in, keys, t)
	if t != nil {
		in.Exchange, in.Round, in.Heading = t.x.ID, t.round.N, app.Title(t.x.Redacted().Call)
		in.Server, in.Sample = t.x.Target.Name, t.x.Target.Sample != ""
		in.Original = t.round.StateText()
		in.Send, in.SendWhy = s.sendState(r, b, t)
	}
	return in, nil
}

// verify asks the visitor's own server, and the sample that a state was taken
// from, to verify the token. Neither discloses claims.
func (s *Pages) verify(in *stateview.Input, keys throwawayKeys, t *taken) {
	if in.Token == "" {
		return
	}
	call, mode, now := workbenchCall(), in.Mode, s.App.Now()
	if t != nil && t.own != nil {
		call, mode = t.own.Claims.Request, t.own.Mode
	}
	call, now = in.Retry.Of(call, now)
	if t != nil && t.own != nil {
		in.Theirs = s.App.Verify(in.Token, mode, call, now)
	}
	in.Own = seal.Verify(in.Token, keys.own, in.Mode, call, now)
}

// sendState returns the form that sends the token in the place of the state that
// was taken, through the editor of the request. It returns why there is none.
func (s *Pages) sendState(r *web.Request, b workbench, t *taken) (*stateview.Send, string) {
	const answered = "No request that echoes this state can be edited."
	if from, ok := lab.EditFrom(t.x.Fold(), t.round.N); !ok || from.N != t.round.N {
		return nil, answered
	}
	e, err := s.Checks.Editor(r, t.x, fmt.Sprint(t.round.N))
	var refused *app.Refusal
	switch {
	case errors.As(err, &refused):
		return nil, refused.What + " " + refused.Try
	case err != nil:
		s.App.Logger.Warn("prepare a request with another state", "exchange", t.x.ID, "err", err)
		return nil, answered
	}
	made := e.Shown.WithState(b.Token)
	return &stateview.Send{
		Path: "/x/" + url.PathEscape(t.x.ID) + "/edit", Round: t.round.N, Body: string(made.Body),
		Headers: web.HeaderLines(made), Claims: string(e.Claims), Mine: s.App.Mine(r.Visit, t.x.Target),
	}, ""
}

// newestCalls returns the newest calls of the visitor, to take a state from.
func (s *Pages) newestCalls(r *web.Request) ([]stateview.Call, error) {
	page, err := s.Store.Sessions(
		r.Context(), r.Visit.Workspace(), session.Search{Limit: workbenchCalls},
	)
	if err != nil {
		return nil, err
	}
	var list []stateview.Call
	for _, row := range page.Rows {
		if row.Kind == session.KindExchange && len(row.Exchanges) > 0 {
			list = append(list, stateview.NewCall(row))
		}
	}
	return list, nil
}
