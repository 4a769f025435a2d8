package views_test

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// followStories are what a presenter and followers see of a talk.
func followStories(b *fixtures) []story {
	marks := []demo.Mark{{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:v1,b:v1", Rounds: 2},
		{Instances: "a:v1,b:dead", Rounds: 2}, {Instances: "a:v1,b:dead", Rounds: 3},
		{Instances: "a:v1,b:dead", Rounds: 3}, {Instances: "a:v1,b:dead", Rounds: 3}}
	s := demo.Stories()[0]
	follow := func(n int) views.Follow {
		in := views.StageInput{Story: s, Own: upTo(b.recorded("demo-azure-devops"), marks[n-1].Rounds), N: n,
			Stage: demo.Stage{Session: "S1", Story: s.Slug, Own: "X1", Marks: marks[:n]}}
		in.Explain = b.explain(in.Own)
		if n == len(marks) {
			x := b.recorded("demo-azure-devops-legacy")
			in.Legacy, in.Stage.Legacy = &x, x.ID
		}
		return views.NewFollow(in, "k3m97qxd", "e1")
	}
	followed := func(n int, full bool) func(views.Page) templ.Component {
		var main strings.Builder
		b.check(views.FollowMain(follow(n)).Render(context.Background(), &main))
		return func(p views.Page) templ.Component {
			return views.FollowPage(p, views.FollowFrame{Main: main.String(), Full: full})
		}
	}
	talk := views.Talk{Slug: s.Slug, Story: s.Title, Session: "S1", Step: 2}
	invite := func(name string, change func(*views.Talk)) story {
		t := talk
		change(&t)
		return story{group: "talk", name: name, page: func(p views.Page) templ.Component {
			p.Bare = t.Present
			return views.TalkPage(p, t)
		}}
	}
	code := func(t *views.Talk) {
		t.URL = "https://playground.example" + views.FollowPath("k3m97qxd")
		var err error
		t.QR, err = views.QR(t.URL)
		b.check(err)
	}
	stage := func(name string, present bool) story {
		in := views.StageInput{
			Story: s, Own: upTo(b.recorded("demo-azure-devops"), 1), N: 1, Present: present,
			Stage: demo.Stage{Session: "S1", Story: s.Slug, Own: "X1", Marks: marks[:1]}}
		model := views.NewStage(in)
		model.Talk = views.NewTalkLine("https://playground.example", "k3m97qxd")
		return story{group: "talk", name: name, golden: part{shows: "[data-talk]"},
			page: func(p views.Page) templ.Component {
				p.Bare = present
				return views.StagePage(p, model)
			}}
	}
	return []story{
		stage("stage", false), stage("stage-presented", true),
		whole("follower", followed(2, false)),
		story{group: "talk", name: "follower-last-step", page: followed(6, false)}.
			of(".follow-result, .lane > h2", ""),
		story{group: "talk", name: "follower-too-many", page: followed(1, true)}.of("[data-full]", ""),
		story{group: "talk", name: "follower-ended", page: func(p views.Page) templ.Component {
			var main strings.Builder
			b.check(views.FollowEnded().Render(context.Background(), &main))
			return views.FollowPage(p, views.FollowFrame{Main: main.String()})
		}}.of("[data-ended] > *", ""),
		invite("invitation", code).of(".talk-invitation, .story-actions", ".talk-code"),
		invite("invitation-presented", func(t *views.Talk) { t.Present = true; code(t) }).
			of(".talk-code svg > rect, .story-actions > form", ""),
		invite("not-started", func(*views.Talk) {}).of("main > h1, main > .lead, .story-actions > form", ""),
		invite("on-loopback", func(t *views.Talk) {
			t.Reach = &views.Reach{Local: true, Port: "2322"}
		}).of("main > h1, main > p:not(.crumb), .talk-command", ""),
		invite("by-a-loopback-name", func(t *views.Talk) { t.Reach = &views.Reach{Port: "2322"} }).
			of("main > .lead, .lead + p", ""),
	}
}
