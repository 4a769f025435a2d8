package web

import (
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// LoadForm reads the exchange of the address and the form that was sent.
func (s *App) LoadForm(r *Request) (playground.Exchange, url.Values, error) {
	x, err := s.Load(r.Visit, r.Param("id"))
	if err != nil {
		return x, nil, err
	}
	form, err := s.FormValues(r)
	return x, form, err
}

// Begin opens a new exchange and leads to its page.
func (s *App) Begin(r *Request, t playground.Target, call playground.Call) error {
	id, err := s.Open(r.Visit, t, call, "")
	if err != nil {
		return err
	}
	return SeeOther(r, "/x/"+id)
}
