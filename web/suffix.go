package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// file is a format in which a recording can be downloaded.
type file struct {
	suffix, contentType string
	saved               bool // browsers save it instead of showing it
	// write encodes a session; a picture shows the exchange with index shown.
	write func(s *app, n session.Session, shown int) ([]byte, error)
}

// files returns the files that exchanges and shares have.
func files() []file {
	return []file{
		{".json", "application/json", true, func(_ *app, n session.Session, _ int) ([]byte, error) {
			return export.JSON(n)
		}},
		{".har", "application/json", true, func(s *app, n session.Session, _ int) ([]byte, error) {
			return export.HAR(n, s.Client)
		}},
		{".md", "text/markdown; charset=utf-8", true, func(_ *app, n session.Session, _ int) ([]byte, error) {
			return export.Markdown(n, masksOf(n)...), nil
		}},
		{".txt", "text/plain; charset=utf-8", false, func(_ *app, n session.Session, _ int) ([]byte, error) {
			return export.Text(n), nil
		}},
		{".svg", "image/svg+xml", false, func(s *app, n session.Session, shown int) ([]byte, error) {
			return s.pictureOf(n, shown).Standalone(), nil
		}},
		{".mmd", "text/plain; charset=utf-8", false,
			func(s *app, n session.Session, shown int) ([]byte, error) {
				return []byte(s.pictureOf(n, shown).Mermaid()), nil
			}},
	}
}

// shareFiles returns the files that shares have.
func shareFiles() []file {
	return append([]file{
		{".qr.svg", "image/svg+xml", false, nil},
		{".badge.svg", "image/svg+xml", false, nil},
		{".png", "image/png", false, nil},
	}, files()...)
}

// suffixed splits a path segment into the id and the file that its suffix
// names; nil if it has none.
func suffixed(id string, list []file) (string, *file) {
	for _, f := range list {
		if plain, ok := strings.CutSuffix(id, f.suffix); ok {
			return plain, &f
		}
	}
	return id, nil
}

func masksOf(n session.Session) []export.Mask {
	var list []export.Mask
	for _, x := range n.Exchanges {
		list = append(list, share.CurlMasks(x)...)
	}
	return list
}

func (s *app) pictureOf(n session.Session, shown int) picture.Picture {
	if len(n.Exchanges) == 0 {
		return picture.Landing()
	}
	x := n.Exchanges[shown]
	return picture.Of(x, x.Fold(), picture.Options{Instances: picture.ParseInstances(s.instancesOf(x))})
}

// exchangeOrFile shows an exchange or, if the path has a suffix, sends the
// exchange as a file, a branch with the Rounds that it continues from. What looks like a secret
// is masked; ?keep= and ?leave= are choices of the share page.
func (s *app) exchangeOrFile(c echo.Context) error {
	id, f := suffixed(c.Param("id"), files())
	if f == nil {
		return s.exchange(c)
	}
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	x, err := s.Store.Exchange(ctx, workspace, id)
	if err != nil {
		return err
	}
	n, err := s.Store.Session(ctx, workspace, x.Session)
	if err != nil {
		return err
	}
	if err := s.takeTurn(c, n); err != nil {
		return err
	}
	options := readShareForm(c.QueryParams()).options
	options.Pick = []string{id}
	options.Credentials = s.credentials(c, n)
	data, err := s.made.file(digestOfFile(n, options, f.suffix), func() ([]byte, error) {
		snapshot := share.NewSnapshot(n, options)
		return f.write(s, snapshot.Session, snapshot.Shown[0]-1)
	})
	if err != nil {
		return err
	}
	named := share.NewSnapshot(session.Session{Title: n.Title}, options).Session
	return s.blob(c, *f, named.Title, data)
}

// readerOrFile shows a share or, if the path has a suffix, sends it as a file.
func (s *app) readerOrFile(c echo.Context) error {
	token, f := suffixed(c.Param("token"), shareFiles())
	if f == nil {
		return s.reader(c)
	}
	r, err := s.shared(c, token)
	if err != nil {
		return err
	}
	h, n := r.share, r.session
	if !slices.Contains(views.ShareSuffixes(r.view.Kind), f.suffix) && f.write != nil {
		return notFound()
	}
	header := c.Response().Header()
	if strings.HasPrefix(f.contentType, "image/") {
		header.Set("Cross-Origin-Resource-Policy", "cross-origin") // READMEs and slides show it
	}
	switch f.suffix {
	case ".png":
		return s.blob(c, *f, n.Title, h.Image)
	case ".qr.svg":
		svg, err := views.QR(s.BaseURL + "/s/" + h.Token)
		if err != nil {
			return err
		}
		return s.blob(c, *f, n.Title, []byte(svg))
	case ".badge.svg":
		folded := n.Exchanges[r.view.Shown[0]-1].Fold()
		return s.blob(c, *f, n.Title, picture.Badge(len(folded.Rounds), folded.Status, n.Imported))
	}
	data, err := s.made.file(digestOfFile(n, share.Options{}, fmt.Sprint("shared ", f.suffix, r.view.Kind,
		r.view.Shown)), func() ([]byte, error) {
		if r.view.Kind == share.KindBoard && f.suffix == ".md" {
			return export.Report(views.BoardReport(r.view, n)), nil
		}
		return f.write(s, n, r.view.Shown[0]-1)
	})
	if err != nil {
		return err
	}
	return s.blob(c, *f, n.Title, data)
}

// blob sends a file. Its policy allows the styles of a picture and nothing
// else.
func (s *app) blob(c echo.Context, f file, title string, data []byte) error {
	h := c.Response().Header()
	disposition := "inline"
	if f.saved {
		disposition = "attachment"
	}
	h.Set("Content-Disposition", disposition+`; filename="`+export.FileName(title, f.suffix)+`"`)
	h.Set(
		"Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
	)
	h.Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, f.contentType, data)
}

// isReader reports whether a path belongs to a share.
func isReader(path string) bool {
	return strings.HasPrefix(path, "/s/") || strings.HasPrefix(path, "/embed/")
}
