package exchange

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ShowLesson shows a lesson, with its live exchange if it was started.
func (s *Pages) ShowLesson(r *web.Request, status int, l lesson.Lesson, live *exchangeview.Exchange) error {
	v := r.Visit
	model := learnview.LessonPage{Lesson: l.At(v.Origin, s.App.Program), Total: len(s.App.Lessons().Lessons),
		Live: live, More: s.App.Lessons().ReferencesOf(l)}
	if live != nil {
		model.Choice = live.Parameter(l.Live.Choice.Name)
	}
	if model.Choice == "" && len(l.Live.Choice.Values) > 0 {
		query, err := url.ParseQuery(l.Live.Query)
		if model.Choice = query.Get(l.Live.Choice.Name); err != nil || !l.Live.Choice.Has(model.Choice) {
			model.Choice = l.Live.Choice.Values[0]
		}
	}
	model.Language = language(r)
	if chosen := s.App.Progress(r)[l.Slug].Answer; chosen <= len(l.Question.Answers) {
		model.Chosen = chosen
	}
	if web.WantsFragment(r) {
		return s.App.Render(r, status, learnview.LessonMain(model))
	}
	page := s.App.Page(r, fmt.Sprintf("%d. %s", l.N, l.Title), "/learn")
	page.Here = l.Path()
	page.Refresh = live != nil && live.Status == playground.StatusRunning
	return s.App.Render(r, status, learnview.LessonView(page, model))
}

// languages are the programming languages of the listings, as their radio
// buttons name them.
var languages = []string{"go", "typescript", "python", "csharp"}

// language returns the programming language that the browser's script put into
// a cookie, or "".
func language(r *web.Request) string {
	cookie, err := r.Cookie("language")
	if err != nil || !slices.Contains(languages, cookie.Value) {
		return ""
	}
	return cookie.Value
}
