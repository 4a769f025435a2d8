// Package app is what can be done with the playground, without HTTP: open a call, answer
// it, branch from it, check a server, sign in, capture a client, write a flow, share, show
// a demo to a room, and what each may cost. The pages (web and its packages), the server
// for agents and the commands read a request, call App, and show what it returned.
//
// Everything begins with a Visit: who asks, from where, which secrets are at hand, and the
// turn that heavy work waits for. A room that has a Visit cannot forget any of them, and
// has no other way to the limits. What is refused is a Refusal, with words for the user.
//
// An id of another workspace is playground.ErrNotFound, as an unknown one is. Nothing here
// starts a process: that stays with the commands and with the interface Runner.
//
// # Contract
//
// An action reads and writes in the workspace of its Visit, so a request cannot
// name the data of another owner. A Visit belongs to one goroutine at a time.
// EndTurn must be called at its end: a turn that is not given back is lost for
// the life of the process. The methods of App may be called from several
// goroutines, with different Visits.
//
// The limits are asked before a call is stored, and a call is stored before it
// is sent: a refused call is in no log. The exchanges of Send and Load are
// redacted and can be shown. One of UnlockExchange has the secrets of its owner,
// and must be neither shown nor stored as it is.
//
// # Design
//
// Limits, locks and turns are here and not in the pages, so that one owner has
// one account, whichever way a request comes: see OwnerRows. A page that called
// the runner by itself would take no turn, and its calls would not be counted.
// The package declares the interfaces of its storage and of its runner.
package app

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/trial"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
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

// Config holds everything that App needs.
type Config struct {
	Runner  Runner
	Checker Checker
	// Commands are the servers on standard input that the program was started with; nil if
	// there are none.
	Commands Commands
	SignIns  auth.Sender // sends the requests of sign-ins
	// Phones is the listener of local mode for the phones of a room; nil in other modes, and if
	// the user forbids it.
	Phones Phones
	// Exclusive returns when no other process holds a key, and then holds it until
	// release; nil if this is the only process.
	Exclusive func(ctx context.Context, key string) (release func(), err error)
	// Notices tells the other processes that something has changed, and hears of it from
	// them; nil if this is the only process.
	Notices Notices
	Client  playground.Client
	Samples []sampletools.Sample
	// Flow returns a flow by its slug; nil if there are none.
	Flow    func(slug string) (sampletools.Sample, bool)
	Explain func(state string) seal.Explanation
	// LookupEnv returns a variable of the environment of the user of local mode; nil for none.
	LookupEnv func(name string) (string, bool)
	// Listen passes the notifications of a server to record, until ctx or the stream ends.
	Listen func(ctx context.Context, t playground.Target, of server.Connection,
		record func(playground.Event)) error
	// Through makes the calls of a test of a gateway, with an Engine of its own.
	Through func(ctx context.Context, c trial.Config) (gateway.Recording, error)
	// Discover connects to a server, without recording it.
	Discover func(ctx context.Context, t playground.Target) server.Connection
	Mode     Mode
	Reach    wire.Reach     // which servers may be called
	People   *People        // how people sign in; nil if a cookie is enough
	Program  launch.Program // as the user of local mode started it
	BaseURL  string         // public URL of this program, without a trailing slash
	Named    bool           // BaseURL was given, else it is where the program listens
	Hosts    []string       // further names of this program in a trusted network
	Limits   Limits
	Now      func() time.Time
	NewID    func() string // 128 random bits or more, URL-safe
	Settle   time.Duration // how long a visit waits for a request before it goes on without
	Times    Times
	Logger   *slog.Logger
}

// App is what can be done, with what all rooms share.
type App struct {
	Config
	Store     Store
	Samples   *Samples
	Limiters  Limiters
	Outbound  *Outbound
	Reads     *places.Pool // of large recordings
	Own       *places.Pool // of other work of an owner, one at a time; nil without limits
	Checks    *places.Pool // that run
	Streams   *places.Pool // of events
	Followers *places.Pool // event streams of talks, which count for their presenters
	Asked     singleflight.Group
	Salts     Salts
	Blocked   Blocks
	recent    recent     // people who have signed in
	relays    relays     // of captures
	rooms     rooms      // of talks
	invited   invited    // talks for which Phones is open
	tokens    keyLocks   // of the token of a workspace for a server
	storing   sync.Mutex // held while a stranger stores an import or a link
}

// New returns an App.
func New(cfg Config, store Store) *App {
	cfg.Limits = cfg.Limits.orDefaults()
	cfg.Times = cfg.Times.orDefaults()
	if cfg.Commands == nil {
		cfg.Commands = noCommands{}
	}
	if cfg.Notices == nil {
		cfg.Notices = newNotices()
	}
	s := &App{
		Config: cfg, Store: store, Samples: newSamples(cfg), Limiters: newLimiters(cfg.Limits),
	}
	s.relays = newRelays(cfg.Limits)
	s.Blocked.shared = cfg.Exclusive != nil
	limited := cfg.Mode.Shared()
	s.Reads = newPool(cmp.Or(cfg.Limits.Reads, runtime.GOMAXPROCS(0)), cfg.Limits.ReadsQueue, limited)
	if limited {
		s.Own = newOwn()
	}
	s.Followers = places.New(places.Limits{InAll: cfg.Limits.FollowersInAll, Each: cfg.Limits.Followers})
	s.Checks, s.Streams = newPool(cfg.Limits.Checks, 0, limited), newPool(cfg.Limits.Streams, 0, limited)
	s.Outbound = &Outbound{limits: cfg.Limits, busy: s.busy, sleeping: s.Runner.Sleeping}
	return s
}
