package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// A request is placed again if another one of the same client was faster, or if another
// process records something in the same log just now. What belongs to no call has further
// logs then: as many as there are processes, or nearly.
const (
	placeAttempts = 50
	placePause    = 100 * time.Millisecond
	mostLogs      = 32
)

// pass sends a request on, and its response back as it comes. Size is that of the record.
func (s *Pages) pass(r *web.Request, k capture.Capture, size int, body []byte) error {
	fields := onward(r.Header, k.Token)
	frame, err := wire.EncodePlain(r.Method, k.Target.URL, fields, body)
	if err != nil {
		return s.refuse(r, err)
	}
	out := &answer{w: r.Writer}
	ctx := wire.WithTee(r.Context(), out)
	if k.Target.Sample != "" {
		ctx = wire.WithPublicURL(ctx, s.address(r, k))
	}
	if !k.Target.Trust.IsZero() {
		ctx = wire.WithTrust(ctx, k.Target.Trust)
	}
	if s.Mode.Limited() {
		if p, err := s.Payer(r.Visit); err == nil {
			ctx = usage.WithPayer(ctx, p)
		}
	}
	q := run.Relay{
		URL: k.Target.URL, Frame: frame, Credentials: s.known.add(k.ID, credentials(fields)),
		Secrets: []string{k.Token},
		Open:    r.Method == http.MethodGet,
	}
	r.SetContext(ctx)
	came, err := s.relay(r, k, size, q)
	if err != nil {
		return s.refuse(r, err)
	}
	return s.end(r, out, came)
}

// relay finds a place for a request, and sends it.
func (s *Pages) relay(r *web.Request, k capture.Capture, size int, q run.Relay) (run.Relayed, error) {
	left := r.Context()
	own := 0 // the log for what belongs to no call
	for n := 1; ; n++ {
		came, inCall, err := s.tryRelay(r, k, size, own, q)
		elsewhere := errors.Is(err, playground.ErrElsewhere)
		switch {
		case elsewhere && !inCall && own < mostLogs:
			own++
		case (elsewhere || errors.Is(err, playground.ErrNotOpen)) && n < placeAttempts:
			own = 0
			select {
			case <-time.After(placePause):
			case <-left.Done():
				return came, left.Err()
			}
		case elsewhere || errors.Is(err, playground.ErrNotOpen):
			return came, app.Refuse(http.StatusServiceUnavailable, "capture_busy",
				"Another request of this call is still being recorded.", "Nothing was sent. Try again.")
		default:
			return came, err
		}
	}
}

// tryRelay is one attempt of relay, and reports whether its place was in a call. An
// Exchange that it begins is there no longer if nothing could be recorded in it.
func (s *Pages) tryRelay(
	r *web.Request, k capture.Capture, size, own int, q run.Relay,
) (came run.Relayed, inCall bool, err error) {
	ctx := r.Context()
	err = s.InTurn(r.Visit, size, func() error { return s.place(ctx, k, own, &q) })
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
func (s *Pages) place(ctx context.Context, k capture.Capture, own int, q *run.Relay) error {
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
		q.Log, q.Events, err = s.Store.CaptureLog(ctx, k.ID, own)
		return err
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
func (s *Pages) begin(
	ctx context.Context, k capture.Capture, message *jsontree.Node, q *run.Relay,
) (playground.Exchange, error) {
	x := capture.Begin(s.NewID(), k.ID, k.Target, s.Now(), message)
	x.Call.Tool = s.tool(ctx, k.ID, message)
	// stored as the events are
	x.Target.Secrets = redact.New(q.Credentials, "", nil, q.Secrets...)
	hidden, err := x.RedactWithin(ctx)
	if err != nil {
		return x, err
	}
	return x, s.Store.Begin(ctx, hidden)
}

// tool returns the definition of the called tool, as the client has seen it in this
// capture, or nil.
func (s *Pages) tool(ctx context.Context, id string, message *jsontree.Node) json.RawMessage {
	if message.Get("method").Str() != playground.ToolsCall {
		return nil
	}
	log, err := s.Store.CaptureEvents(ctx, id)
	if err != nil {
		return nil
	}
	return capture.Tool(log, message.At("params", "name").Str(), time.Time{})
}

// answer writes a response back: a stream as it comes, any other once it is recorded.
type answer struct {
	w     web.Writer
	begun bool
}

// Head is wire.Tee's.
func (a *answer) Head(h wire.Head) error {
	a.begun = true
	back(a.w.Header(), h)
	a.w.WriteHeader(h.Status)
	a.w.Flush()
	return nil
}

// Body is wire.Tee's.
func (a *answer) Body(p []byte) error {
	if _, err := a.w.Write(p); err != nil {
		return err
	}
	a.w.Flush()
	return nil
}

// end ends a response. One that was cut off is cut off for the client too.
func (s *Pages) end(r *web.Request, a *answer, came run.Relayed) error {
	head, err := wire.ParseHead(came.Response.Head)
	failure := came.Failure
	switch {
	case failure == nil && a.begun:
		return nil
	case err == nil && head.Status >= http.StatusOK && !a.begun &&
		(failure == nil || failure.Class != wire.NotHTTP):
		back(a.w.Header(), head)
		if failure != nil { // more was to come
			a.w.Header().Set("Content-Length", strconv.Itoa(len(came.Response.Body)+1))
		}
		a.w.WriteHeader(head.Status)
		if _, err := a.w.Write(came.Response.Body); err != nil || failure == nil {
			return nil // a client that has left gets nothing
		}
		a.w.Flush()
		panic(http.ErrAbortHandler)
	case a.begun:
		panic(http.ErrAbortHandler) // the connection ends without the end of the body
	case failure == nil:
		failure = &wire.Failure{Class: wire.NotHTTP, Detail: "it is no HTTP response"}
	}
	kind := app.Kind(http.StatusBadGateway)
	switch failure.Class {
	case wire.TimeoutConnect, wire.TimeoutFirstByte, wire.TimeoutTotal, wire.TimeoutIdle:
		kind = http.StatusGatewayTimeout
	}
	return answerAs(r, app.Refuse(kind, string(failure.Class),
		"The server behind this capture gave no response: "+failure.Detail+".", ""))
}
