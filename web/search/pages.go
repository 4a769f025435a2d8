// Package search finds everything by words: the page of the search, and the palette.
package search

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/web"
	webserver "github.com/mrtr-playground/mrtr-playground/web/server"
)

// Pages are the handlers of this package.
type Pages struct {
	App     *web.App
	Store   Store
	Servers *webserver.Pages
}

// Store lists what a workspace has.
type Store interface {
	Targets(ctx context.Context, workspace string) ([]server.Row, error)
	Sessions(ctx context.Context, workspace string, q session.Search) (session.Page, error)
	Stories(ctx context.Context, workspace string) ([]demo.Saved, error)
}
