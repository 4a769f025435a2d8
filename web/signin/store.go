package signin

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Store keeps sign-ins to protected servers.
type Store interface {
	Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error)
	SignIn(ctx context.Context, workspace, id string) (server.SignIn, error)
	LastSignIn(ctx context.Context, workspace, target string) (server.SignIn, error)
}
