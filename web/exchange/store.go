package exchange

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Store keeps the answers to roots/list that a user gave, and whether there is a token.
type Store interface {
	Roots(ctx context.Context, workspace string) ([]question.Root, error)
	CaptureProgress(ctx context.Context, id string) (int64, error)
	Token(ctx context.Context, workspace, target string) (server.SealedToken, error)
}
