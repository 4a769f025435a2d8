package share

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/preview"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/web/stage"
)

// proposal is what the owner of a session may share, with the choices that were
// made.
type proposal struct {
	session session.Session // with all exchanges that secrets are searched in
	other   string          // id of a second session, whose exchanges are in session too; or empty
	kind    share.Kind
	picked  []string // ids of the exchanges that become public
	chosen  []string // ids in the form: those that were picked, or of a board that whose Lab it is
	round   int
	panel   selection.Panel
	demo    *stage.DemoSession // of share.KindDemo
	form    shareForm
}

// toShare returns what a session and a form or a query offer to share, and takes a
// turn to work on it.
func (s *Pages) toShare(v *app.Visit, id string, values url.Values) (proposal, error) {
	o := proposal{kind: share.Kind(values.Get("kind")), form: readShareForm(values)}
	n, err := s.Store.Session(v.Context(), v.Workspace(), id)
	if err != nil {
		return o, err
	}
	if n.Kind == session.KindFlow {
		if err := s.addFlow(v, &n); err != nil {
			return o, err
		}
	}
	o.session = n
	chosen, ok := selection.Read(url.Values{"round": nonEmpty(values.Get("round")),
		"panel": nonEmpty(values.Get("panel"))})
	if !ok || len(n.Exchanges) == 0 {
		return o, app.NotFound()
	}
	o.round, o.panel = chosen.Round, chosen.Panel
	if o.panel == selection.PanelLab {
		o.panel = "" // readers run nothing
	}
	if o.kind == "" {
		o.kind = kindShared(n, values["x"])
	}
	switch o.kind {
	case share.KindExchange:
		o.pickExchanges(values["x"])
	case share.KindBoard:
		o.pickBoard(values.Get("x"))
	case share.KindCompare:
		err = s.pickCompared(v, &o, values["x"])
	case share.KindDemo:
		err = s.pickDemo(v, &o)
	case share.KindFlow:
		if o.picked = []string{n.Exchanges[0].ID}; n.Flow == "" {
			err = app.NotFound()
		}
	default:
		err = app.NotFound()
	}
	if err != nil {
		return o, err
	}
	if err := s.TakeTurn(v, o.session); err != nil {
		return o, err
	}
	if o.form.options.Pick = o.picked; o.chosen == nil {
		o.chosen = o.picked
	}
	o.form.options.Credentials = s.secrets(v, o.session)
	return o, nil
}

// addFlow gives the session of a flow its text, and the exchange that the flow
// leads to with its examples.
func (s *Pages) addFlow(v *app.Visit, n *session.Session) error {
	saved, err := s.OpenFlow(v, n.ID)
	if err != nil {
		return err
	}
	f, _ := review.Parse([]byte(saved.Text))
	if f == nil { // a newer version of the format may refuse what an older one allowed
		return app.Refuse(http.StatusUnprocessableEntity, "not_valid", "This flow is not valid.",
			"Open it, fix the problems that its page shows, and save it.")
	}
	target := s.FlowTarget(saved)
	target.URL = s.BaseURL + "/mcp/flow" // without its address, which anyone could call
	n.Flow = saved.Text
	n.Exchanges = []playground.Exchange{preview.Exchange(preview.Input{
		Flow: f, Version: &f.Versions[0], Answers: f.Versions[0].ExampleAnswers(), Target: target,
		Client: s.Client, At: saved.Changed,
	})}
	return nil
}

// nonEmpty returns a list with a value, or nil if it is empty.
func nonEmpty(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// kindShared returns what a session is shared as if that was not chosen.
func kindShared(n session.Session, picked []string) share.Kind {
	switch {
	case n.Kind == session.KindFlow:
		return share.KindFlow
	case len(picked) > 0:
	case n.Kind == session.KindCheck:
		return share.KindBoard
	case n.Kind == session.KindDemo:
		return share.KindDemo
	}
	return share.KindExchange
}

// pickExchanges picks the exchanges of these ids, or the first one.
func (o *proposal) pickExchanges(ids []string) {
	for _, x := range o.session.Exchanges {
		if slices.Contains(ids, x.ID) {
			o.picked = append(o.picked, x.ID)
		}
	}
	if len(o.picked) == 0 {
		o.picked = []string{o.session.Exchanges[0].ID}
	}
}

// pickBoard picks what a results board is made from: the call, its experiments
// and the right calls that they are compared with. Other branches of the call
// are not on the board. of is the id of the exchange whose Lab it is; the first
// one if it is none of the session.
func (o *proposal) pickBoard(of string) {
	o.chosen = []string{o.session.Exchanges[0].ID}
	for i, x := range o.session.Exchanges {
		again := x.Origin != nil && x.Origin.Round == 0
		if x.ID == of {
			o.chosen[0] = of
		}
		if i == 0 || x.ID == of || o.session.Kind == session.KindCheck || x.Experiment() != "" || again {
			o.picked = append(o.picked, x.ID)
		}
	}
}

// pickCompared picks two exchanges: the first of the session, the second of it or
// of another one.
func (s *Pages) pickCompared(v *app.Visit, o *proposal, ids []string) error {
	if len(ids) != 2 || ids[0] == ids[1] || !o.has(ids[0]) {
		return app.NotFound()
	}
	o.picked = ids
	if o.has(ids[1]) {
		return nil
	}
	x, err := s.Load(v, ids[1])
	if err != nil {
		return err
	}
	other, err := s.Store.Session(v.Context(), v.Workspace(), x.Session)
	if err != nil {
		return err
	}
	o.other = other.ID
	o.session.Exchanges = slices.Concat(o.session.Exchanges, other.Exchanges)
	return nil
}

// has reports whether an exchange is one of the session.
func (o *proposal) has(id string) bool {
	return slices.ContainsFunc(o.session.Exchanges, func(x playground.Exchange) bool { return x.ID == id })
}

// pickDemo picks the lanes of a demo.
func (s *Pages) pickDemo(v *app.Visit, o *proposal) error {
	stage, err := s.Store.Stage(v.Context(), v.Workspace(), o.session.ID)
	if err != nil {
		return err
	}
	t, err := s.Demos.StageOf(v, stage)
	if err != nil {
		return err
	}
	o.demo = &t
	shown := append([]string{t.Stage.Own, t.Stage.Legacy}, t.Story.Recorded...)
	for _, x := range o.session.Exchanges {
		if slices.Contains(shown, x.ID) {
			o.picked = append(o.picked, x.ID)
		}
	}
	return nil
}

// published is what a link makes public.
type published struct {
	snapshot share.Snapshot
	view     share.View
	data     []byte
	digest   string // of the recording, without the title and the note
}

// publish returns what a link to the proposal makes public.
func (o proposal) publish() (published, error) {
	n := o.session
	n.Title, n.Note = o.form.title, o.form.note
	if n.Title == "" {
		n.Title = o.title()
	}
	if o.demo != nil && o.demo.Stage.Text != "" {
		o.form.options.Story = o.demo.Story.Public(o.positions()).YAML()
	}
	p := published{snapshot: share.NewSnapshot(n, o.form.options)}
	p.view = share.View{Kind: o.kind, Shown: p.snapshot.Shown, Round: o.round, Panel: string(o.panel),
		Check: o.kind == share.KindBoard && n.Kind == session.KindCheck}
	p.view.Verdicts = o.verdicts(n, p.snapshot.Shown)
	if o.kind == share.KindBoard {
		p.view.Of = p.snapshot.Shown[slices.Index(o.picked, o.chosen[0])]
	}
	if o.kind == share.KindDemo {
		p.view.Demo = o.sharedDemo(p.snapshot)
		if _, ok := demoOf(reading{view: p.view, session: p.snapshot.Session}); !ok {
			return p, app.Refuse(http.StatusUnprocessableEntity, "story",
				"This demo cannot be read after its secrets are masked.",
				"Edit the demo: leave the secret out of its text, show it again and share that.")
		}
	}
	var err error
	if p.data, err = share.Encode(p.view, p.snapshot.Session); err != nil {
		return p, err
	}
	plain := p.snapshot.Session
	plain.Title, plain.Note = "", ""
	recording, err := export.JSON(plain)
	p.digest = digestOf(append(recording, fmt.Sprint(o.kind, p.view.Shown, p.view.Of, plain.Flow)...))
	return p, err
}

// verdicts returns what the picked experiments showed, judged with the whole
// session n. Their sentences come from a redacted copy of it; a sentence that
// says something else there is left out. shown are the numbers of the picked
// exchanges in the snapshot.
func (o proposal) verdicts(n session.Session, shown []int) []share.Verdict {
	var list []share.Verdict
	judge, public := lab.NewJudge(n.Exchanges), (*lab.Judge)(nil)
	var redacted session.Session
	for i, id := range o.picked {
		at := slices.IndexFunc(n.Exchanges, func(x playground.Exchange) bool { return x.ID == id })
		own, ok := judge.Branch(n.Exchanges[at])
		if !ok || !own.Ended() {
			continue
		}
		if public == nil {
			all := o.form.options
			all.Pick = nil
			redacted = share.NewSnapshot(n, all).Session
			redacted.ReadOnce()
			public = lab.NewJudge(redacted.Exchanges)
		}
		v := share.Verdict{Exchange: shown[i], Verdict: string(own.Verdict)}
		if shown, ok := public.Branch(redacted.Exchanges[at]); ok && shown.Verdict == own.Verdict {
			v.Text = shown.Text
		}
		list = append(list, v)
	}
	return list
}

// positions returns the positions of the picked exchanges among those that a reader
// can open, from 1, by id.
func (o proposal) positions() map[string]string {
	list := map[string]string{}
	for i, id := range o.picked {
		list[id] = fmt.Sprint(i + 1)
	}
	return list
}

// sharedDemo returns the stage as a share keeps it, with the public text of a user's
// story.
func (o proposal) sharedDemo(p share.Snapshot) *share.Demo {
	t := o.demo
	d := &share.Demo{Story: t.Story.Slug, Text: p.Story, Own: p.Shown[slices.Index(o.picked, t.Stage.Own)]}
	if p.Story != "" {
		d.Story = "demo" // its id is its maker's
	}
	if t.Legacy != nil {
		d.Legacy = p.Shown[slices.Index(o.picked, t.Stage.Legacy)]
	}
	for _, m := range t.Stage.Marks {
		d.Marks = append(d.Marks, share.Mark(m))
	}
	return d
}

// title returns the title of a link if the user enters none. That of the session
// may tell of more than the link shows.
func (o proposal) title() string {
	first := o.session.Exchanges[0]
	switch o.kind {
	case share.KindBoard:
		return "Results board of " + app.Title(first.Call)
	case share.KindCompare:
		return "Comparison of " + app.Title(first.Call)
	case share.KindDemo:
		return o.demo.Story.Title
	case share.KindFlow:
		return o.session.Title
	}
	if len(o.picked) == len(o.session.Exchanges) && o.session.Title != "" {
		return o.session.Title
	}
	i := slices.IndexFunc(o.session.Exchanges,
		func(x playground.Exchange) bool { return x.ID == o.picked[0] })
	return app.Title(o.session.Exchanges[i].Call)
}
