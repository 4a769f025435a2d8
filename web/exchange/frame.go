package exchange

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Frame sends the body of one recorded side of a connection, of which a page
// shows only the beginning. :seq is the number of the request, or of the first
// event of the response.
func (s *Pages) Frame(c echo.Context) error {
	x, err := s.Load(web.VisitOf(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.SendFrame(c, x.Log, app.Title(x.Call))
}
