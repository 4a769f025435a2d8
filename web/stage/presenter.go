package stage

import (
	"context"
	"net/http"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Presenter shows the notes of the newest step, and the button to the next one, for a
// second screen.
func (s *Pages) Presenter(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	s.Look(r.Visit, t.Own)
	model := stageview.NewPresenter(inputOf(t, s.Explain), s.Now(), eventsOf(t))
	if web.WantsFragment(r) {
		return s.Render(r, http.StatusOK, stageview.PresenterMain(model))
	}
	page := s.Page(r, stageview.PresenterTitle, "/demos")
	page.Bare, page.Refresh, page.Slowly = true, true, model.Stage.Live == ""
	return s.Render(r, http.StatusOK, stageview.PresenterPage(page, model))
}

// StageEvents tells the pages of a stage when it shows something else than ?after=, the
// version that they show.
func (s *Pages) StageEvents(r *web.Request) error {
	v := r.Visit
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	seen, stage := r.QueryParam("after"), demo.Talk{Workspace: v.Workspace(), Session: t.Stage.Session}
	watch := func(ctx context.Context) (<-chan struct{}, bool) {
		if t.Version() != seen {
			return nil, false
		}
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			for s.shows(ctx, stage, seen) {
			}
		}()
		return changed, true
	}
	return s.StreamChangeOf(r, watch, func() { s.Look(v, t.Own) })
}

// shows waits until a stage may have changed, and reports whether it showed this version
// before that.
func (s *Pages) shows(ctx context.Context, stage demo.Talk, version string) bool {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	noticed, unsubscribe := s.Notices.Changes(stage.Session)
	defer unsubscribe()
	t, err := s.followed(ctx, stage)
	if err != nil || t.Version() != version {
		return false
	}
	poll := time.NewTimer(followPoll)
	defer poll.Stop()
	select {
	case <-noticed:
	case <-s.moves(ctx, &t.Own):
	case <-s.moves(ctx, t.Legacy):
	case <-poll.C:
	case <-ctx.Done():
		return false
	}
	return true
}

// eventsOf returns the address of the event stream of the stage as it is now.
func eventsOf(t demo.Showing) string {
	return stageview.EventsPath(t.Story.Slug, t.Stage.Session, t.Version())
}
