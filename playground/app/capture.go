package app

import (
	"cmp"
	"context"
	"math"
	"net/url"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// CaptureStore keeps captures, with the exchanges and the logs that they record.
type CaptureStore interface {
	// AddCapture stores a capture unless its workspace has that many open ones.
	AddCapture(ctx context.Context, c capture.Capture, most int) (added bool, err error)
	// AddRecording stores an imported recording as a capture that has ended.
	AddRecording(ctx context.Context, c capture.Capture, n session.Session) error
	CaptureAt(ctx context.Context, token string) (capture.Capture, error)
	UseCapture(ctx context.Context, id string, at time.Time) error
	EndCapture(ctx context.Context, workspace, id string, at time.Time) error
	// OpenOfCapture returns the calls that wait for the client to go on.
	OpenOfCapture(ctx context.Context, id string) (capture.Open, error)
	Begin(ctx context.Context, x playground.Exchange) error
	Discard(ctx context.Context, id string) error
	// CaptureLog returns the n-th log for what belongs to no call.
	CaptureLog(ctx context.Context, id string, n int) (log string, err error)
	// CaptureSince returns what came in these logs after the events with these numbers, by log.
	CaptureSince(ctx context.Context, id string, after map[string]int) (map[string][]playground.Event, error)
	SessionStorage(ctx context.Context, session string) (usage.Storage, error)
}

// MakeCapture adds a capture in front of a server, for the workspace of a visit, and returns
// its id.
func (s *App) MakeCapture(v *Visit, t playground.Target) (id string, err error) {
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	if err := s.Space(v, 0); err != nil {
		return "", err
	}
	most := math.MaxInt
	if s.Mode.Shared() {
		if wait := s.Limiters.Captures.Reserve(v.Address, s.Now()); wait > 0 {
			return "", TooMany(wait, "too_many_captures",
				"Too many captures were made from your network.", "Nothing was made.")
		}
		most = s.Limits.Captures
	}
	k := capture.Capture{
		ID: s.NewID(), Workspace: workspace, Token: s.NewID(), Target: t, Created: s.Now(), Used: s.Now(),
	}
	added, err := s.Store.AddCapture(v.Context(), k, most)
	if err == nil && !added {
		err = Refuse(TooOften, "captures", "You have too many open captures.",
			"End one on the page Clients first.")
	}
	return k.ID, err
}

// AdoptRecording stores what another program recorded as a capture of the visit's workspace
// that has ended, and returns its id. A recording without times gets the present one.
// Nothing in it is sent anywhere.
func (s *App) AdoptRecording(v *Visit, n session.Session) (id string, err error) {
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	later := time.Duration(0)
	if !export.HasTimes(n) {
		later = s.Now().Sub(time.Unix(0, 0))
	}
	shift := func(log []playground.Event) {
		for i := range log {
			log[i].At = log[i].At.Add(later)
		}
	}
	k := capture.Capture{
		ID: s.NewID(), Workspace: workspace, Token: s.NewID(), Created: s.Now(), Used: s.Now(),
		Ended:  s.Now(),
		Target: playground.Target{Name: text.Chars(n.Title, MaxTitle)},
	}
	n.ID, n.Title, n.Created, n.Changed = k.ID, k.Target.Name, s.Now(), s.Now()
	size := 0
	shift(n.Others)
	for _, e := range n.Others {
		size += len(e.Data) + 128
	}
	for i := range n.Exchanges {
		x := &n.Exchanges[i]
		x.ID, x.Session, x.Created = s.NewID(), n.ID, x.Created.Add(later)
		k.Target.URL = cmp.Or(k.Target.URL, x.Target.URL)
		shift(x.Log)
		CloseHeld(x)
	}
	return k.ID, s.Write(v, SizeOf(n)+size, func() error {
		return s.Store.AddRecording(v.Context(), k, n)
	})
}

// CaptureTarget returns the server that a capture of a visit is to be in front of: a sample
// with the query of its URL, or one of the workspace's servers. A server that cannot be is a
// Refusal of the kind Invalid.
func (s *App) CaptureTarget(v *Visit, id, query string) (playground.Target, error) {
	if id == sampletools.ClientTest {
		return s.ClientTest(""), nil
	}
	if x, ok := s.Samples.Lookup(id); ok {
		if _, err := url.ParseQuery(query); err != nil {
			return playground.Target{}, Refuse(Invalid, "bad_query", "These are not valid URL parameters.",
				"Write them like instances=a:v1,b:v2&next=b.")
		}
		return s.Samples.Target(x, query), nil
	}
	workspace, err := v.Writing()
	if err != nil {
		return playground.Target{}, err
	}
	t, _, err := s.Store.Target(v.Context(), workspace, id)
	switch {
	case err != nil:
		return t, err
	case t.IsCommand():
		return t, Refuse(Invalid, "capture_command", "This server is on standard input.",
			"A client reaches it by lines and no address: let it start "+
				"mrtr-playground client -stdio in place of the command.")
	// A program that calls the address brings no cookie that opens what is sealed.
	case redact.New(nil, t.URL, nil) != nil || share.IsRedacted(playground.Exchange{Target: t}):
		return t, Refuse(Invalid, "capture_secret", "The URL of this server has a secret.",
			"A capture would have to keep it readable. Let the client send it in a header instead.")
	}
	return playground.Target{ID: t.ID, Name: t.Name, URL: t.URL, Trust: t.Trust}, nil
}

// ClientTest returns the client test with the parameters of a query.
func (s *App) ClientTest(query string) playground.Target {
	t := s.Samples.Target(sampletools.Sample{Slug: sampletools.ClientTest}, query)
	t.Name = capture.ClientTestTitle
	return t
}

// EndCapture closes the address of a capture of a visit's workspace, and forgets what its
// clients have sent to be let in.
func (s *App) EndCapture(v *Visit, id string) error {
	if err := s.Store.EndCapture(v.Context(), v.Workspace(), id, s.Now()); err != nil {
		return err
	}
	s.relays.known.forget(id)
	s.relays.heard.forget(id)
	return nil
}
