package learn

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Learn lists the lessons and references.
func (s *Pages) Learn(r *web.Request) error {
	return s.App.Render(
		r, http.StatusOK,
		learnview.Page(s.App.Page(r, layout.LearnTitle, "/learn"), learnview.New(s.App.Lessons(), s.App.Progress(r))),
	)
}

// Glossary shows the terms.
func (s *Pages) Glossary(r *web.Request) error {
	return s.App.Render(r, http.StatusOK, learnview.GlossaryPage(s.App.Page(r, "Glossary", "/learn"), s.App.Lessons()))
}

// Reference shows a reference page.
func (s *Pages) Reference(r *web.Request) error {
	ref, ok := s.App.Lessons().Reference(r.Param("topic"))
	if !ok {
		return app.NotFound()
	}
	page := s.App.Page(r, ref.Title, "/learn")
	page.Here = ref.Path()
	origin := r.Visit.Origin
	return s.App.Render(r, http.StatusOK, learnview.ReferencePage(page, s.App.Lessons(), ref.At(origin, s.App.Program)))
}

// SpecificationPage shows the table of the specification, which is the same for
// all readers.
func (s *Pages) SpecificationPage(r *web.Request) error {
	table, err := s.Specification()
	if err != nil {
		return err
	}
	page := s.App.Page(r, "What the specification demands", "/learn")
	return s.App.Render(r, http.StatusOK, learnview.SpecificationPage(page, templ.Raw(table)))
}

// RenderSpecification returns the HTML of the table.
func RenderSpecification(b *lesson.Book) (string, error) {
	var html strings.Builder
	table := learnview.SpecificationMain(learnview.NewSpecification(spec.Pages(), b))
	if err := table.Render(context.Background(), &html); err != nil {
		return "", fmt.Errorf("render the specification: %w", err)
	}
	return html.String(), nil
}

// Lesson shows one lesson and, beside it, the newest exchange that was started
// there.
func (s *Pages) Lesson(r *web.Request) error {
	l, ok := s.App.Lessons().Lesson(r.Param("slug"))
	if !ok {
		return app.NotFound()
	}
	return s.Exchanges.ShowLesson(r, http.StatusOK, l, s.liveExchange(r, l, s.App.Progress(r)[l.Slug].Exchange))
}

// RuleLesson redirects to the sentence that explains a rule: in a lesson, or in
// the table of the specification.
func (s *Pages) RuleLesson(r *web.Request) error {
	path, ok := s.App.Lessons().RulePath(r.Param("id"))
	if !ok {
		return app.NotFound()
	}
	return r.Redirect(http.StatusFound, path)
}

// liveExchange returns the exchange of a lesson, or nil if there is none or it
// was deleted.
func (s *Pages) liveExchange(r *web.Request, l lesson.Lesson, id string) *exchangeview.Exchange {
	if id == "" {
		return nil
	}
	x, err := s.App.Load(r.Visit, id)
	if err != nil {
		return nil
	}
	in, err := s.Exchanges.Input(r, x, x.Fold())
	if err != nil {
		return nil
	}
	in.Back = l.Path() + "#live"
	model, ok := exchangeview.New(in)
	if !ok {
		return nil
	}
	return &model
}

// Study handles the forms of a lesson: start its exchange, or answer its
// question. Both are stored in the progress cookie.
func (s *Pages) Study(r *web.Request) error {
	l, ok := s.App.Lessons().Lesson(r.Param("slug"))
	if !ok {
		return app.NotFound()
	}
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	p := s.App.Progress(r)
	mark := p[l.Slug]
	place := "#judged" // the verdict on the answer gets the focus
	if web.First(form["do"]) == "start" {
		place = "#live"
		if mark.Exchange, err = s.startLesson(r, l, web.First(form["choice"])); err != nil {
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
	s.App.KeepProgress(r, p)
	return web.SeeOther(r, l.Path()+place)
}

// startLesson starts the exchange of a lesson and returns its id. The choice of
// a parameter may be empty.
func (s *Pages) startLesson(r *web.Request, l lesson.Lesson, choice string) (string, error) {
	x, ok := s.App.Samples.Lookup(l.Live.Sample)
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
	t := s.App.Samples.Target(x, query)
	if l.Live.Declare != nil {
		t.Capabilities = l.Live.Declare
	}
	return s.App.Open(r.Visit, t, call, l.Live.Instance)
}
