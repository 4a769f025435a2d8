package client

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/doors"
)

// Make makes a capture in front of a sample, or of one of the user's servers; of the client test if
// none is named.
func (s *Pages) Make(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	server := cmp.Or(web.First(values["server"]), sampletools.ClientTest)
	t, err := s.App.CaptureTarget(r.Visit, server, web.First(values["query"]))
	var refused *app.Refusal
	if errors.As(err, &refused) && refused.Kind == app.Invalid {
		return s.Doors.Show(r, int(refused.Kind), doors.Refused{Address: web.SentenceOf(refused)})
	}
	if err != nil {
		return err
	}
	id, err := s.App.MakeCapture(r.Visit, t)
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/clients/"+id)
}

// client shows the record of a capture.
func (s *Pages) client(r *web.Request) error {
	// before the record is read: an event recorded meanwhile reloads the page
	progress, err := s.Store.CaptureProgress(r.Context(), r.Param("id"))
	if err != nil {
		return err
	}
	rec, err := s.read(r, r.Param("id"))
	if err != nil {
		return err
	}
	report := rec.report()
	requests, responses := Changes()
	model := clientview.New(clientview.Input{
		Capture: rec.capture, Open: rec.open, Address: s.address(r, rec.capture),
		Imported: rec.session.Imported, Note: rec.session.Note,
		Report: report, Checks: rec.checks(report), Progress: progress, Now: s.App.Now(),
		RequestChanges: requests, ResponseChanges: responses,
	})
	p := s.App.Page(r, "Capture of "+rec.capture.Target.Name, layout.TestPath)
	p.Refresh = model.Live != ""
	if web.WantsFragment(r) {
		return s.App.Render(r, http.StatusOK, clientview.Main(model))
	}
	return s.App.Render(r, http.StatusOK, clientview.Page(p, model))
}

// address returns the URL of a capture as the client or the browser knows this program.
func (s *Pages) address(r *web.Request, k capture.Capture) string {
	return r.Visit.Origin + web.CapturePath + k.Token
}

// progressPoll is how often a page looks for new requests. Any process may record them.
const progressPoll = 300 * time.Millisecond

// Events sends an event when a capture has recorded more than ?after= says.
func (s *Pages) Events(r *web.Request) error {
	k, err := s.Store.Capture(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	after := int64(web.Number(r.QueryParam("after"), -1))
	watch := func(ctx context.Context) (<-chan struct{}, bool) {
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			tick := time.NewTicker(progressPoll)
			defer tick.Stop()
			for {
				n, err := s.Store.CaptureProgress(ctx, k.ID)
				if err != nil || n != after {
					return
				}
				select {
				case <-tick.C:
				case <-ctx.Done():
					return
				}
			}
		}()
		return changed, true
	}
	return s.App.StreamChangeOf(r, watch, func() {})
}

// Frame sends the exact bytes of a body in the capture's own log.
func (s *Pages) Frame(r *web.Request) error {
	k, err := s.Store.Capture(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	log, err := s.Store.CaptureEvents(r.Context(), k.ID)
	if err != nil {
		return err
	}
	return s.App.SendFrame(r, log, "capture")
}

// End closes the address of a capture.
func (s *Pages) End(r *web.Request) error {
	id := r.Param("id")
	if err := s.App.EndCapture(r.Visit, id); err != nil {
		return err
	}
	return web.SeeOther(r, "/clients/"+id)
}
