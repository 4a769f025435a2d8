package web

import (
	"net/http"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// SendFrameOf sends a frame of exchange ?x= of a snapshot.
func (s *App) SendFrameOf(r *Request, n session.Session) error {
	i := Number(r.QueryParam("x"), 1)
	if i < 1 || i > len(n.Exchanges) {
		return app.NotFound()
	}
	return s.SendFrame(r, n.Exchanges[i-1].Log, n.Title)
}

// SendFrame sends the exact bytes of the body of the event :seq of a log.
func (s *App) SendFrame(r *Request, log []playground.Event, title string) error {
	seq, err := strconv.Atoi(r.Param("seq"))
	body, ok := playground.BodyAt(log, seq)
	if err != nil || !ok {
		return app.NotFound()
	}
	// never a type that a browser interprets
	f := Download{
		Suffix: "-" + strconv.Itoa(seq) + ".bin", ContentType: "application/octet-stream", Saved: true,
	}
	return s.Blob(r, f, title, body)
}

// Download says how a file is sent.
type Download struct {
	Suffix, ContentType string
	Saved               bool // browsers save it instead of showing it
}

// Blob sends a file. Its policy allows the styles of a picture and nothing
// else.
func (s *App) Blob(r *Request, f Download, title string, data []byte) error {
	h := r.Writer.Header()
	disposition := "inline"
	if f.Saved {
		disposition = "attachment"
	}
	h.Set("Content-Disposition", disposition+`; filename="`+export.FileName(title, f.Suffix)+`"`)
	h.Set(
		"Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
	)
	h.Set("Cache-Control", "no-store")
	return r.Bytes(http.StatusOK, f.ContentType, data)
}
