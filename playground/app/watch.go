package app

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// WatchLife is how long a page watches a server.
const WatchLife = 10 * time.Minute

// streamRetry is when to try again if too many streams are open.
const streamRetry = 10 * time.Second

// Watched is a server that is being watched.
type Watched struct {
	Server KnownServer
	// Events are what is sent and what comes, without the secrets of the user. It is
	// closed at the end.
	Events <-chan playground.Event
	// Stop ends watching, and waits until it has ended.
	Stop func()
}

// Watch opens a stream of notifications of a server. It takes a place of the streams of its
// owner, and one of the calls, until it ends: when ctx of the visit ends, after WatchLife, or when
// the server closes the stream. Nothing of it is stored.
func (s *App) Watch(v *Visit, id string) (Watched, error) {
	k, err := s.Find(v, id)
	if err != nil {
		return Watched{}, err
	}
	if k.Connection.Status != server.Connected {
		return Watched{}, Refuse(Conflict, "not_connected", "The server is not connected.",
			"Connect to it first, then watch it.")
	}
	if k.Connection.Era == playground.Legacy && k.Target.IsCommand() {
		return Watched{}, Refuse(Invalid, "no_watching",
			"A legacy server on standard input can't be watched.",
			"Its notifications come only while a call is open. Make a call to see them.")
	}
	t, open := s.Unlock(v, k.Target)
	if !open {
		return Watched{}, SecretLost(playground.Exchange{Target: k.Target})
	}
	if t, err = s.TargetWithToken(v, t); err != nil {
		return Watched{}, err
	}
	release, err := s.Streams.Acquire(v.Context(), v.Account().Holder())
	if errors.Is(err, places.ErrFull) {
		return Watched{}, TooMany(streamRetry, "too_many_streams",
			"Too many pages that follow something are open.",
			"Close one of them, then try again.")
	}
	if err != nil {
		return Watched{}, err
	}
	if err := s.Admit(v, playground.Exchange{ID: s.NewID(), Target: t}); err != nil {
		release()
		return Watched{}, err
	}
	ctx, stop := context.WithTimeout(v.Context(), WatchLife)
	events, ended := make(chan playground.Event), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(events)
		defer release()
		err := s.Listen(ctx, t, k.Connection, func(e playground.Event) {
			select {
			case events <- e.Redact(t.Secrets):
			case <-ctx.Done():
			}
		})
		if err != nil && !errors.Is(err, run.ErrNoListening) && ctx.Err() == nil {
			s.Logger.Info("watch a server", "target", t.ID, "err", err)
		}
	}()
	return Watched{k, events, func() { stop(); <-ended }}, nil
}
