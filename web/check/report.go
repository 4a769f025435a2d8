package check

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// CheckReport shows the board of a session or sends it as a file: .json, .md, or
// .xml (JUnit).
func (s *Pages) CheckReport(r *web.Request) error {
	id, suffix, _ := strings.Cut(r.Param("session"), ".")
	report, err := s.reportOf(r, id)
	if err != nil {
		return err
	}
	switch suffix {
	case "":
	case "json":
		var out bytes.Buffer
		if err := verdict.WriteJSON(&out, report.Document()); err != nil {
			return err
		}
		return r.Bytes(http.StatusOK, "application/json", out.Bytes())
	case "xml":
		var out bytes.Buffer
		if err := report.Verdict().WriteJUnit(&out); err != nil {
			return err
		}
		return r.Bytes(http.StatusOK, "application/xml; charset=utf-8", out.Bytes())
	case "md":
		return r.Bytes(http.StatusOK, "text/markdown; charset=utf-8", report.Verdict().Markdown())
	default:
		return app.NotFound()
	}
	model := checkview.NewReport(report.Target.ID, id, report, r.QueryParam("probe"))
	if model.Since, err = s.since(r, id, report); err != nil {
		return err
	}
	tool, arguments := app.ExampleCall(report.Call.Params)
	if report.Call.Method != playground.ToolsCall {
		tool = report.Call.Method + " " + cmp.Or(tool, resourceOf(report.Call.Params))
	}
	again := url.Values{"tool": {tool}, "args": {arguments}}
	if u, err := url.Parse(report.Target.URL); err == nil && report.Target.Sample != "" {
		again.Set("state", u.Query().Get("state"))
	}
	model.Again = "/servers/" + report.Target.ID + "/check?" + again.Encode()
	if web.WantsFragment(r) {
		return s.App.Render(r, http.StatusOK, checkview.ReportMain(model))
	}
	page := s.App.Page(r, "Check of "+model.Tool, layout.TestPath)
	page.Refresh = model.Status == lab.Running
	return s.App.Render(r, http.StatusOK, checkview.ReportPage(page, model))
}

// resourceOf returns the URI of a resources/read call.
func resourceOf(params []byte) string {
	node, err := jsontree.Parse(params, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return node.Get("uri").Str()
}

// reportOf returns the report of a check, or of the experiments of a call, from
// the recording of its session.
func (s *Pages) reportOf(r *web.Request, id string) (lab.Report, error) {
	v := r.Visit
	ctx, workspace := v.Context(), v.Workspace()
	_, running := s.App.Checker.Watch(ctx, id) // before the recording is read: it only grows
	n, err := s.Store.Session(ctx, workspace, id)
	if err != nil {
		return lab.Report{}, err
	}
	if len(n.Exchanges) == 0 || n.Exchanges[0].Target.ID != r.Param("id") {
		return lab.Report{}, app.NotFound()
	}
	if err := s.App.TakeTurn(v, n); err != nil {
		return lab.Report{}, err
	}
	s.App.Look(v, n.Exchanges...)
	connection := s.App.ConnectionOf(v, n.Exchanges[0].Target.ID)
	if n.Kind != session.KindCheck {
		return lab.NewLabReport(n.Exchanges, n.Exchanges[0], 0, connection, running), nil
	}
	return lab.NewReport(n.Exchanges, connection, running), nil
}

// mostEarlier is how many checks are looked through for one of the same call.
const mostEarlier = 20

// since compares a report that is complete with the last complete one of the same tool,
// prompt or resource; nil if there is none. The connection is that of today for both, so that
// only what the checks recorded is compared.
func (s *Pages) since(r *web.Request, id string, report lab.Report) (*checkview.Since, error) {
	if report.Status != lab.Complete {
		return nil, nil
	}
	v := r.Visit
	list, err := s.Store.EarlierChecks(v.Context(), v.Workspace(), id, mostEarlier)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if c.Call.Method != report.Call.Method || c.Call.Name() != report.Call.Name() {
			continue
		}
		n, err := s.Store.Session(v.Context(), v.Workspace(), c.Session)
		if err == nil {
			err = s.App.TakeTurn(v, n)
		}
		if err != nil {
			return nil, err
		}
		earlier := lab.NewReport(n.Exchanges, s.App.ConnectionOf(v, report.Target.ID), false)
		if earlier.Status != lab.Complete {
			continue
		}
		compared, err := report.Verdict().Against(earlier.Verdict().Baseline(""))
		if err != nil {
			return nil, nil // nothing of both can be compared
		}
		return checkview.NewSince(paths.Check(report.Target.ID, c.Session), c.Created, *compared.Since,
			"#"), nil
	}
	return nil, nil
}

// CheckEvents sends an event when the check has made progress.
func (s *Pages) CheckEvents(r *web.Request) error {
	v := r.Visit
	if err := s.Store.HasSession(v.Context(), v.Workspace(), r.Param("session")); err != nil {
		return err
	}
	watch := func(ctx context.Context) (<-chan struct{}, bool) {
		return s.App.Checker.Watch(ctx, r.Param("session"))
	}
	// the report that the page loads after an event looks at the tasks
	return s.App.StreamChangeOf(r, watch, func() {})
}

// StopCheck ends a check; its recording stays. It leads to the Lab of the
// exchange that the form names, if the check runs in the session of one.
func (s *Pages) StopCheck(r *web.Request) error {
	ctx := r.Context()
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	if err := s.Store.HasSession(ctx, r.Visit.Workspace(), r.Param("session")); err != nil {
		return err
	}
	if s.App.Checker.Stop(r.Param("session")) {
		settled, stop := context.WithTimeout(ctx, s.App.Settle)
		defer stop()
		s.App.Checker.Wait(settled, r.Param("session"))
	}
	if x := web.First(form["exchange"]); x != "" {
		board := selection.Selection{Panel: selection.PanelLab}
		return web.SeeOther(r, board.At("/x/"+url.PathEscape(x), nil))
	}
	return web.SeeOther(r, paths.Check(r.Param("id"), r.Param("session")))
}
