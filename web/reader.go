package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// shared returns the share of a token and its session. Invalid tokens all get
// the same error.
func (s *app) shared(c echo.Context, token string) (share.Share, session.Session, error) {
	h, err := s.Store.Share(c.Request().Context(), token, s.Now())
	if err != nil {
		return h, session.Session{}, s.linkError(c, err)
	}
	n, err := export.Import(h.Data)
	if err == nil {
		err = s.takeTurn(c, n)
	}
	return h, n, err
}

// reader shows a share to anyone with its link. It needs no cookie, sets none
// and never contacts the recorded server.
func (s *app) reader(c echo.Context) error {
	h, n, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	x := number(c.QueryParam("x"), 1)
	selection, ok := views.ReadSelection(c.QueryParams())
	if !ok {
		return notFound()
	}
	in := views.ReaderInput{Share: h, Session: n, X: x, Selection: selection, Base: s.BaseURL}
	if x >= 1 && x <= len(n.Exchanges) {
		in.Instances = s.instancesOf(n.Exchanges[x-1])
		if in.Instances != "" && !continuesForeign(n.Exchanges[x-1]) {
			in.Explain = s.explain()
		}
	}
	model, ok := views.NewReader(in)
	if !ok {
		return notFound()
	}
	if c.Request().URL.RawQuery == "" {
		s.viewed(c, h)
	}
	switch {
	case wantsDrawer(c):
		return s.render(c, http.StatusOK, views.DrawerView(model.Exchange))
	case wantsFragment(c):
		return s.render(c, http.StatusOK, views.ReaderMain(model))
	}
	page := s.page(c, model.Title, "")
	page.Here, page.Share = "/s/"+h.Token, &model.Meta
	return s.render(c, http.StatusOK, views.ReaderPage(page, model))
}

// viewed counts a view. A failure is logged and does not fail the page.
func (s *app) viewed(c echo.Context, h share.Share) {
	if c.Request().Method != http.MethodGet {
		return
	}
	if err := s.Store.CountView(c.Request().Context(), h.Token); err != nil {
		s.Logger.Warn("count view", "err", err)
	}
}

// number returns a positive number from a URL, otherwise if the text is empty,
// and -1 if the text is something else.
func number(text string, otherwise int) int {
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return -1
	}
	return n
}

// forkShare copies a share into the reader's workspace. The copy has no
// credentials, and nothing is sent: an open question stays open.
func (s *app) forkShare(c echo.Context) error {
	_, n, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	if err := s.limitImports(c); err != nil {
		return err
	}
	for i := range n.Exchanges {
		n.Exchanges[i].Target.Header = nil
	}
	return s.adopt(c, n)
}

// embed shows a share in a frame of another page. It is the only page that may
// be framed.
func (s *app) embed(c echo.Context) error {
	h, n, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	if len(n.Exchanges) == 0 {
		return notFound()
	}
	p := s.pictureOf(n, 0)
	header := c.Response().Header()
	header.Set("Content-Security-Policy", framedPolicy)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Del("X-Frame-Options")
	meta := views.NewMeta(h, n, s.BaseURL)
	return s.render(c, http.StatusOK, views.EmbedPage(s.page(c, meta.Title, ""), views.Embed{
		Title: meta.Title, Description: meta.Description, URL: meta.URL, Picture: string(p.SVG()),
		Narrow: string(p.Narrow().SVG()), Made: n.Exchanges[0].Created,
		Hidden: server.HiddenInCall(n.Exchanges[0].Fold()),
	}))
}

// framedPolicy is the content security policy of embed: no scripts, no forms.
const framedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors *"

// noIndex keeps search engines from indexing shares.
func noIndex(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("X-Robots-Tag", "noindex, nofollow, noarchive")
		return next(c)
	}
}

// linkError returns the error for a token of which err was found: the same for
// unknown, expired, deleted and malformed tokens. In public mode an address may
// try a number of them; valid links always work.
func (s *app) linkError(c echo.Context, err error) error {
	if !errors.Is(err, playground.ErrNotFound) {
		return err
	}
	if s.Mode == Public {
		if wait := s.limiters.wrongLinks.reserve(s.visitor(c).address, s.Now()); wait > 0 {
			return tooMany(wait, "too_many_links", "Too many invalid links were opened from your address.",
				"Valid links still work.")
		}
	}
	return linkNotFound()
}

// linkNotFound returns the refusal of every invalid link, whatever the reason.
func linkNotFound() *refusal {
	return refuse(http.StatusNotFound, "not_found", "This link doesn't lead to a recording.",
		"It may be mistyped, expired or revoked. Ask the person who sent it for a new one.")
}
