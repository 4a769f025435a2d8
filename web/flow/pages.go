// Package flow serves the pages on which flows are written. The flows run at
// addresses of their own, which package sampletools serves.
package flow

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	*web.App
	Store Store
}

// Store keeps flows.
type Store interface {
	AddFlow(ctx context.Context, f flow.Saved, most int) (added bool, err error)
	Flow(ctx context.Context, workspace, id string) (flow.Saved, error)
	Flows(ctx context.Context, workspace string) ([]flow.Saved, error)
	DraftFlow(ctx context.Context, workspace, id, draft string, at time.Time) error
	SaveFlow(ctx context.Context, workspace, id, title, text string, at time.Time) (number int, err error)
	FlowEditions(ctx context.Context, workspace, id string) ([]flow.Edition, error)
	EndFlow(ctx context.Context, workspace, id string, at time.Time) error
	RenewFlow(ctx context.Context, workspace, id, token string, at time.Time) error
}
