// Package client serves captures: private addresses in front of servers, which record
// what a foreign client does, and the pages that show it.
package client

import "github.com/mrtr-playground/mrtr-playground/web"

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store Store
	open  places // requests that are being passed on, by capture
	rates rates
	known known
}

// New returns the handlers of captures.
func New(a *web.App, store Store) *Pages {
	return &Pages{App: a, Store: store, open: places{most: a.Limits.CapturedOpen}, rates: newRates(a.Limits)}
}
