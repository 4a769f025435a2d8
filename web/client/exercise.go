package client

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Exercise shows the second half of the exercise. ?capture= names the capture
// that the learner's client is pointed at.
func (s *Pages) Exercise(c echo.Context) error {
	model := views.NewClientExercise(s.Program)
	if id := c.QueryParam("capture"); id != "" {
		// before the record is read, as in Client
		progress, err := s.Store.CaptureProgress(c.Request().Context(), id)
		if err != nil {
			return err
		}
		r, err := s.read(c, id)
		if err != nil {
			return err
		}
		if r.capture.Target.Sample != sampletools.ClientTest {
			return app.NotFound()
		}
		report := r.report()
		model.Judge(views.ClientInput{
			Capture: r.capture, Open: r.open, Address: s.address(c, r.capture), Report: report,
			Progress: progress, Now: s.Now(),
		}, r.ticks(report))
	}
	if web.WantsFragment(c) {
		return s.Render(c, http.StatusOK, views.ClientExerciseMain(model))
	}
	p := s.Page(c, views.ClientExerciseTitle, "/learn")
	p.Here, p.Refresh = lesson.ClientExercisePath, model.Live != ""
	return s.Render(c, http.StatusOK, views.ClientExercisePage(p, model))
}

// MakeExercise makes a capture in front of the scenarios of the exercise.
func (s *Pages) MakeExercise(c echo.Context) error {
	workspace, err := web.VisitOf(c).Writing()
	if err != nil {
		return err
	}
	id, err := s.add(c, workspace, s.clientTest(exercise.ClientQuery()))
	if err != nil {
		return err
	}
	return web.SeeOther(c, views.ClientExerciseAt(id))
}
