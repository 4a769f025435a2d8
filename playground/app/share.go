package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// ShareStore keeps links. One that has expired is not found.
type ShareStore interface {
	AddShare(ctx context.Context, workspace string, h share.Share) error
	Share(ctx context.Context, token string, now time.Time) (share.Share, error)
	Shares(ctx context.Context, workspace string, now time.Time) ([]share.Share, error)
	CountView(ctx context.Context, token string) error
	DeleteShare(ctx context.Context, workspace, token string) error
}

// minCredential is the shortest credential to search for, in bytes; shorter
// values cause false positives.
const minCredential = 8

// LinkLives returns how long a link may work; the last is the default.
func LinkLives() []time.Duration {
	return []time.Duration{time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}
}

// Card draws the preview image of a link, a PNG. instances returns the topology of the
// sample that an exchange talks to, or "" for other servers.
type Card func(v share.View, n session.Session, instances func(playground.Exchange) string) ([]byte, error)

// MakeLink stores a link to what was proposed. seen is the digest of the proposal that its
// maker has seen: if it is another one, the refusal is a Conflict, so that nothing becomes
// public unseen. A recording that cannot be a link is refused as TooLarge or Invalid.
func (s *App) MakeLink(v *Visit, p Proposal, seen string, draw Card) (share.Share, error) {
	if err := Unchanged(p, seen); err != nil {
		return share.Share{}, err
	}
	if len(p.Data) > s.Limits.Share {
		return share.Share{}, Refuse(TooLarge, "share_too_large",
			"This recording is larger than a link can hold ("+text.Size(s.Limits.Share)+").",
			"Share less of it, or download it as a file instead.")
	}
	if _, _, err := share.Decode(p.Data); err != nil {
		s.Logger.Error("a snapshot cannot be read back", "session", p.Session.ID, "err", err)
		return share.Share{}, RefuseBecause(err, Invalid, "share_unreadable",
			"This recording cannot be published, because a reader could not open it: "+err.Error()+".", "")
	}
	return s.addLink(v, p, draw)
}

// Unchanged returns a Conflict if seen is not the digest of a proposal.
func Unchanged(p Proposal, seen string) error {
	if p.Digest != seen {
		return Refuse(Conflict, "share_changed",
			"What will be public has changed since you last looked.", "Review it, then create the link.")
	}
	return nil
}

// MakeLinkAlone makes a link to the board of a check, or to a call, that outlives its
// session, which it deletes: the link is all that is kept. Secrets are masked as they
// are in every link. life is one of LinkLives. The caller ends the turn of the visit.
func (s *App) MakeLinkAlone(v *Visit, id string, life time.Duration, draw Card) (share.Share, error) {
	ctx, workspace := v.Context(), v.Workspace()
	if err := s.WaitOwnTurn(v); err != nil {
		return share.Share{}, err
	}
	p, err := s.Propose(v, id, ShareChoices{Life: life})
	if err != nil {
		return share.Share{}, err
	}
	if len(p.Data) > s.Limits.Share {
		return share.Share{}, Refuse(TooLarge, "share_too_large",
			"The recording is larger than a link can hold.", "Check less at once, or use a token.")
	}
	if _, _, err := share.Decode(p.Data); err != nil {
		return share.Share{}, fmt.Errorf("read snapshot back: %w", err)
	}
	p.Session.ID = s.NewID() // a session without calls, for the link to belong to
	empty := session.Session{ID: p.Session.ID, Created: s.Now(), Changed: s.Now()}
	if err := s.Store.AddSession(ctx, workspace, empty); err != nil {
		return share.Share{}, err
	}
	h, err := s.addLink(v, p, draw)
	if err != nil {
		return h, errors.Join(err, s.Store.DeleteSession(ctx, workspace, empty.ID))
	}
	return h, s.Store.DeleteSession(ctx, workspace, id)
}

// addLink stores a link to what was proposed.
func (s *App) addLink(v *Visit, p Proposal, draw Card) (share.Share, error) {
	h := share.Share{
		Token: s.NewID(), Session: p.Session.ID, Other: p.other, Title: p.Snapshot.Session.Title,
		Created: s.Now(), Expires: s.Now().Add(p.Life), Data: p.Data,
	}
	if err := s.limitLinks(v); err != nil {
		return h, err
	}
	err := s.WaitOwnTurn(v) // a drawing takes tens of milliseconds
	if err != nil {
		return h, err
	}
	if h.Image, err = draw(p.View, p.Snapshot.Session, s.InstancesOf); err != nil {
		return h, err
	}
	return h, s.Write(v, len(h.Data)+len(h.Image), func() error {
		return s.Store.AddShare(v.Context(), v.Workspace(), h)
	})
}

// limitLinks enforces the rate of new links.
func (s *App) limitLinks(v *Visit) error {
	if !s.Mode.Shared() {
		return nil
	}
	if wait := s.Limiters.Shares.Reserve(v.Account(), s.Now()); wait > 0 {
		return TooMany(wait, "too_many_shares", "Too many links in a short time.",
			"Existing links still work.")
	}
	return nil
}

// secrets returns what no reader of a session may have, whatever its maker picks: the
// user's credentials, and the addresses of flows, which anyone could call.
func (s *App) secrets(v *Visit, n session.Session) []string {
	return append(s.credentials(v, n), FlowTokens(n.Exchanges)...)
}

// credentials returns the user's credentials for the servers of a session, as
// far as this visit can open them. The recording has them masked in the usual
// encodings; share masks them again in all encodings that it knows.
func (s *App) credentials(v *Visit, n session.Session) []string {
	var values []string
	for _, x := range n.Exchanges {
		open, err := s.UnlockExchange(v, x)
		if err != nil || len(x.Sealed) == 0 {
			continue // no credentials, or lost ones, which are nowhere in clear
		}
		values = append(values, redact.Values(open.Target.Header, open.Target.URL)...)
	}
	return slices.DeleteFunc(values, func(v string) bool { return len(v) < minCredential })
}

// OpenRecording returns the session of an exchange of the visit's workspace, and the options
// for a file of that exchange, with what its readers may not have. It takes the visit's turn:
// of a large recording that among all, else that among the work of its owner, because a file is
// masked and drawn anew for each choice in its address.
func (s *App) OpenRecording(v *Visit, id string, o share.Options) (session.Session, share.Options, error) {
	if err := s.WaitOwnTurn(v); err != nil {
		return session.Session{}, o, err
	}
	x, err := s.Store.Exchange(v.Context(), v.Workspace(), id)
	if err != nil {
		return session.Session{}, o, err
	}
	n, err := s.Store.Session(v.Context(), v.Workspace(), x.Session)
	if err != nil {
		return n, o, err
	}
	if err := s.TakeTurn(v, n); err != nil {
		return n, o, err
	}
	o.Pick, o.Credentials = []string{id}, s.secrets(v, n)
	return n, o, nil
}

// Link is a link with what it makes public.
type Link struct {
	share.Share
	Measured bool // a recording of package field, which is part of the program
	View     share.View
	Public   session.Session
}

// OpenLink returns the link of a token, to anyone who has it. Invalid tokens all get the
// same error. A large recording takes the visit's turn before it is decoded.
func (s *App) OpenLink(v *Visit, token string) (Link, error) {
	var l Link
	var err error
	if l.Share, l.Measured = field.Share(token); !l.Measured {
		if l.Share, err = s.Store.Share(v.Context(), token, s.Now()); err != nil {
			return l, s.LinkError(v, err)
		}
	}
	if err = s.takeTurn(v, len(l.Data)); err != nil {
		return l, err
	}
	if l.View, l.Public, err = share.Decode(l.Data); err == nil {
		err = s.TakeTurn(v, l.Public)
	}
	return l, err
}

// Preview returns the link that a proposal would become, as its readers would see it. It is
// decoded as a link is, so that the preview is made from the same bytes.
func (s *App) Preview(p Proposal) (Link, error) {
	var l Link
	var err error
	if l.View, l.Public, err = share.Decode(p.Data); err != nil {
		return l, Refuse(Invalid, "no_preview", "This recording cannot be published.",
			"A reader could not open it: "+err.Error()+".")
	}
	now := s.Now()
	l.Share = share.Share{Title: l.Public.Title, Created: now, Expires: now.Add(p.Life)}
	return l, nil
}

// CountView counts that someone has opened a link. A failure is logged.
func (s *App) CountView(v *Visit, l Link) {
	if l.Measured {
		return
	}
	if err := s.Store.CountView(v.Context(), l.Token); err != nil {
		s.Logger.Warn("count view", "err", err)
	}
}

// RevokeLink ends a link of the visit's workspace at once.
func (s *App) RevokeLink(v *Visit, token string) error {
	return s.Store.DeleteShare(v.Context(), v.Workspace(), token)
}

// Fork copies what a link shows into the visit's workspace. It returns the id of the flow,
// or that of the exchange that the link shows first. The copy has no credentials, and
// nothing is sent: an open question stays open.
func (s *App) Fork(v *Visit, l Link) (id string, err error) {
	if err := s.LimitImports(v); err != nil {
		return "", err
	}
	if l.View.Kind == share.KindFlow {
		return s.MakeFlow(v, l.Public.Flow)
	}
	for i := range l.Public.Exchanges {
		l.Public.Exchanges[i].Target.Header = nil
	}
	return s.Adopt(v, l.Public, l.View.Shown[0]-1)
}
