package app

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// Shown returns an exchange of the visit's workspace as others may see it: what is secret, or
// looks like it, is masked.
func (s *App) Shown(v *Visit, id string) (playground.Exchange, error) {
	n, options, err := s.OpenRecording(v, id, share.Options{})
	if err != nil {
		return playground.Exchange{}, err
	}
	snapshot := share.NewSnapshot(n, options)
	return snapshot.Session.Exchanges[snapshot.Shown[0]-1], nil
}
