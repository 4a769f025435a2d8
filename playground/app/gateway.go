package app

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/trial"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// GatewayStore keeps tests of gateways.
type GatewayStore interface {
	AddGateway(ctx context.Context, g gateway.Saved) error
	// BeginGateway notes that a test has begun. It returns false if it had begun before.
	BeginGateway(ctx context.Context, workspace, id, server, name string, at time.Time) (bool, error)
	// ResetGateway makes a test one that has not begun.
	ResetGateway(ctx context.Context, workspace, id string) error
	Gateways(ctx context.Context, workspace string) ([]gateway.Saved, error)
	// SetGateway stores what a test has come to: its Gap, Calls and Ended.
	SetGateway(ctx context.Context, g gateway.Saved) error
	Capture(ctx context.Context, workspace, id string) (capture.Capture, error)
	CaptureEvents(ctx context.Context, id string) ([]playground.Event, error)
	CaptureProgress(ctx context.Context, id string) (int64, error)
}

// saveEvery is how often the calls of a test are stored while it runs: each time, all are.
const saveEvery = time.Second

// gatewayPoll is how often the record of an upstream is read while something is waited for.
const gatewayPoll = 200 * time.Millisecond

// MakeGateway makes an address for the upstream of a gateway, in front of a server, with a test
// that has not begun. It returns the id of the test.
func (s *App) MakeGateway(v *Visit, t playground.Target) (id string, err error) {
	at, err := s.MakeCapture(v, t)
	if err != nil {
		return "", err
	}
	return s.addGateway(v, at)
}

// AgainGateway makes another test at the upstream of one, and returns its id.
func (s *App) AgainGateway(v *Visit, g gateway.Saved) (id string, err error) {
	return s.addGateway(v, g.Capture)
}

func (s *App) addGateway(v *Visit, at string) (id string, err error) {
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	if err := s.Space(v, 0); err != nil {
		return "", err
	}
	g := gateway.Saved{ID: s.NewID(), Workspace: workspace, Capture: at, Created: s.Now()}
	return g.ID, s.Store.AddGateway(v.Context(), g)
}

// gatewayTestTitle is the name of the server behind the upstream of a test, as a Target.
const gatewayTestTitle = "the server of the gateway test"

// GatewayTarget is the server behind the upstream of tests that has all calls: the client test, as
// it is for gateways.
func (s *App) GatewayTarget() playground.Target {
	t := s.ClientTest("for=gateway")
	t.Name = gatewayTestTitle
	return t
}

// BeginGateway begins a test of a gateway, which is one of the servers of the visit's workspace.
// own are the calls at an upstream of the visitor's own; nil for those of the test.
func (s *App) BeginGateway(v *Visit, g gateway.Saved, t playground.Target, own []trial.OwnCall) error {
	return s.hold(v, g.ID, func() error { return s.openGateway(v, g, t, own) })
}

func (s *App) openGateway(v *Visit, g gateway.Saved, t playground.Target, own []trial.OwnCall) error {
	ctx := v.Context()
	if err := s.Admit(v, playground.Exchange{ID: g.ID, Session: g.ID, Target: t}); err != nil {
		return err
	}
	if err := s.aloneAtUpstream(v, g); err != nil {
		return err
	}
	g.Server, g.Name, g.Began = t.ID, t.Name, s.Now()
	begun, err := s.Store.BeginGateway(ctx, g.Workspace, g.ID, g.Server, text.Chars(g.Name, MaxTitle),
		g.Began)
	if err != nil {
		return err
	}
	if !begun {
		return Refuse(Conflict, "gateway_begun", "This test has begun already.",
			"Test again to make another one.")
	}
	peer, turn := wire.PeerOf(ctx), redact.TurnOf(ctx)
	err = s.Checker.Run(redact.WithTurn(wire.WithPeer(context.Background(), peer), turn), g.ID,
		func(ctx context.Context, changed func()) error { return s.callThrough(ctx, g, t, own, changed) })
	if err == nil {
		return nil
	}
	if failed := s.Store.ResetGateway(ctx, g.Workspace, g.ID); failed != nil {
		s.Logger.Warn("reset a test that did not start", "session", g.ID, "err", failed)
	}
	if errors.Is(err, check.ErrBusy) {
		return s.TooManyChecks()
	}
	return err
}

// aloneAtUpstream refuses a test at an upstream that does not answer, or at which another test runs:
// what reached it could belong to both.
func (s *App) aloneAtUpstream(v *Visit, g gateway.Saved) error {
	k, err := s.Store.Capture(v.Context(), g.Workspace, g.Capture)
	if errors.Is(err, playground.ErrNotFound) || err == nil && !k.Open(s.Now()) {
		return Refuse(Conflict, "upstream_ended", "The address of the upstream has ended.",
			"Get another upstream on the page Test, and point the gateway at it.")
	}
	if err != nil {
		return err
	}
	list, err := s.Store.Gateways(v.Context(), g.Workspace)
	for _, other := range list {
		if other.Capture != g.Capture || other.Began.IsZero() || !other.Ended.IsZero() {
			continue
		}
		watching, stop := context.WithCancel(v.Context())
		_, running := s.Checker.Watch(watching, other.ID)
		stop()
		if running {
			return Refuse(Conflict, "upstream_busy", "Another test runs at this upstream.",
				"Wait until it has ended, or stop it.")
		}
	}
	return err
}

// callThrough makes the calls of a test and stores what they come to.
func (s *App) callThrough(
	ctx context.Context, g gateway.Saved, t playground.Target, own []trial.OwnCall, changed func(),
) error {
	var saved time.Time
	came, err := s.Through(ctx, trial.Config{
		Target: t, Upstream: gatewayUpstream{s, g}, NewID: s.NewID, Session: g.ID, Own: own,
		Runner: s.Runner, Begin: s.Store.Begin,
		Events: func(ctx context.Context, id string) ([]playground.Event, error) {
			x, err := s.Store.Exchange(ctx, g.Workspace, id)
			return x.Log, err
		},
		Called: func(c gateway.Call) error {
			g.Calls = append(g.Calls, c)
			if time.Since(saved) < saveEvery {
				return nil
			}
			saved = time.Now()
			defer changed()
			return s.Store.SetGateway(ctx, g)
		},
		Wait: s.Times.Gateway, Limit: s.Times.GatewayCall, Patience: s.Times.Cancelled,
		Pause: drive.Pause,
	})
	if err == nil { // a test that was stopped has no end
		g.Gap, g.Ended = came.Gap, s.Now()
	}
	err = errors.Join(err, s.Store.SetGateway(context.WithoutCancel(ctx), g))
	changed()
	return err
}

// GatewayReport returns what both ends of a test have recorded so far, and the report on it. Of a
// test whose record at the upstream was deleted, nothing is judged.
func (s *App) GatewayReport(v *Visit, g gateway.Saved, running bool) (gateway.Recording,
	verdict.Report, error) {
	ctx := v.Context()
	rec := gateway.Recording{Gateway: g.Name, Gap: g.Gap, Clocks: s.Exclusive != nil} // of the replicas
	if g.Began.IsZero() {
		rec.Gap = "The test has not begun."
		return rec, gateway.Report(rec), nil
	}
	n, err := s.Store.Session(ctx, g.Workspace, g.ID)
	if err == nil {
		err = s.TakeTurn(v, n)
	}
	if err != nil {
		return rec, verdict.Report{}, err
	}
	for _, c := range g.Calls {
		i := slices.IndexFunc(n.Exchanges, func(x playground.Exchange) bool { return x.ID == c.Exchange })
		if i >= 0 {
			c.Log = n.Exchanges[i].Log
		}
		rec.Calls = append(rec.Calls, c)
	}
	rec.Upstream, err = gatewayUpstream{s, g}.Log(ctx)
	switch {
	case errors.Is(err, playground.ErrNotFound):
		rec.Calls, rec.Gap = nil, "The record of the upstream was deleted, so that nothing can be compared."
	case err != nil:
		return rec, verdict.Report{}, err
	}
	rec.Interrupted = g.Ended.IsZero() && rec.Gap == "" && !running
	report := gateway.Report(rec)
	if running {
		report.Progress, report.Gaps = verdict.Progress{}, nil // more is to come
	}
	return rec, report, nil
}

// gatewayUpstream is the upstream of a test: what its capture has recorded since the test began.
type gatewayUpstream struct {
	app  *App
	test gateway.Saved
}

// Log implements trial.Upstream. The error is playground.ErrNotFound if the record was deleted.
func (u gatewayUpstream) Log(ctx context.Context) ([]playground.Event, error) {
	n, err := u.app.Store.Session(ctx, u.test.Workspace, u.test.Capture)
	if err != nil {
		return nil, err
	}
	others, err := u.app.Store.CaptureEvents(ctx, u.test.Capture)
	if err != nil {
		return nil, err
	}
	logs := [][]playground.Event{others}
	for _, x := range n.Exchanges {
		logs = append(logs, x.Log)
	}
	return since(capture.Merge(logs...), u.test.Began, u.test.Ended), nil
}

// since returns the events of the connections that began in a time; end is zero for no end.
func since(log []playground.Event, begin, end time.Time) []playground.Event {
	inside := map[int]bool{}
	var list []playground.Event
	for _, e := range log {
		if e.Kind == playground.Sent && !e.At.Before(begin) && (end.IsZero() || !e.At.After(end)) {
			inside[e.Conn] = true
		}
		if inside[e.Conn] {
			list = append(list, e)
		}
	}
	return list
}

// has reports whether a request with a method has arrived whose body contains a mark, and, with
// ended, whether nothing more is done for any such request.
func (u gatewayUpstream) has(ctx context.Context, method, mark string, ended bool) bool {
	log, err := u.Log(ctx)
	found, open := false, false
	for _, r := range playground.Connections(log) {
		if r.Method == method && bytes.Contains(r.Request.Body, []byte(mark)) {
			found, open = true, open || r.Kind == playground.OutcomePending
		}
	}
	return err == nil && found && (!ended || !open)
}

// Arrived implements trial.Upstream.
func (u gatewayUpstream) Arrived(ctx context.Context, method, mark string, ended bool) bool {
	tick := time.NewTicker(gatewayPoll)
	defer tick.Stop()
	for seen := int64(-1); ; {
		n, err := u.app.Store.CaptureProgress(ctx, u.test.Capture)
		if err != nil {
			return false
		}
		if n != seen && u.has(ctx, method, mark, ended) {
			return true
		}
		seen = n
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
}
