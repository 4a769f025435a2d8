// Package gateway serves the test of a gateway: the page that says where to point it and takes its
// address, and the report with the recordings of both ends.
package gateway

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/trial"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	gatewayview "github.com/mrtr-playground/mrtr-playground/views/gateway"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/doors"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
	Doors *doors.Pages
}

// Store keeps tests of gateways.
type Store interface {
	Gateway(ctx context.Context, workspace, id string) (gateway.Saved, error)
	Gateways(ctx context.Context, workspace string) ([]gateway.Saved, error)
	Capture(ctx context.Context, workspace, id string) (capture.Capture, error)
}

// Make makes the address of an upstream: in front of the server for this test, a sample, or one of
// the user's servers.
func (s *Pages) Make(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	t := s.App.GatewayTarget()
	if server := web.First(values["server"]); server != "" && server != sampletools.ClientTest {
		t, err = s.App.CaptureTarget(r.Visit, server, web.First(values["query"]))
	}
	var refused *app.Refusal
	if errors.As(err, &refused) && refused.Kind == app.Invalid {
		return s.Doors.Show(r, int(refused.Kind), doors.Refused{Upstream: web.SentenceOf(refused)})
	}
	if err != nil {
		return err
	}
	id, err := s.App.MakeGateway(r.Visit, t)
	if err != nil {
		return err
	}
	return web.SeeOther(r, paths.Gateway(id))
}

// test is a test with the capture at its upstream.
type test struct {
	gateway.Saved
	upstream capture.Capture // zero if it was deleted
	there    bool            // it was not
}

func (s *Pages) find(r *web.Request, id string) (t test, err error) {
	v := r.Visit
	if t.Saved, err = s.Store.Gateway(v.Context(), v.Workspace(), id); err != nil {
		return t, err
	}
	t.upstream, err = s.Store.Capture(v.Context(), v.Workspace(), t.Capture)
	if t.there = err == nil; errors.Is(err, playground.ErrNotFound) {
		err = nil
	}
	return t, err
}

// Page shows a test, or sends its report as a file: .json, .md, or .xml (JUnit).
func (s *Pages) Page(r *web.Request) error {
	id, suffix, isFile := strings.Cut(r.Param("id"), ".")
	t, err := s.find(r, id)
	if err != nil {
		return err
	}
	if isFile {
		return s.file(r, t, suffix)
	}
	in, err := s.input(r, t)
	if err != nil {
		return err
	}
	return s.show(r, http.StatusOK, in)
}

// input returns what the page of a test shows.
func (s *Pages) input(r *web.Request, t test) (gatewayview.Input, error) {
	in := gatewayview.Input{Saved: t.Saved, Upstream: "a server whose record was deleted"}
	if t.there {
		in.Address = r.Visit.Origin + web.CapturePath + t.upstream.Token
		in.Path = web.CapturePath + t.upstream.Token
		in.Open, in.Upstream = t.upstream.Open(s.App.Now()), t.upstream.Target.Name
		in.Expires = t.upstream.Expires().UTC().Format("2 January 2006, 15:04 UTC")
	}
	if t.Began.IsZero() {
		in.Own, in.Connect.URL = s.own(r, t, url.Values{}), r.QueryParam("url")
		return in, nil
	}
	k, err := s.App.Find(r.Visit, t.Server)
	if err == nil {
		in.Connect.URL = k.Target.URL
	}
	if err != nil && !errors.Is(err, playground.ErrNotFound) {
		return in, err
	}
	_, in.Running = s.App.Checker.Watch(r.Context(), t.ID)
	if in.Recording, in.Report, err = s.App.GatewayReport(r.Visit, t.Saved, in.Running); err != nil {
		return in, err
	}
	in.Shown = web.Number(r.QueryParam("request"), 0)
	if !in.Running {
		in.Since, err = s.since(r, t, in.Report)
	}
	return in, err
}

// show renders the page.
func (s *Pages) show(r *web.Request, status int, in gatewayview.Input) error {
	model := gatewayview.New(in)
	if web.WantsFragment(r) {
		return s.App.Render(r, status, gatewayview.Main(model))
	}
	page := s.App.Page(r, gatewayview.Title, layout.TestPath)
	page.Refresh = in.Running
	return s.App.Render(r, status, gatewayview.Page(page, model))
}

// file sends a report.
func (s *Pages) file(r *web.Request, t test, suffix string) error {
	_, running := s.App.Checker.Watch(r.Context(), t.ID)
	rec, report, err := s.App.GatewayReport(r.Visit, t.Saved, running)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	switch suffix {
	case "json":
		if err := verdict.WriteJSON(&out, gateway.NewDocument(rec, report)); err != nil {
			return err
		}
		return r.Bytes(http.StatusOK, "application/json", out.Bytes())
	case "xml":
		if err := report.WriteJUnit(&out); err != nil {
			return err
		}
		return r.Bytes(http.StatusOK, "application/xml; charset=utf-8", out.Bytes())
	case "md":
		return r.Bytes(http.StatusOK, "text/markdown; charset=utf-8", report.Markdown())
	}
	return app.NotFound()
}

// since compares a report with the last complete one at the same upstream; nil if there is none.
func (s *Pages) since(r *web.Request, t test, report verdict.Report) (*checkview.Since, error) {
	if t.Ended.IsZero() || t.Gap != "" {
		return nil, nil
	}
	list, err := s.Store.Gateways(r.Context(), r.Visit.Workspace())
	if err != nil {
		return nil, err
	}
	for _, g := range list {
		if g.Capture != t.Capture || !g.Began.Before(t.Began) || g.Ended.IsZero() || g.Gap != "" {
			continue
		}
		earlier, err := s.Store.Gateway(r.Context(), r.Visit.Workspace(), g.ID) // with its calls
		if err != nil {
			return nil, err
		}
		_, before, err := s.App.GatewayReport(r.Visit, earlier, false)
		if err != nil {
			return nil, err
		}
		compared, err := report.Against(before.Baseline(""))
		if err != nil {
			return nil, nil // nothing of both can be compared
		}
		return checkview.NewSince(paths.Gateway(g.ID), g.Began, *compared.Since, "#line-"), nil
	}
	return nil, nil
}

// Change begins a test, stops it, or makes another one.
func (s *Pages) Change(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	t, err := s.find(r, r.Param("id"))
	if err != nil {
		return err
	}
	switch web.First(values["do"]) {
	case "test":
		return s.begin(r, t, values)
	case "stop":
		return s.stop(r, t)
	case "again":
		return s.again(r, t)
	case "change":
		id, err := s.App.AgainGateway(r.Visit, t.Saved)
		if err != nil {
			return err
		}
		return web.SeeOther(r, paths.Gateway(id)+"?"+url.Values{"url": {web.First(values["url"])}}.Encode())
	}
	return app.NotFound()
}

// begin begins the test of a gateway at an address.
func (s *Pages) begin(r *web.Request, t test, values url.Values) error {
	set, form := web.ReadSettings(values)
	at, failure, guesses := s.App.ReadAddress(form.URL)
	own, problem := s.ownCalls(r, t, values)
	if path, here := s.App.OwnPath(at.URL); here && t.there && path == web.CapturePath+t.upstream.Token {
		problem = "This is the address of the upstream. Enter that of your gateway."
	}
	if failure != nil || form.HeadersProblem != "" || problem != "" {
		in, err := s.input(r, t)
		if err != nil {
			return err
		}
		in.Connect, in.Problem, in.Own = form, problem, s.own(r, t, values)
		switch {
		case failure != nil:
			sentence, detail := doctor.FailureSentence(failure.Class, failure.Detail)
			in.Connect.Problem, in.Connect.Detail, in.Connect.Suggestions = &sentence, detail, guesses
		case form.HeadersProblem != "":
			sentence := doctor.SentenceOf("bad_header")
			in.Connect.Problem, in.Connect.Open = &sentence, true
		}
		return s.show(r, http.StatusUnprocessableEntity, in)
	}
	server, log, err := s.App.AddServer(r.Visit, "", at, set, "")
	if err != nil {
		return err
	}
	// The gateway is a server of the user's, whose page says what is wrong if it does not answer.
	if err := s.App.Connect(r.Visit, server, log); err != nil {
		return err
	}
	return s.start(r, t, server, own)
}

// start begins a test of one of the user's servers.
func (s *Pages) start(r *web.Request, t test, server playground.Target, own []trial.OwnCall) error {
	server, err := s.App.TargetWithToken(r.Visit, server)
	if err != nil {
		return err
	}
	if err := s.App.BeginGateway(r.Visit, t.Saved, server, own); err != nil {
		return err
	}
	return web.SeeOther(r, paths.Gateway(t.ID))
}

// stop ends a test. What was recorded stays.
func (s *Pages) stop(r *web.Request, t test) error {
	if s.App.Checker.Stop(t.ID) {
		settled, stop := context.WithTimeout(r.Context(), s.App.Settle)
		defer stop()
		s.App.Checker.Wait(settled, t.ID)
	}
	return web.SeeOther(r, paths.Gateway(t.ID))
}

// again makes another test of the same gateway at the same upstream. That of an upstream of the
// user's own begins when its call is chosen.
func (s *Pages) again(r *web.Request, t test) error {
	id, err := s.App.AgainGateway(r.Visit, t.Saved)
	if err != nil {
		return err
	}
	k, err := s.App.Find(r.Visit, t.Server)
	open, readable := s.App.Unlock(r.Visit, k.Target)
	if err != nil || !readable || s.ownUpstream(t) {
		return web.SeeOther(r, paths.Gateway(id))
	}
	next, err := s.find(r, id)
	if err != nil {
		return err
	}
	open.Name = t.Name // and not as the server behind it names itself
	return s.start(r, next, open, s.sampleCalls(t))
}

// Events sends an event when a test has made progress.
func (s *Pages) Events(r *web.Request) error {
	v := r.Visit
	id := r.Param("id")
	if _, err := s.Store.Gateway(v.Context(), v.Workspace(), id); err != nil {
		return err
	}
	watch := func(ctx context.Context) (<-chan struct{}, bool) { return s.App.Checker.Watch(ctx, id) }
	return s.App.StreamChangeOf(r, watch, func() {})
}
