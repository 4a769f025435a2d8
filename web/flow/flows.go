package flow

import (
	"mime"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Moved redirects the address that the list of flows had before.
func (s *Pages) Moved(r *web.Request) error { return r.Redirect(http.StatusFound, layout.BuildPath) }

// Build lists the flows of a workspace and the starting points.
func (s *Pages) Build(r *web.Request) error { return s.showFlows(r, http.StatusOK, nil) }

func (s *Pages) showFlows(r *web.Request, status int, problem *prose.Sentence) error {
	list, err := s.Store.Flows(r.Context(), r.Visit.Workspace())
	if err != nil {
		return err
	}
	served, err := s.Store.ServedOf(r.Context(), r.Visit.Workspace())
	if err != nil {
		return err
	}
	model := flowview.Flows{
		Mine: list, Served: served, Examples: flow.Examples(), Problem: problem, Now: s.App.Now(),
		Expires: s.App.Mode.Shared(),
	}
	return s.App.Render(
		r,
		status,
		flowview.FlowsPage(s.App.Page(r, layout.BuildTitle, layout.BuildPath), model),
	)
}

// Make makes a flow of a starting point, recorded calls, a file or nothing.
func (s *Pages) Make(r *web.Request) error {
	source, problem, err := s.source(r)
	if err != nil {
		return err
	}
	if problem != nil {
		return s.showFlows(r, http.StatusUnprocessableEntity, problem)
	}
	id, err := s.App.MakeFlow(r.Visit, source)
	if err != nil {
		return err
	}
	return web.SeeOther(r, paths.Flow(id))
}

// source returns the text that a new flow begins with, or why there is none.
func (s *Pages) source(r *web.Request) (string, *prose.Sentence, error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		data, err := web.Uploaded(r.Request)
		if err != nil {
			return "", nil, err
		}
		root, problems := document.Parse(data)
		if root == nil {
			p := prose.SentenceCode("no_flow", "This file is not a flow.", problems[0].String())
			return "", &p, nil
		}
		return string(data), nil, nil
	}
	values, err := s.App.FormValues(r)
	if err != nil {
		return "", nil, err
	}
	if id := web.First(values["exchange"]); id != "" {
		source, err := s.App.FlowOf(r.Visit, id)
		return source, nil, err
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
func (s *Pages) Schema(r *web.Request) error {
	return r.Bytes(http.StatusOK, "application/schema+json", flow.Schema)
}
