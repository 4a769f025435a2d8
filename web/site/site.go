// Package site puts the pages together: which handler serves which address, and which
// package of pages needs which other.
package site

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/admin"
	"github.com/mrtr-playground/mrtr-playground/web/agent"
	"github.com/mrtr-playground/mrtr-playground/web/check"
	"github.com/mrtr-playground/mrtr-playground/web/client"
	"github.com/mrtr-playground/mrtr-playground/web/demo"
	"github.com/mrtr-playground/mrtr-playground/web/doors"
	"github.com/mrtr-playground/mrtr-playground/web/exchange"
	"github.com/mrtr-playground/mrtr-playground/web/field"
	"github.com/mrtr-playground/mrtr-playground/web/flow"
	"github.com/mrtr-playground/mrtr-playground/web/gateway"
	"github.com/mrtr-playground/mrtr-playground/web/guard"
	"github.com/mrtr-playground/mrtr-playground/web/history"
	"github.com/mrtr-playground/mrtr-playground/web/lab"
	"github.com/mrtr-playground/mrtr-playground/web/learn"
	"github.com/mrtr-playground/mrtr-playground/web/person"
	"github.com/mrtr-playground/mrtr-playground/web/recording"
	"github.com/mrtr-playground/mrtr-playground/web/search"
	"github.com/mrtr-playground/mrtr-playground/web/server"
	"github.com/mrtr-playground/mrtr-playground/web/settings"
	"github.com/mrtr-playground/mrtr-playground/web/share"
	"github.com/mrtr-playground/mrtr-playground/web/signin"
	"github.com/mrtr-playground/mrtr-playground/web/stage"
	"github.com/mrtr-playground/mrtr-playground/web/start"
)

// Site serves the pages to visitors.
type Site struct {
	http.Handler
	app    *web.App
	agent  *agent.Pages
	rooms  *rooms
	routes []string
}

// Store keeps the data of workspaces. Each package of pages declares the part
// that it needs. An id of another workspace results in playground.ErrNotFound,
// as an unknown id does.
type Store interface {
	app.Store
	guard.Store
	signin.Store
	server.Store
	exchange.Store
	lab.Store
	check.Store
	demo.Store
	doors.Store
	history.Store
	search.Store
	settings.Store
	share.Store
	learn.Store
	admin.Store
	client.Store
	flow.Store
	gateway.Store
	recording.Store
	agent.Store
}

// rooms are the pages by subject, with the part that all share.
type rooms struct {
	*web.App
	guard     *guard.Pages
	signin    *signin.Pages
	doors     *doors.Pages
	server    *server.Pages
	exchange  *exchange.Pages
	lab       *lab.Pages
	check     *check.Pages
	demo      *demo.Pages
	stage     *stage.Pages
	start     *start.Pages
	search    *search.Pages
	settings  *settings.Pages
	history   *history.Pages
	share     *share.Pages
	learn     *learn.Pages
	admin     *admin.Pages
	client    *client.Pages
	field     *field.Pages
	flow      *flow.Pages
	gateway   *gateway.Pages
	recording *recording.Pages
	agent     *agent.Pages
	person    *person.Pages
}

func newRooms(cfg Config) *rooms {
	a, store := web.NewApp(cfg.Config, cfg.Store), cfg.Store
	s := &rooms{App: a, guard: &guard.Pages{App: a, Store: store}, admin: &admin.Pages{App: a, Store: store}}
	s.signin = &signin.Pages{App: a, Store: store}
	s.doors = doors.New(a, store)
	s.server = &server.Pages{App: a, Store: store, SignIn: s.signin, Doors: s.doors}
	s.lab = &lab.Pages{App: a, Store: store}
	s.exchange = &exchange.Pages{App: a, Store: store, SignIn: s.signin, Lab: s.lab}
	s.check = &check.Pages{App: a, Store: store}
	s.demo = &demo.Pages{App: a, Store: store}
	s.stage = &stage.Pages{App: a}
	s.start = &start.Pages{App: a}
	s.search = &search.Pages{App: a, Store: store, Servers: s.server}
	s.settings = &settings.Pages{App: a, Store: store}
	s.field = &field.Pages{App: a}
	s.client = &client.Pages{App: a, Store: store, Doors: s.doors}
	s.flow = &flow.Pages{App: a, Store: store}
	s.gateway = &gateway.Pages{App: a, Store: store, Doors: s.doors}
	s.recording = recording.New(a, store)
	s.history = &history.Pages{App: a, Store: store}
	s.share = &share.Pages{App: a, Store: store, Exchanges: s.exchange}
	s.agent = agent.New(a, store, cfg.Agent)
	s.person = &person.Pages{App: a}
	s.learn = &learn.Pages{
		App: a, Store: store, Exchanges: s.exchange, Checks: s.lab, Servers: s.server,
		Specification: sync.OnceValues(func() (string, error) {
			return learn.RenderSpecification(a.Lessons())
		}),
	}
	return s
}

// Config holds everything that the pages need.
type Config struct {
	web.Config
	Store Store
	Agent agent.Config
}

// New returns the Site.
func New(cfg Config) *Site {
	s := newRooms(cfg)
	e := echo.New()
	e.IPExtractor = guard.ClientAddresses(cfg.Proxies)
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.guard.Problem
	e.Use(
		s.guard.Observe,
		s.guard.RecoverPanics,
		web.Use(s.guard.Headers),
		web.Use(s.TakeUser),
		web.Use(s.guard.Direct),
		web.Use(s.guard.KnownHost),
		web.Use(guard.TrimSlash),
		web.Use(s.guard.SameOrigin),
		web.Use(s.guard.Origins),
		s.guard.Visit,
		web.Use(s.guard.RefuseBlocked),
		web.Use(s.guard.LimitRates),
		web.Use(s.guard.TouchWorkspace),
		web.Use(s.guard.LimitBody),
		web.Use(s.guard.SignedIn),
		web.Use(s.guard.Charge),
		guard.Compress(cfg.App.Mode),
	)

	get := func(path string, h web.Handler) { e.GET(path, web.Handle(h)) }
	post := func(path string, h web.Handler) { e.POST(path, web.Handle(h)) }
	get("/", s.start.Landing)
	get("/learn", s.learn.Learn)
	get("/learn/specification", s.learn.SpecificationPage)
	get("/learn/reference/:topic", s.learn.Reference)
	get(lesson.SpotPath, s.learn.Spot)
	post(lesson.SpotPath, s.learn.RestartSpot)
	get(lesson.SpotPath+"/:n", s.learn.SpotItem)
	post(lesson.SpotPath+"/:n", s.learn.JudgeSpot)
	get(lesson.ExercisePath, s.learn.Exercise)
	post(lesson.ExercisePath, s.learn.CheckExercise)
	get(lesson.ClientExercisePath, s.client.Exercise)
	post(lesson.ClientExercisePath, s.client.MakeExercise)
	get(lesson.ExercisePath+"/:session", s.learn.ExerciseResult)
	get("/learn/:slug", s.learn.Lesson)
	post("/learn/:slug", s.learn.Study)
	get("/learn/rules/:id", s.learn.RuleLesson)
	get("/glossary", s.learn.Glossary)
	get("/quiz", s.learn.Quiz)
	get("/quiz/:n", s.learn.QuizQuestion)
	get("/state", s.learn.StatePage)
	post("/state", s.learn.EditState)
	get("/search", s.search.Search)
	get("/palette", s.search.Palette)
	get("/demos", s.demo.Demos)
	get("/demos/:slug", s.demo.Demo)
	post("/demos/:slug", s.stage.OpenStage)
	get("/demos/:slug/:session", s.stage.Stage)
	post("/demos/:slug/:session", s.stage.StageAction)
	get("/demos/:slug/:session/presenter", s.stage.Presenter)
	get("/demos/:slug/:session/events", s.stage.StageEvents)
	get("/demos/:slug/:session/talk", s.stage.TalkPage)
	post("/demos/:slug/:session/talk", s.stage.ChangeTalk)
	get(web.FollowPath+":code", web.NoIndex(s.stage.Follow))
	get(web.FollowPath+":code/events", web.NoIndex(s.stage.FollowEvents))
	get("/stories/new", s.demo.NewStory)
	post("/stories", s.demo.AddStory)
	get("/stories/:id", s.demo.EditStory) // and .yaml
	post("/stories/:id", s.demo.SaveStory)
	post("/stories/:id/delete", s.demo.DeleteStory)
	get("/test", s.server.Test)
	get(server.SetupPath, s.server.SetupPage)
	post(server.SetupPath, s.server.ReadSetup)
	post(server.SetupPath+"/servers", s.server.AddSetup)
	get("/servers", s.doors.Moved)
	post("/servers", s.server.Connect)
	get("/servers/:id", s.server.Target)
	get("/servers/:id/events", s.server.TargetEvents)
	get("/servers/:id/frames/:seq", s.server.TargetFrame)
	post("/servers/:id/cancel", s.server.Cancel)
	post("/servers/:id/forget", s.server.Forget)
	post("/servers/:id/watch/events", s.server.Watch)
	post("/servers/:id/restart", s.server.Restart)
	post("/servers/:id/trust", s.server.Trust)
	post("/servers/:id/distrust", s.server.Distrust)
	post("/servers/:id/arguments", s.server.Arguments)
	post("/servers/:id/complete", s.server.Complete)
	get("/servers/:id/sign-in", s.signin.SignInPage)
	post("/servers/:id/sign-in", s.signin.SignIn)
	get("/servers/:id/sign-in/frames/:seq", s.signin.SignInFrame)
	get(app.CallbackPath, s.signin.SignedIn)
	get(app.CallbackPath+"/:issuer", s.signin.SignedIn)
	get("/oauth/client.json", s.signin.ClientDocument)
	get("/oauth/client/:issuer", s.signin.ClientDocument)
	get("/servers/:id/check", s.check.CheckForm)
	post("/servers/:id/check", s.check.StartCheck)
	get("/servers/:id/check/:session", s.check.CheckReport) // and .json .xml .md
	get("/servers/:id/check/:session/events", s.check.CheckEvents)
	post("/servers/:id/check/:session/stop", s.check.StopCheck)
	post("/exchanges", s.server.Start)
	get("/x/:id", s.share.ExchangeOrFile) // and export.Suffixes
	get("/x/:id/events", s.exchange.ExchangeEvents)
	get("/x/:id/frames/:seq", s.exchange.Frame)
	get("/x/:id/expectation", s.exchange.ExpectationPage)
	get("/x/:id/expectation.json", s.exchange.Expectation)
	post("/x/:id/rounds", s.exchange.Answer)
	post("/x/:id/cancel", s.exchange.Cancel)
	post("/x/:id/branches", s.lab.Branch)
	post("/x/:id/rerun", s.lab.Rerun)
	get("/x/:id/edit", s.lab.EditPage)
	post("/x/:id/edit", s.lab.Edit)
	post("/x/:id/run-all", s.lab.RunAll)
	get("/saved", s.server.NewSaved)
	get("/saved/:id", s.server.SavedCall)
	post("/saved", s.server.SaveCall)
	post("/saved/:id", s.server.RenameSaved)
	post("/saved/:id/run", s.server.RunSaved)
	post("/saved/:id/delete", s.server.DeleteSaved)
	get("/build", s.flow.Build)
	get("/flows", s.flow.Moved)
	post("/flows", s.flow.Make)
	get("/flows/schema.json", s.flow.Schema)
	get("/flows/:id", s.flow.FlowOrFile) // and .yaml .json
	post("/flows/:id", s.flow.Edit)
	get("/flows/:id/code/:language", s.flow.Source) // and .zip
	get("/clients", s.doors.Moved)
	post("/clients", s.client.Make)
	get("/clients/real", s.field.Moved)
	get("/field", s.field.Page)
	get("/field.json", s.field.Document)
	get("/clients/:id", s.client.ClientOrFile) // and .json .xml .md
	get("/clients/:id/events", s.client.Events)
	get("/clients/:id/frames/:seq", s.client.Frame)
	post("/clients/:id/end", s.client.End)
	e.Any(web.CapturePath+":token", web.Handle(s.client.Door))
	get(web.ResourcePath+web.CapturePath+":token", s.client.Metadata)
	get("/gateways", s.doors.Moved)
	post("/gateways", s.gateway.Make)
	get("/gateways/:id", s.gateway.Page) // and .json .xml .md
	post("/gateways/:id", s.gateway.Change)
	get("/gateways/:id/events", s.gateway.Events)
	post("/recordings", s.recording.Make)
	get("/recordings/:id", s.recording.Page)
	post("/recordings/:id", s.recording.Change)
	e.Any(web.RecordingPath+":token", web.Handle(s.recording.Door))
	get("/compare", s.share.Compare)
	get("/history", s.history.History)
	post("/history/delete", s.history.DeleteSessions)
	post("/history/selected", s.history.Selected)
	get("/sessions/:id", s.history.Session)
	post("/sessions/:id", s.history.EditSession)
	post("/sessions/:id/delete", s.history.DeleteSession)
	post("/import", s.history.ImportFile)
	get("/sessions/:id/share", s.share.SharePreview)
	post("/sessions/:id/share", s.share.CreateShare)
	get("/sessions/:id/share/preview", s.share.ReaderPreview)
	get("/sessions/:id/share/preview/frames/:seq", s.share.PreviewFrame)
	get("/shares", s.share.Shares)
	post("/shares/:token/delete", s.share.DeleteShare)
	get("/s/:token", web.NoIndex(s.share.ReaderOrFile)) // and the same suffixes, .png .qr.svg .badge.svg
	get("/s/:token/frames/:seq", web.NoIndex(s.share.SharedFrame))
	post("/s/:token/fork", s.share.ForkShare)
	get("/embed/:token", web.NoIndex(s.share.Embed))
	post("/theme", s.settings.Theme)
	get("/settings", s.settings.SettingsPage)
	post("/settings", s.settings.SetSettings)
	post("/settings/roots", s.settings.SetRoots)
	post("/settings/tokens", s.settings.MakeToken)
	post("/settings/tokens/:id/delete", s.settings.RevokeToken)
	get(web.ClaimPath+":token", s.settings.ClaimPage)
	post(web.ClaimPath+":token", s.settings.Claim)
	get(web.SignInPath, s.person.SignInPage)
	get(web.SignInStartPath, s.person.Start)
	get(web.SignedInPath, s.person.Callback)
	post(web.SignOutPath, s.person.SignOut)
	get("/healthz", s.admin.Healthz)
	get("/readyz", s.admin.Readyz)
	get("/version", s.admin.Version)
	e.GET("/static/*", echo.WrapHandler(cfg.Assets))
	e.Any(web.AgentPath, web.Handle(s.agent.Serve))
	for _, route := range web.SampleRoutes {
		e.Any(route, web.Handle(s.Sample))
	}
	s.Routes = guard.RoutesOf(e)
	var routes []string
	for _, r := range e.Routes() {
		routes = append(routes, r.Method+" "+r.Path)
	}
	slices.Sort(routes)
	return &Site{guard.HeadAsGet(e), s.App, s.agent, s, routes}
}

// Routes returns the routes of the site, such as "GET /x/:id", in order.
func (s *Site) Routes() []string { return slices.Clone(s.routes) }

// ServeLines serves the server for agents to one client over standard input and output,
// until the input or ctx ends.
func (s *Site) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.agent.ServeLines(ctx, in, out)
}

// Close ends the tasks and open calls of agents.
func (s *Site) Close() { s.agent.Close() }

// Admin returns the handler of the admin address.
func (s *Site) Admin(cfg admin.Config) http.Handler { return admin.New(s.app, cfg) }
