package share

import (
	"github.com/labstack/echo/v4"
)

// SharedFrame is frame for the readers of a share, of its exchange ?x=.
func (s *Pages) SharedFrame(c echo.Context) error {
	r, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	return s.SendFrameOf(c, r.session)
}
