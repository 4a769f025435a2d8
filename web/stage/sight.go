package stage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

const (
	// gathering is the time from a change until followers see it. A request that is
	// answered within it is one event, and the presenter's own page comes first.
	gathering = 100 * time.Millisecond
	// followPoll is how often a talk is looked at without a notice.
	followPoll = 2 * time.Second
)

// look shows the talk as it is now to the room, and returns when it may have changed,
// or false if that is of no use any more.
func (s *Pages) look(ctx context.Context, code string, r *room) bool {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	talk, err := s.Store.Talk(ctx, code, s.Now())
	noticed, unsubscribe := s.Notices.Changes(talk.Session)
	defer unsubscribe()
	// What a talk costs counts for its presenter, and takes turns: its calls may be large.
	visit := s.Visit(ctx, app.Request{Owner: app.Agent(talk.Workspace), Kind: app.ByToken, Looks: true})
	defer visit.EndTurn()
	var t demo.Showing
	if err == nil {
		err = s.WaitTurn(visit)
	}
	if err == nil {
		t, err = s.followed(visit.Context(), talk)
	}
	v := sight{err: err}
	switch {
	case err == nil:
		v = s.sightOf(visit.Context(), talk, t)
	case errors.Is(err, playground.ErrNotFound):
		v = lastSight(ctx)
	}
	if ctx.Err() != nil {
		return false
	}
	r.show(v)
	if v.over {
		return false
	}
	visit.EndTurn()
	poll := time.NewTimer(followPoll)
	defer poll.Stop()
	select {
	case <-noticed:
	case <-s.moves(ctx, &t.Own):
	case <-s.moves(ctx, t.Legacy):
	case <-poll.C:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// moves returns a channel that is closed when the log of an exchange changes.
func (s *Pages) moves(ctx context.Context, x *playground.Exchange) <-chan struct{} {
	if x == nil || x.ID == "" {
		return nil
	}
	changed, _ := s.Runner.Watch(ctx, x.ID, playground.Progress(x.Log))
	return changed
}

// followed returns the stage of a talk with its lanes.
func (s *Pages) followed(ctx context.Context, talk demo.Talk) (demo.Showing, error) {
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
		x, err := s.App.Store.Exchange(ctx, talk.Workspace, id)
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

// sightOf returns what followers see of a stage: its newest step, masked as a share is.
func (s *Pages) sightOf(ctx context.Context, talk demo.Talk, t demo.Showing) sight {
	lanes := []playground.Exchange{t.Own}
	if t.Legacy != nil {
		lanes = append(lanes, *t.Legacy)
	}
	h := sha256.New()
	web.Add(h, "follow", talk.Code, t.Story.Slug, fmt.Sprint(t.Stage.Marks))
	for _, x := range lanes {
		web.AddExchange(h, x)
	}
	var key web.Digest
	h.Sum(key[:0])
	id := hex.EncodeToString(key[:8])
	main, err := s.Made.File(key, func() ([]byte, error) {
		public := share.NewSnapshot(session.Session{Exchanges: lanes},
			share.Options{OmitHeaders: true, Credentials: app.FlowTokens(lanes)})
		t.Own = public.Session.Exchanges[0]
		if t.Legacy != nil {
			t.Legacy = &public.Session.Exchanges[1]
		}
		return rendered(ctx, stageview.FollowMain(stageview.NewFollow(stageview.Input{
			Story: t.Story, Stage: t.Stage, Own: t.Own, Legacy: t.Legacy, N: t.Newest(), Explain: s.Explain,
		}, talk.Code, id)))
	})
	if err != nil {
		return sight{err: err}
	}
	return sight{
		id: id, title: t.Story.Title, presenter: app.AccountOf(talk.Workspace),
		main: main, event: event("step", id, main),
	}
}

// lastSight returns what followers see when a talk has ended.
func lastSight(ctx context.Context) sight {
	main, err := rendered(ctx, stageview.FollowEnded())
	return sight{id: "over", event: event("ended", "over", main), over: true,
		err: errors.Join(playground.ErrNotFound, err)}
}

func rendered(ctx context.Context, component templ.Component) ([]byte, error) {
	var b bytes.Buffer
	err := component.Render(ctx, &b)
	return b.Bytes(), err
}

// event returns a server-sent event with HTML.
func event(name, id string, html []byte) []byte {
	lines := bytes.ReplaceAll(html, []byte("\n"), []byte("\ndata: "))
	return fmt.Appendf(nil, "event: %s\nid: %s\ndata: %s\n\n", name, id, lines)
}
