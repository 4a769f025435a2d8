package server

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Start makes an exchange of a sample's own call, or of a tool of a server,
// and sends its first request.
func (s *Pages) Start(r *web.Request) error {
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	if slug := web.First(form["sample"]); slug != "" {
		return s.startSample(r, slug)
	}
	return s.startCall(r, form)
}

func (s *Pages) startSample(r *web.Request, slug string) error {
	x, ok := s.App.Samples.Lookup(slug)
	if !ok || x.Start.Method == "" {
		return app.NotFound()
	}
	call := playground.Call{Method: x.Start.Method, Params: x.Start.Params}
	return s.App.Begin(r, s.App.Samples.Target(x, x.Start.Query), call)
}
