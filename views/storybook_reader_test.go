package views_test

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
)

// panelStories are requestStates of every kind as the State panel shows them.
func panelStories(b *fixtures) []story {
	foreign := func(name, state string) story {
		return b.panel("state", name, selection.PanelState, deletion(state, confirm).x)
	}
	return []story{
		b.sampleState("plain", seal.Plain), b.sampleState("signed", seal.Signed),
		b.panel("state", "sample-second", selection.PanelState, b.secondState()),
		b.panel("state", "sample-expired", selection.PanelState, b.secondState(), b.late, round(1)),
		foreign("readable-json", `{"step":2,"table":"orders"}`),
		foreign("base64-json", "eyJzdGVwIjoyLCJ0YWJsZSI6Im9yZGVycyJ9"),
		foreign("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjE3ODUyNDM2MDB9."+
			"c2lnbmF0dXJlLWlzLTMyLWJ5dGVzLWxvbmctLi4uLi4"),
		foreign("opaque", "9f8c2d4e1b7a6053"),
		b.panel("state", "changed-on-the-way-back", selection.PanelState, b.recorded("flip-sealed"),
			round(2)),
	}
}

// sampleState is an exchange with a sample that protects its state so that the
// state is the same whenever it is made.
func (b *fixtures) sampleState(name string, mode seal.Mode) story {
	r := deletion(b.state(mode, nil), confirm)
	b.ofSample(r, mode)
	return b.panel("state", "sample-"+name, selection.PanelState, r.x)
}

// secondState is an exchange whose second state carries the answer to the first
// question.
func (b *fixtures) secondState() playground.Exchange {
	r := deletion(b.state(seal.Signed, nil), confirm)
	r.answer("confirm", accepted(`{"ok":true}`)).result(ask(b.state(seal.Signed,
		map[string]json.RawMessage{"confirm": json.RawMessage(accepted(`{"ok":true}`))}), reason))
	b.ofSample(r, seal.Signed)
	return r.x
}

// state returns a state of the sample that carries answers.
func (b *fixtures) state(mode seal.Mode, answers map[string]json.RawMessage) string {
	digest, err := seal.Digest([]byte(`{"table":"orders","before":"2020-01-01"}`))
	b.check(err)
	state, err := b.keys.Seal(mode, seal.Claims{
		Version: 1, Issued: noon.Unix(), Expires: noon.Add(time.Hour).Unix(), ID: "0123456789abcdef",
		Request: seal.Request{Sample: "confirm", Method: playground.ToolsCall, Name: "delete_records",
			Arguments: digest},
		Answers: answers,
	})
	b.check(err)
	return state
}

func (b *fixtures) ofSample(r *recorder, mode seal.Mode) {
	r.x.Target = b.target("confirm")
	r.x.Target.URL += "?state=" + string(mode)
}

// late explains states a day later.
func (b *fixtures) late(in *exchangeview.Input) {
	at := noon.Add(24 * time.Hour)
	in.Explain = func(state string) seal.Explanation { return seal.Explain(state, b.keys, at) }
}

const token = "3SHARE7TOKEN"

// snapshot returns the content of a share of a session.
func (b *fixtures) snapshot(s session.Session) share.Share {
	data, err := export.JSON(share.NewSnapshot(s, share.Options{}).Session)
	b.check(err)
	at := s.Exchanges[0].Created.Add(time.Hour)
	return share.Share{
		Token: token, Session: "S1", Title: s.Title, Created: at, Expires: at.Add(720 * time.Hour),
		Views: 3, Data: data,
	}
}

// reader is the page of a share at Round n, with a panel if one is named.
func (b *fixtures) reader(name string, s session.Session, x, n int, panels ...selection.Panel) story {
	h := b.snapshot(s)
	shared, err := export.Import(h.Data, 2<<20)
	b.check(err)
	in := readerview.Input{Share: h, Session: shared, X: x, Base: "https://playground.example"}
	if recorded := shared.Exchanges[x-1]; recorded.Target.Sample != "" {
		in.Instances = cluster.InstancesOf(recorded.Target.URL, b.sample(recorded.Target.Sample).Instances)
		in.Explain = b.explain(recorded)
	}
	panel := selection.Panel("")
	if len(panels) > 0 {
		panel = panels[0]
	}
	in.Selection = selection.Selection{Round: n, Panel: panel}
	model, ok := readerview.New(in)
	if !ok {
		b.t.Fatalf("%s: there is no such round", name)
	}
	return story{group: "reader", name: name, page: func(p layout.Page) templ.Component {
		p.Share = &model.Head.Meta
		return readerview.Page(p, readerview.Main(model))
	}}
}

func one(title string, x playground.Exchange) session.Session {
	return session.Session{ID: "S1", Title: title, Exchanges: []playground.Exchange{x}, Changed: noon}
}

// readerStories are the pages that a link opens, and the page that makes the
// link.
func readerStories(b *fixtures) []story {
	azure := one("A bug is resolved", b.recorded("azure-devops"))
	noted := azure
	noted.Note = "Look at the second round.\nThe state appears there."
	secret := one("Deploy with a token",
		call("deploy", `{"token":"ghp_abcdefghijklmnopqrstuvwxyz0123456789"}`).
			result(complete(textContent("Deployed with ghp_abcdefghijklmnopqrstuvwxyz0123456789 for "+
				"ada@example.com."), "")).x)
	branch := b.recording("flip-plain")
	first := b.reader("first-round", noted, 1, 0)
	return []story{
		whole("reader", first.page).of("main", ".panel"), first.of("head", ""),
		b.reader("last-round", noted, 1, 3, selection.Panel("state")).of(".ask > *, .state-head", ".step"),
		b.reader("waits", one("A question", upTo(azure.Exchanges[0], 2)), 1, 2),
		b.reader("running", one("A call", call("deploy", `{"env":"prod"}`).x), 1, 1),
		b.reader("failed", one("A failed call",
			call("deploy", `{"env":"prod"}`).receive(503, "text/plain", "overloaded").x), 1, 1),
		b.reader("several-exchanges", branch, 2, 3).of(".exchanges, .bench-head h1", ""),
		b.reader("task", one("A task", working(report(), "collecting figures").
			halt(playground.StoppedUnwatched).x), 1, 2),
		b.reader("task-earlier", one("A task", working(report(), "collecting figures").x), 1, 1),
		b.reader("retried-by-itself", one("A retry", shedding().decide(playground.Decision{
			Action: playground.ActionRetry, Auto: true,
		}).result(`{"resultType":"input_required","requestState":"primes-2"}`).x), 1, 2),
		whole("embed", b.embed(azure)).of("html", ""),
		whole("share", b.sharePreview("", azure, share.Options{}).page),
		b.sharePreview("preview-on-this-machine", azure, share.Options{}).
			of(".lead, .bar.stay, [data-local]", ""),
		b.sharePreview("preview-with-secrets", secret, share.Options{}),
		b.sharePreview("preview-secret-shown", secret, share.Options{Show: b.findings(secret)}).
			of("#share-secrets, #share-choices, [data-changed], .public", "h3"),
		b.sharePreview("preview-of-a-check", b.recording("check-bad"),
			share.Options{OmitAnswers: true, OmitHeaders: true}),
		whole("shares", b.shares),
	}
}

func (b *fixtures) embed(s session.Session) func(layout.Page) templ.Component {
	h, x := b.snapshot(s), s.Exchanges[0]
	meta := readerview.NewMeta(h, share.View{}, s, "https://playground.example")
	p := picture.Of(x, x.Fold(), picture.Options{})
	return func(page layout.Page) templ.Component {
		return readerview.EmbedPage(page,
			readerview.Embed{Title: meta.Title, Description: meta.Description, URL: meta.URL,
				Made: x.Created, Pictures: []readerview.EmbedPicture{
					{Wide: string(p.SVG()), Narrow: string(p.Narrow().SVG())}}})
	}
}

// findings are the ids of texts that may be shown although they look like
// secrets.
func (b *fixtures) findings(s session.Session) []string {
	var ids []string
	for _, f := range share.NewSnapshot(s, share.Options{}).Findings {
		if !f.Locked {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

func (b *fixtures) sharePreview(name string, s session.Session, o share.Options) story {
	s.Exchanges = s.Exchanges[:min(2, len(s.Exchanges))]
	snapshot, x := share.NewSnapshot(s, o), s.Exchanges[0]
	form := shareview.Form{
		ID: "S1", Title: s.Title, Options: o, Expiry: "30d", Seen: "DIGEST", Kind: share.KindExchange,
		Size: text.Size(20480), Preview: "/sessions/S1/share/preview?of=",
		Findings: snapshot.Findings, Texts: shareview.NewPublicTexts(snapshot.Parts),
		Rounds: shareview.RoundChoices("Round", len(x.Fold().Rounds), 1), Panels: shareview.PanelChoices(""),
		Expiries: []shareview.ExpiryChoice{{Value: "1h", Words: "1 hour"}, {Value: "30d", Words: "30 days"}},
	}
	if len(s.Exchanges) == 1 {
		form.File, form.Choices = "/x/"+x.ID, "?leave=note"
	} else {
		form.Exchanges, _ = shareview.ExchangeChoices(
			boardview.NewTree(session.RowOf(s).Exchanges, nil, ""), []string{x.ID})
	}
	form.Changed = len(o.Show) > 0
	form.OwnMachine = strings.HasSuffix(name, "on-this-machine")
	return story{group: "reader", name: name,
		page: func(page layout.Page) templ.Component { return shareview.Page(page, form) }}.
		of("#share-secrets, #share-choices, .public", "")
}

func (b *fixtures) shares(p layout.Page) templ.Component {
	h := share.Share{Token: "TOKEN0", Session: "S1", Title: "A bug is resolved", Created: noon,
		Expires: noon.Add(24 * time.Hour)}
	line := shareview.NewLine(h, base)
	var err error
	line.QR, err = drawing.QR(line.URL)
	b.check(err)
	line.OwnMachine = true
	return shareview.MadePage(p, line)
}
