package client

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Store keeps captures, with the exchanges and the log that they record.
type Store interface {
	Capture(ctx context.Context, workspace, id string) (capture.Capture, error)
	CaptureProgress(ctx context.Context, id string) (int64, error)
	CaptureEvents(ctx context.Context, id string) ([]playground.Event, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
}
