package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// spot shows where Spot the fault starts.
func (s *app) spot(c echo.Context) error {
	model := views.NewSpot(s.Lessons(), s.spotAnswers(c))
	return s.render(c, http.StatusOK, views.SpotPage(s.page(c, "Spot the fault", "/learn"), model))
}

// spotItem shows one exchange, or the result.
func (s *app) spotItem(c echo.Context) error {
	model := views.NewSpot(s.Lessons(), s.spotAnswers(c))
	if c.Param("n") == views.SpotResult {
		page := s.page(c, "Result of Spot the fault", "/learn")
		return s.render(c, http.StatusOK, views.SpotResultView(page, model))
	}
	n, ok := s.spotNumber(c)
	if !ok {
		return notFound()
	}
	item := model.Items[n-1]
	page := s.page(c, fmt.Sprintf("Spot the fault %d: %s", n, item.Title), "/learn")
	return s.render(c, http.StatusOK, views.SpotItemPage(page, model, item))
}

// spotNumber returns the number of the exchange in the address, and whether
// there is such an exchange.
func (s *app) spotNumber(c echo.Context) (int, bool) {
	n, err := strconv.Atoi(c.Param("n"))
	return n, err == nil && n >= 1 && n <= len(s.Lessons().Spot) && strconv.Itoa(n) == c.Param("n")
}

// judgeSpot stores an answer in the cookie.
func (s *app) judgeSpot(c echo.Context) error {
	n, ok := s.spotNumber(c)
	if !ok {
		return notFound()
	}
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	answer, err := strconv.Atoi(first(form["answer"]))
	if err != nil || answer < 1 || answer > len(s.Lessons().Spot[n-1].Options) {
		return refuse(
			http.StatusUnprocessableEntity, "no_answer", "No answer selected.",
			"Go back and select one.",
		)
	}
	answers := s.spotAnswers(c)
	answers[n-1] = answer
	s.keepSpot(c, answers.String(), 365*24*3600)
	return seeOther(c, views.SpotPath(n)+"#judged") // the verdict gets the focus
}

// restartSpot forgets all answers.
func (s *app) restartSpot(c echo.Context) error {
	s.keepSpot(c, "", -1)
	return seeOther(c, lesson.SpotPath)
}

// spotCookie returns the name of the cookie with the answers, which are not
// secret and need no workspace.
func (s *app) spotCookie() string {
	if s.Mode == Public {
		return "__Host-spot"
	}
	return "spot"
}

func (s *app) spotAnswers(c echo.Context) lesson.SpotAnswers {
	text := ""
	if cookie, err := c.Cookie(s.spotCookie()); err == nil {
		text = cookie.Value
	}
	return lesson.ParseSpotAnswers(text, s.Lessons().Spot)
}

// keepSpot stores the answers for that many seconds, or deletes them if the
// number is negative.
func (s *app) keepSpot(c echo.Context, value string, seconds int) {
	c.SetCookie(&http.Cookie{
		Name: s.spotCookie(), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: s.Mode == Public, SameSite: http.SameSiteLaxMode,
	})
}
