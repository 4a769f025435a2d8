package exchange

import (
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ExchangeEvents sends an event when an exchange has changed.
func (s *Pages) ExchangeEvents(r *web.Request) error {
	x, err := s.App.Load(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	return s.App.StreamChange(r, x.ID)
}
