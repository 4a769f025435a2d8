package share

import "github.com/mrtr-playground/mrtr-playground/web"

// SharedFrame is frame for the readers of a share, of its exchange ?x=.
func (s *Pages) SharedFrame(r *web.Request) error {
	l, err := s.OpenLink(r.Visit, r.Param("token"))
	if err != nil {
		return err
	}
	return s.SendFrameOf(r, l.Public)
}
