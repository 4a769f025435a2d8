package learn

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Learn lists the lessons and references.
func (s *Pages) Learn(c echo.Context) error {
	return s.Render(
		c, http.StatusOK,
		views.LearnPage(s.Page(c, views.LearnTitle, "/learn"), views.NewLearn(s.Lessons(), s.Progress(c))),
	)
}

// Glossary shows the terms.
func (s *Pages) Glossary(c echo.Context) error {
	return s.Render(c, http.StatusOK, views.GlossaryPage(s.Page(c, "Glossary", "/learn"), s.Lessons()))
}

// Reference shows a reference page.
func (s *Pages) Reference(c echo.Context) error {
	r, ok := s.Lessons().Reference(c.Param("topic"))
	if !ok {
		return app.NotFound()
	}
	page := s.Page(c, r.Title, "/learn")
	page.Here = r.Path()
	origin := web.VisitOf(c).Origin
	return s.Render(c, http.StatusOK, views.ReferencePage(page, s.Lessons(), r.At(origin, s.Program)))
}

// SpecificationPage shows the table of the specification, which is the same for
// all readers.
func (s *Pages) SpecificationPage(c echo.Context) error {
	table, err := s.Specification()
	if err != nil {
		return err
	}
	page := s.Page(c, "What the specification demands", "/learn")
	return s.Render(c, http.StatusOK, views.SpecificationPage(page, templ.Raw(table)))
}

// RenderSpecification returns the HTML of the table.
func RenderSpecification(b *lesson.Book) (string, error) {
	var html strings.Builder
	table := views.SpecificationMain(views.NewSpecification(spec.Pages(), b))
	if err := table.Render(context.Background(), &html); err != nil {
		return "", fmt.Errorf("render the specification: %w", err)
	}
	return html.String(), nil
}

// Lesson shows one lesson and, beside it, the newest exchange that was started
// there.
func (s *Pages) Lesson(c echo.Context) error {
	l, ok := s.Lessons().Lesson(c.Param("slug"))
	if !ok {
		return app.NotFound()
	}
	return s.ShowLesson(c, http.StatusOK, l, s.liveExchange(c, l, s.Progress(c)[l.Slug].Exchange))
}

// RuleLesson redirects to the sentence that explains a rule: in a lesson, or in
// the table of the specification.
func (s *Pages) RuleLesson(c echo.Context) error {
	path, ok := s.Lessons().RulePath(c.Param("id"))
	if !ok {
		return app.NotFound()
	}
	return c.Redirect(http.StatusFound, path)
}

// liveExchange returns the exchange of a lesson, or nil if there is none or it
// was deleted.
func (s *Pages) liveExchange(c echo.Context, l lesson.Lesson, id string) *views.Exchange {
	if id == "" {
		return nil
	}
	x, err := s.Load(web.VisitOf(c), id)
	if err != nil {
		return nil
	}
	in, err := s.Exchanges.Input(c, x, x.Fold())
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

// Study handles the forms of a lesson: start its exchange, or answer its
// question. Both are stored in the progress cookie.
func (s *Pages) Study(c echo.Context) error {
	l, ok := s.Lessons().Lesson(c.Param("slug"))
	if !ok {
		return app.NotFound()
	}
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	p := s.Progress(c)
	mark := p[l.Slug]
	place := "#judged" // the verdict on the answer gets the focus
	if web.First(form["do"]) == "start" {
		place = "#live"
		if mark.Exchange, err = s.startLesson(c, l, web.First(form["choice"])); err != nil {
			return err
		}
	} else {
		mark.Answer, err = strconv.Atoi(web.First(form["answer"]))
		if err != nil || mark.Answer < 1 || mark.Answer > len(l.Question.Answers) {
			return app.Refuse(
				http.StatusUnprocessableEntity, "no_answer", "No answer selected.",
				"Go back and select one.",
			)
		}
	}
	p[l.Slug] = mark
	s.KeepProgress(c, p)
	return web.SeeOther(c, l.Path()+place)
}

// startLesson starts the exchange of a lesson and returns its id. The choice of
// a parameter may be empty.
func (s *Pages) startLesson(c echo.Context, l lesson.Lesson, choice string) (string, error) {
	x, ok := s.Samples.Lookup(l.Live.Sample)
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
	t := s.Samples.Target(x, query)
	if l.Live.Declare != nil {
		t.Capabilities = l.Live.Declare
	}
	return s.Open(web.VisitOf(c), t, call, l.Live.Instance)
}
