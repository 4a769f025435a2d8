package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// exercise shows the exercise. ?server= names the learner's server, which could
// not be checked yet.
func (s *app) exercise(c echo.Context) error {
	model := views.NewExercise(s.Mode == Public)
	id := c.QueryParam("server")
	if id == "" {
		return s.showExercise(c, http.StatusOK, model)
	}
	k, err := s.find(c, id)
	if err != nil {
		return err
	}
	if model.Mine, err = s.Store.Mine(c.Request().Context(), s.owners.reading(c), id); err != nil {
		return err
	}
	model.At(k.target, k.connection)
	return s.showExercise(c, http.StatusOK, model)
}

func (s *app) showExercise(c echo.Context, status int, model views.Exercise) error {
	if wantsFragment(c) {
		return s.render(c, status, views.ExerciseMain(model))
	}
	page := s.page(c, "Your turn", "/learn")
	page.Here, page.Refresh = lesson.ExercisePath, model.Running()
	return s.render(c, status, views.ExercisePage(page, model))
}

// checkExercise connects to the learner's server and checks it.
func (s *app) checkExercise(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	set, form := readSettings(values)
	model := views.NewExercise(s.Mode == Public)
	model.URL, model.Mine = form.URL, values.Get("mine") == "yes"
	u, failure, guesses := server.Address(form.URL, s.Mode == Public)
	switch {
	case failure != nil:
		sentence, detail := views.FailureSentence(failure.Class, failure.Detail)
		model.Problem, model.Detail, model.Suggestions = &sentence, detail, guesses
		return s.showExercise(c, http.StatusUnprocessableEntity, model)
	case !model.Mine:
		model.Unconfirmed()
		return s.showExercise(c, http.StatusUnprocessableEntity, model)
	}
	t, log, err := s.addServer(c, "", u, set, "")
	if err != nil {
		return err
	}
	if err := s.Store.SetMine(c.Request().Context(), s.owners.reading(c), t.ID); err != nil {
		return err
	}
	if err := s.discover(c, t, log); err != nil {
		return err
	}
	return s.startExercise(c, t.ID)
}

// startExercise checks the server with an id and leads to the list of
// requirements. If the server cannot be checked, that page says why.
func (s *app) startExercise(c echo.Context, id string) error {
	k, err := s.find(c, id)
	if err != nil {
		return err
	}
	tool, ok := k.connection.Tool(exercise.Tool)
	if !ok || k.connection.Status != server.Connected || k.connection.Era == playground.Legacy {
		return seeOther(c, views.ExerciseAt(id))
	}
	open, ok := s.unlock(c, k.target)
	if !ok {
		return secretLost(playground.Exchange{Target: k.target})
	}
	session, err := s.beginCheck(c, check.Plan{
		Target: s.targetWithToken(c, open), Call: server.ToolCall(tool, exercise.Arguments()),
		Answers: exercise.Answers(), Others: exercise.Others(), MaxWait: maxExpiryWait,
	})
	if err != nil {
		return err
	}
	return seeOther(c, lesson.ExercisePath+"/"+session)
}

// exerciseResult shows how far the server meets the requirements, from the
// recording of its check.
func (s *app) exerciseResult(c echo.Context) error {
	ctx, workspace, id := c.Request().Context(), s.owners.reading(c), c.Param("session")
	_, running := s.Checker.Watch(ctx, id) // before the recording is read: it only grows
	n, err := s.Store.Session(ctx, workspace, id)
	if err != nil {
		return err
	}
	if len(n.Exchanges) == 0 || !exercise.Is(n.Exchanges[0].Call) {
		return notFound()
	}
	if err := s.takeTurn(c, n); err != nil {
		return err
	}
	s.look(c, n.Exchanges...)
	var connection server.Connection
	if k, err := s.find(c, n.Exchanges[0].Target.ID); err == nil { // not for a removed server
		connection = k.connection
	}
	model := views.NewExercise(s.Mode == Public)
	model.Judge(id, lab.NewReport(n.Exchanges, connection, running), n.Exchanges)
	if model.Mine, err = s.Store.Mine(ctx, workspace, n.Exchanges[0].Target.ID); err != nil {
		return err
	}
	return s.showExercise(c, http.StatusOK, model)
}
