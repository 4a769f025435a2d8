package share

import "github.com/mrtr-playground/mrtr-playground/web"

// SharedFrame is frame for the readers of a share, of its exchange ?x=.
func (s *Pages) SharedFrame(r *web.Request) error {
	l, err := s.App.OpenLink(r.Visit, r.Param("token"))
	if err != nil {
		return err
	}
	return s.App.SendFrameOf(r, l.Public)
}
