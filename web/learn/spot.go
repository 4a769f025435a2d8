package learn

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Spot shows where Spot the fault starts.
func (s *Pages) Spot(c echo.Context) error {
	model := views.NewSpot(s.Lessons(), s.spotAnswers(c))
	return s.Render(c, http.StatusOK, views.SpotPage(s.Page(c, "Spot the fault", "/learn"), model))
}

// SpotItem shows one exchange, or the result.
func (s *Pages) SpotItem(c echo.Context) error {
	model := views.NewSpot(s.Lessons(), s.spotAnswers(c))
	if c.Param("n") == views.SpotResult {
		page := s.Page(c, "Result of Spot the fault", "/learn")
		return s.Render(c, http.StatusOK, views.SpotResultView(page, model))
	}
	n, ok := s.spotNumber(c)
	if !ok {
		return app.NotFound()
	}
	item := model.Items[n-1]
	page := s.Page(c, fmt.Sprintf("Spot the fault %d: %s", n, item.Title), "/learn")
	return s.Render(c, http.StatusOK, views.SpotItemPage(page, model, item))
}

// spotNumber returns the number of the exchange in the address, and whether
// there is such an exchange.
func (s *Pages) spotNumber(c echo.Context) (int, bool) {
	n, err := strconv.Atoi(c.Param("n"))
	return n, err == nil && n >= 1 && n <= len(s.Lessons().Spot) && strconv.Itoa(n) == c.Param("n")
}

// JudgeSpot stores an answer in the cookie.
func (s *Pages) JudgeSpot(c echo.Context) error {
	n, ok := s.spotNumber(c)
	if !ok {
		return app.NotFound()
	}
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	answer, err := strconv.Atoi(web.First(form["answer"]))
	if err != nil || answer < 1 || answer > len(s.Lessons().Spot[n-1].Options) {
		return app.Refuse(
			http.StatusUnprocessableEntity, "no_answer", "No answer selected.",
			"Go back and select one.",
		)
	}
	answers := s.spotAnswers(c)
	answers[n-1] = answer
	s.KeepCookie(c, spotCookie, answers.String(), web.Year)
	return web.SeeOther(c, views.SpotPath(n)+"#judged") // the verdict gets the focus
}

// RestartSpot forgets all answers.
func (s *Pages) RestartSpot(c echo.Context) error {
	s.KeepCookie(c, spotCookie, "", web.Past)
	return web.SeeOther(c, lesson.SpotPath)
}

// spotCookie is the cookie with the answers, which are not secret and need no
// workspace.
const spotCookie = "spot"

func (s *Pages) spotAnswers(c echo.Context) lesson.SpotAnswers {
	return lesson.ParseSpotAnswers(s.Cookie(c, spotCookie), s.Lessons().Spot)
}
