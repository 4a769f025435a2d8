package app

import (
	"context"
	"errors"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// SessionStore keeps sessions with their exchanges.
type SessionStore interface {
	AddSession(ctx context.Context, workspace string, n session.Session) error
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	EditSession(ctx context.Context, workspace, id, title, note string, pinned bool) error
	PinSession(ctx context.Context, workspace, id string, pinned bool) error
	DeleteSession(ctx context.Context, workspace, id string) error
	DeleteSessions(ctx context.Context, workspace string) error
}

// Limits of what a user enters, in characters.
const (
	MaxTitle = 200
	MaxNote  = 4000
)

// Adopt stores a foreign session as the user's own, under new ids, and returns the id of
// its exchange with the index first. What a process held when the session was recorded, a
// running request or the open call of a legacy server, is closed as interrupted: its
// connection is not here. Nothing in it is sent anywhere.
func (s *App) Adopt(v *Visit, n session.Session, first int) (exchange string, err error) {
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	n.ID, n.Created, n.Changed, n.Pinned = s.NewID(), s.Now(), s.Now(), false
	n.Title, n.Note = text.Chars(n.Title, MaxTitle), text.Chars(n.Note, MaxNote)
	if len(n.Exchanges) == 0 {
		return "", Refuse(Invalid, "empty_session", "There is no call in it.",
			"A file needs at least one.")
	}
	n.ReadOnce()
	ids := map[string]string{}
	for i := range n.Exchanges {
		x := &n.Exchanges[i]
		old := x.ID
		x.ID, x.Session = s.NewID(), n.ID
		if x.Origin != nil {
			x.Origin.Exchange = ids[x.Origin.Exchange]
		}
		ids[old] = x.ID
		if _, ok := s.Samples.Lookup(x.Target.Sample); !ok {
			x.Target.Sample = "" // a sample of another program is a server like any other here
		}
		x.Target.ID = x.Target.Sample // an id of a foreign list of servers means nothing here
		CloseHeld(x)
	}
	return n.Exchanges[first].ID, s.Write(v, SizeOf(n), func() error {
		return s.Store.AddSession(v.Context(), workspace, n)
	})
}

// EditSession sets the title, the note and the pin of a session of the visit's workspace.
// Texts that are too long are cut.
func (s *App) EditSession(v *Visit, id, title, note string, pinned bool) error {
	return s.Store.EditSession(v.Context(), v.Workspace(), id,
		text.Chars(strings.TrimSpace(title), MaxTitle), text.Chars(note, MaxNote), pinned)
}

// PinSessions sets the pin of sessions of the visit's workspace.
func (s *App) PinSessions(v *Visit, ids []string, pinned bool) error {
	for _, id := range ids {
		if err := s.Store.PinSession(v.Context(), v.Workspace(), id, pinned); err != nil {
			return err
		}
	}
	return nil
}

// DeleteSession ends what is running of a session of the visit's workspace, and deletes it
// with its recording and its links.
func (s *App) DeleteSession(v *Visit, id string) error {
	ctx, workspace := v.Context(), v.Workspace()
	n, err := s.Store.Session(ctx, workspace, id)
	if err != nil {
		return err
	}
	s.Checker.Stop(n.ID)
	for _, x := range n.Exchanges {
		s.Runner.Cancel(x.ID)
	}
	return s.Store.DeleteSession(ctx, workspace, n.ID)
}

// DeleteSessions is DeleteSession for several. One that is not there is passed over.
func (s *App) DeleteSessions(v *Visit, ids []string) error {
	for _, id := range ids {
		if err := s.DeleteSession(v, id); err != nil && !errors.Is(err, playground.ErrNotFound) {
			return err
		}
	}
	return nil
}

// DeleteHistory deletes all sessions of the visit's workspace.
func (s *App) DeleteHistory(v *Visit) error {
	return s.Store.DeleteSessions(v.Context(), v.Workspace())
}
