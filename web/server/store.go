package server

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Store keeps the user's servers, the certificates that they trust, and saved calls, which hold no
// secrets.
type Store interface {
	TrustCertificate(ctx context.Context, workspace, target, origin string, der []byte, at time.Time) error
	DistrustCertificate(ctx context.Context, workspace, target string) error
	AddSavedCall(ctx context.Context, workspace string, c session.SavedCall, most int) (added bool, err error)
	SavedCalls(ctx context.Context, workspace, target string) ([]session.SavedCall, error)
	SavedCall(ctx context.Context, workspace, id string) (session.SavedCall, error)
	RenameSavedCall(ctx context.Context, workspace, id, title string) error
	DeleteSavedCall(ctx context.Context, workspace, id string) error
	LastCall(ctx context.Context, workspace, called string) (exchange string, err error)
	Target(ctx context.Context, workspace, id string) (playground.Target, []playground.Event, error)
	Targets(ctx context.Context, workspace string) ([]server.Row, error)
	ForgetTarget(ctx context.Context, workspace, id string) error
	ForgetSecrets(ctx context.Context, workspace, id string) error
	Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error)
}
