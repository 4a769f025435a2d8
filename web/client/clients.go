package client

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Clients lists the captures of a workspace and makes new ones.
func (s *Pages) Clients(r *web.Request) error { return s.showClients(r, http.StatusOK, nil) }

func (s *Pages) showClients(r *web.Request, status int, problem *views.Sentence) error {
	ctx, workspace := r.Context(), r.Visit.Workspace()
	list, err := s.Store.Captures(ctx, workspace)
	if err != nil {
		return err
	}
	mine, err := s.Store.Targets(ctx, workspace)
	if err != nil {
		return err
	}
	mine = slices.DeleteFunc(mine, func(t server.Row) bool { return wire.IsCommand(t.URL) })
	model := views.Clients{Samples: web.StartLines(s.Samples.List), Mine: mine, Problem: problem,
		Program: s.Program}
	for _, k := range list {
		model.Captures = append(model.Captures, views.CaptureRow{Capture: k, Open: k.Open(s.Now())})
	}
	return s.Render(r, status, views.ClientsPage(s.Page(r, views.ClientsTitle, "/clients"), model))
}

// Make makes a capture in front of a sample, or of one of the user's servers.
func (s *Pages) Make(r *web.Request) error {
	values, err := s.FormValues(r)
	if err != nil {
		return err
	}
	workspace, err := r.Visit.Writing()
	if err != nil {
		return err
	}
	t, problem, err := s.target(r, workspace, web.First(values["server"]), web.First(values["query"]))
	if err != nil {
		return err
	}
	if problem != nil {
		return s.showClients(r, http.StatusUnprocessableEntity, problem)
	}
	id, err := s.add(r, workspace, t)
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/clients/"+id)
}

// add adds a capture in front of a server and returns its id.
func (s *Pages) add(r *web.Request, workspace string, t playground.Target) (string, error) {
	v := r.Visit
	if err := s.Space(v, 0); err != nil {
		return "", err
	}
	if s.Mode.Limited() {
		if wait := s.Limiters.Captures.Reserve(v.Address, s.Now()); wait > 0 {
			return "", app.TooMany(wait, "too_many_captures",
				"Too many captures were made from your network.", "Nothing was made.")
		}
	}
	k := capture.Capture{
		ID: s.NewID(), Workspace: workspace, Token: s.NewID(), Target: t, Created: s.Now(), Used: s.Now(),
	}
	most := math.MaxInt
	if s.Mode.Limited() {
		most = s.Limits.Captures
	}
	added, err := s.Store.AddCapture(v.Context(), k, most)
	if err == nil && !added {
		err = app.Refuse(http.StatusTooManyRequests, "captures", "You have too many open captures.",
			"End one on the page Clients first.")
	}
	return k.ID, err
}

// target returns the server that a capture is to be in front of, or why it cannot be.
func (s *Pages) target(r *web.Request, workspace, id, query string) (
	playground.Target, *views.Sentence, error,
) {
	if id == sampletools.ClientTest {
		return s.clientTest(""), nil, nil
	}
	if x, ok := s.Samples.Lookup(id); ok {
		if _, err := url.ParseQuery(query); err != nil {
			p := views.SentenceCode("bad_query", "The parameters are no query of a URL.",
				"Write them like instances=a:v1,b:v2&next=b.")
			return playground.Target{}, &p, nil
		}
		return s.Samples.Target(x, query), nil, nil
	}
	t, _, err := s.Store.Target(r.Context(), workspace, id)
	if err != nil {
		return t, nil, err
	}
	if t.IsCommand() {
		p := views.SentenceCode("capture_command", "This server is on standard input.",
			"A client reaches it by lines and no address: let it start "+
				"mrtr-playground client -stdio in place of the command.")
		return t, &p, nil
	}
	// A program that calls the address brings no cookie that opens what is sealed.
	if redact.New(nil, t.URL, nil) != nil || share.IsRedacted(playground.Exchange{Target: t}) {
		p := views.SentenceCode("capture_secret", "The URL of this server has a secret.",
			"A capture would have to keep it readable. Let the client send it in a header instead.")
		return t, &p, nil
	}
	return playground.Target{ID: t.ID, Name: t.Name, URL: t.URL, Trust: t.Trust}, nil, nil
}

// clientTest returns the client test with the parameters of a query.
func (s *Pages) clientTest(query string) playground.Target {
	t := s.Samples.Target(sampletools.Sample{Slug: sampletools.ClientTest}, query)
	t.Name = views.ClientTestTitle
	return t
}

// Real shows what the client test shows of real clients.
func (s *Pages) Real(r *web.Request) error {
	p := s.Page(r, views.RealClientsTitle, "/clients")
	return s.Render(r, http.StatusOK, views.RealClientsPage(p, views.NewRealClients(clients.Measured())))
}

// client shows what a capture has recorded.
func (s *Pages) client(r *web.Request) error {
	// before the record is read: what is recorded meanwhile reloads the page
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
	model := views.NewClient(views.ClientInput{
		Capture: rec.capture, Open: rec.open, Address: s.address(r, rec.capture),
		Report: report, Ticks: rec.ticks(report), Progress: progress, Now: s.Now(),
		RequestChanges: requests, ResponseChanges: responses,
	})
	p := s.Page(r, "Capture of "+rec.capture.Target.Name, "/clients")
	p.Refresh = model.Live != ""
	if web.WantsFragment(r) {
		return s.Render(r, http.StatusOK, views.ClientMain(model))
	}
	return s.Render(r, http.StatusOK, views.ClientPage(p, model))
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
	return s.StreamChangeOf(r, watch, func() {})
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
	return s.SendFrame(r, log, "capture")
}

// End closes the address of a capture.
func (s *Pages) End(r *web.Request) error {
	v := r.Visit
	id := r.Param("id")
	if err := s.Store.EndCapture(v.Context(), v.Workspace(), id, s.Now()); err != nil {
		return err
	}
	s.known.forget(id)
	return web.SeeOther(r, "/clients/"+id)
}
