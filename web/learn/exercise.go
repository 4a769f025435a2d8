package learn

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	exerciseview "github.com/mrtr-playground/mrtr-playground/views/exercise"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Exercise shows the exercise. ?server= names the learner's server, which could
// not be checked yet.
func (s *Pages) Exercise(r *web.Request) error {
	v := r.Visit
	model := exerciseview.New(s.App.Mode == app.Local, s.App.Program)
	id := r.QueryParam("server")
	if id == "" {
		return s.showExercise(r, http.StatusOK, model)
	}
	k, err := s.App.Find(v, id)
	if err != nil {
		return err
	}
	if model.Mine, err = s.Store.Mine(v.Context(), v.Workspace(), id); err != nil {
		return err
	}
	model.At(k.Target, k.Connection)
	return s.showExercise(r, http.StatusOK, model)
}

func (s *Pages) showExercise(r *web.Request, status int, model exerciseview.Exercise) error {
	if web.WantsFragment(r) {
		return s.App.Render(r, status, exerciseview.Main(model))
	}
	page := s.App.Page(r, "Your turn", "/learn")
	page.Here, page.Refresh = lesson.ExercisePath, model.Running()
	return s.App.Render(r, status, exerciseview.Page(page, model))
}

// CheckExercise connects to the learner's server and checks it.
func (s *Pages) CheckExercise(r *web.Request) error {
	v := r.Visit
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	set, form := web.ReadSettings(values)
	model := exerciseview.New(s.App.Mode == app.Local, s.App.Program)
	model.URL, model.Mine = form.URL, values.Get("mine") == "yes"
	at, failure, guesses := s.App.ReadAddress(form.URL)
	switch {
	case failure != nil:
		sentence, detail := doctor.FailureSentence(failure.Class, failure.Detail)
		model.Problem, model.Detail, model.Suggestions = &sentence, detail, guesses
		return s.showExercise(r, http.StatusUnprocessableEntity, model)
	case !model.Mine:
		model.Unconfirmed()
		return s.showExercise(r, http.StatusUnprocessableEntity, model)
	}
	t, log, err := s.Servers.App.AddServer(v, "", at, set, "")
	if err != nil {
		return err
	}
	if err := s.Store.SetMine(v.Context(), v.Workspace(), t.ID); err != nil {
		return err
	}
	if err := s.App.Connect(v, t, log); err != nil {
		return err
	}
	return s.startExercise(r, t.ID)
}

// startExercise checks the server with an id and leads to the list of
// requirements. If the server cannot be checked, that page says why.
func (s *Pages) startExercise(r *web.Request, id string) error {
	v := r.Visit
	k, err := s.App.Find(v, id)
	if err != nil {
		return err
	}
	tool, ok := k.Connection.Tool(exercise.Tool)
	if !ok || k.Connection.Status != server.Connected || k.Connection.Era == playground.Legacy {
		return web.SeeOther(r, exerciseview.At(id))
	}
	open, ok := s.App.Unlock(v, k.Target)
	if !ok {
		return app.SecretLost(playground.Exchange{Target: k.Target})
	}
	if open, err = s.App.TargetWithToken(v, open); err != nil {
		return err
	}
	session, err := s.App.BeginCheck(v, check.Plan{
		Target: open, Call: server.ToolCall(tool, exercise.Arguments()),
		Answers: exercise.Answers(), Others: exercise.Others(), MaxWait: app.MaxExpiryWait,
	})
	if err != nil {
		return err
	}
	return web.SeeOther(r, lesson.ExercisePath+"/"+session)
}

// ExerciseResult shows how far the server meets the requirements, from the
// recording of its check.
func (s *Pages) ExerciseResult(r *web.Request) error {
	v := r.Visit
	ctx, workspace, id := v.Context(), v.Workspace(), r.Param("session")
	_, running := s.App.Checker.Watch(ctx, id) // before the recording is read: it only grows
	n, err := s.Store.Session(ctx, workspace, id)
	if err != nil {
		return err
	}
	if len(n.Exchanges) == 0 || !exercise.Is(n.Exchanges[0].Call) {
		return app.NotFound()
	}
	if err := s.App.TakeTurn(v, n); err != nil {
		return err
	}
	s.App.Look(v, n.Exchanges...)
	var connection server.Connection
	if k, err := s.App.Find(v, n.Exchanges[0].Target.ID); err == nil { // not for a removed server
		connection = k.Connection
	}
	model := exerciseview.New(s.App.Mode == app.Local, s.App.Program)
	model.Judge(id, lab.NewReport(n.Exchanges, connection, running), n.Exchanges)
	if model.Mine, err = s.Store.Mine(ctx, workspace, n.Exchanges[0].Target.ID); err != nil {
		return err
	}
	return s.showExercise(r, http.StatusOK, model)
}
