package web

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// ShowLesson shows a lesson, with its live exchange if it was started.
func (s *App) ShowLesson(c echo.Context, status int, l lesson.Lesson, live *views.Exchange) error {
	v := VisitOf(c)
	model := views.LessonPage{Lesson: l.At(v.Origin, s.Program), Total: len(s.Lessons().Lessons), Live: live,
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
	if chosen := s.Progress(c)[l.Slug].Answer; chosen <= len(l.Question.Answers) {
		model.Chosen = chosen
	}
	if WantsFragment(c) {
		return s.Render(c, status, views.LessonMain(model))
	}
	page := s.Page(c, fmt.Sprintf("%d. %s", l.N, l.Title), "/learn")
	page.Here = l.Path()
	page.Refresh = live != nil && live.Status == playground.StatusRunning
	return s.Render(c, status, views.LessonView(page, model))
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
