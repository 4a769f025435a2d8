package exchange

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// reply has the values of the open form of an exchange.
type reply struct {
	x        playground.Exchange
	f        playground.Transcript // of x
	reader   *playground.Reader    // that f comes from; it reads additions to the log of x
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
func (s *Pages) Answer(r *web.Request) error {
	sent, err := s.readReply(r)
	if err != nil {
		return err
	}
	d, err := sent.decide(s.App.Topology(sent.x))
	sent.instance = d.Instance
	switch {
	case app.IsOutdated(err):
		return s.showOutdated(r, sent)
	case sent.edited || sent.preview:
		return s.showPreview(r, sent, d)
	case errors.Is(err, question.ErrIncomplete):
		return s.showUnsent(r, sent, http.StatusUnprocessableEntity, nil)
	case err != nil:
		return err
	case sent.signIn:
		return s.signInFirst(r, sent, d)
	}
	return s.sendReply(r, sent, d)
}

// sendReply sends the decision of a reply and shows the result, or why nothing
// was sent.
func (s *Pages) sendReply(r *web.Request, sent reply, d playground.Decision) error {
	v := r.Visit
	x, err := s.App.Send(v, sent.x, sent.f, d)
	var refused *app.Refusal
	switch {
	case app.IsOutdated(err):
		return s.showOutdated(r, sent)
	case errors.As(err, &refused):
		s.App.CountRefusal(r, refused)
		return s.showUnsent(r, sent, int(refused.Kind), web.SentenceOf(refused))
	case err != nil:
		return err
	}
	if err := s.App.RememberRoots(v, sent.draft); err != nil {
		return err
	}
	return s.showSent(r, x, sent.reader, sent.back)
}

// readReply reads the exchange and the values of the form for its newest Round.
func (s *Pages) readReply(r *web.Request) (reply, error) {
	x, values, err := s.App.LoadForm(r)
	if err != nil {
		return reply{}, err
	}
	reader := new(playground.Reader)
	sent := reply{
		x: x, f: reader.Read(x), reader: reader,
		round: web.Number(values.Get("round"), -1), instance: values.Get("instance"),
		choice: question.Choice(values.Get("do")), preview: values.Get("do") == "preview",
		back: web.BackToLesson(values.Get("back")),
	}
	if instance, ok := strings.CutPrefix(string(sent.choice), exchangeview.SendTo); ok {
		sent.choice, sent.instance = question.Send, instance
	}
	if sent.choice == chooseSignIn {
		sent.signIn, sent.choice = true, question.Choice(values.Get("then"))
	}
	if !sent.isNewest() {
		return sent, nil
	}
	draft, err := s.draft(r, x, sent.f)
	sent.draft = draft.Fill(form.ReadInputs(values))
	if values.Has(form.EditName) {
		sent.draft, sent.edited = sent.draft.Edited(values.Get(form.EditName)), true
	}
	return sent, err
}

// isNewest reports whether the form is that of the newest Round.
func (r reply) isNewest() bool {
	last := r.f.Last()
	return last != nil && r.round == last.N
}

// decide returns the decision of the reply. The error is playground.ErrNotOpen
// if the form is not that of the newest Round, else that of Draft.Decide.
func (r reply) decide(t cluster.Topology) (playground.Decision, error) {
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

// showPreview shows the request that would be sent: as a fragment to htmx, else
// as the page with the form as filled in. It shows no problems, because nothing
// is sent.
func (s *Pages) showPreview(r *web.Request, sent reply, d playground.Decision) error {
	sent.draft = sent.draft.WithoutProblems()
	next := s.nextRequest(sent.x, sent.f, d)
	if sent.preview && web.WantsFragment(r) {
		preview := exchangeview.NewPreview(*sent.f.Last(), next, sent.draft)
		return s.App.Render(r, http.StatusOK, exchangeview.PreviewFragment(preview, sent.draft.Forms, r.URL.Path))
	}
	in, err := s.filledIn(r, sent)
	if err != nil {
		return err
	}
	in.Next = next
	return s.showForm(r, http.StatusOK, sent.back, in)
}

// showUnsent shows the form as it was filled in, with its problems; problem is
// one that is not about an answer, or nil. That the user is signed out is on the
// page anyway.
func (s *Pages) showUnsent(r *web.Request, sent reply, status int, problem *prose.Sentence) error {
	in, err := s.filledIn(r, sent)
	if err != nil {
		return err
	}
	in.Problem = problem
	if in.SignedOut != nil {
		in.Problem, in.SignedOut.Then = nil, string(sent.choice)
	}
	return s.showForm(r, status, sent.back, in)
}

// filledIn returns the input of the page with its form as it was filled in.
func (s *Pages) filledIn(r *web.Request, sent reply) (exchangeview.Input, error) {
	in, err := s.Input(r, sent.x, sent.f)
	in.Draft, in.Instance = sent.draft, sent.instance
	return in, err
}

// showOutdated leads to the page as it is now, which says that nothing was
// sent. A preview fragment of a form that is gone gets no page in its place.
func (s *Pages) showOutdated(r *web.Request, sent reply) error {
	if sent.preview && web.WantsFragment(r) {
		return r.NoContent(http.StatusNoContent)
	}
	path := selection.Selection{Panel: panelOf(r)}.At("/x/"+sent.x.ID, nil)
	if _, ok := s.App.Progress(r).LessonOf(sent.x.ID); ok && sent.back != "" {
		path = sent.back
	}
	return web.SeeOther(r, playground.SetQuery(path, "stale", strconv.Itoa(sent.round)))
}

// showSent shows the newest Round of x, which reader reads: as a fragment to
// htmx, else as a page after a redirect, so that reloading sends nothing.
func (s *Pages) showSent(
	r *web.Request, x playground.Exchange, reader *playground.Reader, back string,
) error {
	path := selection.Selection{Panel: panelOf(r)}.At("/x/"+x.ID, nil)
	switch {
	case back != "":
		return web.SeeOther(r, back)
	case !web.WantsFragment(r):
		return web.SeeOther(r, path)
	}
	in, err := s.Input(r, x, reader.Read(x))
	if err != nil {
		return err
	}
	r.Writer.Header().Set("HX-Push-Url", path)
	return s.showExchange(r, http.StatusOK, in)
}
