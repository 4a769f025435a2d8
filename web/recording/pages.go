// Package recording serves recordings again: the page of one, and the address at which it
// answers clients.
package recording

import (
	"context"
	"net/http"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/mock/endpoint"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	recordingview "github.com/mrtr-playground/mrtr-playground/views/recording"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store

	mu     sync.Mutex                             // held while one is read
	served *lru.Cache[string, *endpoint.Endpoint] // by id and what is ignored
}

// Store keeps recordings and what they are made of.
type Store interface {
	Served(ctx context.Context, workspace, id string) (mock.Saved, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error)
	ServedTurn(ctx context.Context, r mock.Saved, request string) (int, error)
	BeginServed(ctx context.Context, r mock.Saved, prefix string) error
}

// mostServed is how many recordings are kept as they were read.
const mostServed = 32

// New returns the pages of recordings.
func New(a *web.App, store Store) *Pages {
	served, err := lru.New[string, *endpoint.Endpoint](mostServed)
	if err != nil {
		panic(err) // the size is positive
	}
	return &Pages{App: a, Store: store, served: served}
}

// Make serves a call, or all calls of a session or a capture, again.
func (s *Pages) Make(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	id, err := s.make(r, web.First(values["exchange"]), web.First(values["session"]))
	if err != nil {
		return err
	}
	return web.SeeOther(r, paths.Recording(id))
}

func (s *Pages) make(r *web.Request, exchange, session string) (id string, err error) {
	workspace := r.Visit.Workspace()
	if exchange != "" {
		x, err := s.Store.Exchange(r.Context(), workspace, exchange)
		if err != nil {
			return "", err
		}
		return s.App.ServeCall(r.Visit, x)
	}
	n, err := s.Store.Session(r.Context(), workspace, session)
	if err != nil {
		return "", err
	}
	return s.App.ServeSession(r.Visit, n)
}

// Page shows a recording that is served.
func (s *Pages) Page(r *web.Request) error {
	saved, err := s.Store.Served(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	recording, err := s.App.ReadRecording(r.Visit, saved)
	if err != nil {
		return err
	}
	model := recordingview.Recording{
		Saved: saved, Rows: recording.Rows(), Made: recording.Made(),
		Address: r.Visit.Origin + web.RecordingPath + saved.Token,
		Open:    saved.Open(s.App.Now(), s.App.Mode.Shared()), Expires: s.App.Mode.Shared(),
	}
	if played, ok := recording.Played(); ok {
		model.Played = &played
	}
	if i := slices.IndexFunc(model.Rows, func(row mock.Row) bool { return row.Name != "" }); i >= 0 {
		_, err := s.Store.Exchange(r.Context(), r.Visit.Workspace(), model.Rows[i].Of)
		if err == nil { // else the call is gone, or it is in a file only
			model.From = "/x/" + model.Rows[i].Of
		}
	}
	return s.App.Render(
		r,
		http.StatusOK,
		recordingview.Page(s.App.Page(r, saved.Title, layout.BuildPath), model),
	)
}

// Change ends or renews the address, or changes what is ignored.
func (s *Pages) Change(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	id, place := r.Param("id"), ""
	switch web.First(values["do"]) {
	case "end":
		err = s.App.EndServed(r.Visit, id)
	case "renew":
		err = s.App.RenewServed(r.Visit, id)
	case "ignore":
		err, place = s.App.SetIgnored(r.Visit, id, values["part"]), "#match"
	default:
		err = app.NotFound()
	}
	if err != nil {
		return err
	}
	return web.SeeOther(r, paths.Recording(id)+place)
}
