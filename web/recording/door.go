package recording

import (
	"context"
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/mock/endpoint"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// visitKey is where the context of a request has its visit.
type visitKey struct{}

// Door answers a client at the address of a recording.
func (s *Pages) Door(r *web.Request) error {
	web.Shield(r.Writer.Header())
	if !web.FromProgram(r.Header) {
		return s.refuse(r, app.Refuse(http.StatusForbidden, "recording_browser",
			"This address is for programs.",
			"A page can call it with fetch, but not with a form, an image or a link."))
	}
	saved, err := s.App.ServedAt(r.Visit, r.Param("token"))
	if err != nil {
		return s.refuse(r, err)
	}
	e, err := s.endpointOf(r, saved)
	if err != nil {
		return s.refuse(r, err)
	}
	e.ServeHTTP(r.Writer, r.Request.WithContext(context.WithValue(r.Context(), visitKey{}, r.Visit)))
	return nil
}

// endpointOf returns what answers at the address of a recording. It is read once.
func (s *Pages) endpointOf(r *web.Request, saved mock.Saved) (*endpoint.Endpoint, error) {
	key := saved.ID + " " + saved.Workspace + " " + saved.Ignored.String() // another owner is another key
	if e, ok := s.served.Get(key); ok {
		return e, nil
	}
	recording, err := s.App.ReadRecording(r.Visit, saved)
	r.Visit.EndTurn()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.served.Get(key); ok { // another request was faster
		return e, nil
	}
	e := &endpoint.Endpoint{Recording: recording, Turns: turns{s.Store, saved}, Hold: s.hold}
	s.served.Add(key, e)
	return e, nil
}

// hold takes a place among the streams for an answer that stays open.
func (s *Pages) hold(ctx context.Context) (release func(), err error) {
	v := ctx.Value(visitKey{}).(*app.Visit) // Door put it there
	return s.App.Streams.Acquire(ctx, v.Account().Holder())
}

// turns counts the answers of a recording in the storage, where every replica sees them.
type turns struct {
	store Store
	of    mock.Saved
}

func (t turns) Turn(ctx context.Context, key string) (int, error) {
	return t.store.ServedTurn(ctx, t.of, key)
}

func (t turns) Begin(ctx context.Context, prefix string) error {
	return t.store.BeginServed(ctx, t.of, prefix)
}

// refuse answers in the name of the recording, with a JSON-RPC error without an id, and counts
// that.
func (s *Pages) refuse(r *web.Request, err error) error {
	if web.HasLeft(r, err) {
		return err
	}
	refused := web.RefusalOf(err)
	s.App.CountRefusal(r, refused)
	if refused.Unwrap() != nil {
		s.App.Logger.Error("request to a recording failed", "err", err)
	}
	r.Writer.Header().Set(endpoint.ErrorField, "true")
	return r.JSON(int(refused.Kind), map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{
			"code":    -32000,
			"message": strings.TrimSpace("MRTR Playground: " + refused.What + " " + refused.Try),
			"data":    map[string]string{"recording": refused.Code},
		},
	})
}
