// Package flow serves the pages on which flows are written. The flows run at
// addresses of their own, which package sampletools serves.
package flow

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}

// Store lists flows.
type Store interface {
	Flows(ctx context.Context, workspace string) ([]flow.Saved, error)
	ServedOf(ctx context.Context, workspace string) ([]mock.Saved, error)
	FlowEditions(ctx context.Context, workspace, id string) ([]flow.Edition, error)
}
