package server

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Servers lists the samples and the user's servers. ?url=, ?tool= and ?args=
// fill in the form; nothing is sent.
func (s *Pages) Servers(c echo.Context) error {
	form, err := readLink(c.QueryParams())
	if err != nil {
		return err
	}
	return s.showServers(c, http.StatusOK, form)
}

func (s *Pages) showServers(c echo.Context, status int, form views.ConnectForm) error {
	v := web.VisitOf(c)
	mine, err := s.Store.Targets(v.Context(), v.Workspace())
	if err != nil {
		return err
	}
	model := views.Servers{Connect: form, Mine: mine, Samples: web.StartLines(s.Samples.List), Base: v.Origin}
	return s.Render(c, status, views.ServersPage(s.Page(c, views.ServersTitle, "/servers"), model))
}

// Connect adds the server at a URL and connects to it. With the id of one of
// the user's servers it changes that server and connects again.
func (s *Pages) Connect(c echo.Context) error {
	values, err := s.FormValues(c)
	if err != nil {
		return err
	}
	set, model := web.ReadSettings(values)
	at, failure, guesses := s.ReadAddress(model.URL)
	if failure != nil {
		sentence, detail := views.FailureSentence(failure.Class, failure.Detail)
		model.Problem, model.Detail, model.Suggestions = &sentence, detail, guesses
		return s.showServers(c, http.StatusUnprocessableEntity, model)
	}
	if model.HeadersProblem != "" {
		sentence := views.SentenceOf("bad_header")
		model.Problem, model.Open = &sentence, true
		return s.showServers(c, http.StatusUnprocessableEntity, model)
	}
	t, log, err := s.AddServer(c, web.First(values["id"]), at, set, model.Era)
	if err != nil {
		return err
	}
	if err := s.Discover(c, t, log); err != nil {
		return err
	}
	return web.SeeOther(c, "/servers/"+t.ID+linkQuery(model))
}

// AddServer stores the server at an address, or changes the user's server with the
// id or the same URL. It returns the server with its secrets, and the log of
// connecting to it before.
func (s *Pages) AddServer(
	c echo.Context, id string, at app.Address, set web.Settings, era playground.Era,
) (playground.Target, []playground.Event, error) {
	workspace, err := web.VisitOf(c).Writing()
	if err != nil {
		return playground.Target{}, nil, err
	}
	t := playground.Target{
		ID: s.NewID(), Name: at.Name, URL: at.URL, Capabilities: set.Capabilities, Header: set.Header,
		Era: era,
	}
	if t.IsCommand() {
		t.Header = nil // lines have none
	}
	id, err = s.SavedTarget(web.VisitOf(c), workspace, id, t)
	if err != nil {
		return t, nil, err
	}
	if id != "" {
		return s.changeServer(c, workspace, id, t, set)
	}
	if err := s.Admit(web.VisitOf(c), playground.Exchange{ID: t.ID, Target: t}); err != nil {
		return t, nil, err
	}
	if t, err = s.Lock(web.VisitOf(c), t); err != nil {
		return t, nil, err
	}
	return t, nil, s.Store.AddTarget(c.Request().Context(), workspace, t.Redacted(), s.Now())
}

// changeServer changes one of the user's servers. It keeps the stored
// credentials unless new ones are entered or the URL names another server.
func (s *Pages) changeServer(
	c echo.Context, workspace, id string, t playground.Target, set web.Settings,
) (playground.Target, []playground.Event, error) {
	ctx := c.Request().Context()
	old, log, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return t, nil, err
	}
	t.ID = id
	if t.URL != old.URL && (t.IsCommand() || old.IsCommand()) {
		return t, nil, app.Refuse(http.StatusUnprocessableEntity, "command_url",
			"A server on standard input has no other URL.", "Nothing was changed.")
	}
	if t.Trust = old.Trust; !t.Trust.IsZero() && t.Trust.Origin != wire.Origin(t.URL) {
		t.Trust = wire.Trust{} // it is another server now
		if err := s.Store.DistrustCertificate(ctx, workspace, id); err != nil {
			return t, nil, err
		}
	}
	if !set.Declares {
		t.Capabilities, t.Era = old.Capabilities, playground.ChosenEra(log)
	}
	if before, open := s.Unlock(web.VisitOf(c), old); open {
		if t.URL == old.URL { // as shown, possibly with masks
			t.URL = before.URL
		}
		if len(t.Header) == 0 && sameServer(before.URL, t.URL) {
			t.Header = before.Header
		}
	}
	if err := s.Admit(web.VisitOf(c), playground.Exchange{ID: t.ID, Target: t}); err != nil {
		return t, nil, err
	}
	if t, err = s.Lock(web.VisitOf(c), t); err != nil {
		return t, nil, err
	}
	if err := s.Store.SetTarget(ctx, workspace, t.Redacted()); err != nil {
		return t, nil, err
	}
	return t, log, nil
}

// ConnectAgain connects to one of the user's servers again and leads to its
// page.
func (s *Pages) ConnectAgain(c echo.Context, workspace, id string, t playground.Target) error {
	t, log, err := s.changeServer(c, workspace, id, t, web.Settings{})
	if err != nil {
		return err
	}
	if err := s.Discover(c, t, log); err != nil {
		return err
	}
	return web.SeeOther(c, "/servers/"+id)
}

// Discover asks a server what it is.
func (s *Pages) Discover(c echo.Context, t playground.Target, log []playground.Event) error {
	v := web.VisitOf(c)
	if err := s.Runner.Connect(v.Context(), s.TargetWithToken(v, t), log); err != nil {
		return err
	}
	s.Await(v.Context(), t.ID)
	return nil
}

// sameServer reports whether credentials for the URL a may be sent to b: the
// host and port are the same, and the scheme does not go from https to http.
func sameServer(a, b string) bool {
	from, err := url.Parse(a)
	if err != nil {
		return false
	}
	to, err := url.Parse(b)
	if err != nil || from.Hostname() != to.Hostname() {
		return false
	}
	if from.Scheme == to.Scheme {
		return from.Port() == to.Port()
	}
	return to.Scheme == "https" && from.Port() == "" && to.Port() == ""
}

// linkQuery keeps the tool and arguments of a link through the redirect.
func linkQuery(model views.ConnectForm) string {
	if model.Tool == "" {
		return ""
	}
	return "?" + url.Values{"tool": {model.Tool}, "args": {model.Args}}.Encode()
}

// Forget removes one of the user's servers, or only its credentials.
func (s *Pages) Forget(c echo.Context) error {
	values, err := s.FormValues(c)
	if err != nil {
		return err
	}
	ctx, workspace, id := c.Request().Context(), web.VisitOf(c).Workspace(), c.Param("id")
	if web.First(values["what"]) == "secrets" {
		if err := s.Store.ForgetSecrets(ctx, workspace, id); err != nil {
			return err
		}
		return web.SeeOther(c, "/servers/"+id)
	}
	if err := s.Store.ForgetTarget(ctx, workspace, id); err != nil {
		return err
	}
	return web.SeeOther(c, "/servers")
}
