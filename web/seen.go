package web

// RenewCookie sends the cookie of the visitor again, so that it lives on.
func (s *App) RenewCookie(r *Request) {
	if err := s.Owners.renew(r); err != nil {
		s.Logger.Warn("renew cookie", "err", err)
	}
}
