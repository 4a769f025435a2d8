package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// servers lists what can be talked to; ?url=, ?tool= and ?args= fill in the
// form and wait.
func (s *server) servers(c echo.Context) error {
	q := c.QueryParams()
	return s.showServers(c, http.StatusOK, views.Servers{URL: q.Get("url"), Tool: q.Get("tool"), Args: q.Get("args")})
}

func (s *server) showServers(c echo.Context, status int, model views.Servers) error {
	mine, err := s.Store.Targets(c.Request().Context(), s.owners.reading(c))
	if err != nil {
		return err
	}
	model.Mine, model.Samples = mine, s.samples.lines()
	return s.render(c, status, views.ServersPage(s.page(c, "Servers", "/servers"), model))
}

// connect takes the address of a server and asks it what it is.
func (s *server) connect(c echo.Context) error {
	form, err := formValues(c)
	if err != nil {
		return err
	}
	model := views.Servers{URL: first(form["url"]), Tool: first(form["tool"]), Args: first(form["args"])}
	u, failure := wire.CheckURL(model.URL, s.Mode == Public)
	if failure != nil {
		sentence := views.SentenceOf(failure.Class)
		sentence.Try = failure.Detail + ". " + sentence.Try
		model.Problem = &sentence
		return s.showServers(c, http.StatusUnprocessableEntity, model)
	}
	workspace, err := s.owners.writing(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	t := playground.Target{ID: s.NewID(), Name: u.Host, URL: u.String(), Capabilities: declared()}
	if err := s.Store.AddTarget(ctx, workspace, t, s.Now()); err != nil {
		return err
	}
	if err := s.Runner.Connect(ctx, t, nil); err != nil {
		return err
	}
	s.settle(ctx, t.ID)
	return seeOther(c, "/servers/"+t.ID+carried(model))
}

// carried keeps the tool and arguments of a link through the redirect.
func carried(model views.Servers) string {
	if model.Tool == "" {
		return ""
	}
	return "?" + url.Values{"tool": {model.Tool}, "args": {model.Args}}.Encode()
}

func (s *server) forget(c echo.Context) error {
	if err := s.Store.ForgetTarget(c.Request().Context(), s.owners.reading(c), c.Param("id")); err != nil {
		return err
	}
	return seeOther(c, "/servers")
}
