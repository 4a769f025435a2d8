package web

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// checkReport shows a check or sends it as a file: .json or .xml (JUnit).
func (s *app) checkReport(c echo.Context) error {
	session, suffix, _ := strings.Cut(c.Param("session"), ".")
	report, err := s.reportOf(c, session)
	if err != nil {
		return err
	}
	switch suffix {
	case "":
	case "json":
		return c.JSONPretty(http.StatusOK, report.Document(), "  ")
	case "xml":
		var out bytes.Buffer
		if err := report.WriteJUnit(&out); err != nil {
			return err
		}
		return c.Blob(http.StatusOK, "application/xml; charset=utf-8", out.Bytes())
	default:
		return notFound()
	}
	model := views.NewCheckReport(report.Target.ID, session, report, c.QueryParam("probe"))
	tool, arguments := exampleCall(report.Call.Params)
	if report.Call.Method != playground.ToolsCall {
		tool = report.Call.Method + " " + cmp.Or(tool, resourceOf(report.Call.Params))
	}
	again := url.Values{"tool": {tool}, "args": {arguments}}
	if u, err := url.Parse(report.Target.URL); err == nil && report.Target.Sample != "" {
		again.Set("state", u.Query().Get("state"))
	}
	model.Again = "/servers/" + report.Target.ID + "/check?" + again.Encode()
	if wantsFragment(c) {
		return s.render(c, http.StatusOK, views.CheckReportMain(model))
	}
	page := s.page(c, "Check of "+model.Tool, "/servers")
	page.Refresh = model.Status == lab.Running
	return s.render(c, http.StatusOK, views.CheckReportPage(page, model))
}

// resourceOf returns the URI of a resources/read call.
func resourceOf(params []byte) string {
	node, err := jsontree.Parse(params, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return node.Get("uri").Str()
}

// reportOf returns the report of a check from its recording.
func (s *app) reportOf(c echo.Context, session string) (lab.Report, error) {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	_, running := s.Checker.Watch(session) // before the recording is read: it only grows
	n, err := s.Store.Session(ctx, workspace, session)
	if err != nil {
		return lab.Report{}, err
	}
	if len(n.Exchanges) == 0 || n.Exchanges[0].Target.ID != c.Param("id") {
		return lab.Report{}, notFound()
	}
	var connection server.Connection
	if k, err := s.find(ctx, workspace, n.Exchanges[0].Target.ID); err == nil { // not for a removed server
		connection = k.connection
	}
	return lab.NewReport(n.Exchanges, connection, running), nil
}

// checkEvents sends an event when the check has made progress.
func (s *app) checkEvents(c echo.Context) error {
	if _, err := s.Store.Session(c.Request().Context(), s.owners.reading(c), c.Param("session")); err != nil {
		return err
	}
	return s.streamChangeOf(c, func() (<-chan struct{}, bool) { return s.Checker.Watch(c.Param("session")) })
}

// stopCheck ends a check; what was recorded stays.
func (s *app) stopCheck(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := s.Store.Session(ctx, s.owners.reading(c), c.Param("session")); err != nil {
		return err
	}
	if s.Checker.Stop(c.Param("session")) {
		settled, stop := context.WithTimeout(ctx, s.Settle)
		defer stop()
		s.Checker.Wait(settled, c.Param("session"))
	}
	return seeOther(c, views.CheckPath(c.Param("id"), c.Param("session")))
}
