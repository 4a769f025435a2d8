package stage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Follow shows the present step of a talk to anyone with its code. It sets no cookie,
// and nothing of the reader is stored.
func (s *Pages) Follow(r *web.Request) error {
	_, v, leave, err := s.enter(r)
	if err != nil {
		return err
	}
	defer leave()
	return s.Render(r, http.StatusOK, stageview.FollowPage(s.Page(r, v.title, ""), stageview.FollowFrame{
		Main: string(v.main), Full: s.Followers.IsFull(v.presenter.Holder()),
	}))
}

// FollowEvents sends each step of a talk to a follower, first the present one unless it
// is the one that ?after= names, until the talk ends.
func (s *Pages) FollowEvents(r *web.Request) error {
	in, first, leave, err := s.enter(r)
	if err != nil {
		return err
	}
	defer leave()
	release, err := s.Followers.Acquire(r.Context(), first.presenter.Holder())
	if err != nil {
		return followersFull(err)
	}
	defer release()
	after := cmp.Or(r.Header.Get("Last-Event-ID"), r.QueryParam("after"))
	w := web.OpenStream(r)
	tick := time.NewTicker(web.Heartbeat)
	defer tick.Stop()
	// after a loss of the connection, not all come back in the same moment
	_, err = fmt.Fprintf(w, "retry: %d\n\n", 500+rand.N(1000))
	for err == nil {
		v, changed := in.view()
		if v.id != after {
			after = v.id
			_, err = w.Write(v.event)
		}
		w.Flush()
		if v.over || err != nil {
			return nil
		}
		select {
		case <-changed:
		case <-tick.C:
			_, err = fmt.Fprint(w, "event: here\ndata: now\n\n")
		case <-r.Context().Done():
			return nil
		}
	}
	return nil
}

// followersFull returns the error for one follower too many.
func followersFull(err error) error {
	if !errors.Is(err, places.ErrFull) {
		return err
	}
	return app.TooMany(followRetry, "too_many_followers", "This talk is full.",
		"The page still shows the current step each time you load it.")
}

// followRetry is when to try again if there are too many followers.
const followRetry = 10 * time.Second

// enter returns the room of the talk in the path with what its followers see, and a
// function that must be called to leave it. All codes of which there is no talk result
// in the same error.
func (s *Pages) enter(r *web.Request) (*room, sight, func(), error) {
	visit := r.Visit
	code, ok := demo.ReadCode(r.Param("code"))
	if !ok {
		return nil, sight{}, nil, s.LinkError(visit, playground.ErrNotFound)
	}
	guesses, err := s.countGuess(r, code)
	if err != nil {
		return nil, sight{}, nil, err
	}
	in, leave := s.rooms.enter(code, func(ctx context.Context, in *room) {
		for s.look(ctx, code, in) {
			_ = drive.Pause(ctx, gathering)
		}
	})
	v, err := in.first(visit.Context())
	wrong := errors.Is(err, playground.ErrNotFound)
	if guesses && !wrong {
		s.Limiters.WrongLinks.Return(visit.Address, s.Now())
	}
	switch {
	case err == nil:
		return in, v, leave, nil
	case wrong && guesses:
		err = app.LinkNotFound()
	default:
		err = s.LinkError(visit, err)
	}
	leave()
	return nil, v, nil, err
}

// countGuess counts a code as a wrong one before it is looked up, so that many at once
// are no more than an address may try: a code is short. It reports false for the code of
// a talk that has a follower here, which is open to all, and in local mode.
func (s *Pages) countGuess(r *web.Request, code string) (guesses bool, err error) {
	if !s.Mode.Shared() || s.rooms.has(code) {
		return false, nil
	}
	wait := s.Limiters.WrongLinks.Reserve(r.Visit.Address, s.Now())
	if wait == 0 {
		return true, nil
	}
	return false, app.TooMany(wait, "too_many_links", "Too many invalid links were opened from your address.",
		"A talk that others follow already still opens.")
}
