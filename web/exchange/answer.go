package exchange

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// reply is what the open form of an exchange sent.
type reply struct {
	x        playground.Exchange
	f        playground.Transcript // of x
	reader   *playground.Reader    // that f comes from; it reads what is added to the log of x
	round    int                   // whose form it is
	choice   question.Choice
	preview  bool           // only show what would be sent
	edited   bool           // only show the form after a button in its fields
	instance string         // named on the page
	signIn   bool           // sign in first
	back     string         // the place in a lesson that the form is on; empty for others
	draft    question.Draft // the questions of the newest Round as filled in
}

// Answer sends what the open form says: the answers, a retry, a refusal or the
// same request again. Nothing is sent unless every answer is right, and nothing
// of a form whose Round is no longer open.
func (s *Pages) Answer(c echo.Context) error {
	r, err := s.readReply(c)
	if err != nil {
		return err
	}
	d, err := r.decide(s.Topology(r.x))
	r.instance = d.Instance
	switch {
	case app.IsOutdated(err):
		return s.showOutdated(c, r)
	case r.edited || r.preview:
		return s.showPreview(c, r, d)
	case errors.Is(err, question.ErrIncomplete):
		return s.showUnsent(c, r, http.StatusUnprocessableEntity, nil)
	case err != nil:
		return err
	case r.signIn:
		return s.signInFirst(c, r, d)
	}
	return s.sendReply(c, r, d)
}

// sendReply sends the decision of a reply and shows what came of it, or why
// nothing was sent.
func (s *Pages) sendReply(c echo.Context, r reply, d playground.Decision) error {
	v := web.VisitOf(c)
	x, err := s.Send(v, r.x, r.f, d)
	var refused *app.Refusal
	switch {
	case app.IsOutdated(err):
		return s.showOutdated(c, r)
	case errors.As(err, &refused):
		s.CountRefusal(c, refused)
		return s.showUnsent(c, r, int(refused.Kind), web.SentenceOf(refused))
	case err != nil:
		return err
	}
	if err := s.RememberRoots(v, r.draft); err != nil {
		return err
	}
	return s.showSent(c, x, r.reader, r.back)
}

// readReply reads the exchange and what the form sent for its newest Round.
func (s *Pages) readReply(c echo.Context) (reply, error) {
	x, values, err := s.LoadForm(c)
	if err != nil {
		return reply{}, err
	}
	reader := new(playground.Reader)
	r := reply{
		x: x, f: reader.Read(x), reader: reader,
		round: web.Number(values.Get("round"), -1), instance: values.Get("instance"),
		choice: question.Choice(values.Get("do")), preview: values.Get("do") == "preview",
		back: web.BackToLesson(values.Get("back")),
	}
	if instance, ok := strings.CutPrefix(string(r.choice), views.SendTo); ok {
		r.choice, r.instance = question.Send, instance
	}
	if r.choice == chooseSignIn {
		r.signIn, r.choice = true, question.Choice(values.Get("then"))
	}
	if !r.isNewest() {
		return r, nil
	}
	draft, err := s.draft(c, x, r.f)
	r.draft = draft.Fill(form.ReadInputs(values))
	if values.Has(form.EditName) {
		r.draft, r.edited = r.draft.Edited(values.Get(form.EditName)), true
	}
	return r, err
}

// isNewest reports whether the form is that of the newest Round.
func (r reply) isNewest() bool {
	last := r.f.Last()
	return last != nil && r.round == last.N
}

// decide returns the decision of the reply. The error is playground.ErrNotOpen
// if the form is not that of the newest Round, else that of Draft.Decide.
func (r reply) decide(t server.Topology) (playground.Decision, error) {
	switch {
	case !r.isNewest():
		return playground.Decision{}, playground.ErrNotOpen
	case r.signIn && r.choice == "":
		return playground.Decision{}, nil // nothing is sent afterwards
	case r.choice == chooseStop:
		return playground.Decision{Action: playground.ActionStop}, nil
	}
	return r.draft.Decide(r.f, r.choice, t, r.instance)
}

// showPreview shows what would be sent: as a fragment to htmx, else as the page
// with the form as filled in. It shows no problems, because nothing is sent.
func (s *Pages) showPreview(c echo.Context, r reply, d playground.Decision) error {
	r.draft = r.draft.WithoutProblems()
	next := s.nextRequest(r.x, r.f, d)
	if r.preview && web.WantsFragment(c) {
		preview := views.NewPreview(*r.f.Last(), next, r.draft)
		return s.Render(c, http.StatusOK, views.PreviewFragment(preview, r.draft.Forms, c.Request().URL.Path))
	}
	in, err := s.filledIn(c, r)
	if err != nil {
		return err
	}
	in.Next = next
	return s.showForm(c, http.StatusOK, r.back, in)
}

// showUnsent shows the form as it was filled in, with its problems; problem is
// one that is not about an answer, or nil. That the user is signed out is on the
// page anyway.
func (s *Pages) showUnsent(c echo.Context, r reply, status int, problem *views.Sentence) error {
	in, err := s.filledIn(c, r)
	if err != nil {
		return err
	}
	in.Problem = problem
	if in.SignedOut != nil {
		in.Problem, in.SignedOut.Then = nil, string(r.choice)
	}
	return s.showForm(c, status, r.back, in)
}

// filledIn returns the input of the page with its form as it was filled in.
func (s *Pages) filledIn(c echo.Context, r reply) (views.ExchangeInput, error) {
	in, err := s.Input(c, r.x, r.f)
	in.Draft, in.Instance = r.draft, r.instance
	return in, err
}

// showOutdated leads to the page as it is now, which says that nothing was
// sent. A preview fragment of a form that is gone gets no page in its place.
func (s *Pages) showOutdated(c echo.Context, r reply) error {
	if r.preview && web.WantsFragment(c) {
		return c.NoContent(http.StatusNoContent)
	}
	path := views.Selection{Panel: panelOf(c)}.At("/x/"+r.x.ID, nil)
	if _, ok := s.Progress(c).LessonOf(r.x.ID); ok && r.back != "" {
		path = r.back
	}
	return web.SeeOther(c, playground.SetQuery(path, "stale", strconv.Itoa(r.round)))
}

// showSent shows the newest Round of x, which reader reads: as a fragment to
// htmx, else as a page after a redirect, so that reloading sends nothing.
func (s *Pages) showSent(
	c echo.Context, x playground.Exchange, reader *playground.Reader, back string,
) error {
	path := views.Selection{Panel: panelOf(c)}.At("/x/"+x.ID, nil)
	switch {
	case back != "":
		return web.SeeOther(c, back)
	case !web.WantsFragment(c):
		return web.SeeOther(c, path)
	}
	in, err := s.Input(c, x, reader.Read(x))
	if err != nil {
		return err
	}
	c.Response().Header().Set("HX-Push-Url", path)
	return s.showExchange(c, http.StatusOK, in)
}
