package app

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// RecordingStore keeps the recordings that are served. An id of another workspace results in
// playground.ErrNotFound, as an unknown one does.
type RecordingStore interface {
	// AddServed stores a recording unless its workspace has that many.
	AddServed(ctx context.Context, r mock.Saved, most int) (added bool, err error)
	Served(ctx context.Context, workspace, id string) (mock.Saved, error)
	ServedAt(ctx context.Context, token string) (mock.Saved, error)
	SetIgnored(ctx context.Context, workspace, id string, ignored mock.Ignored) error
	EndServed(ctx context.Context, workspace, id string, at time.Time) error
	RenewServed(ctx context.Context, workspace, id, token string, at time.Time) error
	CaptureEvents(ctx context.Context, id string) ([]playground.Event, error)
	UseServed(ctx context.Context, r mock.Saved, at time.Time) error
	// ServedTurn counts an answer to a request and returns how many it had before.
	ServedTurn(ctx context.Context, r mock.Saved, request string) (int, error)
	BeginServed(ctx context.Context, r mock.Saved, prefix string) error
}

// ServeCall serves a call again, with what its server has said on connecting, and returns the
// id of the recording.
func (s *App) ServeCall(v *Visit, x playground.Exchange) (id string, err error) {
	n := session.Session{Title: cmp.Or(x.Call.Name(), x.Call.Method)}
	for at := &x; at != nil; {
		n.Exchanges = append([]playground.Exchange{*at}, n.Exchanges...)
		if at.Origin == nil {
			break
		}
		at = at.Origin.Parent
	}
	return s.serve(v, n)
}

// ServeSession serves all calls of a session again, and of a capture also what belongs to no
// call. It returns the id of the recording.
func (s *App) ServeSession(v *Visit, n session.Session) (id string, err error) {
	if n.Kind == session.KindCapture {
		log, err := s.Store.CaptureEvents(v.Context(), n.ID)
		if err != nil {
			return "", err
		}
		n.Exchanges = append(n.Exchanges, besideCalls(n, log))
	}
	return s.serve(v, n)
}

// besideCalls returns what belongs to no call of a capture as an Exchange.
func besideCalls(n session.Session, log []playground.Event) playground.Exchange {
	x := playground.Exchange{ID: "others", Call: playground.Call{Method: playground.Discover}, Log: log}
	x.Created, x.Target.URL = n.Created, "http://localhost/"
	if len(n.Exchanges) > 0 {
		x.Target = n.Exchanges[0].Target
	}
	return x
}

// serve stores a recording of a session.
func (s *App) serve(v *Visit, n session.Session) (id string, err error) {
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	n.Exchanges = append(s.connecting(v, n), n.Exchanges...)
	for i := range n.Exchanges {
		n.Exchanges[i].Origin = nil // each request is served by itself
	}
	data, err := export.JSON(n)
	if err != nil {
		return "", err
	}
	read, err := export.Import(data, s.Limits.Session)
	switch {
	case errors.Is(err, export.ErrTooLarge):
		return "", Refuse(TooLarge, "recording_too_large", "This recording is too large to serve.",
			err.Error()+".")
	case err != nil:
		return "", err
	case mock.New(read, mock.Usual()).Requests() == 0:
		return "", Refuse(Invalid, "nothing_recorded", "Nothing was recorded yet.",
			"Make a call first: its answers are what is served.")
	}
	r := mock.Saved{
		ID: s.NewID(), Workspace: workspace, Token: s.NewID(), Title: n.Title, Ignored: mock.Usual(),
		Data: data, Created: s.Now(), Used: s.Now(),
	}
	most := math.MaxInt
	if s.Mode.Shared() {
		most = s.Limits.Recordings
	}
	added := false
	err = s.Write(v, len(data), func() error {
		added, err = s.Store.AddServed(v.Context(), r, most)
		return err
	})
	if err == nil && !added {
		err = Refuse(TooOften, "recordings", "You serve too many recordings.",
			"A workspace can serve "+text.Plural(most, "recording")+". Delete one in the history first.")
	}
	return r.ID, err
}

// connecting returns what the servers of a session have said on connecting, as Exchanges: a
// client asks that before its call.
func (s *App) connecting(v *Visit, n session.Session) []playground.Exchange {
	var list []playground.Exchange
	var seen []string
	for _, x := range n.Exchanges {
		if x.Target.ID == "" || slices.Contains(seen, x.Target.ID) || n.Kind == session.KindCapture {
			continue
		}
		seen = append(seen, x.Target.ID)
		log := logOf(s.ConnectionOf(v, x.Target.ID).Trips)
		if len(log) == 0 {
			continue
		}
		x.ID, x.Origin, x.Log = "connecting "+strconv.Itoa(len(list)+1), nil, log
		x.Call = playground.Call{Method: playground.Discover}
		list = append(list, x)
	}
	return list
}

// logOf returns the requests of connecting, and their responses, as a log.
func logOf(trips []playground.Round) []playground.Event {
	var log []playground.Event
	add := func(kind playground.EventKind, conn int, at time.Time, parts ...[]byte) {
		log = append(log, playground.Event{
			Seq: len(log) + 1, At: at, Conn: conn, Kind: kind, Data: slices.Concat(parts...),
		})
	}
	for i, t := range trips {
		if len(t.Request.Head) == 0 {
			continue
		}
		add(playground.Sent, i+1, t.Started, t.Request.Head, t.Request.Body)
		if len(t.Response.Head) > 0 {
			add(playground.Received, i+1, t.Last, t.Response.Head, t.Response.Body)
		}
	}
	return log
}

// ServedAt returns the recording with a token, without its Data, if its address is open.
// An address may try a number of wrong ones.
func (s *App) ServedAt(v *Visit, token string) (mock.Saved, error) {
	r, err := s.Store.ServedAt(v.Context(), token)
	switch {
	case err == nil && r.Open(s.Now(), s.Mode.Shared()):
		_ = s.Store.UseServed(v.Context(), r, s.Now()) // a note; where it cannot be written, it still answers
		return r, nil
	case err != nil && !errors.Is(err, playground.ErrNotFound):
		return r, err
	}
	if s.Mode.Shared() {
		if wait := s.Limiters.WrongLinks.Reserve(v.Address, s.Now()); wait > 0 {
			return r, TooMany(wait, "too_many_links", "Too many wrong addresses in a short time.", "")
		}
	}
	return r, Refuse(Missing, "no_recording", "No recording is served at this address.",
		"Its owner ended it, it was not used for 30 days, or the address is mistyped.")
}

// ReadRecording returns what a recording answers. If it is large, the visit has its turn from
// then on.
func (s *App) ReadRecording(v *Visit, r mock.Saved) (*mock.Recording, error) {
	if len(r.Data) == 0 {
		var err error
		if r, err = s.Store.Served(v.Context(), r.Workspace, r.ID); err != nil {
			return nil, err
		}
	}
	if len(r.Data) > heavyRecording {
		if err := s.WaitTurn(v); err != nil {
			return nil, err
		}
	}
	n, err := export.Import(r.Data, math.MaxInt)
	if err != nil {
		return nil, err
	}
	return mock.New(n, r.Ignored), nil
}

// heavyRecording is the size of a recording, in bytes, from which reading it takes turns.
const heavyRecording = 64 << 10

// SetIgnored changes what does not count when requests are compared with a recording.
func (s *App) SetIgnored(v *Visit, id string, names []string) error {
	ignored, err := mock.ParseIgnored(strings.Join(names, ","))
	if err != nil {
		return Refuse(Invalid, "bad_part", "There is no such part of a request.", err.Error())
	}
	return s.Store.SetIgnored(v.Context(), v.Workspace(), id, ignored)
}

// EndServed ends the address of a recording.
func (s *App) EndServed(v *Visit, id string) error {
	return s.Store.EndServed(v.Context(), v.Workspace(), id, s.Now())
}

// RenewServed gives a recording another address.
func (s *App) RenewServed(v *Visit, id string) error {
	return s.Store.RenewServed(v.Context(), v.Workspace(), id, s.NewID(), s.Now())
}
