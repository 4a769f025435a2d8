package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/onefile"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// pageOf returns what a link shows as a page that is a file of its own. It takes the turn
// of the visit: every state of the link's pages is made.
func (s *Pages) pageOf(r *web.Request, l app.Link) ([]byte, error) {
	if l.View.Kind == share.KindFlow {
		return nil, app.NotFound()
	}
	if err := s.App.WaitTurn(r.Visit); err != nil {
		return nil, err
	}
	l.Public.ReadOnce()
	view, err := json.Marshal(l.View)
	if err != nil {
		return nil, fmt.Errorf("encode view: %w", err)
	}
	key := web.DigestOfFile(l.Public, share.Options{}, "page "+string(view))
	data, err := s.App.Made.File(key, func() ([]byte, error) {
		return onefile.New(r.Context(), onefile.Input{
			View: l.View, Session: l.Public, Instances: s.App.InstancesOf, Explain: s.App.Explain,
			Opens: s.explains, Most: s.App.Limits.Page(),
		})
	})
	if errors.Is(err, onefile.ErrTooLarge) {
		return nil, app.RefuseBecause(err, app.TooLarge, "page_too_large",
			"A page of this recording would be larger than "+text.Size(s.App.Limits.Page())+".",
			"Share less of it, or download it as .json.")
	}
	return data, err
}

// explains reports whether the states of an exchange are those of a sample of this program.
func (s *Pages) explains(x playground.Exchange) bool {
	return s.App.InstancesOf(x) != "" && !app.ContinuesForeign(x)
}

// sendPage sends a page of pageOf. If a browser shows it nevertheless, its own policy
// holds, and it has no origin.
func (s *Pages) sendPage(r *web.Request, title string, data []byte) error {
	h := r.Writer.Header()
	h.Set("Content-Disposition", `attachment; filename="`+export.FileName(title, export.PageSuffix)+`"`)
	h.Set("Content-Security-Policy", onefile.Policy(data)+"; frame-ancestors 'none'; sandbox allow-scripts")
	h.Set("Cache-Control", "no-store")
	return r.Bytes(http.StatusOK, "text/html; charset=utf-8", data)
}

// exchangePage sends an exchange as a page: what a link to it with the choices of the share
// page would show.
func (s *Pages) exchangePage(r *web.Request, id string) error {
	x, err := s.App.Load(r.Visit, id)
	if err != nil {
		return err
	}
	q := r.QueryParams()
	q.Set("x", id)
	q.Set("kind", string(share.KindExchange))
	p, err := s.proposeOf(r, x.Session, q)
	if err != nil {
		return err
	}
	return s.proposedPage(r, p)
}

// proposedPage sends a proposal as a page, made from the bytes that a link would have.
func (s *Pages) proposedPage(r *web.Request, p app.Proposal) error {
	l, err := s.App.Preview(p)
	if err != nil {
		return err
	}
	data, err := s.pageOf(r, l)
	if err != nil {
		return err
	}
	return s.sendPage(r, l.Public.Title, data)
}

// refusedWords returns a refusal in words.
func refusedWords(refused *app.Refusal) string {
	return strings.TrimSpace(refused.What + " " + refused.Try)
}
