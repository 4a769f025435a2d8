// Package check serves the checks of a server: the form that begins one, and its report.
package check

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}

// Store keeps checks: sessions whose exchanges a Checker adds.
type Store interface {
	ExchangeRows(ctx context.Context, workspace, session string) ([]session.ExchangeRow, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	EarlierChecks(ctx context.Context, workspace, id string, most int) ([]session.EarlierCheck, error)
	HasSession(ctx context.Context, workspace, id string) error
}
