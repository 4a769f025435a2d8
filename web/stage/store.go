package stage

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// Store lists the stories of users.
type Store interface {
	Stories(ctx context.Context, workspace string) ([]demo.Saved, error)
	SavedStory(ctx context.Context, workspace, id string) (demo.Saved, error)
}
