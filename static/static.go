// Package static serves the embedded style sheets, scripts and pictures of the
// pages. Their names contain a digest of the content, so that browsers can
// cache them indefinitely: a page must take an address from URL and never write
// one, or the link would break with the next change of the file. They are
// compressed on the first request. Assets do not change after New and may be
// used from several goroutines. The package knows no page.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed css js vendor icon.svg
var files embed.FS

// bundles are the served files, each with its sources in order. The landing
// page needs app.css and app.js alone.
var bundles = map[string][]string{
	"app.css": {"css/tokens.css", "css/base.css", "css/pages.css", "css/landing.css", "css/picture.css"},
	"more.css": {
		"css/workbench.css", "css/wire.css", "css/learn.css", "css/servers.css", "css/demos.css",
		"css/history.css", "css/compare.css", "css/share.css", "css/board.css", "css/edit.css",
		"css/panels.css", "css/form.css", "css/state.css", "css/flow.css", "css/follow.css",
		"css/doors.css", "css/clients.css", "css/confirm.css", "css/field.css",
	},
	"app.js":  {"vendor/htmx-4.0.1.min.js", "js/app.js", "js/keys.js"},
	"more.js": {"js/workbench.js", "js/forms.js", "js/learn.js", "js/tools.js", "js/stage.js"},
	// the page of a follower, which needs no more than these
	"follow.css": {
		"css/tokens.css", "css/base.css", "css/pages.css", "css/picture.css", "css/demos.css",
		"css/panels.css", "css/follow.css",
	},
	"follow.js": {"js/follow.js"},
	// loaded when the palette is first opened
	"palette.css": {"css/palette.css"},
	"palette.js":  {"js/palette.js"},
	"icon.svg":    {"icon.svg"},
}

// ofPage are the style sheets of a page that is a file of its own, in order.
var ofPage = append(append([]string{}, bundles["app.css"]...), append(bundles["more.css"],
	"css/onefile.css")...)

// Page returns the style sheets, the script and the icon of a page that is a file of
// its own. They are served at no address.
func Page() (css, script, icon string) {
	for _, name := range ofPage {
		css += mustRead(name)
	}
	return css, mustRead("js/onefile.js"), mustRead("icon.svg")
}

// Assets serves the files. It does not change after New.
type Assets struct {
	urls  map[string]string // name -> path
	files map[string]file   // path -> content
}

type file struct {
	contentType string
	plain       []byte
	gzip        func() []byte
}

// New returns the Assets of the embedded files. It fails only if a file is
// missing.
func New() (*Assets, error) {
	a := &Assets{urls: map[string]string{}, files: map[string]file{}}
	for name, sources := range bundles {
		var joined []byte
		for _, source := range sources {
			data, err := files.ReadFile(source)
			if err != nil {
				return nil, fmt.Errorf("bundle %s: %w", name, err)
			}
			joined = append(append(joined, data...), '\n')
		}
		a.add(name, joined)
	}
	return a, nil
}

func (a *Assets) add(name string, data []byte) {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	url := "/static/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	a.urls[name] = url
	a.files[url] = file{
		contentType: contentType(ext),
		plain:       data,
		gzip:        sync.OnceValue(func() []byte { return compress(data) }),
	}
}

func contentType(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	}
	return "image/svg+xml"
}

func compress(data []byte) []byte {
	var buf bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression) // the level is valid
	_, _ = w.Write(data)                                    // a buffer returns no error
	_ = w.Close()
	return buf.Bytes()
}

// URL returns the path of the file name: one of bundles, such as "app.css".
func (a *Assets) URL(name string) string { return a.urls[name] }

// ServeHTTP serves a file by its path, and 404 for any other path.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.files[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzip()
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, bytes.NewReader(body)) // fails if the client is gone
	}
}
