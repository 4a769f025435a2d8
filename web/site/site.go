// Package site puts the pages together: which handler serves which address, and which
// package of pages needs which other.
package site

import (
	"net/http"
	"slices"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/admin"
	"github.com/mrtr-playground/mrtr-playground/web/agent"
	"github.com/mrtr-playground/mrtr-playground/web/client"
	"github.com/mrtr-playground/mrtr-playground/web/exchange"
	"github.com/mrtr-playground/mrtr-playground/web/flow"
	"github.com/mrtr-playground/mrtr-playground/web/guard"
	"github.com/mrtr-playground/mrtr-playground/web/history"
	"github.com/mrtr-playground/mrtr-playground/web/lab"
	"github.com/mrtr-playground/mrtr-playground/web/learn"
	"github.com/mrtr-playground/mrtr-playground/web/server"
	"github.com/mrtr-playground/mrtr-playground/web/share"
	"github.com/mrtr-playground/mrtr-playground/web/signin"
	"github.com/mrtr-playground/mrtr-playground/web/stage"
)

// Site serves the pages to visitors.
type Site struct {
	http.Handler
	app    *web.App
	agent  *agent.Pages
	routes []string
}

// Store keeps the data of workspaces. Each package of pages says what it needs of it.
// An id of another workspace results in playground.ErrNotFound, as an unknown id does.
type Store interface {
	app.Store
	guard.Store
	signin.Store
	server.Store
	exchange.Store
	lab.Store
	stage.Store
	history.Store
	share.Store
	learn.Store
	admin.Store
	client.Store
	flow.Store
	agent.Store
}

// rooms are the pages by subject, with what all share.
type rooms struct {
	*web.App
	guard    *guard.Pages
	signin   *signin.Pages
	server   *server.Pages
	exchange *exchange.Pages
	lab      *lab.Pages
	stage    *stage.Pages
	history  *history.Pages
	share    *share.Pages
	learn    *learn.Pages
	admin    *admin.Pages
	client   *client.Pages
	flow     *flow.Pages
	agent    *agent.Pages
}

func newRooms(cfg Config) *rooms {
	a, store := web.NewApp(cfg.Config, cfg.Store), cfg.Store
	s := &rooms{App: a, guard: &guard.Pages{App: a, Store: store}, admin: &admin.Pages{App: a, Store: store}}
	s.signin = &signin.Pages{App: a, Store: store}
	s.server = &server.Pages{App: a, Store: store, SignIn: s.signin}
	s.lab = &lab.Pages{App: a, Store: store}
	s.exchange = &exchange.Pages{App: a, Store: store, SignIn: s.signin, Lab: s.lab}
	s.stage = &stage.Pages{App: a, Store: store}
	s.client = client.New(a, store)
	s.flow = &flow.Pages{App: a, Store: store}
	s.history = &history.Pages{App: a, Store: store, Servers: s.server}
	s.share = &share.Pages{
		App: a, Store: store, Exchanges: s.exchange, History: s.history, Demos: s.stage,
	}
	s.agent = agent.New(a, store, s.share, cfg.Agent)
	s.learn = &learn.Pages{App: a, Store: store, Exchanges: s.exchange, Checks: s.lab, Servers: s.server}
	s.learn.Specification = sync.OnceValues(func() (string, error) {
		return learn.RenderSpecification(a.Lessons())
	})
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
		s.guard.Headers,
		s.guard.Direct,
		s.guard.KnownHost,
		guard.TrimSlash,
		s.guard.SameOrigin,
		s.guard.Origins,
		s.guard.Visit,
		s.guard.RefuseBlocked,
		s.guard.LimitRates,
		s.guard.TouchWorkspace,
		s.guard.LimitBody,
		s.guard.Charge,
		guard.Compress(cfg.App.Mode),
	)

	e.GET("/", s.history.Landing)
	e.GET("/learn", s.learn.Learn)
	e.GET("/learn/specification", s.learn.SpecificationPage)
	e.GET("/learn/reference/:topic", s.learn.Reference)
	e.GET(lesson.SpotPath, s.learn.Spot)
	e.POST(lesson.SpotPath, s.learn.RestartSpot)
	e.GET(lesson.SpotPath+"/:n", s.learn.SpotItem)
	e.POST(lesson.SpotPath+"/:n", s.learn.JudgeSpot)
	e.GET(lesson.ExercisePath, s.learn.Exercise)
	e.POST(lesson.ExercisePath, s.learn.CheckExercise)
	e.GET(lesson.ClientExercisePath, s.client.Exercise)
	e.POST(lesson.ClientExercisePath, s.client.MakeExercise)
	e.GET(lesson.ExercisePath+"/:session", s.learn.ExerciseResult)
	e.GET("/learn/:slug", s.learn.Lesson)
	e.POST("/learn/:slug", s.learn.Study)
	e.GET("/learn/rules/:id", s.learn.RuleLesson)
	e.GET("/glossary", s.learn.Glossary)
	e.GET("/quiz", s.learn.Quiz)
	e.GET("/quiz/:n", s.learn.QuizQuestion)
	e.GET("/state", s.learn.StatePage)
	e.POST("/state", s.learn.EditState)
	e.GET("/search", s.history.Search)
	e.GET("/palette", s.history.Palette)
	e.GET("/demos", s.stage.Demos)
	e.GET("/demos/:slug", s.stage.Demo)
	e.POST("/demos/:slug", s.stage.OpenStage)
	e.GET("/demos/:slug/:session", s.stage.Stage)
	e.POST("/demos/:slug/:session", s.stage.StageAction)
	e.GET("/demos/:slug/:session/presenter", s.stage.Presenter)
	e.GET("/demos/:slug/:session/events", s.stage.StageEvents)
	e.GET("/demos/:slug/:session/talk", s.stage.TalkPage)
	e.POST("/demos/:slug/:session/talk", s.stage.ChangeTalk)
	e.GET(web.FollowPath+":code", s.stage.Follow, web.NoIndex)
	e.GET(web.FollowPath+":code/events", s.stage.FollowEvents, web.NoIndex)
	e.GET("/stories/new", s.stage.NewStory)
	e.POST("/stories", s.stage.AddStory)
	e.GET("/stories/:id", s.stage.EditStory) // and .yaml
	e.POST("/stories/:id", s.stage.SaveStory)
	e.POST("/stories/:id/delete", s.stage.DeleteStory)
	e.GET("/servers", s.server.Servers)
	e.POST("/servers", s.server.Connect)
	e.GET("/servers/:id", s.server.Target)
	e.GET("/servers/:id/events", s.server.TargetEvents)
	e.GET("/servers/:id/frames/:seq", s.server.TargetFrame)
	e.POST("/servers/:id/forget", s.server.Forget)
	e.POST("/servers/:id/restart", s.server.Restart)
	e.POST("/servers/:id/trust", s.server.Trust)
	e.POST("/servers/:id/distrust", s.server.Distrust)
	e.POST("/servers/:id/arguments", s.server.Arguments)
	e.POST("/servers/:id/complete", s.server.Complete)
	e.GET("/servers/:id/sign-in", s.signin.SignInPage)
	e.POST("/servers/:id/sign-in", s.signin.SignIn)
	e.GET("/servers/:id/sign-in/frames/:seq", s.signin.SignInFrame)
	e.GET(app.CallbackPath, s.signin.SignedIn)
	e.GET(app.CallbackPath+"/:issuer", s.signin.SignedIn)
	e.GET("/oauth/client.json", s.signin.ClientDocument)
	e.GET("/oauth/client/:issuer", s.signin.ClientDocument)
	e.GET("/servers/:id/check", s.lab.CheckForm)
	e.POST("/servers/:id/check", s.lab.StartCheck)
	e.GET("/servers/:id/check/:session", s.lab.CheckReport) // and .json .xml .md
	e.GET("/servers/:id/check/:session/events", s.lab.CheckEvents)
	e.POST("/servers/:id/check/:session/stop", s.lab.StopCheck)
	e.POST("/exchanges", s.server.Start)
	e.GET("/x/:id", s.share.ExchangeOrFile) // and export.Suffixes
	e.GET("/x/:id/events", s.exchange.ExchangeEvents)
	e.GET("/x/:id/frames/:seq", s.exchange.Frame)
	e.POST("/x/:id/rounds", s.exchange.Answer)
	e.POST("/x/:id/cancel", s.exchange.Cancel)
	e.POST("/x/:id/branches", s.lab.Branch)
	e.POST("/x/:id/rerun", s.lab.Rerun)
	e.GET("/x/:id/edit", s.lab.EditPage)
	e.POST("/x/:id/edit", s.lab.Edit)
	e.POST("/x/:id/run-all", s.lab.RunAll)
	e.GET("/saved", s.server.SavedCalls)
	e.POST("/saved", s.server.SaveCall)
	e.POST("/saved/:id", s.server.RenameSaved)
	e.POST("/saved/:id/run", s.server.RunSaved)
	e.POST("/saved/:id/delete", s.server.DeleteSaved)
	e.GET("/flows", s.flow.Flows)
	e.POST("/flows", s.flow.Make)
	e.GET("/flows/schema.json", s.flow.Schema)
	e.GET("/flows/:id", s.flow.FlowOrFile) // and .yaml .json
	e.POST("/flows/:id", s.flow.Edit)
	e.GET("/flows/:id/code/:language", s.flow.Source) // and .zip
	e.GET("/clients", s.client.Clients)
	e.POST("/clients", s.client.Make)
	e.GET("/clients/real", s.client.Real)
	e.GET("/clients/:id", s.client.ClientOrFile) // and .json .xml .md
	e.GET("/clients/:id/events", s.client.Events)
	e.GET("/clients/:id/frames/:seq", s.client.Frame)
	e.POST("/clients/:id/end", s.client.End)
	e.Any(web.CapturePath+":token", s.client.Door)
	e.GET(web.ResourcePath+web.CapturePath+":token", s.client.Metadata)
	e.GET("/compare", s.share.Compare)
	e.GET("/history", s.history.History)
	e.POST("/history/delete", s.history.DeleteSessions)
	e.POST("/history/selected", s.history.Selected)
	e.GET("/sessions/:id", s.history.Session)
	e.POST("/sessions/:id", s.history.EditSession)
	e.POST("/sessions/:id/delete", s.history.DeleteSession)
	e.POST("/import", s.history.ImportFile)
	e.GET("/sessions/:id/share", s.share.SharePreview)
	e.POST("/sessions/:id/share", s.share.CreateShare)
	e.GET("/sessions/:id/share/preview", s.share.ReaderPreview)
	e.GET("/sessions/:id/share/preview/frames/:seq", s.share.PreviewFrame)
	e.GET("/shares", s.share.Shares)
	e.POST("/shares/:token/delete", s.share.DeleteShare)
	e.GET("/s/:token", s.share.ReaderOrFile, web.NoIndex) // and the same suffixes, .png .qr.svg .badge.svg
	e.GET("/s/:token/frames/:seq", s.share.SharedFrame, web.NoIndex)
	e.POST("/s/:token/fork", s.share.ForkShare)
	e.GET("/embed/:token", s.share.Embed, web.NoIndex)
	e.POST("/theme", s.history.Theme)
	e.GET("/settings", s.history.SettingsPage)
	e.POST("/settings", s.history.SetSettings)
	e.POST("/settings/roots", s.history.SetRoots)
	e.POST("/settings/tokens", s.history.MakeToken)
	e.POST("/settings/tokens/:id/delete", s.history.RevokeToken)
	e.GET(web.ClaimPath+":token", s.history.ClaimPage)
	e.POST(web.ClaimPath+":token", s.history.Claim)
	e.GET("/healthz", s.admin.Healthz)
	e.GET("/readyz", s.admin.Readyz)
	e.GET("/version", s.admin.Version)
	e.GET("/static/*", echo.WrapHandler(cfg.Assets))
	e.Any(web.AgentPath, s.agent.Serve)
	for _, route := range web.SampleRoutes {
		e.Any(route, s.Sample)
	}
	s.Routes = guard.RoutesOf(e)
	var routes []string
	for _, r := range e.Routes() {
		routes = append(routes, r.Method+" "+r.Path)
	}
	slices.Sort(routes)
	return &Site{guard.HeadAsGet(e), s.App, s.agent, routes}
}

// Routes returns what the site answers to, such as "GET /x/:id", in order.
func (s *Site) Routes() []string { return slices.Clone(s.routes) }

// Close ends the tasks and open calls of agents.
func (s *Site) Close() { s.agent.Close() }

// Admin returns the handler of the admin address.
func (s *Site) Admin(cfg admin.Config) http.Handler { return admin.New(s.app, cfg) }
