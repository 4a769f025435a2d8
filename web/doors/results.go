package doors

import (
	"context"
	"errors"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	doorsview "github.com/mrtr-playground/mrtr-playground/views/doors"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// mostRead is how many bytes of recordings one page judges. What the next page finds judged
// costs nothing, so that it judges others.
const mostRead = 2 << 20

// maxResults is of how many recordings the results are kept.
const maxResults = 1024

// results keeps what recordings were judged to be, by session.
type results struct{ kept *lru.Cache[string, result] }

func newResults() results {
	kept, err := lru.New[string, result](maxResults)
	if err != nil { // the size is positive
		panic(err)
	}
	return results{kept}
}

// state is what changes when a recording is judged again.
type state struct {
	bytes, connection int64
	open              bool
}

type result struct {
	of state
	doorsview.Result
}

// reading is how one page reads recordings.
type reading struct {
	*web.Request
	left int64 // how many bytes may still be read
}

// result returns the result of a recording. If it is not known, judge finds it, unless the page has
// read too much already. What judge calls unfinished is not kept.
func (s *Pages) result(
	r *reading, id string, of state, judge func() (found doorsview.Result, finished bool, err error),
) (doorsview.Result, error) {
	if known, ok := s.results.kept.Get(id); ok && known.of == of {
		return known.Result, nil
	}
	if r.left -= of.bytes; r.left < 0 || s.App.WaitTurn(r.Visit) != nil {
		return doorsview.Result{Standing: standing.Muted("see its report")}, nil
	}
	found, finished, err := judge()
	if errors.Is(err, playground.ErrNotFound) { // deleted meanwhile
		return doorsview.Result{Standing: standing.Muted("deleted")}, nil
	}
	if err == nil && finished {
		s.results.kept.Add(id, result{of, found})
	}
	return found, err
}

// checks adds the result of the last check of each server.
func (s *Pages) checks(r *reading, servers []server.Row, into map[string]doorsview.Result) error {
	last, err := s.Store.LastChecks(r.Context(), r.Visit.Workspace())
	if err != nil {
		return err
	}
	for _, t := range servers {
		c, checked := last[t.ID]
		if !checked {
			continue
		}
		of := state{bytes: c.Bytes, connection: c.Connection}
		found, err := s.result(r, c.Session, of, func() (doorsview.Result, bool, error) {
			return s.judgeCheck(r, t.ID, c.Session)
		})
		if err != nil {
			return err
		}
		found.Path = paths.Check(t.ID, c.Session)
		into[t.ID] = found
	}
	return nil
}

func (s *Pages) judgeCheck(r *reading, target, id string) (doorsview.Result, bool, error) {
	v := r.Visit
	watching, stop := context.WithCancel(v.Context())
	defer stop()
	if _, running := s.App.Checker.Watch(watching, id); running {
		return doorsview.Result{Standing: standing.Running("running")}, false, nil
	}
	n, err := s.Store.Session(v.Context(), v.Workspace(), id)
	if err != nil {
		return doorsview.Result{}, false, err
	}
	n.ReadOnce()
	connection := s.App.ConnectionOf(v, target)
	report := checkview.NewReport(target, id, lab.NewReport(n.Exchanges, connection, false), "")
	return doorsview.Result{Standing: report.Board.Card.Line()}, true, nil
}

// clients adds the result of each capture.
func (s *Pages) clients(r *reading, captures []doorsview.Capture, into map[string]doorsview.Result) error {
	progress, err := s.Store.CapturesProgress(r.Context(), r.Visit.Workspace())
	if err != nil {
		return err
	}
	for _, k := range captures {
		of := state{bytes: progress[k.ID], open: k.Open}
		into[k.ID], err = s.result(r, k.ID, of, func() (doorsview.Result, bool, error) {
			found, err := s.judgeClient(r, k)
			return found, true, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// gatewayBytes is about how much the recordings of a test of a gateway have at both ends.
const gatewayBytes = 1 << 20

// gateways adds the result of each test of a gateway that has begun.
func (s *Pages) gateways(r *reading, list []gateway.Saved, into map[string]doorsview.Result) error {
	for _, g := range list {
		if g.Began.IsZero() {
			continue
		}
		of := state{bytes: gatewayBytes, connection: g.Ended.UnixMicro()}
		found, err := s.result(r, g.ID, of, func() (doorsview.Result, bool, error) {
			return s.judgeGateway(r, g.ID)
		})
		if err != nil {
			return err
		}
		into[g.ID] = found
	}
	return nil
}

func (s *Pages) judgeGateway(r *reading, id string) (doorsview.Result, bool, error) {
	v := r.Visit
	watching, stop := context.WithCancel(v.Context())
	defer stop()
	if _, running := s.App.Checker.Watch(watching, id); running {
		return doorsview.Result{Standing: standing.Running("running")}, false, nil
	}
	g, err := s.Store.Gateway(v.Context(), v.Workspace(), id)
	if err != nil {
		return doorsview.Result{}, false, err
	}
	_, report, err := s.App.GatewayReport(v, g, false)
	return doorsview.Result{Standing: judged.New(report, nil).Line()}, true, err
}

func (s *Pages) judgeClient(r *reading, k doorsview.Capture) (doorsview.Result, error) {
	ctx := r.Context()
	n, err := s.Store.Session(ctx, r.Visit.Workspace(), k.ID)
	if err != nil {
		return doorsview.Result{}, err
	}
	log, err := s.Store.CaptureEvents(ctx, k.ID)
	if err != nil {
		return doorsview.Result{}, err
	}
	n.ReadOnce()
	report := capture.NewReport(n, log)
	board := clientview.New(clientview.Input{
		Capture: k.Capture, Open: k.Open, Report: report, Checks: web.ClientChecks(k.Capture, k.Open, report),
	})
	switch {
	case board.Requests == 0 && k.Open:
		return doorsview.Result{Standing: standing.Muted("no request yet")}, nil
	case board.Requests == 0:
		return doorsview.Result{Standing: standing.Muted("no request")}, nil
	}
	return doorsview.Result{Standing: board.Card.Line(), Who: board.Who}, nil
}
