package stage

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Store keeps stages: sessions of kind demo and the steps that they have reached; talks;
// and the stories of users.
type Store interface {
	AddStage(ctx context.Context, workspace string, st demo.Stage, n session.Session) error
	Stage(ctx context.Context, workspace, session string) (demo.Stage, error)
	AddMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	SetMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	AddLegacy(ctx context.Context, x playground.Exchange) error
	StartTalk(ctx context.Context, t demo.Talk, now time.Time) error
	Talk(ctx context.Context, code string, now time.Time) (demo.Talk, error)
	TalkOf(ctx context.Context, workspace, session string, now time.Time) (demo.Talk, error)
	MoveTalk(ctx context.Context, workspace, from, to string, now time.Time) error
	EndTalk(ctx context.Context, workspace, session string) error
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	HasExchange(ctx context.Context, workspace, id string) error
	AddStory(ctx context.Context, workspace string, d demo.Saved, most int) (bool, error)
	Stories(ctx context.Context, workspace string) ([]demo.Saved, error)
	SavedStory(ctx context.Context, workspace, id string) (demo.Saved, error)
	SetStory(ctx context.Context, workspace string, d demo.Saved) error
	DeleteStory(ctx context.Context, workspace, id string) error
}
