package exchange

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// showForm shows the open form where it was filled in: in its lesson, if back
// leads to one, else on the exchange's own page.
func (s *Pages) showForm(r *web.Request, status int, back string, in exchangeview.Input) error {
	path, _, _ := strings.Cut(back, "#")
	l, ok := s.App.Lessons().Lesson(strings.TrimPrefix(path, "/learn/"))
	if !ok {
		return s.showExchange(r, status, in)
	}
	in.Back = l.Path() + "#live"
	live, ok := exchangeview.New(in)
	if !ok {
		return app.NotFound()
	}
	return s.ShowLesson(r, status, l, &live)
}
