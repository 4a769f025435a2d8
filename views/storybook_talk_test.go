package views_test

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
)

// followStories are what a presenter and followers see of a talk.
func followStories(b *fixtures) []story {
	marks := []demo.Mark{{Instances: "a:v1,b:v1", Rounds: 1}, {Instances: "a:v1,b:v1", Rounds: 2},
		{Instances: "a:v1,b:dead", Rounds: 2}, {Instances: "a:v1,b:dead", Rounds: 3},
		{Instances: "a:v1,b:dead", Rounds: 3}, {Instances: "a:v1,b:dead", Rounds: 3}}
	s := demo.Stories()[0]
	follow := func(n int) stageview.Follow {
		in := stageview.Input{Story: s, Own: upTo(b.recorded("demo-azure-devops"), marks[n-1].Rounds), N: n,
			Stage: demo.Stage{Session: "S1", Story: s.Slug, Own: "X1", Marks: marks[:n]}}
		in.Explain = b.explain(in.Own)
		if n == len(marks) {
			x := b.recorded("demo-azure-devops-legacy")
			in.Legacy, in.Stage.Legacy = &x, x.ID
		}
		return stageview.NewFollow(in, "k3m97qxd", "e1")
	}
	followed := func(n int, full bool) func(layout.Page) templ.Component {
		var main strings.Builder
		b.check(stageview.FollowMain(follow(n)).Render(context.Background(), &main))
		return func(p layout.Page) templ.Component {
			return stageview.FollowPage(p, stageview.FollowFrame{Main: main.String(), Full: full})
		}
	}
	talk := stageview.Talk{Slug: s.Slug, Story: s.Title, Session: "S1", Step: 2}
	invite := func(name string, change func(*stageview.Talk)) story {
		t := talk
		change(&t)
		return story{group: "talk", name: name, page: func(p layout.Page) templ.Component {
			p.Bare = t.Present
			return stageview.TalkPage(p, t)
		}}
	}
	code := func(t *stageview.Talk) {
		t.URL = "https://playground.example" + stageview.FollowPath("k3m97qxd")
		var err error
		t.QR, err = drawing.QR(t.URL)
		b.check(err)
	}
	stage := func(name string, present bool) story {
		in := stageview.Input{
			Story: s, Own: upTo(b.recorded("demo-azure-devops"), 1), N: 1, Present: present,
			Stage: demo.Stage{Session: "S1", Story: s.Slug, Own: "X1", Marks: marks[:1]}}
		model := stageview.New(in)
		model.Talk = stageview.NewTalkLine("https://playground.example", "k3m97qxd")
		return story{group: "talk", name: name, golden: part{shows: "[data-talk]"},
			page: func(p layout.Page) templ.Component {
				p.Bare = present
				return stageview.Page(p, model)
			}}
	}
	return []story{
		stage("stage", false), stage("stage-presented", true),
		{group: "talk", name: "follower-nothing", page: func(layout.Page) templ.Component {
			return stageview.FollowProblem(stageview.Problem{Code: "not_found", Title: "There is no talk.",
				Text: "It has ended."})
		}, golden: part{shows: "main > *"}},
		whole("follower", followed(2, false)),
		story{group: "talk", name: "follower-last-step", page: followed(6, false)}.
			of(".follow-result, .lane > h2", ""),
		story{group: "talk", name: "follower-too-many", page: followed(1, true)}.of("[data-full]", ""),
		story{group: "talk", name: "follower-ended", page: func(p layout.Page) templ.Component {
			var main strings.Builder
			b.check(stageview.FollowEnded().Render(context.Background(), &main))
			return stageview.FollowPage(p, stageview.FollowFrame{Main: main.String()})
		}}.of("[data-ended] > *", ""),
		invite("invitation", code).of(".talk-invitation, .story-actions", ".talk-code"),
		invite("invitation-presented", func(t *stageview.Talk) { t.Present = true; code(t) }).
			of(".talk-code svg > rect, .confirm", ""),
		invite("not-started", func(*stageview.Talk) {}).
			of("main > h1, main > .lead, .story-actions > form", ""),
		invite("own-address", func(t *stageview.Talk) {
			t.Own = true
			code(t)
			t.URL = "http://192.168.1.20:43210" + stageview.FollowPath("k3m97qxd")
		}).of(".talk-url, [data-firewall]", ""),
		invite("own-address-not-started", func(t *stageview.Talk) { t.Own = true }).
			of("main > h1, main > p:not(.crumb), .story-actions > form", ""),
		invite("own-address-closed", func(t *stageview.Talk) { t.Own, t.Closed = true, true }).
			of("[data-closed]", ""),
		invite("off", func(t *stageview.Talk) { t.Reach = stageview.NewReach(true, "") }).
			of("main > h1, main > p:not(.crumb)", ""),
		invite("by-a-loopback-name", func(t *stageview.Talk) {
			t.Reach = stageview.NewReach(false, "http://127.0.0.1:2322")
		}).
			of("main > p:not(.crumb)", ""),
	}
}
