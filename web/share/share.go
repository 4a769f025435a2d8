package share

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// maxShareNote is the longest note for the readers of a link, in characters.
const maxShareNote = 500

// expiryChoices returns the words for app.LinkLives.
func expiryChoices() []shareview.ExpiryChoice {
	return []shareview.ExpiryChoice{
		{Value: "1h", Words: "1 hour"}, {Value: "1d", Words: "1 day"}, {Value: "7d", Words: "7 days"},
		{Value: "30d", Words: "30 days"},
	}
}

// shareForm holds the user's choices on the share page.
type shareForm struct {
	options     share.Options
	title, note string // title is empty for the default
	expiry      string
	life        time.Duration
}

// SharePreview shows what a link would make public: the exchange, the board, the
// compare or the demo that ?kind= and ?x= name, with ?round= and ?panel=.
func (s *Pages) SharePreview(r *web.Request) error {
	return s.sharePage(r, r.QueryParams())
}

// CreateShare publishes exactly what the preview showed. If the session has
// changed since, it shows the new preview instead.
func (s *Pages) CreateShare(r *web.Request) error {
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	do := web.First(form["do"])
	if do != "create" && do != "page" {
		return s.sharePage(r, form)
	}
	p, err := s.propose(r, form)
	if err != nil {
		return err
	}
	if do == "page" {
		if err = app.Unchanged(p, form.Get("seen")); err == nil {
			err = s.proposedPage(r, p)
		}
		if err == nil {
			return nil
		}
	} else {
		var h share.Share
		if h, err = s.App.MakeLink(r.Visit, p, form.Get("seen"), readerview.Card); err == nil {
			return web.SeeOther(r, "/shares?made="+h.Token)
		}
	}
	var refused *app.Refusal
	if !errors.As(err, &refused) {
		return err
	}
	model := shareview.Form{}
	switch refused.Kind {
	case app.Conflict:
		model.Changed = true
	case app.TooLarge, app.Invalid:
		model.Problem = refusedWords(refused)
	default:
		return err
	}
	return s.showShare(r, int(refused.Kind), form, p, model)
}

// propose returns what a form or a query offers to share of the session in the path.
func (s *Pages) propose(r *web.Request, values url.Values) (app.Proposal, error) {
	return s.proposeOf(r, r.Param("id"), values)
}

// proposeOf is propose for a session.
func (s *Pages) proposeOf(r *web.Request, id string, values url.Values) (app.Proposal, error) {
	chosen, ok := selection.Read(url.Values{"round": nonEmpty(values.Get("round")),
		"panel": nonEmpty(values.Get("panel"))})
	if !ok {
		return app.Proposal{}, app.NotFound()
	}
	if chosen.Panel == selection.PanelLab {
		chosen.Panel = "" // readers run nothing
	}
	w := readShareForm(values)
	return s.App.Propose(r.Visit, id, app.ShareChoices{
		Kind: share.Kind(values.Get("kind")), Picked: values["x"],
		Round: chosen.Round, Panel: string(chosen.Panel),
		Options: w.options, Title: w.title, Note: w.note, Life: w.life,
	})
}

// nonEmpty returns a list with a value, or nil if it is empty.
func nonEmpty(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

func readShareForm(form url.Values) shareForm {
	w := shareForm{expiry: form.Get("expires"),
		title: text.Chars(strings.TrimSpace(form.Get("title")), app.MaxTitle),
		note:  text.Chars(strings.TrimSpace(form.Get("note")), maxShareNote)}
	leave := form["leave"]
	w.options = share.Options{
		OmitNote: slices.Contains(leave, "note"), OmitAnswers: slices.Contains(leave,
			"answers"), OmitHeaders: slices.Contains(leave, "headers"),
		Show: form["keep"],
	}
	choices := expiryChoices()
	i := slices.IndexFunc(choices, func(e shareview.ExpiryChoice) bool { return e.Value == w.expiry })
	if i < 0 {
		i = len(choices) - 1
	}
	w.expiry, w.life = choices[i].Value, app.LinkLives()[i]
	return w
}

// choicesOf returns what the share page has chosen, as values of its form.
func choicesOf(w shareForm, p app.Proposal) url.Values {
	q := w.values()
	q.Set("kind", string(p.Kind))
	q["x"] = p.Form
	for name, value := range map[string]string{"title": w.title, "note": w.note, "panel": p.Panel} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if p.Round > 0 {
		q.Set("round", fmt.Sprint(p.Round))
	}
	return q
}

// values returns the choices that also apply to a file.
func (w shareForm) values() url.Values {
	q := url.Values{"keep": w.options.Show}
	for i, out := range []bool{w.options.OmitNote, w.options.OmitAnswers, w.options.OmitHeaders} {
		if out {
			q.Add("leave", []string{"note", "answers", "headers"}[i])
		}
	}
	return q
}

// query returns the choices that also apply to a file, as a URL query.
func (w shareForm) query() string {
	if text := w.values().Encode(); text != "" {
		return "?" + text
	}
	return ""
}

func (s *Pages) sharePage(r *web.Request, values url.Values) error {
	p, err := s.propose(r, values)
	if err != nil {
		return err
	}
	return s.showShare(r, http.StatusOK, values, p, shareview.Form{})
}

func (s *Pages) showShare(
	r *web.Request, status int, values url.Values, p app.Proposal, model shareview.Form,
) error {
	w, n := readShareForm(values), p.Session
	rows, err := s.Store.ExchangeRows(r.Context(), r.Visit.Workspace(), n.ID)
	if err != nil {
		return err
	}
	model.ID, model.Title, model.Note, model.Kind = n.ID, p.Snapshot.Session.Title, p.Note, p.Kind
	model.Options, model.Expiry, model.Expiries = p.Options, w.expiry, expiryChoices()
	model.Imported = p.Snapshot.Session.Imported
	model.OwnMachine = app.IsLoopbackOrigin(s.App.OwnURL(r))
	model.Seen, model.Size = p.Digest, text.Size(len(p.Data))
	model.Findings, model.Texts = p.Snapshot.Findings, shareview.NewPublicTexts(p.Snapshot.Parts)
	model.Preview = "/sessions/" + url.PathEscape(n.ID) + "/share/preview?" +
		url.Values{"of": {choicesOf(w, p).Encode()}}.Encode()
	if p.Kind == share.KindExchange {
		showed := s.App.Verdicts.Of(n.ID, rows, n.Exchanges)
		tree := boardview.NewTree(rows, showed, "")
		model.Exchanges, model.Baseline = shareview.ExchangeChoices(tree, p.Picked)
	}
	switch p.Kind {
	case share.KindExchange:
		x := p.Snapshot.Session.Exchanges[p.View.Shown[0]-1]
		if f := x.Fold(); f.Last() != nil {
			model.Rounds = shareview.RoundChoices("Round", f.Last().N, p.Round)
			model.Panels = shareview.PanelChoices(selection.Panel(p.Panel))
		}
	case share.KindDemo:
		model.Rounds = shareview.RoundChoices("Step", p.Demo.Newest(), p.Round)
	}
	if p.Kind != share.KindExchange {
		model.Fixed = fixedWords(p.Kind, len(p.Picked))
		model.Exchanges = nil
		for _, id := range p.Form {
			model.Exchanges = append(model.Exchanges, shareview.Choice{Value: id})
		}
	} else if len(p.Picked) == 1 {
		model.File, model.Choices = "/x/"+p.Picked[0], w.query()
	}
	if model.Links, err = s.App.LinksTo(r, n.ID); err != nil {
		return err
	}
	r.Writer.Header().Set("Content-Security-Policy", web.Policy+"; frame-src 'self'")
	if web.WantsFragment(r) {
		return s.App.Render(r, status, shareview.Main(model))
	}
	return s.App.Render(r, status, shareview.Page(s.App.Page(r, "Share", "/history"), model))
}

// fixedWords says what a board, a compare or a demo makes public.
func fixedWords(k share.Kind, exchanges int) string {
	switch k {
	case share.KindBoard:
		return "The board with the " + text.Plural(exchanges, "call") + " that it is made from. " +
			"Other branches stay private."
	case share.KindCompare:
		return "The two calls of this comparison. Other branches stay private."
	case share.KindFlow:
		return "The text of this flow as it was saved, and its picture. " +
			"Its address and its calls stay private."
	}
	return "The steps of this demo that were reached, with its recorded calls."
}
