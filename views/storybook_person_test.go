package views_test

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	personview "github.com/mrtr-playground/mrtr-playground/views/person"
	settingsview "github.com/mrtr-playground/mrtr-playground/views/settings"
)

// personStories are the pages on which people sign in, and what pages show of the
// person.
func personStories(b *fixtures) []story {
	const name = "ada@example.com"
	signIn := func(as string, s personview.SignIn) func(layout.Page) templ.Component {
		return func(p layout.Page) templ.Component {
			p.Person, p.Bare = as, as == ""
			s.Person = as
			return personview.Page(p, s)
		}
	}
	form := personview.SignIn{Issuer: "login.example.com", Start: "/sign-in/start?next=%2Ftest"}
	failed, proxy := form, personview.SignIn{Proxy: true}
	away := prose.SentenceCode("sign_in_away", "The identity provider does not answer.",
		"Try again in a minute.")
	failed.Problem = &away
	kept := func(values url.Values) func(layout.Page) templ.Component {
		return func(p layout.Page) templ.Component {
			return personview.KeptPage(p, personview.Kept{Action: "/exchanges", Values: values,
				Why: prose.SentenceCode("signed_out_here", "Your sign-in to this site has ended.",
					"Nothing was sent. Sign in again.")})
		}
	}
	settings := func(proxy bool) func(layout.Page) templ.Component {
		return func(p layout.Page) templ.Component {
			p.Person = name
			return settingsview.Page(p, settingsview.Settings{Proxy: proxy,
				Agents: settingsview.Agents{URL: agentURL}})
		}
	}
	person := func(name string, page func(layout.Page) templ.Component) story {
		return story{group: "person", name: name, page: page}
	}
	return []story{
		whole("person-sign-in", signIn("", form)),
		person("sign-in-failed", signIn("", failed)).of("[data-error]", ""),
		person("signed-in", signIn(name, form)).of("main > *", ""),
		person("signed-in-by-proxy", signIn(name, proxy)).of("main > :not(h1)", ""),
		whole("kept", kept(url.Values{"tool": {"refund"}, "args": {"{\n  \"id\": 7\n}", "{}"}})),
		person("not-kept", kept(nil)).of("main > :not(h1)", ""),
		person("in-the-footer", settings(false)).of("footer [data-person]", ""),
		person("settings", settings(false)).of("#person", ""),
		person("settings-by-proxy", settings(true)).of("#person > :not(h2)", ""),
		{group: "admin", name: "people", page: operatorPage(b, peopleState())},
	}
}

// peopleState is what an operator sees of a site on which people sign in: the three
// latest, one of whom is removed.
func peopleState() usage.State {
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	person := func(id, name, subject string, days int) usage.Person {
		return usage.Person{ID: id, Name: name, Issuer: "https://login.example.com", Subject: subject,
			Workspace: "W" + id, Seen: at.AddDate(0, 0, -days)}
	}
	removed := person("P2", "bob@example.com", "00u1b2", 3)
	removed.Removed, removed.Workspace = true, ""
	return usage.State{At: at, People: []usage.Person{
		person("P1", "ada@example.com", "00u1a1", 0), person("P3", "Grace Hopper", "00u\u202e1c3", 1),
		removed,
	}}
}
