package web

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// frame sends the body of one recorded side of a connection, of which a page
// shows only the beginning. :seq is the number of the request, or of the first
// event of the response.
func (s *app) frame(c echo.Context) error {
	x, err := s.load(c, c.Param("id"))
	if err != nil {
		return err
	}
	return s.sendFrame(c, x.Log, title(x.Call))
}

// sharedFrame is frame for the readers of a share, of its exchange ?x=.
func (s *app) sharedFrame(c echo.Context) error {
	r, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	return s.sendFrameOf(c, r.session)
}

// sendFrameOf sends a frame of exchange ?x= of a snapshot.
func (s *app) sendFrameOf(c echo.Context, n session.Session) error {
	i := number(c.QueryParam("x"), 1)
	if i < 1 || i > len(n.Exchanges) {
		return notFound()
	}
	return s.sendFrame(c, n.Exchanges[i-1].Log, n.Title)
}

// targetFrame is frame for what a server was asked when the user connected to
// it.
func (s *app) targetFrame(c echo.Context) error {
	t, log, err := s.Store.Target(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.sendFrame(c, log, t.Name)
}

func (s *app) sendFrame(c echo.Context, log []playground.Event, title string) error {
	seq, err := strconv.Atoi(c.Param("seq"))
	body, ok := playground.BodyAt(log, seq)
	if err != nil || !ok {
		return notFound()
	}
	// never a type that a browser interprets
	f := file{suffix: "-" + strconv.Itoa(seq) + ".bin", contentType: "application/octet-stream", saved: true}
	return s.blob(c, f, title, body)
}
