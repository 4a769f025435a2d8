package signin

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Store keeps sign-ins to protected servers.
type Store interface {
	Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error)
	AddSignIn(ctx context.Context, workspace string, n server.SignIn) error
	SetSignIn(ctx context.Context, workspace string, n server.SignIn, from string) error
	SignIn(ctx context.Context, workspace, id string) (server.SignIn, error)
	LastSignIn(ctx context.Context, workspace, target string) (server.SignIn, error)
	CountSignIns(ctx context.Context, workspace, exchange string) (int, error)
	SealExchange(ctx context.Context, workspace, id string, sealed []byte) error
	DeleteToken(ctx context.Context, workspace, target string) error
}
