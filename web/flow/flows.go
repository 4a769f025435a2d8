package flow

import (
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Flows lists the flows of a workspace and the starting points.
func (s *Pages) Flows(c echo.Context) error { return s.showFlows(c, http.StatusOK, nil) }

func (s *Pages) showFlows(c echo.Context, status int, problem *views.Sentence) error {
	list, err := s.Store.Flows(c.Request().Context(), web.VisitOf(c).Workspace())
	if err != nil {
		return err
	}
	model := views.Flows{
		Mine: list, Examples: flow.Examples(), Problem: problem, Now: s.Now(), Expires: s.Mode.Shared(),
	}
	return s.Render(c, status, views.FlowsPage(s.Page(c, views.FlowsTitle, "/flows"), model))
}

// Make makes a flow of a starting point, a file or nothing.
func (s *Pages) Make(c echo.Context) error {
	source, problem, err := s.source(c)
	if err != nil {
		return err
	}
	if problem != nil {
		return s.showFlows(c, http.StatusUnprocessableEntity, problem)
	}
	id, err := s.MakeFlow(web.VisitOf(c), source)
	if err != nil {
		return err
	}
	return web.SeeOther(c, views.FlowPath(id))
}

// source returns the text that a new flow begins with, or why there is none.
func (s *Pages) source(c echo.Context) (string, *views.Sentence, error) {
	kind, _, _ := mime.ParseMediaType(c.Request().Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		data, err := web.Uploaded(c.Request())
		if err != nil {
			return "", nil, err
		}
		root, problems := document.Parse(data)
		if root == nil {
			p := views.SentenceCode("no_flow", "This file is not a flow.", problems[0].String())
			return "", &p, nil
		}
		return string(data), nil, nil
	}
	values, err := s.FormValues(c)
	if err != nil {
		return "", nil, err
	}
	slug := web.First(values["example"])
	if slug == "" {
		return "", nil, nil
	}
	x, ok := flow.FindExample(slug)
	if !ok {
		return "", nil, app.NotFound()
	}
	return x.Source, nil, nil
}

// Schema sends the JSON Schema of the format.
func (s *Pages) Schema(c echo.Context) error {
	return c.Blob(http.StatusOK, "application/schema+json", flow.Schema)
}
