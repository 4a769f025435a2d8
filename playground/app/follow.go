package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/talk"
)

const (
	// gathering is the time from a change until followers see it. A request that is
	// answered within it is one event, and the presenter's own page comes first.
	gathering = 100 * time.Millisecond
	// followPoll is how often a talk is looked at without a notice.
	followPoll = 2 * time.Second
	// followRetry is when to try again if there are too many followers.
	followRetry = 10 * time.Second
)

// Screens makes what the followers of a talk get. It is asked once for all of them.
type Screens interface {
	// Step returns the newest step of a talk, whose calls are masked as those of a share.
	Step(ctx context.Context, code, id string, t demo.Showing) (Screen, error)
	// Ended returns what they get when the talk has ended.
	Ended(ctx context.Context) (Screen, error)
}

// Following is someone who follows a talk, read-only, unknown.
type Following struct {
	First Sight // that there was on entering

	app   *App
	room  *room
	leave func()
}

// FollowTalk returns the talk of a code, to anyone who has it. All codes of which there is
// no talk result in the same error. Leave must be called at the end.
func (s *App) FollowTalk(v *Visit, typed string, p Screens) (*Following, error) {
	code, ok := talk.ReadCode(typed)
	if !ok {
		return nil, s.LinkError(v, playground.ErrNotFound)
	}
	guesses, err := s.countGuess(v, code)
	if err != nil {
		return nil, err
	}
	in, leave := s.rooms.enter(code, func(ctx context.Context, in *room) {
		for s.lookAtTalk(ctx, code, in, p) {
			_ = drive.Pause(ctx, gathering)
		}
	})
	first, err := in.first(v.Context())
	wrong := errors.Is(err, playground.ErrNotFound)
	if guesses && !wrong {
		s.Limiters.WrongLinks.Return(v.Address, s.Now())
	}
	switch {
	case err == nil:
		return &Following{First: first, app: s, room: in, leave: leave}, nil
	case wrong && guesses:
		err = LinkNotFound()
	default:
		err = s.LinkError(v, err)
	}
	leave()
	return nil, err
}

// Leave ends following.
func (f *Following) Leave() { f.leave() }

// Now returns what the followers see, and a channel that is closed when it changes.
func (f *Following) Now() (Sight, <-chan struct{}) { return f.room.view() }

// IsFull reports whether the talks of the presenter have no place for one who stays.
func (f *Following) IsFull() bool { return f.app.Followers.IsFull(f.First.presenter.Holder()) }

// Stay takes one of the places of the presenter, until release.
func (f *Following) Stay(ctx context.Context) (release func(), err error) {
	release, err = f.app.Followers.Acquire(ctx, f.First.presenter.Holder())
	if errors.Is(err, places.ErrFull) {
		err = TooMany(followRetry, "too_many_followers", "This talk is full.",
			"The page still shows the current step each time you load it.")
	}
	return release, err
}

// countGuess counts a code as a wrong one before it is looked up, so that many at once
// are no more than an address may try: a code is short. It reports false for the code of
// a talk that has a follower here, which is open to all.
func (s *App) countGuess(v *Visit, code string) (guesses bool, err error) {
	if s.rooms.has(code) {
		return false, nil
	}
	wait := s.Limiters.WrongLinks.Reserve(v.Address, s.Now())
	if wait == 0 {
		return true, nil
	}
	return false, TooMany(wait, "too_many_links", "Too many invalid links were opened from your address.",
		"A talk that others follow already still opens.")
}

// lookAtTalk shows the talk as it is now to the room, and returns when it may have changed,
// or false if that is of no use any more.
func (s *App) lookAtTalk(ctx context.Context, code string, r *room, p Screens) bool {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	talk, err := s.Store.Talk(ctx, code, s.Now())
	noticed, unsubscribe := s.Notices.Changes(talk.Session)
	defer unsubscribe()
	// What a talk costs counts for its presenter, and takes turns: its calls may be large.
	visit := s.Visit(ctx, Request{Owner: Agent(talk.Workspace), Kind: ByToken, Looks: true})
	defer visit.EndTurn()
	var t demo.Showing
	if err == nil {
		err = s.WaitTurn(visit)
	}
	if err == nil {
		t, err = s.shown(visit.Context(), talk)
	}
	seen := Sight{err: err}
	switch {
	case err == nil:
		seen = s.sightOf(visit.Context(), talk, t, r, p)
	case errors.Is(err, playground.ErrNotFound):
		s.rooms.kept.forget(code)
		seen = lastSight(ctx, p)
	}
	if ctx.Err() != nil {
		return false
	}
	r.show(seen)
	if seen.Over {
		return false
	}
	visit.EndTurn()
	s.awaitStage(ctx, t, noticed)
	return ctx.Err() == nil
}

// awaitStage waits until a stage may have changed, or for the end of ctx.
func (s *App) awaitStage(ctx context.Context, t demo.Showing, noticed <-chan struct{}) {
	poll := time.NewTimer(followPoll)
	defer poll.Stop()
	select {
	case <-noticed:
	case <-s.moves(ctx, &t.Own):
	case <-s.moves(ctx, t.Legacy):
	case <-poll.C:
	case <-ctx.Done():
	}
}

// moves returns a channel that is closed when the log of an exchange changes.
func (s *App) moves(ctx context.Context, x *playground.Exchange) <-chan struct{} {
	if x == nil || x.ID == "" {
		return nil
	}
	changed, _ := s.Runner.Watch(ctx, x.ID, playground.Progress(x.Log))
	return changed
}

// shown returns the stage of a talk with its lanes.
func (s *App) shown(ctx context.Context, talk talk.Talk) (demo.Showing, error) {
	stage, err := s.Store.Stage(ctx, talk.Workspace, talk.Session)
	if err != nil {
		return demo.Showing{}, err
	}
	t := demo.Showing{Stage: stage}
	var ok bool
	if t.Story, ok = stage.Played(); !ok || len(stage.Marks) == 0 {
		return t, playground.ErrNotFound
	}
	lane := func(id string) (playground.Exchange, error) {
		x, err := s.Store.Exchange(ctx, talk.Workspace, id)
		x.Target = x.Target.At(s.BaseURL)
		return x, err
	}
	if t.Own, err = lane(stage.Call(t.Story, t.Newest())); err != nil || stage.Legacy == "" {
		return t, err
	}
	x, err := lane(stage.Legacy)
	x.Target.Era = playground.Legacy
	t.Legacy = &x
	return t, err
}

// sightOf returns what followers see of a stage: its newest step, masked as a share is. What
// they see already, or have seen last, is not made again.
func (s *App) sightOf(ctx context.Context, talk talk.Talk, t demo.Showing, r *room, p Screens) Sight {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		talk.Code, t.Story.Slug, t.Stage.Session, t.Own.ID, t.Version(),
	}))
	id := hex.EncodeToString(sum[:8])
	if now, _ := r.view(); now.ID == id {
		return now
	}
	if v, ok := s.rooms.kept.of(talk.Code, id); ok {
		return v
	}
	lanes := []playground.Exchange{t.Own}
	if t.Legacy != nil {
		lanes = append(lanes, *t.Legacy)
	}
	public := share.NewSnapshot(session.Session{Exchanges: lanes},
		share.Options{OmitHeaders: true, Credentials: FlowTokens(lanes)})
	t.Own = public.Session.Exchanges[0]
	if t.Legacy != nil {
		t.Legacy = &public.Session.Exchanges[1]
	}
	screen, err := p.Step(ctx, talk.Code, id, t)
	if err != nil {
		return Sight{err: err}
	}
	seen := Sight{Screen: screen, ID: id, Title: t.Story.Title, presenter: AccountOf(talk.Workspace)}
	s.rooms.kept.keep(talk.Code, seen)
	return seen
}

// lastSight returns what followers see when a talk has ended.
func lastSight(ctx context.Context, p Screens) Sight {
	screen, err := p.Ended(ctx)
	return Sight{Screen: screen, ID: Over, Over: true, err: errors.Join(playground.ErrNotFound, err)}
}

// Over is the id of the last sight of a talk.
const Over = "over"

// WatchStage returns a function that watches a stage of the visit's workspace. It returns a
// channel that is closed when the stage shows something else than version, or false if it
// does so already.
func (s *App) WatchStage(v *Visit, t demo.Showing, version string) func(context.Context) (
	changed <-chan struct{}, same bool,
) {
	stage := talk.Talk{Workspace: v.Workspace(), Session: t.Stage.Session}
	return func(ctx context.Context) (<-chan struct{}, bool) {
		if t.Version() != version {
			return nil, false
		}
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			for s.shows(ctx, stage, version) {
			}
		}()
		return changed, true
	}
}

// shows waits until a stage may have changed, and reports whether it showed this version
// before that.
func (s *App) shows(ctx context.Context, stage talk.Talk, version string) bool {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	noticed, unsubscribe := s.Notices.Changes(stage.Session)
	defer unsubscribe()
	t, err := s.shown(ctx, stage)
	if err != nil || t.Version() != version {
		return false
	}
	s.awaitStage(ctx, t, noticed)
	return ctx.Err() == nil
}
