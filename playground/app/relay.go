package app

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// openRetry is when to try again if a capture has too many requests open.
const openRetry = 5 * time.Second

// useEvery is how often it is stored at most that a capture is in use.
const useEvery = time.Minute

// Foreign is a request of a foreign client to a capture.
type Foreign struct {
	URL         string        // of the capture, as the client knows this program
	Frame       wire.Frame    // what is sent to the server behind it, byte for byte
	Credentials []wire.Field  // of the client, masked before anything is stored
	Secrets     []string      // further values to mask
	Tee         wire.Tee      // gets a stream as it comes; nil for none
	Open        bool          // the response is a stream without an end of its own
	Refused     *wire.Failure // why it is recorded but not passed on; else nil
}

// OpenCapture returns the open capture of an address. Whatever is wrong with a token, the
// refusal is the same.
func (s *App) OpenCapture(v *Visit, token string) (capture.Capture, error) {
	k, err := s.Store.CaptureAt(v.Context(), token)
	switch {
	case err == nil && k.Open(s.Now()):
		k.Target = k.Target.At(s.BaseURL)
		return k, nil
	case err != nil && !errors.Is(err, playground.ErrNotFound):
		return k, err
	}
	if s.Mode.Shared() {
		if wait := s.Limiters.WrongLinks.Reserve(v.Address, s.Now()); wait > 0 {
			return k, TooMany(wait, "too_many_links", "Too many wrong addresses in a short time.",
				"Nothing was sent.")
		}
	}
	return k, Refuse(Missing, "capture_not_found", "There is no capture at this address.",
		"It was ended, it expired after a day without a request, or the address is mistyped.")
}

// AdmitForeign checks the rate of a capture, and the limits of the server behind it, for one
// more request. It is asked before the body of the request is read.
func (s *App) AdmitForeign(v *Visit, k capture.Capture) error {
	if wait := s.relays.reserve(k, s.Now()); wait > 0 && s.Mode.Shared() {
		return TooMany(wait, "too_many_captured", "Too many requests to this capture in a short time.",
			"Nothing was sent.")
	}
	if k.Target.Sample != "" || !s.Mode.Shared() {
		return nil
	}
	return s.Outbound.BeginCaptured(v.Context(), k.Target.URL)
}

// PassOn passes a request on to the server behind a capture, and records both sides. Before
// it returns, a stream is written to the Tee. A refusal of the capture itself, such as of a
// full record, is a Refusal; then nothing was sent.
func (s *App) PassOn(v *Visit, k capture.Capture, f Foreign) (run.Relayed, error) {
	leave, ok := s.relays.open.Enter(k.ID)
	if !ok {
		return run.Relayed{}, TooMany(openRetry, "capture_open",
			"Too many requests to this address are in progress.",
			"The limit is "+strconv.Itoa(s.Limits.CapturedOpen)+" at a time.")
	}
	defer leave()
	size := 0
	err := s.InTurn(v, lightRead, func() (err error) {
		size, err = s.roomOf(v.Context(), k, len(f.Frame.Body))
		return err
	})
	if err != nil {
		return run.Relayed{}, err
	}
	if s.Now().Sub(k.Used) >= useEvery {
		if err := s.Store.UseCapture(v.Context(), k.ID, s.Now()); err != nil {
			return run.Relayed{}, err
		}
	}
	return s.relay(s.foreign(v, k, f), v, k, size, run.Relay{
		URL: k.Target.URL, Frame: f.Frame, Credentials: s.relays.known.add(k.ID, f.Credentials),
		Secrets: append(slices.Clone(f.Secrets), k.Token), Open: f.Open, Refused: f.Refused,
	})
}

// foreign returns the context of a request of a foreign client: who is charged for its
// record, and what the server behind the capture has to be like.
func (s *App) foreign(v *Visit, k capture.Capture, f Foreign) context.Context {
	ctx := v.Context()
	if f.Tee != nil {
		ctx = wire.WithTee(ctx, f.Tee)
	}
	if k.Target.Sample != "" {
		ctx = wire.WithPublicURL(ctx, f.URL)
	}
	if !k.Target.Trust.IsZero() {
		ctx = wire.WithTrust(ctx, k.Target.Trust)
	}
	if s.Mode.Shared() {
		if p, err := s.Payer(v); err == nil {
			ctx = usage.WithPayer(ctx, p)
		}
	}
	return ctx
}

// roomOf returns the size of the record of a capture, in bytes. It ends one whose record is
// full.
func (s *App) roomOf(ctx context.Context, k capture.Capture, more int) (size int, err error) {
	size, err = s.Store.SessionSize(ctx, k.ID)
	if err != nil {
		return size, err
	}
	if size+more <= s.Limits.Session {
		u, err := s.Store.SessionStorage(ctx, k.ID)
		if err != nil {
			return size, err
		}
		return size, s.Limits.CheckStorage(s.Mode, u, s.Now())
	}
	if err := s.Store.EndCapture(context.WithoutCancel(ctx), k.Workspace, k.ID, s.Now()); err != nil {
		return size, err
	}
	return size, Refuse(NoSpace, "capture_full",
		"The recording of this capture has reached its size limit of "+text.Size(s.Limits.Session)+".",
		"The capture has ended; this answer is its own and not the server's. "+
			"Make a new address to record more.")
}

// A request is placed again if another one of the same client was faster, or if another
// process records something in the same log just now. What belongs to no call has further
// logs then: as many as there are processes, or nearly.
const (
	placeAttempts = 50
	placePause    = 100 * time.Millisecond
	mostLogs      = 32
)

// relay finds a place for a request, and sends it.
func (s *App) relay(
	ctx context.Context, v *Visit, k capture.Capture, size int, q run.Relay,
) (run.Relayed, error) {
	own := 0 // the log for what belongs to no call
	for n := 1; ; n++ {
		came, inCall, err := s.tryRelay(ctx, v, k, size, own, q)
		elsewhere := errors.Is(err, playground.ErrElsewhere)
		switch {
		case elsewhere && !inCall && own < mostLogs:
			own++
		case (elsewhere || errors.Is(err, playground.ErrNotOpen)) && n < placeAttempts:
			own = 0
			select {
			case <-time.After(placePause):
			case <-ctx.Done():
				return came, ctx.Err()
			}
		case elsewhere || errors.Is(err, playground.ErrNotOpen):
			return came, Refuse(Unavailable, "capture_busy",
				"Another request of this call is still being recorded.", "Nothing was sent. Try again.")
		default:
			return came, err
		}
	}
}

// tryRelay is one attempt of relay, and reports whether its place was in a call. An
// Exchange that it begins is there no longer if nothing could be recorded in it.
func (s *App) tryRelay(
	ctx context.Context, v *Visit, k capture.Capture, size, own int, q run.Relay,
) (came run.Relayed, inCall bool, err error) {
	err = s.InTurn(v, max(size, lightRead), func() error { return s.place(ctx, k, own, &q) })
	if err != nil {
		return came, false, err
	}
	came, err = s.Runner.Relay(ctx, q)
	if err != nil && q.Exchange != nil && len(q.Exchange.Log) == 0 {
		if wrong := s.Store.Discard(context.WithoutCancel(ctx), q.Exchange.ID); wrong != nil {
			s.Logger.Warn("discard a call that was not sent", "exchange", q.Exchange.ID, "err", wrong)
		}
	}
	return came, q.Exchange != nil, err
}

// place says where a request is recorded, and begins an Exchange if it begins a call. What
// belongs to no call is recorded in a log of the capture's own. It reads what the capture
// has recorded.
func (s *App) place(ctx context.Context, k capture.Capture, own int, q *run.Relay) error {
	head, _ := wire.ParseHead(q.Frame.Head)
	message, _ := jsontree.Parse(q.Frame.Body, jsontree.Limits{})
	place := capture.Place{}
	if q.Refused == nil && !capture.IsLegacy(head, message) {
		var open capture.Open
		if capture.Continues(message) {
			var err error
			if open, err = s.Store.OpenOfCapture(ctx, k.ID); err != nil {
				return err
			}
		}
		place = capture.Locate(q.Frame.Body, open)
	}
	switch {
	case !place.Call:
		var err error
		if q.Log, err = s.Store.CaptureLog(ctx, k.ID, own); err != nil {
			return err
		}
		return s.hear(ctx, k.ID, func(h *heard) { q.Events = h.tails[q.Log] })
	case place.Exchange != nil:
		q.Log, q.Events, q.Exchange = place.Exchange.ID, place.Exchange.Log, place.Exchange
	default:
		x, err := s.begin(ctx, k, message, q)
		if err != nil {
			return err
		}
		q.Log, q.Exchange = x.ID, &x
	}
	q.Decision = place.Decision
	return nil
}

// begin stores the Exchange that a message begins.
func (s *App) begin(
	ctx context.Context, k capture.Capture, message *jsontree.Node, q *run.Relay,
) (playground.Exchange, error) {
	x := capture.Begin(s.NewID(), k.ID, k.Target, s.Now(), message)
	x.Call.Tool = s.capturedTool(ctx, k.ID, message)
	// stored as the events are
	x.Target.Secrets = redact.New(q.Credentials, "", nil, q.Secrets...)
	hidden, err := x.RedactWithin(ctx)
	if err != nil {
		return x, err
	}
	return x, s.Store.Begin(ctx, hidden)
}

// capturedTool returns the definition of the called tool, as the client has seen it in this
// capture, or nil.
func (s *App) capturedTool(ctx context.Context, id string, message *jsontree.Node) json.RawMessage {
	if message.Get("method").Str() != playground.ToolsCall {
		return nil
	}
	var tool json.RawMessage
	_ = s.hear(ctx, id, func(h *heard) { // without it, less is judged
		tool = h.tools.Definition(message.At("params", "name").Str(), time.Time{})
	})
	return tool
}

// relays are what captures have in progress: open requests and rates, by capture, and the
// credentials that their clients have sent.
type relays struct {
	open        *places.Pool
	own, others *Buckets[string] // rates in front of our own servers and others
	known       known
	heard       hearings
}

func newRelays(l Limits) relays {
	return relays{
		open: places.New(places.Limits{Each: l.CapturedOpen}),
		own:  NewBuckets[string](l.Captured), others: NewBuckets[string](l.CapturedOthers),
	}
}

// reserve counts a request and returns 0, or returns how long to wait.
func (r *relays) reserve(c capture.Capture, now time.Time) time.Duration {
	if c.Target.Sample != "" {
		return r.own.Reserve(c.ID, now)
	}
	return r.others.Reserve(c.ID, now)
}
