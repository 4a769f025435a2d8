package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/views"
)

func (s *app) learn(c echo.Context) error {
	return s.render(
		c, http.StatusOK,
		views.LearnPage(s.page(c, "Learn", "/learn"), views.NewLearn(s.Lessons(), s.progress(c))),
	)
}

func (s *app) glossary(c echo.Context) error {
	return s.render(c, http.StatusOK, views.GlossaryPage(s.page(c, "Glossary", "/learn"), s.Lessons()))
}

// reference shows a reference page.
func (s *app) reference(c echo.Context) error {
	r, ok := s.Lessons().Reference(c.Param("topic"))
	if !ok {
		return notFound()
	}
	page := s.page(c, r.Title, "/learn")
	page.Here = r.Path()
	return s.render(c, http.StatusOK, views.ReferencePage(page, s.Lessons(), r))
}

// specificationPage shows the table of the specification, which is the same for
// all readers.
func (s *app) specificationPage(c echo.Context) error {
	table, err := s.specification()
	if err != nil {
		return err
	}
	page := s.page(c, "What the specification demands", "/learn")
	return s.render(c, http.StatusOK, views.SpecificationPage(page, templ.Raw(table)))
}

// renderSpecification returns the HTML of the table.
func renderSpecification(b *lesson.Book) (string, error) {
	var html strings.Builder
	table := views.SpecificationMain(views.NewSpecification(spec.Pages(), b))
	if err := table.Render(context.Background(), &html); err != nil {
		return "", fmt.Errorf("render the specification: %w", err)
	}
	return html.String(), nil
}

// lesson shows one lesson and, beside it, the newest exchange that was started
// there.
func (s *app) lesson(c echo.Context) error {
	l, ok := s.Lessons().Lesson(c.Param("slug"))
	if !ok {
		return notFound()
	}
	return s.showLesson(c, http.StatusOK, l, s.liveExchange(c, l, s.progress(c)[l.Slug].Exchange))
}

func (s *app) showLesson(c echo.Context, status int, l lesson.Lesson, live *views.Exchange) error {
	model := views.LessonPage{Lesson: l, Total: len(s.Lessons().Lessons), Live: live,
		More: s.Lessons().ReferencesOf(l)}
	if live != nil {
		model.Choice = live.Parameter(l.Live.Choice.Name)
	}
	if model.Choice == "" && len(l.Live.Choice.Values) > 0 {
		query, err := url.ParseQuery(l.Live.Query)
		if model.Choice = query.Get(l.Live.Choice.Name); err != nil || !l.Live.Choice.Has(model.Choice) {
			model.Choice = l.Live.Choice.Values[0]
		}
	}
	model.Language = language(c)
	if chosen := s.progress(c)[l.Slug].Answer; chosen <= len(l.Question.Answers) {
		model.Chosen = chosen
	}
	if wantsFragment(c) {
		return s.render(c, status, views.LessonMain(model))
	}
	page := s.page(c, fmt.Sprintf("%d. %s", l.N, l.Title), "/learn")
	page.Here = l.Path()
	page.Refresh = live != nil && live.Status == playground.StatusRunning
	return s.render(c, status, views.LessonView(page, model))
}

// showForm shows the open form where it was filled in: in its lesson, if back
// leads to one, else on the exchange's own page.
func (s *app) showForm(c echo.Context, status int, back string, in views.ExchangeInput) error {
	path, _, _ := strings.Cut(back, "#")
	l, ok := s.Lessons().Lesson(strings.TrimPrefix(path, "/learn/"))
	if !ok {
		return s.showExchange(c, status, in)
	}
	in.Back = l.Path() + "#live"
	live, ok := views.NewExchange(in)
	if !ok {
		return notFound()
	}
	return s.showLesson(c, status, l, &live)
}

// ruleLesson redirects to the sentence that explains a rule: in a lesson, or in
// the table of the specification.
func (s *app) ruleLesson(c echo.Context) error {
	path, ok := s.Lessons().RulePath(c.Param("id"))
	if !ok {
		return notFound()
	}
	return c.Redirect(http.StatusFound, path)
}

// liveExchange returns the exchange of a lesson, or nil if there is none or it
// was deleted.
func (s *app) liveExchange(c echo.Context, l lesson.Lesson, id string) *views.Exchange {
	if id == "" {
		return nil
	}
	x, err := s.load(c, id)
	if err != nil {
		return nil
	}
	in, err := s.input(c, x, x.Fold())
	if err != nil {
		return nil
	}
	in.Back = l.Path() + "#live"
	model, ok := views.NewExchange(in)
	if !ok {
		return nil
	}
	return &model
}

// study handles the forms of a lesson: start its exchange, or answer its
// question. Both are stored in the progress cookie.
func (s *app) study(c echo.Context) error {
	l, ok := s.Lessons().Lesson(c.Param("slug"))
	if !ok {
		return notFound()
	}
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	p := s.progress(c)
	mark := p[l.Slug]
	place := "#judged" // the verdict on the answer gets the focus
	if first(form["do"]) == "start" {
		place = "#live"
		if mark.Exchange, err = s.startLesson(c, l, first(form["choice"])); err != nil {
			return err
		}
	} else {
		mark.Answer, err = strconv.Atoi(first(form["answer"]))
		if err != nil || mark.Answer < 1 || mark.Answer > len(l.Question.Answers) {
			return refuse(
				http.StatusUnprocessableEntity, "no_answer", "No answer selected.",
				"Go back and select one.",
			)
		}
	}
	p[l.Slug] = mark
	s.keepProgress(c, p)
	return seeOther(c, l.Path()+place)
}

// startLesson starts the exchange of a lesson and returns its id. The choice of
// a parameter may be empty.
func (s *app) startLesson(c echo.Context, l lesson.Lesson, choice string) (string, error) {
	x, ok := s.samples.lookup(l.Live.Sample)
	if !ok {
		return "", fmt.Errorf("lesson %s: no sample %q", l.Slug, l.Live.Sample)
	}
	query, call := l.Live.Query, l.Live.Call
	if query == "" {
		query = x.Start.Query
	}
	if l.Live.Choice.Has(choice) {
		query = strings.TrimPrefix(playground.SetQuery("?"+query, l.Live.Choice.Name, choice), "?")
	}
	if call.Method == "" {
		call = playground.Call{Method: x.Start.Method, Params: x.Start.Params}
	}
	t := s.samples.target(x, query)
	if l.Live.Declare != nil {
		t.Capabilities = l.Live.Declare
	}
	return s.open(c, t, call, l.Live.Instance)
}

// progressCookie returns the name of the cookie with the progress, which is not
// secret and needs no workspace.
func (s *app) progressCookie() string {
	if s.Mode == Public {
		return "__Host-learn"
	}
	return "learn"
}

func (s *app) progress(c echo.Context) lesson.Progress {
	cookie, err := c.Cookie(s.progressCookie())
	if err != nil {
		return lesson.Progress{}
	}
	return lesson.ParseProgress(cookie.Value)
}

func (s *app) keepProgress(c echo.Context, p lesson.Progress) {
	for slug := range p {
		if _, ok := s.Lessons().Lesson(slug); !ok {
			delete(p, slug)
		}
	}
	c.SetCookie(&http.Cookie{
		Name: s.progressCookie(), Value: p.String(), Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, Secure: s.Mode == Public, SameSite: http.SameSiteLaxMode,
	})
}

// lessonOf returns a link to the lesson in which an exchange, or the one it
// branches from, was started; nil if there is none.
func (s *app) lessonOf(c echo.Context, x playground.Exchange) *views.LessonLink {
	slug, ok := s.progress(c).LessonOf(x.ID)
	if !ok && x.Origin != nil {
		if x.Origin.Parent != nil {
			return s.lessonOf(c, *x.Origin.Parent)
		}
		slug, ok = s.progress(c).LessonOf(x.Origin.Exchange)
	}
	if !ok {
		return nil
	}
	l, ok := s.Lessons().Lesson(slug)
	if !ok {
		return nil
	}
	return &views.LessonLink{
		Path: l.Path() + "#live", Words: fmt.Sprintf("Continue lesson %d: %s", l.N, l.Title),
	}
}

// editedIn returns the lesson in which an exchange was started, if back leads
// there: a request of it that is edited comes back to the lesson.
func (s *app) editedIn(x playground.Exchange, p lesson.Progress, back string) *views.LessonLink {
	path, _, _ := strings.Cut(backToLesson(back), "#")
	l, ok := s.Lessons().Lesson(strings.TrimPrefix(path, "/learn/"))
	if !ok || p[l.Slug].Exchange != x.ID {
		return nil
	}
	return &views.LessonLink{
		Path: l.Path() + "#live", Words: fmt.Sprintf("Lesson %d: %s", l.N, l.Title),
	}
}

// showInLesson makes an edited call the live exchange of its lesson and leads
// there.
func (s *app) showInLesson(c echo.Context, to views.LessonLink, x playground.Exchange) error {
	path, _, _ := strings.Cut(to.Path, "#")
	slug := strings.TrimPrefix(path, "/learn/")
	p := s.progress(c)
	mark := p[slug]
	mark.Exchange = x.ID
	p[slug] = mark
	s.keepProgress(c, p)
	return seeOther(c, to.Path)
}

// languages are the programming languages of the listings, as their radio
// buttons name them.
var languages = []string{"go", "typescript", "python", "csharp"}

// language returns the programming language that the browser's script put into
// a cookie, or "".
func language(c echo.Context) string {
	cookie, err := c.Cookie("language")
	if err != nil || !slices.Contains(languages, cookie.Value) {
		return ""
	}
	return cookie.Value
}

// backToLesson returns back if it is a place in a lesson, and "" otherwise.
func backToLesson(back string) string {
	if !strings.HasPrefix(back, "/learn/") || !isOwnPath(back) {
		return ""
	}
	return back
}
