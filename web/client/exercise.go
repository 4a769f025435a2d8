package client

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	exerciseview "github.com/mrtr-playground/mrtr-playground/views/exercise"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Exercise shows the second half of the exercise. ?capture= names the capture
// that the learner's client is pointed at.
func (s *Pages) Exercise(r *web.Request) error {
	model := exerciseview.NewClientExercise(s.App.Program)
	if id := r.QueryParam("capture"); id != "" {
		// before the record is read, as in Client
		progress, err := s.Store.CaptureProgress(r.Context(), id)
		if err != nil {
			return err
		}
		rec, err := s.read(r, id)
		if err != nil {
			return err
		}
		if rec.capture.Target.Sample != sampletools.ClientTest {
			return app.NotFound()
		}
		report := rec.report()
		model.Judge(clientview.Input{
			Capture: rec.capture, Open: rec.open, Address: s.address(r, rec.capture), Report: report,
			Progress: progress, Now: s.App.Now(),
		}, rec.checks(report))
	}
	if web.WantsFragment(r) {
		return s.App.Render(r, http.StatusOK, exerciseview.ClientExerciseMain(model))
	}
	p := s.App.Page(r, exerciseview.ClientExerciseTitle, "/learn")
	p.Here, p.Refresh = lesson.ClientExercisePath, model.Live != ""
	return s.App.Render(r, http.StatusOK, exerciseview.ClientExercisePage(p, model))
}

// MakeExercise makes a capture in front of the scenarios of the exercise.
func (s *Pages) MakeExercise(r *web.Request) error {
	id, err := s.App.MakeCapture(r.Visit, s.App.ClientTest(exercise.ClientQuery()))
	if err != nil {
		return err
	}
	return web.SeeOther(r, exerciseview.ClientExerciseAt(id))
}
