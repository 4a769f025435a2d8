package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// targetStore keeps the user's servers.
type targetStore interface {
	AddTarget(ctx context.Context, workspace string, t playground.Target, at time.Time) error
	Target(ctx context.Context, workspace, id string) (playground.Target, []playground.Event, error)
	TargetAt(ctx context.Context, workspace, url string) (id string, err error)
	Targets(ctx context.Context, workspace string) ([]server.Row, error)
	SetTarget(ctx context.Context, workspace string, t playground.Target) error
	ForgetTarget(ctx context.Context, workspace, id string) error
	ForgetSecrets(ctx context.Context, workspace, id string) error
	Mine(ctx context.Context, workspace, target string) (bool, error)
	SetMine(ctx context.Context, workspace, target string) error
	certificateStore
}

// servers lists the samples and the user's servers. ?url=, ?tool= and ?args=
// fill in the form; nothing is sent.
func (s *app) servers(c echo.Context) error {
	form, err := readLink(c.QueryParams())
	if err != nil {
		return err
	}
	return s.showServers(c, http.StatusOK, form)
}

func (s *app) showServers(c echo.Context, status int, form views.ConnectForm) error {
	mine, err := s.Store.Targets(c.Request().Context(), s.owners.reading(c))
	if err != nil {
		return err
	}
	model := views.Servers{Connect: form, Mine: mine, Samples: s.samples.lines(), Base: s.BaseURL}
	return s.render(c, status, views.ServersPage(s.page(c, "Servers", "/servers"), model))
}

// connect adds the server at a URL and connects to it. With the id of one of
// the user's servers it changes that server and connects again.
func (s *app) connect(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	set, model := readSettings(values)
	u, failure, guesses := server.Address(model.URL, s.Mode == Public)
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
	t, log, err := s.addServer(c, first(values["id"]), u, set, model.Era)
	if err != nil {
		return err
	}
	if err := s.discover(c, t, log); err != nil {
		return err
	}
	return seeOther(c, "/servers/"+t.ID+linkQuery(model))
}

// addServer stores the server at a URL, or changes the user's server with the
// id or the same URL. It returns the server with its secrets, and the log of
// connecting to it before.
func (s *app) addServer(
	c echo.Context, id string, u *url.URL, set settings, era playground.Era,
) (playground.Target, []playground.Event, error) {
	workspace, err := s.owners.writing(c)
	if err != nil {
		return playground.Target{}, nil, err
	}
	t := playground.Target{
		ID: s.NewID(), Name: u.Host, URL: u.String(), Capabilities: set.capabilities, Header: set.header,
		Era: era,
	}
	id, err = s.savedTarget(c, workspace, id, t)
	if err != nil {
		return t, nil, err
	}
	if id != "" {
		return s.changeServer(c, workspace, id, t, set)
	}
	if err := s.admit(c, playground.Exchange{ID: t.ID, Target: t}); err != nil {
		return t, nil, err
	}
	if t, err = s.lock(c, t); err != nil {
		return t, nil, err
	}
	return t, nil, s.Store.AddTarget(c.Request().Context(), workspace, t.Redacted(), s.Now())
}

// savedTarget returns the id of the user's server that a form is for: the one
// that it names, or the one with the same URL, so that a URL is listed once. It
// is "" for a new server.
func (s *app) savedTarget(c echo.Context, workspace, id string, t playground.Target) (string, error) {
	if id != "" {
		return id, nil
	}
	id, err := s.Store.TargetAt(c.Request().Context(), workspace, t.Redacted().URL)
	if errors.Is(err, playground.ErrNotFound) {
		return "", nil
	}
	return id, err
}

// changeServer changes one of the user's servers. It keeps the stored
// credentials unless new ones are entered or the URL names another server.
func (s *app) changeServer(
	c echo.Context, workspace, id string, t playground.Target, set settings,
) (playground.Target, []playground.Event, error) {
	ctx := c.Request().Context()
	old, log, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return t, nil, err
	}
	t.ID = id
	if t.Trust = old.Trust; !t.Trust.IsZero() && t.Trust.Origin != wire.Origin(t.URL) {
		t.Trust = wire.Trust{} // it is another server now
		if err := s.Store.DistrustCertificate(ctx, workspace, id); err != nil {
			return t, nil, err
		}
	}
	if !set.declares {
		t.Capabilities, t.Era = old.Capabilities, playground.ChosenEra(log)
	}
	if before, open := s.unlock(c, old); open {
		if t.URL == old.URL { // as shown, possibly with masks
			t.URL = before.URL
		}
		if len(t.Header) == 0 && sameServer(before.URL, t.URL) {
			t.Header = before.Header
		}
	}
	if err := s.admit(c, playground.Exchange{ID: t.ID, Target: t}); err != nil {
		return t, nil, err
	}
	if t, err = s.lock(c, t); err != nil {
		return t, nil, err
	}
	if err := s.Store.SetTarget(ctx, workspace, t.Redacted()); err != nil {
		return t, nil, err
	}
	return t, log, nil
}

// connectAgain connects to one of the user's servers again and leads to its
// page.
func (s *app) connectAgain(c echo.Context, workspace, id string, t playground.Target) error {
	t, log, err := s.changeServer(c, workspace, id, t, settings{})
	if err != nil {
		return err
	}
	if err := s.discover(c, t, log); err != nil {
		return err
	}
	return seeOther(c, "/servers/"+id)
}

// discover asks a server what it is.
func (s *app) discover(c echo.Context, t playground.Target, log []playground.Event) error {
	if err := s.Runner.Connect(c.Request().Context(), s.targetWithToken(c, t), log); err != nil {
		return err
	}
	s.settle(c.Request().Context(), t.ID)
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

// forget removes one of the user's servers, or only its credentials.
func (s *app) forget(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	ctx, workspace, id := c.Request().Context(), s.owners.reading(c), c.Param("id")
	if first(values["what"]) == "secrets" {
		if err := s.Store.ForgetSecrets(ctx, workspace, id); err != nil {
			return err
		}
		return seeOther(c, "/servers/"+id)
	}
	if err := s.Store.ForgetTarget(ctx, workspace, id); err != nil {
		return err
	}
	return seeOther(c, "/servers")
}

// declared returns the client capabilities that are declared by default.
func declared() json.RawMessage {
	return playground.Declare(
		[]string{"elicitation.form", "elicitation.url", "sampling", "sampling.tools", "roots", "tasks"},
	)
}
