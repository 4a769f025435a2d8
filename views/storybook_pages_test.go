package views_test

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	adminview "github.com/mrtr-playground/mrtr-playground/views/admin"
	demoview "github.com/mrtr-playground/mrtr-playground/views/demo"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	settingsview "github.com/mrtr-playground/mrtr-playground/views/settings"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	startview "github.com/mrtr-playground/mrtr-playground/views/start"
)

// demoStories are the stories for an audience.
func demoStories(b *fixtures) []story {
	page := func(name string, render func(layout.Page) templ.Component) story {
		return story{group: "demo", name: name, page: render}
	}
	azure, ok := demo.Find("azure-devops")
	if !ok {
		b.t.Fatal("no demo azure-devops")
	}
	opening := func(present bool) func(layout.Page) templ.Component {
		model := demoview.NewDemo(azure, present, nil)
		return func(p layout.Page) templ.Component {
			p.Bare = present
			return demoview.DemoPage(p, model)
		}
	}
	stories := []story{
		whole("demos", func(p layout.Page) templ.Component {
			return demoview.DemosPage(p, demoview.NewStoryboards(demo.Stories()),
				[]demoview.OwnStory{{ID: "S7", Title: "Our refund"}},
				[]flow.Saved{{ID: "F3", Title: "Refund"}}, nil)
		}),
		whole("demo", opening(false)),
		page("opening-presented", opening(true)).of(".kicker, .story-actions", ""),
	}
	stories = append(stories, writtenStories(azure)...)
	marks := []demo.Mark{
		{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:v1,b:v1", Rounds: 2},
		{Instances: "a:v1,b:dead", Rounds: 2},
		{Instances: "a:v1,b:dead", Rounds: 3}, {Instances: "a:v1,b:dead", Rounds: 3},
		{Instances: "a:v1,b:dead", Rounds: 3},
	}
	stage := func(name string, reached, n int, legacy, present bool) story {
		in := stageview.Input{Story: azure, Own: b.recorded("demo-azure-devops"), N: n, Present: present,
			Stage: demo.Stage{Session: "S1", Story: azure.Slug, Own: "X1",
				Marks: slices.Clone(marks[:reached])}}
		in.Own = upTo(in.Own, marks[reached-1].Rounds)
		in.Explain = b.explain(in.Own)
		if legacy {
			x := b.recorded("demo-azure-devops-legacy")
			in.Legacy, in.Stage.Legacy = &x, x.ID
		}
		model := stageview.New(in)
		return page(name, func(p layout.Page) templ.Component {
			p.Bare = present
			return stageview.Page(p, model)
		})
	}
	killed := stage("stage", 3, 3, false, false)
	killed.group = wholePages
	return append(stories,
		killed, stage("step-question", 1, 1, false, false).
			of(".story-caption, .story-lanes, .controls", "summary"),
		stage("step-complete", 4, 4, false, false),
		stage("step-state", 5, 5, false, false), stage("step-comparison", 6, 6, true, false),
		stage("step-earlier", 4, 2, false, false).of(".story-caption, .story-actions", ".talk-start"),
		stage("step-comparison-presented", 6, 6, true, true).
			of(".kicker, .lane > h2, .story-actions", ".talk-start"),
		b.runningStage(azure), b.shedding())
}

// writtenStories are the pages on which a story is written.
func writtenStories(azure demo.Story) []story {
	short := azure
	short.Steps = azure.Steps[:3]
	text, _ := demo.Source("azure-devops")
	saved := demo.Saved{ID: "S7", Title: "Our refund", Text: text}
	_, problems := demo.Parse([]byte("story: 1\ntitle: \"<b>\"\nclame: C\nserver: {sample: confirm}\n"))
	editor := demoview.NewStoryEditor(saved, short, nil, true)
	mistakes := demoview.NewStoryEditor(saved, demo.Story{}, problems, false)
	proposed := demoview.Propose(demo.Draft{Story: short}, "demo", azure.Slug, "")
	return []story{
		whole("story-editor", func(p layout.Page) templ.Component {
			return demoview.StoryEditorPage(p, editor)
		}),
		story{group: "demo", name: "story-mistakes", page: func(p layout.Page) templ.Component {
			return demoview.StoryEditorPage(p, mistakes)
		}}.of(".story-problems", ""),
		story{group: "demo", name: "story-proposed", page: func(p layout.Page) templ.Component {
			return demoview.NewStoryPage(p, proposed)
		}}.of(".lead, .story-new", ""),
	}
}

// runningStage waits for the first answer.
func (b *fixtures) runningStage(s demo.Story) story {
	own := cut(b.recorded("demo-azure-devops"), 2)
	model := stageview.New(stageview.Input{Story: s, Own: own, N: 1, Explain: b.explain(own),
		Stage: demo.Stage{Session: "S1", Story: s.Slug, Own: "X1",
			Marks: []demo.Mark{{Instances: "a:v1,b:v1", Rounds: 1}}}})
	return story{group: "demo", name: "step-running",
		page: func(p layout.Page) templ.Component { return stageview.Page(p, model) }}
}

// shedding is a story whose instances report how far the work is.
func (b *fixtures) shedding() story {
	s, ok := demo.Find("load-shedding")
	if !ok {
		b.t.Fatal("no demo load-shedding")
	}
	own := b.recorded("demo-load-shedding")
	n := len(own.Fold().Rounds)
	model := stageview.New(stageview.Input{Story: s, Own: own, N: 3, Explain: b.explain(own),
		Stage: demo.Stage{
			Session: "S1", Story: s.Slug, Own: "X1",
			Marks: []demo.Mark{{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:drain,b:v1", Rounds: 1},
				{Instances: "a:drain,b:v1", Rounds: n}},
		}})
	return story{group: "demo", name: "step-progress-bars",
		page: func(p layout.Page) templ.Component { return stageview.Page(p, model) }}
}

// siteStories are the first page, the errors and the layout.
func siteStories(b *fixtures) []story {
	p := picture.Landing()
	landing := startview.Landing{Picture: string(p.SVG()), Narrow: string(p.Narrow().SVG()), Text: p.Text(),
		Minutes: 4, Example: flow.Examples()[0], Demo: demo.Stories()[0]}
	problem := func(name string, x layout.Problem) story {
		return story{group: "error", name: name,
			page: func(p layout.Page) templ.Component { return layout.ProblemPage(p, x) }}
	}
	return []story{
		whole("landing", func(p layout.Page) templ.Component {
			p.Nav, p.Theme, p.Landing = "/", "dark", true
			return startview.LandingPage(p, landing)
		}),
		story{group: "site", name: "landing", page: func(p layout.Page) templ.Component {
			p.Nav, p.Theme, p.Landing = "/", "dark", true
			return startview.LandingPage(p, landing)
		}}.of("html", "main"),
		story{group: "site", name: "running-refreshes", page: func(p layout.Page) templ.Component {
			p.Refresh, p.Nav = true, layout.TestPath
			return layout.Layout(p)
		}}.of("html", "footer, dialog"),
		story{group: "site", name: "bare", page: func(p layout.Page) templ.Component {
			p.Bare = true
			return layout.Layout(p)
		}}.of("body", "dialog"),
		whole("error", problem("not-found", layout.Problem{Status: "404 Not Found",
			Sentence: prose.SentenceCode("not_found", "There is nothing here.",
				"The address may be mistyped, or what was there was deleted or belongs to someone else."),
		}).page),
		problem("form-address", layout.Problem{Status: "405 Method Not Allowed", Back: "/x/X1",
			Sentence: prose.SentenceCode("method", "This address takes forms only.",
				"Open the page that the form is on.")}),
		problem("ours", layout.Problem{Status: "500 Internal Server Error",
			Sentence: prose.SentenceCode("internal", "Something broke here.",
				"It was logged. Try again.")}),
		problem("long-words", layout.Problem{Status: "400 Bad Request",
			Sentence: prose.SentenceCode("bad", strings.Repeat("verylongword", 20), "")}),
		problem("storage", layout.Problem{Status: "507 Insufficient Storage",
			Sentence: prose.SentenceCode("storage_workspace",
				"Your workspace is full: your recordings, links and servers use 50 MiB of 50 MiB.",
				"Nothing was sent or saved. Delete recordings in the history, or links or servers, to free "+
					"space. You can download them first.")}),
		problem("blocked", layout.Problem{Status: "403 Forbidden",
			Sentence: prose.SentenceCode("blocked", "The operator of this site has blocked you.",
				"The block is for your workspace or for your network.")}),
		story{group: "error", name: "every-failure", page: everySentence()}.of("h2, p", ""),
		whole("settings", settingsPage(settingsview.Settings{
			Local: true, Agents: settingsview.Agents{URL: agentURL},
		})).of("main", "[data-do=save]"),
		story{group: "settings", name: "tokens", page: settingsPage(settingsview.Settings{
			Agents: settingsview.Agents{
				URL: agentURL, Tokened: true, Made: "mrtr_agent_3vT8yQw5kR2mZ7nB4cX9dA",
				Tokens: settingsview.NewTokenLines([]session.AgentToken{
					{ID: "T1", Title: "laptop\u202e", Expires: agentsAt.Add(30 * 24 * time.Hour)},
					{ID: "T2", Title: "CI", Expires: agentsAt.Add(time.Hour), Used: agentsAt},
				}, agentsAt),
			}})}.of("#agents > :not(h2)", ".confirm"),
		whole("admin", operatorPage(b, busyState())).of("html", ""),
		story{group: "admin", name: "local", page: operatorPage(b, usage.State{At: time.Unix(0, 0)})}.
			of("main > :not(h1)", ""),
	}
}

const agentURL = "https://playground.example/mcp/playground"

var agentsAt = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

func settingsPage(s settingsview.Settings) func(layout.Page) templ.Component {
	return func(p layout.Page) templ.Component { return settingsview.Page(p, s) }
}

func operatorPage(b *fixtures, st usage.State) func(layout.Page) templ.Component {
	return func(layout.Page) templ.Component { return adminview.Page(adminview.New(st, b.assets)) }
}

// busyState is what an operator sees of a public site that is attacked.
func busyState() usage.State {
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	return usage.State{
		At: at,
		Limits: usage.Storage{
			Workspace: 50 << 20, Address: 100 << 20, Network: 400 << 20, Total: 5 << 30,
		},
		Storage: usage.Report{
			Total: 1 << 30, Free: 3 << 20, Count: 812, Day: usage.Day(at),
			Workspaces: []usage.Row{
				{ID: "W1", Bytes: 50 << 20, Sessions: 31, Seen: &at},
				{ID: "W2", Bytes: 4 << 10, Sessions: 1, Seen: &at, Blocked: true},
			},
			Addresses: []usage.Row{{ID: "5d41402abc4b2a76b9719d911017c592", Bytes: 99 << 20}},
			Networks:  []usage.Row{{ID: "7d793037a0760186574b0282f2f435e7", Bytes: 300 << 20}},
			Running:   []usage.Running{{Log: "X1", Workspace: "W1", Server: "exam\u202eple", Bytes: 1 << 20}},
		},
		Pools: []usage.Pool{
			{
				Name: "calls, by address", Held: 3, Limit: 64,
				Holders: []usage.Holder{{Name: "5d41402a", Held: 3}},
			},
			{Name: "event streams, by address", Held: 0},
		},
		Rates: []usage.Rate{
			{Name: "pages", Each: "60/1m,30", By: usage.Workspace, Known: 7, Waiting: 1},
		},
		Refusals: []usage.Refusal{{Code: "blocked", Count: 2}, {Code: "too_many_pages", Count: 378}},
		Blocks:   []usage.Block{{Kind: usage.Workspace, ID: "W2", At: at}},
	}
}

// everySentence has the words of all classes of failures on one page.
func everySentence() func(layout.Page) templ.Component {
	var parts []templ.Component
	for _, class := range append(doctor.SentenceCodes(), "of no known class") {
		s := doctor.SentenceOf(playground.Class(class))
		parts = append(parts, templ.Raw("<h2>"+templ.EscapeString(s.What)+"</h2>"),
			templ.Raw("<p><code>"+s.Code+"</code> "+templ.EscapeString(s.Try)+"</p>"))
	}
	return func(p layout.Page) templ.Component {
		inside := templ.Join(slices.Concat([]templ.Component{templ.Raw(`<main id="main" class="page">`)},
			parts, []templ.Component{templ.Raw("</main>")})...)
		return withChildren(layout.Layout(p), inside)
	}
}
