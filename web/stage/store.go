package stage

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// Store keeps stages: sessions of kind demo and the steps that they have reached, and
// talks.
type Store interface {
	AddStage(ctx context.Context, workspace, title, story string, x playground.Exchange, m demo.Mark) error
	Stage(ctx context.Context, workspace, session string) (demo.Stage, error)
	AddMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	SetMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error
	AddLegacy(ctx context.Context, x playground.Exchange) error
	StartTalk(ctx context.Context, t demo.Talk, now time.Time) error
	Talk(ctx context.Context, code string, now time.Time) (demo.Talk, error)
	TalkOf(ctx context.Context, workspace, session string, now time.Time) (demo.Talk, error)
	MoveTalk(ctx context.Context, workspace, from, to string, now time.Time) error
	EndTalk(ctx context.Context, workspace, session string) error
}
