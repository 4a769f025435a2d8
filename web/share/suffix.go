package share

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// file is a format in which a recording can be downloaded.
type file struct {
	web.Download
	// write encodes a session; a picture shows the exchange with index shown.
	write func(s *Pages, n session.Session, shown int) ([]byte, error)
}

// files returns the files that exchanges and shares have.
func files() []file {
	return []file{
		{web.Download{Suffix: export.PageSuffix, ContentType: "text/html; charset=utf-8", Saved: true}, nil},
		{
			web.Download{Suffix: ".json", ContentType: "application/json", Saved: true},
			func(_ *Pages, n session.Session, _ int) ([]byte, error) {
				return export.JSON(n)
			},
		},
		{
			web.Download{Suffix: ".har", ContentType: "application/json", Saved: true},
			func(s *Pages, n session.Session, _ int) ([]byte, error) {
				return export.HAR(n, s.App.Client)
			},
		},
		{
			web.Download{Suffix: ".md", ContentType: "text/markdown; charset=utf-8", Saved: true},
			func(_ *Pages, n session.Session, _ int) ([]byte, error) {
				return export.Markdown(n, masksOf(n)...), nil
			},
		},
		{
			web.Download{Suffix: ".txt", ContentType: "text/plain; charset=utf-8"},
			func(_ *Pages, n session.Session, _ int) ([]byte, error) {
				return export.Text(n), nil
			},
		},
		{
			web.Download{Suffix: ".svg", ContentType: "image/svg+xml"},
			func(s *Pages, n session.Session, shown int) ([]byte, error) {
				return s.pictureOf(n, shown).Standalone(), nil
			},
		},
		{web.Download{Suffix: ".mmd", ContentType: "text/plain; charset=utf-8"},
			func(s *Pages, n session.Session, shown int) ([]byte, error) {
				return []byte(s.pictureOf(n, shown).Mermaid()), nil
			}},
	}
}

// yamlSuffix is that of the text of a flow.
const yamlSuffix = ".yaml"

func writeFlow(_ *Pages, n session.Session, _ int) ([]byte, error) { return []byte(n.Flow), nil }

// shareFiles returns the files that shares have.
func shareFiles() []file {
	return append([]file{
		{web.Download{Suffix: ".qr.svg", ContentType: "image/svg+xml"}, nil},
		{web.Download{Suffix: ".badge.svg", ContentType: "image/svg+xml"}, nil},
		{web.Download{Suffix: ".png", ContentType: "image/png"}, nil},
		{web.Download{Suffix: yamlSuffix, ContentType: "application/yaml", Saved: true}, writeFlow},
	}, files()...)
}

// suffixed splits a path segment into the id and the file that its suffix
// names; nil if it has none.
func suffixed(id string, list []file) (string, *file) {
	for _, f := range list {
		if plain, ok := strings.CutSuffix(id, f.Suffix); ok {
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

func (s *Pages) pictureOf(n session.Session, shown int) picture.Picture {
	if len(n.Exchanges) == 0 {
		return picture.Landing()
	}
	x := n.Exchanges[shown]
	return picture.Of(x, x.Fold(), picture.Options{Instances: picture.ParseInstances(s.App.InstancesOf(x))})
}

// ExchangeOrFile shows an exchange or, if the path has a suffix, sends the
// exchange as a file, a branch with the Rounds that it continues from. What looks like a secret
// is masked, and so is the address of a visitor's flow; ?keep= and ?leave= are choices of the
// share page.
func (s *Pages) ExchangeOrFile(r *web.Request) error {
	id, f := suffixed(r.Param("id"), files())
	if f == nil {
		return s.Exchanges.Exchange(r)
	}
	if f.Suffix == export.PageSuffix {
		return s.exchangePage(r, id)
	}
	n, options, err := s.App.OpenRecording(r.Visit, id, readShareForm(r.QueryParams()).options)
	if err != nil {
		return err
	}
	data, err := s.App.Made.File(web.DigestOfFile(n, options, f.Suffix), func() ([]byte, error) {
		snapshot := share.NewSnapshot(n, options)
		return f.write(s, snapshot.Session, snapshot.Shown[0]-1)
	})
	if err != nil {
		return err
	}
	named := share.NewSnapshot(session.Session{Title: n.Title}, options).Session
	return s.App.Blob(r, f.Download, named.Title, data)
}

// ReaderOrFile shows a share or, if the path has a suffix, sends it as a file.
func (s *Pages) ReaderOrFile(r *web.Request) error {
	token, f := suffixed(r.Param("token"), shareFiles())
	if f == nil {
		return s.reader(r)
	}
	read, err := s.open(r, token)
	if err != nil {
		return err
	}
	h, n := read.Share, read.Public
	if !slices.Contains(readerview.ShareSuffixes(read.View.Kind), f.Suffix) && f.write != nil {
		return app.NotFound()
	}
	header := r.Writer.Header()
	if strings.HasPrefix(f.ContentType, "image/") {
		header.Set("Cross-Origin-Resource-Policy", "cross-origin") // READMEs and slides show it
	}
	switch f.Suffix {
	case ".png":
		image := h.Image
		if read.Measured {
			if image, err = s.App.Made.File(web.DigestOfFile(n, share.Options{}, "card"), func() ([]byte, error) {
				return readerview.Card(read.View, n, s.App.InstancesOf)
			}); err != nil {
				return err
			}
		}
		return s.App.Blob(r, f.Download, n.Title, image)
	case ".qr.svg":
		svg, err := drawing.QR(s.App.OwnURL(r) + "/s/" + h.Token)
		if err != nil {
			return err
		}
		return s.App.Blob(r, f.Download, n.Title, []byte(svg))
	case export.PageSuffix:
		data, err := s.pageOf(r, read.Link)
		if err != nil {
			return err
		}
		return s.sendPage(r, n.Title, data)
	case ".badge.svg":
		folded := n.Exchanges[read.View.Shown[0]-1].Fold()
		return s.App.Blob(r, f.Download, n.Title, picture.Badge(len(folded.Rounds), folded.Status, n.Imported))
	}
	key := fmt.Sprint("shared ", f.Suffix, read.View.Kind, read.View.Shown)
	data, err := s.App.Made.File(web.DigestOfFile(n, share.Options{}, key), func() ([]byte, error) {
		if read.View.Kind == share.KindBoard && f.Suffix == ".md" {
			return readerview.BoardReport(read.View, n).Verdict().Markdown(), nil
		}
		return f.write(s, n, read.View.Shown[0]-1)
	})
	if err != nil {
		return err
	}
	return s.App.Blob(r, f.Download, n.Title, data)
}
