package server

import (
	"net/http"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/doors"
)

// Test shows the page from which everything is tested. ?url=, ?tool= and ?args= fill in the form
// of a server; nothing is sent.
func (s *Pages) Test(r *web.Request) error {
	form, err := readLink(r.QueryParams())
	if err != nil {
		return err
	}
	return s.Doors.Show(r, http.StatusOK, doors.Refused{Connect: form})
}

// Connect adds the server at a URL and connects to it. With the id of one of
// the user's servers it changes that server and connects again.
func (s *Pages) Connect(r *web.Request) error {
	v := r.Visit
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	set, model := web.ReadSettings(values)
	at, failure, guesses := s.App.ReadAddress(model.URL)
	if failure != nil {
		sentence, detail := doctor.FailureSentence(failure.Class, failure.Detail)
		model.Problem, model.Detail, model.Suggestions = &sentence, detail, guesses
		return s.Doors.Show(r, http.StatusUnprocessableEntity, doors.Refused{Connect: model})
	}
	if model.HeadersProblem != "" {
		sentence := doctor.SentenceOf("bad_header")
		model.Problem, model.Open = &sentence, true
		return s.Doors.Show(r, http.StatusUnprocessableEntity, doors.Refused{Connect: model})
	}
	t, log, err := s.App.AddServer(v, web.First(values["id"]), at, set, model.Era)
	if err != nil {
		return err
	}
	if err := s.App.Connect(v, t, log); err != nil {
		return err
	}
	return web.SeeOther(r, "/servers/"+t.ID+linkQuery(model))
}

// Cancel stops connecting to one of the user's servers.
func (s *Pages) Cancel(r *web.Request) error {
	if err := s.App.CancelConnecting(r.Visit, r.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(r, "/servers/"+r.Param("id"))
}

// linkQuery keeps the tool and arguments of a link through the redirect.
func linkQuery(model serverview.ConnectForm) string {
	if model.Tool == "" {
		return ""
	}
	return "?" + url.Values{"tool": {model.Tool}, "args": {model.Args}}.Encode()
}

// Forget removes one of the user's servers, or only its credentials.
func (s *Pages) Forget(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	ctx, workspace, id := r.Context(), r.Visit.Workspace(), r.Param("id")
	if web.First(values["what"]) == "secrets" {
		if err := s.Store.ForgetSecrets(ctx, workspace, id); err != nil {
			return err
		}
		return web.SeeOther(r, "/servers/"+id)
	}
	if err := s.Store.ForgetTarget(ctx, workspace, id); err != nil {
		return err
	}
	return web.SeeOther(r, layout.TestPath)
}
