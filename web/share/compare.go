package share

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Compare shows two exchanges message by message. An address without two says how to
// choose them.
func (s *Pages) Compare(r *web.Request) error {
	v := r.Visit
	if r.QueryParam("a") == "" || r.QueryParam("b") == "" {
		return app.Refuse(app.Invalid, "nothing_chosen", "No calls are chosen.",
			"Select two calls in the history, then choose Compare below the list.")
	}
	a, err := s.App.Load(v, r.QueryParam("a"))
	if err != nil {
		return err
	}
	b, err := s.App.Load(v, r.QueryParam("b"))
	if err != nil {
		return err
	}
	main, err := s.compared(v.Context(), a, b)
	if err != nil {
		return err
	}
	page := s.App.Page(r, "Compare", "")
	return s.App.Render(r, http.StatusOK, historyview.ComparePage(page, templ.Raw(string(main))))
}

// compared returns the main element of the page that compares two exchanges. It
// is made once for each two recordings.
func (s *Pages) compared(ctx context.Context, a, b playground.Exchange) ([]byte, error) {
	return s.App.Made.File(digestOfCompared(a, b), func() ([]byte, error) {
		model := historyview.NewComparison(a, b)
		if a.ID != b.ID {
			model.Share = "/sessions/" + url.PathEscape(a.Session) + "/share?" +
				url.Values{"kind": {string(share.KindCompare)}, "x": {a.ID, b.ID}}.Encode()
		}
		var main bytes.Buffer
		if err := historyview.CompareMain(model).Render(ctx, &main); err != nil {
			return nil, fmt.Errorf("render comparison: %w", err)
		}
		return main.Bytes(), nil
	})
}

// digestOfCompared returns the digest of two exchanges with those that they go on
// from.
func digestOfCompared(a, b playground.Exchange) web.Digest {
	h := sha256.New()
	for _, x := range []playground.Exchange{a, b} {
		lineage := x.Lineage()
		web.Add(h, "compared", fmt.Sprint(len(lineage), x.Imported))
		for _, one := range lineage {
			web.AddExchange(h, one)
		}
	}
	var d web.Digest
	h.Sum(d[:0])
	return d
}
