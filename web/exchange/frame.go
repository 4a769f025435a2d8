package exchange

import (
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Frame sends the body of one recorded side of a connection, of which a page
// shows only the beginning. :seq is the number of the request, or of the first
// event of the response.
func (s *Pages) Frame(r *web.Request) error {
	x, err := s.App.Load(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	return s.App.SendFrame(r, x.Log, app.Title(x.Call))
}
