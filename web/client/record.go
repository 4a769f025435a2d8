package client

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// record is the record of a capture.
type record struct {
	capture capture.Capture
	open    bool
	session session.Session
	log     []playground.Event // everything that belongs to no call
}

// read returns the record of a capture of the visitor, who takes a turn: another if it is large.
func (s *Pages) read(r *web.Request, id string) (record, error) {
	v := r.Visit
	ctx, workspace := v.Context(), v.Workspace()
	k, err := s.Store.Capture(ctx, workspace, id)
	if err != nil {
		return record{}, err
	}
	if err := s.App.WaitOwnTurn(v); err != nil {
		return record{}, err
	}
	rec := record{capture: k, open: k.Open(s.App.Now())}
	if rec.session, err = s.Store.Session(ctx, workspace, id); err != nil {
		return rec, err
	}
	if rec.log, err = s.Store.CaptureEvents(ctx, id); err != nil {
		return rec, err
	}
	rec.session.ReadOnce()
	return rec, s.App.TakeTurn(v, session.Session{Exchanges: rec.all()})
}

// all returns the exchanges, and one more with everything that belongs to no
// call.
func (r record) all() []playground.Exchange {
	return append(slices.Clip(r.session.Exchanges), playground.Exchange{Log: r.log})
}

// report judges the record.
func (r record) report() capture.Report { return capture.NewReport(r.session, r.log) }

// checks returns the observations of the client test, or nil for any other
// server.
func (r record) checks(report capture.Report) []rules.Observation {
	return web.ClientChecks(r.capture, r.open, report)
}

// ended says whether the client may go on.
func (r record) ended() string {
	if r.open {
		return "the address is open"
	}
	return "the address has ended"
}

// board returns the report as it is printed in a terminal.
func (r record) board() capture.Board {
	report := r.report()
	run := capture.Run{Ended: r.ended(), Open: r.open, Report: report, Checks: r.checks(report)}
	return capture.NewBoard(r.capture.Target.Name, []capture.Run{run}, capture.Selection{})
}
