// Package web has what all pages share: who visits, what is loaded and stored for them,
// what is refused, and how a page is rendered. The packages in its folder serve the
// pages, one for each subject, and package site puts them together. A handler reads the
// request, decides, acts and renders: decisions are made by playground, actions by run,
// and pages by views. A fault of a remote server is shown on an ordinary page; only
// refusals and failures of this program become error pages, in one place (package
// guard).
package web

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	"golang.org/x/sync/singleflight"
)

// Runner sends requests and records the answers. Errors of Decide that users
// can act on are those of package playground.
type Runner interface {
	drive.Runner
	Connect(ctx context.Context, t playground.Target, log []playground.Event) error
	Answered(ctx context.Context, id string)
	Watch(ctx context.Context, id string, after int) (changed <-chan struct{}, running bool)
	Busy(id string) bool // in this process, also while a legacy call waits for the user
	Sleeping(id string) bool
	Look(ctx context.Context, id string)
	Relay(ctx context.Context, q run.Relay) (run.Relayed, error)
}

// Commands are the servers on standard input that the program was started with, each with
// a URL (wire.CommandURL). Nothing that a visitor sends can name another command.
type Commands interface {
	All() []server.Command
	Command(url string) (server.Command, bool)
	// Restart ends the process of a command that requests share, and starts another.
	Restart(ctx context.Context, url string)
	// Renew is Restart unless a request is in progress.
	Renew(ctx context.Context, url string)
}

// Config holds everything that the pages need.
type Config struct {
	Runner  Runner
	Checker Checker
	// Commands are the servers on standard input that the program was started with; nil if
	// there are none.
	Commands Commands
	SignIns  auth.Sender // sends the requests of sign-ins
	// Exclusive returns when no other process holds a key, and then holds it until
	// release; nil if this is the only process.
	Exclusive func(ctx context.Context, key string) (release func(), err error)
	// Notices tells the other processes that something has changed, and hears of it from
	// them; nil if this is the only process.
	Notices Notices
	Client  playground.Client
	Build   Build
	Samples []sampletools.Sample
	// Flow returns a flow by its slug; nil if there are none.
	Flow      func(slug string) (sampletools.Sample, bool)
	Lessons   func() *lesson.Book // rendered when it is first called
	SampleMCP http.Handler        // serves /mcp/, /samples/ and their metadata
	Explain   func(state string) seal.Explanation
	// Verify makes the checks of the samples on a state.
	Verify func(state string, mode seal.Mode, r seal.Request, now time.Time) []seal.Check
	// Discover connects to a sample in memory, without recording it.
	Discover func(ctx context.Context, t playground.Target) server.Connection
	// Ask sends one request without recording it.
	Ask func(
		ctx context.Context, t playground.Target, method string, params json.RawMessage,
	) (playground.Round, error)
	// Show makes an experiment on a call of a sample in memory, without recording it.
	Show func(ctx context.Context, t playground.Target, call playground.Call,
		answers map[string]json.RawMessage, e lab.Experiment) (right, wrong playground.Exchange, err error)
	Assets  *static.Assets
	Mode    Mode
	Program launch.Program // as the user of local mode started it
	Proxied bool           // local mode takes requests that came through a proxy
	BaseURL string         // public URL of this program, without a trailing slash
	Hosts   []string       // further names of this program in a trusted network
	// CookieKeys returns the keys that cookies are valid with, 32 bytes each; the
	// first signs new ones. With now, it looks whether they have just changed.
	CookieKeys func(now bool) [][]byte
	Limits     Limits
	Proxies    []netip.Prefix    // proxies whose X-Forwarded-For is trusted
	Draining   func() bool       // reports whether the program is stopping; nil means never
	Refused    func(code string) // counts refusals; may be nil
	Served     func(Served)      // counts answers; may be nil
	Now        func() time.Time
	NewID      func() string // 128 random bits or more, URL-safe
	Settle     time.Duration // how long a page waits for a request before it shows it as running
	Times      Times
	Logger     *slog.Logger
}

// App is what all packages of pages share.
type App struct {
	Config
	Store     Store
	Owners    Owners
	Samples   *Samples
	Limiters  Limiters
	Outbound  *Outbound
	Reads     *Pool // of large recordings
	Checks    *Pool // that run
	Streams   *Pool // of events
	Followers *Pool // event streams of talks
	Made      Cache // of files
	Verdicts  Verdicts
	Asked     singleflight.Group
	tokens    keyLocks // of the token of a workspace for a server
	buffers   buffers
	Salts     Salts
	storing   sync.Mutex // held while a stranger stores an import or a link
	Blocked   Blocks
	Routes    map[string]bool // patterns of all pages
}

// NewApp returns what all pages share.
func NewApp(cfg Config, store Store) *App {
	cfg.Limits = cfg.Limits.orDefaults()
	cfg.Times = cfg.Times.orDefaults()
	if cfg.Draining == nil {
		cfg.Draining = func() bool { return false }
	}
	if cfg.Commands == nil {
		cfg.Commands = noCommands{}
	}
	if cfg.Served == nil {
		cfg.Served = func(Served) {}
	}
	if cfg.Notices == nil {
		cfg.Notices = newNotices()
	}
	if cfg.Refused == nil {
		cfg.Refused = func(string) {}
	}
	s := &App{
		Config: cfg, Store: store, Owners: newOwners(cfg), Samples: newSamples(cfg),
		Limiters: newLimiters(cfg.Limits), Verdicts: newVerdicts(),
	}
	s.Blocked.shared = cfg.Exclusive != nil
	limited := cfg.Mode.Limited()
	s.Reads = newPool(cmp.Or(cfg.Limits.Reads, runtime.GOMAXPROCS(0)), cfg.Limits.ReadsQueue, limited)
	s.Followers = newPool(cfg.Limits.FollowersInAll, 0, false)
	s.Checks, s.Streams = newPool(cfg.Limits.Checks, 0, limited), newPool(cfg.Limits.Streams, 0, limited)
	s.Outbound = &Outbound{limits: cfg.Limits, busy: s.busy, sleeping: s.Runner.Sleeping}
	return s
}
