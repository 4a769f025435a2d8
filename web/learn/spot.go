package learn

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Spot shows where Spot the fault starts.
func (s *Pages) Spot(r *web.Request) error {
	model := learnview.NewSpot(s.App.Lessons(), s.spotAnswers(r))
	return s.App.Render(r, http.StatusOK, learnview.SpotPage(s.App.Page(r, "Spot the fault", "/learn"), model))
}

// SpotItem shows one exchange, or the result.
func (s *Pages) SpotItem(r *web.Request) error {
	model := learnview.NewSpot(s.App.Lessons(), s.spotAnswers(r))
	if r.Param("n") == learnview.SpotResult {
		page := s.App.Page(r, "Result of Spot the fault", "/learn")
		return s.App.Render(r, http.StatusOK, learnview.SpotResultView(page, model))
	}
	n, ok := s.spotNumber(r)
	if !ok {
		return app.NotFound()
	}
	item := model.Items[n-1]
	page := s.App.Page(r, fmt.Sprintf("Spot the fault %d: %s", n, item.Title), "/learn")
	return s.App.Render(r, http.StatusOK, learnview.SpotItemPage(page, model, item))
}

// spotNumber returns the number of the exchange in the address, and whether
// there is such an exchange.
func (s *Pages) spotNumber(r *web.Request) (int, bool) {
	n, err := strconv.Atoi(r.Param("n"))
	return n, err == nil && n >= 1 && n <= len(s.App.Lessons().Spot) && strconv.Itoa(n) == r.Param("n")
}

// JudgeSpot stores an answer in the cookie.
func (s *Pages) JudgeSpot(r *web.Request) error {
	n, ok := s.spotNumber(r)
	if !ok {
		return app.NotFound()
	}
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	answer, err := strconv.Atoi(web.First(form["answer"]))
	if err != nil || answer < 1 || answer > len(s.App.Lessons().Spot[n-1].Options) {
		return app.Refuse(
			http.StatusUnprocessableEntity, "no_answer", "No answer selected.",
			"Go back and select one.",
		)
	}
	answers := s.spotAnswers(r)
	answers[n-1] = answer
	s.App.KeepCookie(r, spotCookie, answers.String(), web.Year)
	return web.SeeOther(r, learnview.SpotPath(n)+"#judged") // the verdict gets the focus
}

// RestartSpot forgets all answers.
func (s *Pages) RestartSpot(r *web.Request) error {
	s.App.KeepCookie(r, spotCookie, "", web.Past)
	return web.SeeOther(r, lesson.SpotPath)
}

// spotCookie is the cookie with the answers, which are not secret and need no
// workspace.
const spotCookie = "spot"

func (s *Pages) spotAnswers(r *web.Request) lesson.SpotAnswers {
	return lesson.ParseSpotAnswers(s.App.Cookie(r, spotCookie), s.App.Lessons().Spot)
}
