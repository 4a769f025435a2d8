package stage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Presenter shows the notes of the newest step, and the button to the next one, for a
// second screen.
func (s *Pages) Presenter(c echo.Context) error {
	t, err := s.demoSession(c)
	if err != nil {
		return err
	}
	s.Look(c, t.Own)
	model := views.NewPresenter(t.input(s.Explain), s.Now(), t.events())
	if web.WantsFragment(c) {
		return s.Render(c, http.StatusOK, views.PresenterMain(model))
	}
	page := s.Page(c, views.PresenterTitle, "/demos")
	page.Bare, page.Refresh, page.Slowly = true, true, model.Stage.Live == ""
	return s.Render(c, http.StatusOK, views.PresenterPage(page, model))
}

// StageEvents tells the pages of a stage when it shows something else than ?after=, the
// version that they show.
func (s *Pages) StageEvents(c echo.Context) error {
	t, err := s.demoSession(c)
	if err != nil {
		return err
	}
	after := c.QueryParam("after")
	watch := func(ctx context.Context) (<-chan struct{}, bool) {
		if t.version() != after {
			return nil, false
		}
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			for t.version() == after && s.awaitMove(c, ctx, t) == nil {
				if t, err = s.demoSession(c); err != nil {
					return
				}
			}
		}()
		return changed, true
	}
	return s.StreamChangeOf(c, watch, func() { s.Look(c, t.Own) })
}

// awaitMove waits until a stage may have changed.
func (s *Pages) awaitMove(c echo.Context, ctx context.Context, t DemoSession) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	noticed, unsubscribe := s.Notices.Changes(t.Stage.Session)
	defer unsubscribe()
	if now, err := s.demoSession(c); err != nil || now.version() != t.version() {
		return err
	}
	poll := time.NewTimer(followPoll)
	defer poll.Stop()
	select {
	case <-noticed:
	case <-s.moves(ctx, &t.Own):
	case <-s.moves(ctx, t.Legacy):
	case <-poll.C:
	}
	return ctx.Err()
}

// version returns a word that changes with everything that the stage shows.
func (t DemoSession) version() string {
	past := 0
	if t.Legacy != nil {
		past = playground.Progress(t.Legacy.Log)
	}
	sum := sha256.Sum256(fmt.Append(nil, t.Stage.Marks, playground.Progress(t.Own.Log), past))
	return hex.EncodeToString(sum[:6])
}

// events returns the address of the event stream of the stage as it is now.
func (t DemoSession) events() string {
	return views.StageEventsPath(t.Story.Slug, t.Stage.Session, t.version())
}
