package app

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Store keeps what all pages read and write: exchanges, servers, sign-ins with their tokens and
// registrations, and how much is stored. What is written with a context that has a
// usage.Payer is charged to it. An id of another workspace results in
// playground.ErrNotFound, as an unknown id does.
type Store interface {
	FlowStore
	CaptureStore
	GatewayStore
	RecordingStore
	SessionStore
	ShareStore
	StageStore
	StoryStore
	TalkStore
	AgentTokenStore
	PersonStore
	Blocks(ctx context.Context) ([]usage.Block, error)
	Target(ctx context.Context, workspace, id string) (playground.Target, []playground.Event, error)
	IsConnecting(ctx context.Context, workspace, target string) (bool, error)
	TargetAt(ctx context.Context, workspace, url string) (id string, err error)
	Mine(ctx context.Context, workspace, target string) (bool, error)
	AddTarget(ctx context.Context, workspace string, t playground.Target, at time.Time) error
	ForgetTarget(ctx context.Context, workspace, id string) error
	SetTarget(ctx context.Context, workspace string, t playground.Target) error
	DistrustCertificate(ctx context.Context, workspace, target string) error
	SetRoots(ctx context.Context, workspace string, roots []question.Root, at time.Time) error
	AddCheck(ctx context.Context, workspace, title string, x playground.Exchange) error
	SetMine(ctx context.Context, workspace, target string) error
	FlowAt(ctx context.Context, token string) (flow.Saved, error)
	AddExchange(ctx context.Context, workspace, title string, x playground.Exchange) error
	AddBranch(ctx context.Context, workspace string, x playground.Exchange) error
	Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error)
	SealExchange(ctx context.Context, workspace, id string, sealed []byte) error
	AddSignIn(ctx context.Context, workspace string, n server.SignIn) error
	SetSignIn(ctx context.Context, workspace string, n server.SignIn, from string) error
	SignIn(ctx context.Context, workspace, id string) (server.SignIn, error)
	LastSignIn(ctx context.Context, workspace, target string) (server.SignIn, error)
	CountSignIns(ctx context.Context, workspace, exchange string) (int, error)
	SessionSize(ctx context.Context, id string) (bytes int, err error)
	Storage(ctx context.Context, workspace, session string, p usage.Payer) (usage.Storage, error)
	Below(bytes int64) bool
	Salt(ctx context.Context, day int64) ([]byte, error)
	SetToken(ctx context.Context, workspace string, t server.SealedToken) error
	Token(ctx context.Context, workspace, target string) (server.SealedToken, error)
	DeleteToken(ctx context.Context, workspace, target string) error
	SetRegistration(ctx context.Context, workspace, issuer string, sealed []byte, at time.Time) error
	Registration(ctx context.Context, workspace, issuer string) ([]byte, error)
	DeleteRegistration(ctx context.Context, workspace, issuer string) error
}
