// Package web serves the pages. A handler reads the request, decides, acts and
// renders: decisions are made by playground, actions by run, and pages by
// views. A fault of a remote server is shown on an ordinary page; only refusals
// and failures of this program become error pages, in one place (errors.go).
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

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	"golang.org/x/sync/singleflight"
)

// Store keeps the data of workspaces. Each noun has a small interface of its
// own, declared beside the handlers that use it. An id of another workspace
// results in playground.ErrNotFound, as an unknown id does.
type Store interface {
	exchangeStore
	sessionStore
	shareStore
	targetStore
	checkStore
	stageStore
	workspaceStore
	savedStore
	storageStore
	blockStore
	signInStore
	workbenchStore
	readiness
}

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
}

// Mode says who may use the program.
type Mode string

// Modes. Local is for one person on loopback; Trusted is Local for other
// machines of a lab; Public is for strangers.
const (
	Local   Mode = "local"
	Trusted Mode = "trusted"
	Public  Mode = "public"
)

// Config holds everything that the pages need.
type Config struct {
	Store   Store
	Runner  Runner
	Checker Checker
	SignIns auth.Sender // sends the requests of sign-ins
	// Exclusive returns when no other process holds a key, and then holds it until
	// release; nil if this is the only process.
	Exclusive func(ctx context.Context, key string) (release func(), err error)
	Client    playground.Client
	Build     Build
	Samples   []sampletools.Sample
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
	Assets  *static.Assets
	Mode    Mode
	BaseURL string   // public URL of this program, without a trailing slash
	Hosts   []string // further names of this program in a trusted network
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
	Patience   time.Duration // how long an experiment may take before it is given up; 0 means 30 s
	Logger     *slog.Logger
}

type app struct {
	Config
	owners   owners
	samples  *samples
	limiters limiters
	outbound *outbound
	reads    *pool // of large recordings
	checks   *pool // that run
	streams  *pool // of events
	made     cache // of files
	verdicts verdicts
	asked    singleflight.Group
	tokens   keyLocks // of the token of a workspace for a server
	buffers  buffers
	salts    salts
	storing  sync.Mutex // held while a stranger stores an import or a link
	blocked  blocks
	routes   map[string]bool // patterns of all pages

	specification func() (string, error) // the table, rendered once
}

// Site serves the pages to visitors.
type Site struct {
	http.Handler
	app *app
}

// New returns the Site.
func New(cfg Config) *Site {
	cfg.Limits = cfg.Limits.orDefaults()
	cfg.Patience = cmp.Or(cfg.Patience, rerunTime+2*maxExpiryWait)
	if cfg.Draining == nil {
		cfg.Draining = func() bool { return false }
	}
	if cfg.Served == nil {
		cfg.Served = func(Served) {}
	}
	if cfg.Refused == nil {
		cfg.Refused = func(string) {}
	}
	s := &app{
		Config: cfg, owners: newOwners(cfg), samples: newSamples(cfg), limiters: newLimiters(cfg.Limits),
		specification: sync.OnceValues(func() (string, error) { return renderSpecification(cfg.Lessons()) }),
	}
	s.blocked.shared = cfg.Exclusive != nil
	public := cfg.Mode == Public
	s.reads = newPool(cmp.Or(cfg.Limits.Reads, runtime.GOMAXPROCS(0)), cfg.Limits.ReadsQueue, public)
	s.checks, s.streams = newPool(cfg.Limits.Checks, 0, public), newPool(cfg.Limits.Streams, 0, public)
	s.outbound = &outbound{limits: cfg.Limits, busy: s.busy, sleeping: s.Runner.Sleeping}
	e := echo.New()
	e.IPExtractor = clientAddresses(cfg.Proxies)
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.problem
	e.Use(
		s.observe, s.recoverPanics, s.headers, s.knownHost, trimSlash, s.sameOrigin, s.origins,
		s.refuseBlocked, s.limitRates, s.touchWorkspace, s.limitBody, s.charge, compress(cfg.Mode), endTurn,
		s.named,
	)

	e.GET("/", s.landing)
	e.GET("/learn", s.learn)
	e.GET("/learn/specification", s.specificationPage)
	e.GET("/learn/reference/:topic", s.reference)
	e.GET(lesson.SpotPath, s.spot)
	e.POST(lesson.SpotPath, s.restartSpot)
	e.GET(lesson.SpotPath+"/:n", s.spotItem)
	e.POST(lesson.SpotPath+"/:n", s.judgeSpot)
	e.GET(lesson.ExercisePath, s.exercise)
	e.POST(lesson.ExercisePath, s.checkExercise)
	e.GET(lesson.ExercisePath+"/:session", s.exerciseResult)
	e.GET("/learn/:slug", s.lesson)
	e.POST("/learn/:slug", s.study)
	e.GET("/learn/rules/:id", s.ruleLesson)
	e.GET("/glossary", s.glossary)
	e.GET("/quiz", s.quiz)
	e.GET("/quiz/:n", s.quizQuestion)
	e.GET("/state", s.statePage)
	e.POST("/state", s.editState)
	e.GET("/search", s.search)
	e.GET("/palette", s.palette)
	e.GET("/demos", s.demos)
	e.GET("/demos/:slug", s.demo)
	e.POST("/demos/:slug", s.openStage)
	e.GET("/demos/:slug/:session", s.stage)
	e.POST("/demos/:slug/:session", s.stageAction)
	e.GET("/servers", s.servers)
	e.POST("/servers", s.connect)
	e.GET("/servers/:id", s.target)
	e.GET("/servers/:id/events", s.targetEvents)
	e.GET("/servers/:id/frames/:seq", s.targetFrame)
	e.POST("/servers/:id/forget", s.forget)
	e.POST("/servers/:id/trust", s.trust)
	e.POST("/servers/:id/distrust", s.distrust)
	e.POST("/servers/:id/arguments", s.arguments)
	e.POST("/servers/:id/complete", s.complete)
	e.GET("/servers/:id/sign-in", s.signInPage)
	e.POST("/servers/:id/sign-in", s.signIn)
	e.GET("/servers/:id/sign-in/frames/:seq", s.signInFrame)
	e.GET(callbackPath, s.signedIn)
	e.GET(callbackPath+"/:issuer", s.signedIn)
	e.GET("/oauth/client.json", s.clientDocument)
	e.GET("/oauth/client/:issuer", s.clientDocument)
	e.GET("/servers/:id/check", s.checkForm)
	e.POST("/servers/:id/check", s.startCheck)
	e.GET("/servers/:id/check/:session", s.checkReport) // and .json .xml .md
	e.GET("/servers/:id/check/:session/events", s.checkEvents)
	e.POST("/servers/:id/check/:session/stop", s.stopCheck)
	e.POST("/exchanges", s.start)
	e.GET("/x/:id", s.exchangeOrFile) // and .json .har .md .txt .svg .mmd
	e.GET("/x/:id/events", s.exchangeEvents)
	e.GET("/x/:id/frames/:seq", s.frame)
	e.POST("/x/:id/rounds", s.answer)
	e.POST("/x/:id/cancel", s.cancel)
	e.POST("/x/:id/branches", s.branch)
	e.POST("/x/:id/rerun", s.rerun)
	e.GET("/x/:id/edit", s.editPage)
	e.POST("/x/:id/edit", s.edit)
	e.POST("/x/:id/run-all", s.runAll)
	e.GET("/saved", s.savedCalls)
	e.POST("/saved", s.saveCall)
	e.POST("/saved/:id", s.renameSaved)
	e.POST("/saved/:id/run", s.runSaved)
	e.POST("/saved/:id/delete", s.deleteSaved)
	e.GET("/compare", s.compare)
	e.GET("/history", s.history)
	e.POST("/history/delete", s.deleteSessions)
	e.POST("/history/selected", s.selected)
	e.GET("/sessions/:id", s.session)
	e.POST("/sessions/:id", s.editSession)
	e.POST("/sessions/:id/delete", s.deleteSession)
	e.POST("/import", s.importFile)
	e.GET("/sessions/:id/share", s.sharePreview)
	e.POST("/sessions/:id/share", s.createShare)
	e.GET("/sessions/:id/share/preview", s.readerPreview)
	e.GET("/sessions/:id/share/preview/frames/:seq", s.previewFrame)
	e.GET("/shares", s.shares)
	e.POST("/shares/:token/delete", s.deleteShare)
	e.GET("/s/:token", s.readerOrFile, noIndex) // and the same suffixes, .png .qr.svg .badge.svg
	e.GET("/s/:token/frames/:seq", s.sharedFrame, noIndex)
	e.POST("/s/:token/fork", s.forkShare)
	e.GET("/embed/:token", s.embed, noIndex)
	e.POST("/theme", s.theme)
	e.GET("/settings", s.settingsPage)
	e.POST("/settings", s.setSettings)
	e.GET("/healthz", s.healthz)
	e.GET("/readyz", s.readyz)
	e.GET("/version", s.version)
	e.GET("/static/*", echo.WrapHandler(cfg.Assets))
	for _, route := range sampleRoutes {
		e.Any(route, s.sample)
	}
	s.routes = routesOf(e)
	return &Site{headAsGet(e), s}
}
