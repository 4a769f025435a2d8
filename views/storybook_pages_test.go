package views_test

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// demoStories are the stories for an audience.
func demoStories(b *fixtures) []story {
	page := func(name string, render func(views.Page) templ.Component) story {
		return story{group: "demo", name: name, page: render}
	}
	azure, ok := demo.Find("azure-devops")
	if !ok {
		b.t.Fatal("no demo azure-devops")
	}
	opening := func(present bool) func(views.Page) templ.Component {
		model := views.NewDemo(azure, present)
		return func(p views.Page) templ.Component {
			p.Bare = present
			return views.DemoPage(p, model)
		}
	}
	stories := []story{
		page("list", func(p views.Page) templ.Component {
			return views.DemosPage(p,
				views.NewStoryboards(demo.Stories()))
		}),
		page("opening", opening(false)),
		page("opening-presented", opening(true)),
	}
	marks := []demo.Mark{
		{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:v1,b:v1", Rounds: 2},
		{Instances: "a:v1,b:dead", Rounds: 2},
		{Instances: "a:v1,b:dead", Rounds: 3}, {Instances: "a:v1,b:dead", Rounds: 3},
		{Instances: "a:v1,b:dead", Rounds: 3},
	}
	stage := func(name string, reached, n int, legacy, present bool) story {
		in := views.StageInput{Story: azure, Own: b.recorded("demo-azure-devops"), N: n, Present: present,
			Stage: demo.Stage{Session: "S1", Story: azure.Slug, Own: "X1",
				Marks: slices.Clone(marks[:reached])}}
		in.Own = upTo(in.Own, marks[reached-1].Rounds)
		in.Explain = b.explain(in.Own)
		if legacy {
			x := b.recorded("demo-azure-devops-legacy")
			in.Legacy, in.Stage.Legacy = &x, x.ID
		}
		model := views.NewStage(in)
		return page(name, func(p views.Page) templ.Component {
			p.Bare = present
			return views.StagePage(p, model)
		})
	}
	return append(stories,
		stage("step-question", 1, 1, false, false), stage("step-killed", 3, 3, false, false),
		stage("step-complete", 4, 4, false, false),
		stage("step-state", 5, 5, false, false), stage("step-comparison", 6, 6, true, false),
		stage("step-earlier", 4, 2, false, false),
		stage("step-comparison-presented", 6, 6, true, true), b.runningStage(azure), b.shedding())
}

// runningStage waits for the first answer.
func (b *fixtures) runningStage(s demo.Story) story {
	own := cut(b.recorded("demo-azure-devops"), 2)
	model := views.NewStage(views.StageInput{Story: s, Own: own, N: 1, Explain: b.explain(own),
		Stage: demo.Stage{Session: "S1", Story: s.Slug, Own: "X1",
			Marks: []demo.Mark{{Instances: "a:v1,b:v1", Rounds: 1}}}})
	return story{group: "demo", name: "step-running",
		page: func(p views.Page) templ.Component { return views.StagePage(p, model) }}
}

// shedding is a story whose instances report how far the work is.
func (b *fixtures) shedding() story {
	s, ok := demo.Find("load-shedding")
	if !ok {
		b.t.Fatal("no demo load-shedding")
	}
	own := b.recorded("demo-load-shedding")
	n := len(own.Fold().Rounds)
	model := views.NewStage(views.StageInput{Story: s, Own: own, N: 3, Explain: b.explain(own),
		Stage: demo.Stage{
			Session: "S1", Story: s.Slug, Own: "X1",
			Marks: []demo.Mark{{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:drain,b:v1", Rounds: 1},
				{Instances: "a:drain,b:v1", Rounds: n}},
		}})
	return story{group: "demo", name: "step-progress-bars",
		page: func(p views.Page) templ.Component { return views.StagePage(p, model) }}
}

// learnStories are the lessons and what belongs to them.
func learnStories(b *fixtures) []story {
	page := func(name string, render func(views.Page) templ.Component) story {
		return story{group: "learn", name: name, page: render}
	}
	list := func(p lesson.Progress) func(views.Page) templ.Component {
		model := views.NewLearn(b.lessons, p)
		return func(p views.Page) templ.Component { return views.LearnPage(p, model) }
	}
	right := func(l lesson.Lesson) int {
		return slices.IndexFunc(l.Question.Answers, func(a lesson.Answer) bool { return a.Right }) + 1
	}
	some, all := lesson.Progress{}, lesson.Progress{}
	for i, l := range b.lessons.Lessons {
		all[l.Slug] = lesson.Mark{Answer: right(l)}
		if i < 3 {
			some[l.Slug] = all[l.Slug]
		}
	}
	one := func(l lesson.Lesson, chosen int,
		live func(views.Page) *views.Exchange) func(views.Page) templ.Component {
		model := views.LessonPage{Lesson: l, Total: len(b.lessons.Lessons), Chosen: chosen}
		return func(p views.Page) templ.Component {
			if live != nil {
				model.Live = live(p)
			}
			return views.LessonView(p, model)
		}
	}
	why, rounds, last := b.lessons.Lessons[0], b.lesson("rounds"),
		b.lessons.Lessons[len(b.lessons.Lessons)-1]
	waiting := func(views.Page) *views.Exchange {
		model, _ := views.NewExchange(b.input(upTo(b.recorded("azure-devops"), 2),
			func(in *views.ExchangeInput) { in.Back = rounds.Path() + "#live" }))
		return &model
	}
	search := func(name, query string) story {
		model := views.NewSearch(query, "", lesson.Search(b.lessons.Entries(), query))
		return story{group: "search", name: name,
			page: func(p views.Page) templ.Component { return views.SearchPage(p, model) }}
	}
	lessonPage := func(name string, render func(views.Page) templ.Component) story {
		return story{group: "learn", name: name, hidden: []string{"prose", "listing"}, page: render}
	}
	quiz := func(name string, given int) story {
		return story{group: "learn", name: name, hidden: []string{"said", "json", "situation", "line"},
			page: b.quiz(given)}
	}
	spotStart := func(given int) func(views.Page) templ.Component {
		return func(p views.Page) templ.Component { return views.SpotPage(p, b.spot(given)) }
	}
	exercisePage := func(set func(*views.Exercise)) func(views.Page) templ.Component {
		e := views.NewExercise(false)
		if set != nil {
			set(&e)
		}
		return func(p views.Page) templ.Component { return views.ExercisePage(p, e) }
	}
	// The item that is open shows heads; the first is judged wrongly.
	spotItem := func(name string, given int) story {
		model := b.spot(given)
		return story{group: "learn", name: name, hidden: []string{"json", "line"},
			page: func(p views.Page) templ.Component {
				return views.SpotItemPage(p, model, model.Items[[]int{6, 0, 1}[given]])
			}}
	}
	return []story{
		page("list-first-visit", list(nil)), page("list-some-done", list(some)),
		page("list-all-done", list(all)),
		page("lesson-first", one(why, 0, nil)),
		lessonPage("lesson-live", one(rounds, 0, waiting)),
		lessonPage("lesson-answered-right", one(why, right(why), nil)),
		lessonPage("lesson-answered-wrong", one(why, right(why)%len(why.Question.Answers)+1, nil)),
		lessonPage("lesson-last-with-listings", one(last, 0, nil)),
		page("specification", b.specification()),
		page("glossary", func(p views.Page) templ.Component { return views.GlossaryPage(p, b.lessons) }),
		page("quiz-open", b.quiz(0)), quiz("quiz-some", 2), quiz("quiz-all-right", len(b.lessons.Quiz)),
		page("quiz-question", b.quizQuestion(1, 2)), page("quiz-question-missed", b.quizQuestion(2, 2)),
		page("quiz-question-last", b.quizQuestion(0, len(b.lessons.Quiz))),
		page("quiz-result", b.quizResult(2)),
		page("spot-first-visit", spotStart(0)), page("spot-some-judged", spotStart(3)),
		spotItem("spot-item-open", 0), spotItem("spot-item-wrong", 1), spotItem("spot-item-right", 2),
		page("spot-result", func(p views.Page) templ.Component { return views.SpotResultView(p, b.spot(2)) }),
		page("exercise-first-visit", exercisePage(nil)),
		page("exercise-no-tool", exercisePage(func(e *views.Exercise) {
			e.At(playground.Target{ID: "t1", URL: "http://127.0.0.1:8080/mcp"}, server.Connection{
				Status: server.Connected, Tools: []server.Tool{{Name: "deploy"}}})
		})),
		page("exercise-checked", exercisePage(func(e *views.Exercise) {
			x := b.recorded("azure-devops")
			e.Judge("s1", lab.NewReport([]playground.Exchange{x}, server.Connection{}, false),
				[]playground.Exchange{x})
		})),
		search("hits", "requestState expired"), search("no-hits", "zebra"), search("empty", ""),
	}
}

// specification has a requirement of each kind: judged and probed, judged by a
// rule without a lesson, not visible, kept, not used, and not kept.
func (b *fixtures) specification() func(views.Page) templ.Component {
	model := views.NewSpecification([]spec.Page{{
		Path: "basic/patterns/mrtr", Name: "mrtr", Title: "Multi round-trip requests",
		Sentences: []spec.Sentence{{
			ID: "mrtr.echo", Page: "basic/patterns/mrtr", Anchor: "client-requirements-basic-workflow",
			Level: spec.Must, Party: spec.Client, Text: "A retry has exactly the requestState of the result.",
			Rules: []string{"C2"}, Experiments: []string{"drop-state"}, Client: spec.Kept, Lesson: "rounds",
		}, {
			ID: "mrtr.two", Page: "basic/patterns/mrtr", Anchor: "inputrequests",
			Level: spec.MustNot, Party: spec.Both,
			Text:  "Two rules judge this, one of them without a lesson.",
			Rules: []string{"S0", "no-lesson"}, Client: spec.Unused, Samples: "One sample does not keep it.",
		}},
	}, {
		Path: "ext-tasks", Name: "tasks", Title: "Tasks extension",
		Sentences: []spec.Sentence{{
			ID: "tasks.hidden", Page: "ext-tasks", Anchor: "tasks", Level: spec.Should, Party: spec.Server,
			Text: "No message shows this.", Reason: "It happens inside the server.", Samples: spec.Kept,
		}},
	}}, b.lessons)
	return func(p views.Page) templ.Component {
		return views.SpecificationPage(p, views.SpecificationMain(model))
	}
}

func (b *fixtures) lesson(slug string) lesson.Lesson {
	l, ok := b.lessons.Lesson(slug)
	if !ok {
		b.t.Fatalf("no lesson %q", slug)
	}
	return l
}

// quiz has the first answers given: the second wrong if there are more to
// come, the others right.
func (b *fixtures) quiz(given int) func(views.Page) templ.Component {
	q := b.quizOf(given)
	return func(p views.Page) templ.Component { return views.QuizPage(p, q) }
}

// quizQuestion is the screen of the question at i, the last one for 0.
func (b *fixtures) quizQuestion(i, given int) func(views.Page) templ.Component {
	q := b.quizOf(given)
	if i == 0 {
		i = len(q.Scenarios) - 1
	}
	s := views.QuizQuestion{Quiz: q, Scenario: q.Scenarios[i]}
	s.Scenario.Missed = s.Scenario.Chosen == 0
	return func(p views.Page) templ.Component { return views.QuizQuestionPage(p, s) }
}

func (b *fixtures) quizResult(given int) func(views.Page) templ.Component {
	q := b.quizOf(given)
	return func(p views.Page) templ.Component { return views.QuizResultPage(p, q) }
}

func (b *fixtures) quizOf(given int) views.Quiz {
	q := views.Quiz{}
	for i, s := range b.lessons.Quiz {
		l := b.lesson(s.Lesson)
		view := views.ScenarioView{Scenario: s, N: i + 1, LessonPath: l.Path(), LessonName: l.Title,
			Faults: make([][]views.Verdict, len(s.Options))}
		right := slices.IndexFunc(s.Options, func(o lesson.Option) bool { return o.Right })
		switch {
		case i >= given:
			view.Faults = nil
		case i == 1 && given < len(b.lessons.Quiz):
			view.Chosen = (right+1)%len(s.Options) + 1
			view.Faults[view.Chosen-1] = []views.Verdict{{Rule: "C2", Verdict: "fail",
				Text: "The retry left the state out.", Link: "https://modelcontextprotocol.io/"}}
			q.Answered++
		default:
			view.Chosen = right + 1
			q.Answered, q.Right = q.Answered+1, q.Right+1
		}
		q.Scenarios, q.Run = append(q.Scenarios, view), append(q.Run, i+1)
	}
	return q
}

// spot has the first exchanges judged: the first wrong, the others right.
func (b *fixtures) spot(given int) views.Spot {
	answers := make(lesson.SpotAnswers, len(b.lessons.Spot))
	for n, i := range b.lessons.Spot[:given] {
		right := slices.IndexFunc(i.Options, func(c lesson.Claim) bool { return c.Right })
		answers[n] = right + 1
		if n == 0 {
			answers[n] = (right+1)%len(i.Options) + 1
		}
	}
	return views.NewSpot(b.lessons, answers)
}

// siteStories are the first page, the errors and the layout.
func siteStories(b *fixtures) []story {
	p := picture.Landing()
	landing := views.Landing{Picture: string(p.SVG()), Narrow: string(p.Narrow().SVG()), Text: p.Text(),
		Lessons: 15, Minutes: 4}
	problem := func(name string, x views.Problem) story {
		return story{group: "error", name: name,
			page: func(p views.Page) templ.Component { return views.ProblemPage(p, x) }}
	}
	return []story{
		{group: "site", name: "landing", whole: true, page: func(p views.Page) templ.Component {
			p.Nav, p.Theme, p.Landing = "/", "dark", true
			return views.LandingPage(p, landing)
		}},
		{group: "site", name: "running-refreshes", whole: true, page: func(p views.Page) templ.Component {
			p.Refresh, p.Nav = true, "/servers"
			return views.Layout(p)
		}},
		{group: "site", name: "bare", whole: true, page: func(p views.Page) templ.Component {
			p.Bare = true
			return views.Layout(p)
		}},
		problem("not-found", views.Problem{Status: "404 Not Found",
			Sentence: views.SentenceCode("not_found", "There is nothing here.",
				"The address may be mistyped, or what was there was deleted or belongs to someone else.")}),
		problem("form-address", views.Problem{Status: "405 Method Not Allowed", Back: "/x/X1",
			Sentence: views.SentenceCode("method", "This address takes forms only.",
				"Open the page that the form is on.")}),
		problem("ours", views.Problem{Status: "500 Internal Server Error",
			Sentence: views.SentenceCode("internal", "Something broke here.",
				"It was logged. Try again.")}),
		problem("long-words", views.Problem{Status: "400 Bad Request",
			Sentence: views.SentenceCode("bad", strings.Repeat("verylongword", 20), "")}),
		problem("storage", views.Problem{Status: "507 Insufficient Storage",
			Sentence: views.SentenceCode("storage_workspace",
				"Your workspace is full: your recordings, links and servers use 50 MiB of 50 MiB.",
				"Nothing was sent or saved. Delete recordings in the history, or links or servers, to free "+
					"space. You can download them first.")}),
		problem("blocked", views.Problem{Status: "403 Forbidden",
			Sentence: views.SentenceCode("blocked", "The operator of this site has blocked you.",
				"The block is for your workspace or for your network.")}),
		{group: "error", name: "every-failure", page: everySentence()},
		{group: "admin", name: "busy", whole: true, page: operatorPage(b, busyState())},
		{group: "admin", name: "local", page: operatorPage(b, usage.State{At: time.Unix(0, 0)})},
	}
}

func operatorPage(b *fixtures, st usage.State) func(views.Page) templ.Component {
	return func(views.Page) templ.Component { return views.AdminPage(views.NewAdmin(st, b.assets)) }
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
func everySentence() func(views.Page) templ.Component {
	var parts []templ.Component
	for _, c := range []playground.Class{
		"bad_url", "blocked_address", "dns", "refused", "unreachable", "tls",
		"tls_untrusted", "tls_expired", "tls_name", "tls_changed",
		"no_tls", "timeout_connect",
		"timeout_first_byte", "timeout_idle", "timeout_total",
		"too_large", "reset", "not_http", playground.Redirect, playground.NotJSON, playground.TooDeep,
		playground.ContentType, playground.HTTP401,
		playground.HTTP403, playground.HTTP404, playground.HTTP405, playground.HTTP429, playground.HTTP4xx,
		playground.HTTP5xx, playground.HTTPStatus,
		playground.NoResponse, playground.RPCFailed, playground.Violation, playground.ProtocolVersion,
		playground.Capability, playground.HeaderMismatch,
		playground.TaskUnknown, playground.TaskExpired, playground.CallLost, "interrupted", "cancelled",
		"capped", "of no known class",
	} {
		s := views.SentenceOf(c)
		parts = append(parts, templ.Raw("<h2>"+templ.EscapeString(s.What)+"</h2>"),
			templ.Raw("<p><code>"+s.Code+"</code> "+templ.EscapeString(s.Try)+"</p>"))
	}
	return func(p views.Page) templ.Component {
		inside := templ.Join(slices.Concat([]templ.Component{templ.Raw(`<main id="main" class="page">`)},
			parts, []templ.Component{templ.Raw("</main>")})...)
		return withChildren(views.Layout(p), inside)
	}
}
