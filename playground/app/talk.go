package app

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/talk"
)

// TalkStore keeps talks. One that has ended is not found.
type TalkStore interface {
	StartTalk(ctx context.Context, t talk.Talk, now time.Time) error
	Talk(ctx context.Context, code string, now time.Time) (talk.Talk, error)
	TalkOf(ctx context.Context, workspace, session string, now time.Time) (talk.Talk, error)
	MoveTalk(ctx context.Context, workspace, from, to string, now time.Time) error
	EndTalk(ctx context.Context, workspace, session string) error
}

// StartTalk makes a stage of the visit's workspace a talk, which anyone with its code can
// follow, unless no phone could reach this program. In local mode it opens the listener for
// phones; a Refusal says why that is not possible.
func (s *App) StartTalk(v *Visit, session string) error {
	if !s.CanInvite(v) {
		return nil
	}
	if s.Mode == Local {
		return s.startLocalTalk(v, session)
	}
	return s.storeTalk(v, session)
}

func (s *App) storeTalk(v *Visit, session string) error {
	return s.Store.StartTalk(v.Context(), talk.Talk{
		Code: talk.NewCode(s.NewID()), Workspace: v.Workspace(), Session: session,
	}, s.Now())
}

// EndTalk ends the talk of a stage, whose followers see that.
func (s *App) EndTalk(v *Visit, session string) error {
	if err := s.Store.EndTalk(v.Context(), v.Workspace(), session); err != nil {
		return err
	}
	s.Notices.Changed(session)
	return nil
}

// MoveTalk makes the talk of a stage that of a new one, so that its followers stay when
// the story is started over. Without a stage that it was, there is none to move.
func (s *App) MoveTalk(v *Visit, from, to string) error {
	if from == "" {
		return nil
	}
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	err = s.Store.MoveTalk(v.Context(), workspace, from, to, s.Now())
	s.Notices.Changed(from)
	return err
}

// TalkOf returns the talk that a stage of the visit's workspace is. Its code is empty if it
// is none.
func (s *App) TalkOf(v *Visit, session string) (talk.Talk, error) {
	t, err := s.Store.TalkOf(v.Context(), v.Workspace(), session, s.Now())
	if errors.Is(err, playground.ErrNotFound) {
		return talk.Talk{}, nil
	}
	return t, err
}

// CanInvite reports whether phones reach this program, or would once a talk starts.
func (s *App) CanInvite(v *Visit) bool {
	return s.RoomURL(v) != "" || s.Mode == Local && s.Phones != nil
}

// RoomURL returns the URL at which the phones of a room reach this program, or "" if
// there is none: in local mode that of the listener for phones while it is open, and in a
// trusted network the one that the presenter uses, which was checked, unless it is of this
// machine alone.
func (s *App) RoomURL(v *Visit) string {
	own := v.Origin
	switch {
	case s.Mode == Public:
		return own
	case s.Mode == Local && s.Phones != nil:
		return s.Phones.URL()
	case s.Mode == Local:
		return ""
	case !isOwnMachine(own):
		return own
	case !isOwnMachine(s.BaseURL):
		return s.BaseURL
	}
	return ""
}

// isOwnMachine reports whether a URL leads to this machine wherever it is opened.
func isOwnMachine(origin string) bool {
	addr, err := netip.ParseAddr(HostOf(origin))
	return IsLoopbackOrigin(origin) || err == nil && addr.IsUnspecified()
}
