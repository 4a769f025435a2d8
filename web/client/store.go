package client

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Store keeps captures, with the exchanges and the log that they record.
type Store interface {
	AddCapture(ctx context.Context, c capture.Capture, most int) (added bool, err error)
	CaptureAt(ctx context.Context, token string) (capture.Capture, error)
	Capture(ctx context.Context, workspace, id string) (capture.Capture, error)
	Captures(ctx context.Context, workspace string) ([]capture.Capture, error)
	UseCapture(ctx context.Context, id string, at time.Time) error
	EndCapture(ctx context.Context, workspace, id string, at time.Time) error
	OpenOfCapture(ctx context.Context, id string) (capture.Open, error)
	CaptureProgress(ctx context.Context, id string) (int64, error)
	Begin(ctx context.Context, x playground.Exchange) error
	Discard(ctx context.Context, id string) error
	CaptureLog(ctx context.Context, id string, n int) (log string, events []playground.Event, err error)
	CaptureEvents(ctx context.Context, id string) ([]playground.Event, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	SessionSize(ctx context.Context, id string) (bytes int, err error)
	SessionStorage(ctx context.Context, session string) (usage.Storage, error)
	Target(ctx context.Context, workspace, id string) (playground.Target, []playground.Event, error)
	Targets(ctx context.Context, workspace string) ([]server.Row, error)
}
