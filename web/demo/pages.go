// Package demo serves the stories that are shown to an audience: their list, their start, and
// the editor of the visitor's own.
package demo

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}

// Store lists the stories of users, and their flows.
type Store interface {
	Flows(ctx context.Context, workspace string) ([]flow.Saved, error)
	Stories(ctx context.Context, workspace string) ([]demo.Saved, error)
	SavedStory(ctx context.Context, workspace, id string) (demo.Saved, error)
}
