// Package web has the parts that all pages share: how a request becomes a
// visit, how a form is read, and how a page is rendered. The packages in its
// folder serve the pages, one for each subject, and package site puts them
// together. A handler reads the request, calls App of package app, and renders
// its result: decisions are made by playground, actions by app and run, and
// pages by views. A fault of a remote server is shown on an ordinary page; only
// refusals and failures of this program become error pages, in one place
// (package guard).
package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
)

// Config holds everything that the pages need.
type Config struct {
	App       app.Config
	Build     Build
	Lessons   func() *lesson.Book // rendered when it is first called
	SampleMCP http.Handler        // serves /mcp/, /samples/ and their metadata
	// Verify makes the checks of the samples on a state.
	Verify func(state string, mode seal.Mode, r seal.Request, now time.Time) []seal.Check
	// Ask sends one request without recording it.
	Ask func(
		ctx context.Context, t playground.Target, method string, params json.RawMessage,
	) (playground.Round, error)
	// Show makes an experiment on a call of a sample in memory, without recording it.
	Show func(ctx context.Context, t playground.Target, call playground.Call,
		answers map[string]json.RawMessage, e lab.Experiment) (right, wrong playground.Exchange, err error)
	Assets  *static.Assets
	Proxied bool // local mode takes requests that came through a proxy
	// CookieKeys returns the keys that cookies are valid with, 32 bytes each; the
	// first signs new ones. With now, it looks whether they have just changed.
	CookieKeys func(now bool) [][]byte
	Proxies    []netip.Prefix    // proxies whose X-Forwarded-For is trusted
	Draining   func() bool       // reports whether the program is stopping; nil means never
	Refused    func(code string) // counts refusals; may be nil
	Served     func(Served)      // counts answers; may be nil
}

// App is the part that all packages of pages share: the actions, and the
// rendering of pages.
type App struct {
	*app.App
	Config
	Owners   Owners
	Made     Cache // of files
	Verdicts Verdicts
	buffers  buffers
	open     map[string]bool // routes that need no sign-in, by pattern
	Routes   map[string]bool // patterns of all pages
}

// NewApp returns the App that all pages share.
func NewApp(cfg Config, store app.Store) *App {
	if cfg.Draining == nil {
		cfg.Draining = func() bool { return false }
	}
	if cfg.Served == nil {
		cfg.Served = func(Served) {}
	}
	if cfg.Refused == nil {
		cfg.Refused = func(string) {}
	}
	if cfg.App.People != nil {
		cfg.App.People.Keys = personKeys(cfg.CookieKeys)
	}
	return &App{
		open: openRoutes(cfg.App.People == nil || cfg.App.People.Links),
		App:  app.New(cfg.App, store), Config: cfg, Owners: newOwners(cfg), Verdicts: newVerdicts(),
	}
}
