package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/preview"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// ShareChoices are what the maker of a link has chosen.
type ShareChoices struct {
	Kind        share.Kind    // empty for the default of the session
	Picked      []string      // ids of exchanges; of a board the one whose Lab it is
	Round       int           // that the link opens with; 0 for none
	Panel       string        // that the link opens with; empty for none
	Options     share.Options // without Pick, Credentials and Story
	Title, Note string        // Title is empty for the default
	Life        time.Duration // how long the link works; see LinkLives
}

// Proposal is what a link to a session would make public. Nothing is stored yet.
type Proposal struct {
	ShareChoices          // as they apply: the kind that is shared, the exchanges that become public
	Form         []string // the exchanges as they were chosen: those picked, or the one of a board
	Session      session.Session
	Demo         *demo.Showing // of share.KindDemo
	Snapshot     share.Snapshot
	View         share.View
	Data         []byte // of the link
	Digest       string // of the recording, without the title and the note

	other string // id of a second session, whose exchanges are in Session too; or empty
}

// Propose returns what a link to a session of the visit's workspace makes public. A large
// recording takes the visit's turn. What a session cannot be shared as is NotFound.
func (s *App) Propose(v *Visit, session string, c ShareChoices) (Proposal, error) {
	if lives := LinkLives(); !slices.Contains(lives, c.Life) {
		c.Life = lives[len(lives)-1]
	}
	p := Proposal{ShareChoices: c}
	if err := s.pick(v, &p, session); err != nil {
		return p, err
	}
	if err := s.TakeTurn(v, p.Session); err != nil {
		return p, err
	}
	if p.Options.Pick = p.Picked; p.Form == nil {
		p.Form = p.Picked
	}
	p.Options.Credentials = s.secrets(v, p.Session)
	return p, p.publish()
}

// pick reads a session and picks what of it becomes public.
func (s *App) pick(v *Visit, p *Proposal, id string) error {
	n, err := s.Store.Session(v.Context(), v.Workspace(), id)
	if err != nil {
		return err
	}
	if n.Kind == session.KindFlow {
		if err := s.addFlow(v, &n); err != nil {
			return err
		}
	}
	p.Session = n
	if len(n.Exchanges) == 0 {
		return NotFound()
	}
	ids := p.Picked
	if p.Picked = nil; p.Kind == "" {
		p.Kind = kindShared(n, ids)
	}
	switch p.Kind {
	case share.KindExchange:
		p.pickExchanges(ids)
	case share.KindBoard:
		p.pickBoard(ids)
		p.Session.Exchanges = s.reportOn(v, n, p.Form[0]).Noted(n.Exchanges)
	case share.KindCompare:
		return s.pickCompared(v, p, ids)
	case share.KindDemo:
		return s.pickDemo(v, p)
	case share.KindFlow:
		if p.Picked = []string{n.Exchanges[0].ID}; n.Flow == "" {
			return NotFound()
		}
	default:
		return NotFound()
	}
	return nil
}

// addFlow gives the session of a flow its text, and the exchange that the flow
// leads to with its examples.
func (s *App) addFlow(v *Visit, n *session.Session) error {
	saved, err := s.OpenFlow(v, n.ID)
	if err != nil {
		return err
	}
	f, _ := review.Parse([]byte(saved.Text))
	if f == nil { // a newer version of the format may refuse what an older one allowed
		return flowNotValid()
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

// flowNotValid is the refusal of what only a valid flow can be.
func flowNotValid() *Refusal {
	return Refuse(Invalid, "not_valid", "This flow is not valid.",
		"Open it, fix the problems that its page shows, and save it.")
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
func (p *Proposal) pickExchanges(ids []string) {
	for _, x := range p.Session.Exchanges {
		if slices.Contains(ids, x.ID) {
			p.Picked = append(p.Picked, x.ID)
		}
	}
	if len(p.Picked) == 0 {
		p.Picked = []string{p.Session.Exchanges[0].ID}
	}
}

// pickBoard picks what a results board is made from: the call, its experiments
// and the right calls that they are compared with. Other branches of the call
// are not on the board. The first of ids is the exchange whose Lab it is; the first
// one of the session if it is none of them.
func (p *Proposal) pickBoard(ids []string) {
	of := ""
	if len(ids) > 0 {
		of = ids[0]
	}
	p.Form = []string{p.Session.Exchanges[0].ID}
	for i, x := range p.Session.Exchanges {
		again := x.Origin != nil && x.Origin.Round == 0
		if x.ID == of {
			p.Form[0] = of
		}
		if i == 0 || x.ID == of || p.Session.Kind == session.KindCheck || x.Experiment() != "" || again {
			p.Picked = append(p.Picked, x.ID)
		}
	}
}

// pickCompared picks two exchanges: the first of the session, the second of it or
// of another one.
func (s *App) pickCompared(v *Visit, p *Proposal, ids []string) error {
	if len(ids) != 2 || ids[0] == ids[1] || !p.has(ids[0]) {
		return NotFound()
	}
	p.Picked = ids
	if p.has(ids[1]) {
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
	p.other = other.ID
	p.Session.Exchanges = slices.Concat(p.Session.Exchanges, other.Exchanges)
	return nil
}

// has reports whether an exchange is one of the session.
func (p *Proposal) has(id string) bool {
	return slices.ContainsFunc(p.Session.Exchanges, func(x playground.Exchange) bool { return x.ID == id })
}

// pickDemo picks the lanes of a demo.
func (s *App) pickDemo(v *Visit, p *Proposal) error {
	t, err := s.OpenStage(v, p.Session.ID)
	if err != nil {
		return err
	}
	p.Demo = &t
	shown := append([]string{t.Stage.Own, t.Stage.Legacy}, t.Story.Recorded...)
	for _, x := range p.Session.Exchanges {
		if slices.Contains(shown, x.ID) {
			p.Picked = append(p.Picked, x.ID)
		}
	}
	return nil
}

// publish makes what a link to the proposal makes public.
func (p *Proposal) publish() error {
	n := p.Session
	n.Title, n.Note = p.Title, p.Note
	if n.Title == "" {
		n.Title = p.title()
	}
	options := p.Options
	if p.Demo != nil && p.Demo.Stage.Text != "" {
		options.Story = p.Demo.Story.Public(p.positions()).YAML()
	}
	p.Snapshot = share.NewSnapshot(n, options)
	p.View = share.View{Kind: p.Kind, Shown: p.Snapshot.Shown, Round: p.Round, Panel: p.Panel,
		Check: p.Kind == share.KindBoard && n.Kind == session.KindCheck}
	p.View.Verdicts = p.verdicts(n, options)
	if p.Kind == share.KindBoard {
		p.View.Of = p.Snapshot.Shown[slices.Index(p.Picked, p.Form[0])]
	}
	if p.Kind == share.KindDemo {
		p.View.Demo = p.sharedDemo()
		if _, ok := demo.FromShare(p.View, p.Snapshot.Session); !ok {
			return Refuse(Invalid, "story", "This demo cannot be read after its secrets are masked.",
				"Edit the demo: leave the secret out of its text, show it again and share that.")
		}
	}
	var err error
	if p.Data, err = share.Encode(p.View, p.Snapshot.Session); err != nil {
		return err
	}
	plain := p.Snapshot.Session
	plain.Title, plain.Note = "", ""
	recording, err := export.JSON(plain)
	p.Digest = digestOf(append(recording, fmt.Sprint(p.Kind, p.View.Shown, p.View.Of, plain.Flow)...))
	return err
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// verdicts returns what the picked experiments showed, judged with the whole
// session n. Their sentences come from a redacted copy of it; a sentence that
// says something else there is left out.
func (p *Proposal) verdicts(n session.Session, options share.Options) []share.Verdict {
	var list []share.Verdict
	judge, public := lab.NewJudge(n.Exchanges), (*lab.Judge)(nil)
	var redacted session.Session
	for i, id := range p.Picked {
		at := slices.IndexFunc(n.Exchanges, func(x playground.Exchange) bool { return x.ID == id })
		own, ok := judge.Branch(n.Exchanges[at])
		if !ok || !own.Ended() {
			continue
		}
		if public == nil {
			options.Pick = nil
			redacted = share.NewSnapshot(n, options).Session
			redacted.ReadOnce()
			public = lab.NewJudge(redacted.Exchanges)
		}
		v := share.Verdict{Exchange: p.Snapshot.Shown[i], Verdict: string(own.Verdict)}
		if shown, ok := public.Branch(redacted.Exchanges[at]); ok && shown.Verdict == own.Verdict {
			v.Text = shown.Text
		}
		list = append(list, v)
	}
	return list
}

// positions returns the positions of the picked exchanges among those that a reader
// can open, from 1, by id.
func (p *Proposal) positions() map[string]string {
	list := map[string]string{}
	for i, id := range p.Picked {
		list[id] = fmt.Sprint(i + 1)
	}
	return list
}

// sharedDemo returns the stage as a share keeps it, with the public text of a user's
// story.
func (p *Proposal) sharedDemo() *share.Demo {
	t, shown := p.Demo, p.Snapshot.Shown
	d := &share.Demo{
		Story: t.Story.Slug, Text: p.Snapshot.Story, Own: shown[slices.Index(p.Picked, t.Stage.Own)],
	}
	if d.Text != "" {
		d.Story = "demo" // its id is its maker's
	}
	if t.Legacy != nil {
		d.Legacy = shown[slices.Index(p.Picked, t.Stage.Legacy)]
	}
	for _, m := range t.Stage.Marks {
		d.Marks = append(d.Marks, share.Mark(m))
	}
	return d
}

// title returns the title of a link if the user enters none. That of the session
// may tell of more than the link shows.
func (p *Proposal) title() string {
	first := p.Session.Exchanges[0]
	switch p.Kind {
	case share.KindBoard:
		return "Results board of " + Title(first.Call)
	case share.KindCompare:
		return "Comparison of " + Title(first.Call)
	case share.KindDemo:
		return p.Demo.Story.Title
	case share.KindFlow:
		return p.Session.Title
	}
	if len(p.Picked) == len(p.Session.Exchanges) && p.Session.Title != "" {
		return p.Session.Title
	}
	i := slices.IndexFunc(p.Session.Exchanges,
		func(x playground.Exchange) bool { return x.ID == p.Picked[0] })
	return Title(p.Session.Exchanges[i].Call)
}
