// Package doors serves the page from which everything is tested: the URL of a server, an
// address for a client, the upstream of a gateway, what the visitor has tested, and the samples.
package doors

import (
	"context"
	"net/http"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	doorsview "github.com/mrtr-playground/mrtr-playground/views/doors"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App     *web.App
	Store   Store
	results results
}

// New returns the handlers.
func New(a *web.App, store Store) *Pages { return &Pages{a, store, newResults()} }

// Store lists what a visitor has tested, and reads the recordings.
type Store interface {
	Targets(ctx context.Context, workspace string) ([]server.Row, error)
	LastChecks(ctx context.Context, workspace string) (map[string]session.LastCheck, error)
	Captures(ctx context.Context, workspace string) ([]capture.Capture, error)
	CapturesProgress(ctx context.Context, workspace string) (map[string]int64, error)
	Gateways(ctx context.Context, workspace string) ([]gateway.Saved, error)
	Gateway(ctx context.Context, workspace, id string) (gateway.Saved, error)
	CaptureEvents(ctx context.Context, id string) ([]playground.Event, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
}

// Refused is what the page shows of a form that was filled in or refused.
type Refused struct {
	Connect serverview.ConnectForm
	Address *prose.Sentence // why no address was made
	// Upstream says why no address for the upstream of a gateway was made.
	Upstream *prose.Sentence
}

// Show shows the page with an HTTP status.
func (s *Pages) Show(r *web.Request, status int, f Refused) error {
	v := r.Visit
	servers, err := s.Store.Targets(v.Context(), v.Workspace())
	if err != nil {
		return err
	}
	captures, err := s.Store.Captures(v.Context(), v.Workspace())
	if err != nil {
		return err
	}
	model := doorsview.Doors{
		Connect: f.Connect, Problem: f.Address, Upstream: f.Upstream, Servers: servers,
		Samples: web.StartLines(s.App.Samples.List), Base: v.Origin, Program: s.App.Program,
	}
	if model.Gateways, err = s.Store.Gateways(v.Context(), v.Workspace()); err != nil {
		return err
	}
	for _, k := range captures {
		if slices.ContainsFunc(model.Gateways, func(g gateway.Saved) bool { return g.Capture == k.ID }) {
			continue // its page has it
		}
		model.Captures = append(model.Captures, doorsview.Capture{Capture: k, Open: k.Open(s.App.Now())})
	}
	model.Results = map[string]doorsview.Result{}
	reads := &reading{r, mostRead}
	if err := s.checks(reads, servers, model.Results); err != nil {
		return err
	}
	if err := s.clients(reads, model.Captures, model.Results); err != nil {
		return err
	}
	if err := s.gateways(reads, model.Gateways, model.Results); err != nil {
		return err
	}
	return s.App.Render(r, status, doorsview.Page(s.App.Page(r, layout.TestTitle, layout.TestPath), model))
}

// Moved redirects an address that this page had before.
func (s *Pages) Moved(r *web.Request) error {
	to := layout.TestPath
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	return r.Redirect(http.StatusFound, to)
}
