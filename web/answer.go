package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// answer takes what the open form sent: the answers to a question, a retry, a
// refusal, the same request once more, or just a look at what would be sent.
// Nothing leaves unless every answer is right; a form that is not the newest
// any more leads to the page as it is now.
func (s *app) answer(c echo.Context) error {
	ctx := c.Request().Context()
	x, err := s.load(c, c.Param("id"))
	if err != nil {
		return err
	}
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	f := x.Fold()
	last := f.Last()
	if last == nil || first(form["round"]) != strconv.Itoa(last.N) {
		if first(form["do"]) == "preview" && wantsFragment(c) {
			return c.NoContent(http.StatusNoContent) // the form is gone: a whole page must not land in its place
		}
		return seeOther(c, "/x/"+x.ID)
	}
	in, err := s.input(c, x, f)
	if err != nil {
		return err
	}
	d, valid := decide(&in, *last, form)
	switch {
	case first(form["do"]) == "preview":
		s.preview(&in, f, d)
		return s.showPreview(c, in)
	case !valid:
		return s.unsent(c, http.StatusUnprocessableEntity, first(form["back"]), in)
	}
	open, err := s.unlockExchange(c, x)
	if err != nil {
		return err
	}
	if err := s.admit(c, open); err != nil {
		return s.notNow(c, first(form["back"]), in, err)
	}
	if _, err := s.driver(c).Open(ctx, open, d); err != nil && !isStale(err) {
		return err
	}
	if err := s.rememberRoots(c, in.Questions); err != nil {
		return err
	}
	if back := backToLesson(first(form["back"])); back != "" {
		return seeOther(c, back)
	}
	return s.afterSend(c, x)
}

// notNow shows a form as it was filled in when its Round may not begin yet.
func (s *app) notNow(c echo.Context, back string, in views.ExchangeInput, err error) error {
	var r *refusal
	if !errors.As(err, &r) {
		return err
	}
	s.countRefusal(c, r)
	in.Problem = &r.sentence
	return s.unsent(c, r.status, back, in)
}

// rememberRoots keeps the roots that were sent for the next question.
func (s *app) rememberRoots(c echo.Context, prompts []question.Form) error {
	for _, p := range prompts {
		if p.Kind == question.KindRoots {
			return s.Store.SetRoots(c.Request().Context(), s.owners.reading(c), p.Roots)
		}
	}
	return nil
}

// decide reads the form into a decision; what was typed stays in the input.
func decide(in *views.ExchangeInput, last playground.Round, form url.Values) (playground.Decision, bool) {
	d := playground.Decision{Round: last.N + 1, Instance: instanceOf(in.Instances, first(form["instance"]))}
	in.Instance = d.Instance
	switch {
	case first(form["do"]) == "resend":
		d.Action = playground.ActionResend
	case first(form["do"]) == "refuse":
		d.Action = playground.ActionRefuse
	case last.Kind == playground.OutcomeRetry:
		d.Action, d.Auto = playground.ActionRetry, first(form["do"]) == "auto"
	default:
		d.Action = playground.ActionAnswer
		return answered(in, last, form, d)
	}
	return d, true
}

// answered reads the answers. What the schema refuses is sent only if the user
// says so once more, and is marked as that.
func answered(in *views.ExchangeInput, last playground.Round, form url.Values, d playground.Decision) (playground.Decision, bool) {
	valid, anyway := true, first(form["do"]) == "anyway"
	in.Questions = question.Forms(last, in.Roots...)
	for i, p := range in.Questions {
		place := p.Place(i, form)
		if place < 0 {
			continue // it stays open
		}
		read, response := p.Read(place, form)
		in.Questions[i] = read
		d.Answers = append(d.Answers, response)
		refused := len(read.Problems) > 0
		d.Anyway = d.Anyway || refused && anyway
		valid = valid && !read.NoAnswer && (!refused || anyway)
	}
	if len(d.Answers) == 0 && len(in.Questions) > 0 {
		valid = false // everything on the page was taken back
	}
	return d, valid
}

// showPreview shows what would be sent. Looking is not sending, so nothing is
// called a problem yet.
func (s *app) showPreview(c echo.Context, in views.ExchangeInput) error {
	for i := range in.Questions {
		in.Questions[i].Problems = nil
	}
	if !wantsFragment(c) {
		return s.showExchange(c, http.StatusOK, in)
	}
	model, ok := views.NewExchange(in)
	if !ok || model.Now.Form == nil {
		return notFound()
	}
	return s.render(c, http.StatusOK, views.PreviewFragment(*model.Now.Form))
}

// instanceOf is the wanted instance if the topology has it.
func instanceOf(topology, wanted string) string {
	has := slices.ContainsFunc(views.NewInstances(topology, ""), func(c views.InstanceChoice) bool { return c.Value == wanted })
	if !has {
		return ""
	}
	return wanted
}

// afterSend shows the newest Round: the fragment to htmx, else the page by a
// redirect, so that reloading sends nothing.
func (s *app) afterSend(c echo.Context, x playground.Exchange) error {
	if !wantsFragment(c) {
		return seeOther(c, "/x/"+x.ID)
	}
	x, err := s.load(c, x.ID)
	if err != nil {
		return err
	}
	in, err := s.input(c, x, x.Fold())
	if err != nil {
		return err
	}
	c.Response().Header().Set("HX-Push-Url", "/x/"+x.ID)
	return s.showExchange(c, http.StatusOK, in)
}
