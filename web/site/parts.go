package site

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/trial"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/agent"
	"github.com/mrtr-playground/mrtr-playground/web/flow"
)

// Parts are the building blocks of a Site: the program connects them in this one
// way, and so do the tests of the pages.
type Parts struct {
	Store   Store
	Engine  run.Config // of the runner
	Sender  *wire.Client
	Samples *sampletools.Catalog
	Seals   *seal.Keys // of the samples
}

// Flows returns how the samples of a Site find flows. Where workspaces end, an address
// ends when it was not used for long.
func Flows(store flow.Addresses, mode app.Mode, now func() time.Time) func(
	context.Context, string,
) (sampletools.FlowText, error) {
	return flow.Lookup(store, mode.Shared(), now)
}

// Config returns the Config of a Site on these parts, with this runner and checker. What
// depends on how the program was started is not set: the mode, addresses, limits, cookies.
func (p Parts) Config(runner app.Runner, checker app.Checker) Config {
	return Config{Store: p.Store, Agent: agent.Config{Keys: p.Seals}, Config: web.Config{
		App: app.Config{
			Runner: runner, Checker: checker, Client: p.Engine.Client,
			SignIns: p.Sender.WithLimits(auth.Limits()),
			Samples: p.Samples.Samples(), Flow: p.Samples.Lookup, Explain: p.explain,
			Listen: func(ctx context.Context, t playground.Target, of server.Connection,
				record func(playground.Event)) error {
				return run.Listen(ctx, p.Engine, t, of, record)
			},
			Discover: func(ctx context.Context, t playground.Target) server.Connection {
				return drive.Discover(ctx, p.Engine, t)
			},
			Through: func(ctx context.Context, c trial.Config) (gateway.Recording, error) {
				c.Engine = p.Engine
				return trial.Run(ctx, c)
			},
			Now: p.Engine.Now, Logger: p.Engine.Logger,
		},
		SampleMCP: p.Samples,
		Verify: func(state string, mode seal.Mode, r seal.Request, now time.Time) []seal.Check {
			return seal.Verify(state, p.Seals, mode, r, now)
		},
		Ask: func(
			ctx context.Context, t playground.Target, method string, params json.RawMessage,
		) (playground.Round, error) {
			return drive.Ask(ctx, p.Engine, t, method, params)
		},
		Show: func(
			ctx context.Context, t playground.Target, call playground.Call,
			answers map[string]json.RawMessage, e lab.Experiment,
		) (right, wrong playground.Exchange, err error) {
			return drive.Show(ctx, p.Engine, t, call, answers, e)
		},
	}}
}

func (p Parts) explain(state string) seal.Explanation {
	return seal.Explain(state, p.Seals, p.Engine.Now())
}

// Expiry returns when the state of a Round expires. For a sample it is read from the
// state itself, for other servers from the visible format.
func (p Parts) Expiry(t playground.Target, r playground.Round) time.Time {
	if own := p.explain(r.StateText()).Expires; !own.IsZero() {
		return own
	}
	return check.Expiry(t, r)
}
