package views_test

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	exerciseview "github.com/mrtr-playground/mrtr-playground/views/exercise"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
)

// learnStories are the lessons and their pages.
func learnStories(b *fixtures) []story {
	page := func(name string, render func(layout.Page) templ.Component) story {
		return story{group: "learn", name: name, page: render}
	}
	list := func(p lesson.Progress) func(layout.Page) templ.Component {
		model := learnview.New(b.lessons, p)
		return func(p layout.Page) templ.Component { return learnview.Page(p, model) }
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
		live func(layout.Page) *exchangeview.Exchange) func(layout.Page) templ.Component {
		model := learnview.LessonPage{Lesson: l, Total: len(b.lessons.Lessons), Chosen: chosen}
		return func(p layout.Page) templ.Component {
			if live != nil {
				model.Live = live(p)
			}
			return learnview.LessonView(p, model)
		}
	}
	why, rounds, last := b.lessons.Lessons[0], b.lesson("rounds"),
		b.lessons.Lessons[len(b.lessons.Lessons)-1]
	waiting := func(layout.Page) *exchangeview.Exchange {
		model, _ := exchangeview.New(b.input(upTo(b.recorded("azure-devops"), 2),
			func(in *exchangeview.Input) { in.Back = rounds.Path() + "#live" }))
		return &model
	}
	search := func(name, query string) story {
		model := learnview.NewSearch(query, "", search.Find(b.lessons.Entries(), query))
		return story{group: "search", name: name,
			page: func(p layout.Page) templ.Component { return learnview.SearchPage(p, model) }}
	}
	lessonPage := func(name string, render func(layout.Page) templ.Component) story {
		return story{group: "learn", name: name, page: render}.of("#question", "button")
	}
	quiz := func(name string, given int) story {
		return story{group: "learn", name: name, page: b.quiz(given)}.of(".score, .learn-start", "")
	}
	spotStart := func(given int) func(layout.Page) templ.Component {
		return func(p layout.Page) templ.Component { return learnview.SpotPage(p, b.spot(given)) }
	}
	exercisePage := func(set func(*exerciseview.Exercise)) func(layout.Page) templ.Component {
		e := exerciseview.New(true, launch.Program{})
		if set != nil {
			set(&e)
		}
		return func(p layout.Page) templ.Component { return exerciseview.Page(p, e) }
	}
	// The item that is open shows heads; the first is judged wrongly.
	spotItem := func(name string, given int) story {
		model := b.spot(given)
		return story{group: "learn", name: name, page: func(p layout.Page) templ.Component {
			return learnview.SpotItemPage(p, model, model.Items[[]int{6, 0, 1}[given]])
		}}.of("main > *", "[aria-label=Exchanges], pre, button")
	}
	return []story{
		page("list-first-visit", list(nil)).of(".learn-start", ""), whole("learn", list(some)),
		page("list-all-done", list(all)).of(".learn-start, .lesson-name", ""),
		page("lesson-first", one(why, 0, nil)).
			of(".prose, .live, .live-bar, .near, .listings", ".listing:not([data-language=go])"),
		whole("lesson", one(rounds, 0, waiting)).of("main", ".prose, .live, .listing"),
		page("lesson-live", one(rounds, 0, waiting)).of(".live", ".answers"),
		lessonPage("lesson-answered-right", one(why, right(why), nil)),
		lessonPage("lesson-answered-wrong", one(why, right(why)%len(why.Question.Answers)+1, nil)),
		page("lesson-last-with-listings", one(last, 0, nil)).
			of(".live, #question, .near", "#question button"),
		whole("specification", b.specification()),
		whole("glossary", func(p layout.Page) templ.Component {
			return learnview.GlossaryPage(p, b.lessons)
		}),
		whole("quiz", b.quiz(2)), page("quiz-open", b.quiz(0)).of(".learn-start", ""),
		quiz("quiz-all-right", len(b.lessons.Quiz)),
		whole("quiz-question", b.quizQuestion(1, 2)),
		page("quiz-question-missed", b.quizQuestion(2, 2)).of("main > :not(.situation)", "button"),
		page("quiz-question-last", b.quizQuestion(0, len(b.lessons.Quiz))).of("main > :last-child", "button"),
		whole("quiz-result", b.quizResult(2)),
		page("spot-first-visit", spotStart(0)).of(".learn-start", ""), whole("spot", spotStart(3)),
		whole("spot-item", func(p layout.Page) templ.Component {
			m := b.spot(0)
			return learnview.SpotItemPage(p, m, m.Items[6])
		}).of("main", ""),
		spotItem("spot-item-wrong", 1), spotItem("spot-item-right", 2),
		whole("spot-result", func(p layout.Page) templ.Component {
			return learnview.SpotResultView(p, b.spot(2))
		}),
		page("exercise-first-visit", exercisePage(nil)).of(".live", ".requirements"),
		page("exercise-no-tool", exercisePage(func(e *exerciseview.Exercise) {
			e.At(playground.Target{ID: "t1", URL: "http://127.0.0.1:8080/mcp"}, server.Connection{
				Status: server.Connected, Tools: []server.Tool{{Name: "deploy"}}})
		})).of("#exercise-problem, .live-head, [data-requirement=forms]", ""),
		whole("exercise", exercisePage(func(e *exerciseview.Exercise) {
			x := b.recorded("azure-devops")
			e.Judge("s1", lab.NewReport([]playground.Exchange{x}, server.Connection{}, false),
				[]playground.Exchange{x})
		})),
		page("exercise-client-first-visit", clientExercise(false)).of("main > .prose > *, .live > form", ""),
		whole("exercise-client", clientExercise(true)).of(".live", ""),
		whole("search", search("hits", "requestState expired").page),
		search("no-hits", "zebra").of("main [role=status], main > :last-child", ""),
		search("empty", "").of("main > :last-child", ""),
	}
}

// specification has a requirement of each kind: judged and probed, judged by a
// rule without a lesson, not visible, kept, not used, and not kept.
func (b *fixtures) specification() func(layout.Page) templ.Component {
	model := learnview.NewSpecification([]spec.Page{{
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
	return func(p layout.Page) templ.Component {
		return learnview.SpecificationPage(p, learnview.SpecificationMain(model))
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
func (b *fixtures) quiz(given int) func(layout.Page) templ.Component {
	q := b.quizOf(given)
	return func(p layout.Page) templ.Component { return learnview.QuizPage(p, q) }
}

// quizQuestion is the screen of the question at i, the last one for 0.
func (b *fixtures) quizQuestion(i, given int) func(layout.Page) templ.Component {
	q := b.quizOf(given)
	if i == 0 {
		i = len(q.Scenarios) - 1
	}
	s := learnview.QuizQuestion{Quiz: q, Scenario: q.Scenarios[i]}
	s.Scenario.Missed = s.Scenario.Chosen == 0
	return func(p layout.Page) templ.Component { return learnview.QuizQuestionPage(p, s) }
}

func (b *fixtures) quizResult(given int) func(layout.Page) templ.Component {
	q := b.quizOf(given)
	return func(p layout.Page) templ.Component { return learnview.QuizResultPage(p, q) }
}

func (b *fixtures) quizOf(given int) learnview.Quiz {
	q := learnview.Quiz{}
	for i, s := range b.lessons.Quiz {
		l := b.lesson(s.Lesson)
		view := learnview.ScenarioView{Scenario: s, N: i + 1, LessonPath: l.Path(), LessonName: l.Title,
			Faults: make([][]standing.Verdict, len(s.Options))}
		right := slices.IndexFunc(s.Options, func(o lesson.Option) bool { return o.Right })
		switch {
		case i >= given:
			view.Faults = nil
		case i == 1 && given < len(b.lessons.Quiz):
			view.Chosen = (right+1)%len(s.Options) + 1
			view.Faults[view.Chosen-1] = []standing.Verdict{{Rule: "C2", Verdict: "fail",
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
func (b *fixtures) spot(given int) learnview.Spot {
	answers := make(lesson.SpotAnswers, len(b.lessons.Spot))
	for n, i := range b.lessons.Spot[:given] {
		right := slices.IndexFunc(i.Options, func(c lesson.Claim) bool { return c.Right })
		answers[n] = right + 1
		if n == 0 {
			answers[n] = (right+1)%len(i.Options) + 1
		}
	}
	return learnview.NewSpot(b.lessons, answers)
}

// clientExercise is the second half of the exercise: before there is an address,
// or with one requirement met and one missed.
func clientExercise(judged bool) func(layout.Page) templ.Component {
	e := exerciseview.NewClientExercise(launch.Program{})
	if judged {
		at := capture.Capture{ID: "K1", Token: "TOKEN", Created: noon, Used: noon}
		tick := func(scenario, check string, v verdict.Outcome, text string) rules.Observation {
			return rules.Observation{
				Line:  verdict.Line{Scope: scenario, ID: check, Outcome: v, Sentence: text},
				Shown: []rules.Recorded{{Conn: 2}},
			}
		}
		e.Judge(clientview.Input{
			Capture: at, Open: true, Address: "http://127.0.0.1:2322/c/TOKEN", Now: noon,
		}, []rules.Observation{
			tick("no_state", "no-state", verdict.Passed, ""),
			tick("requests", "header-method", verdict.Failed, "The header Mcp-Method was missing."),
		})
	}
	return func(p layout.Page) templ.Component { return exerciseview.ClientExercisePage(p, e) }
}
