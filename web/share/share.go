package share

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// minCredential is the shortest credential to search for, in bytes; shorter
// values cause false positives.
const minCredential = 8

// maxShareNote is the longest note for the readers of a link, in characters.
const maxShareNote = 500

// lives returns how long a link may work; the last is the default.
func lives() []time.Duration {
	return []time.Duration{time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}
}

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
	duration    time.Duration
	digest      string
}

// SharePreview shows what a link would make public: the exchange, the board, the
// compare or the demo that ?kind= and ?x= name, with ?round= and ?panel=.
func (s *Pages) SharePreview(r *web.Request) error {
	return s.sharePage(r, http.StatusOK, r.QueryParams(), shareview.Form{})
}

// CreateShare publishes exactly what the preview showed. If the session has
// changed since, it shows the new preview instead.
func (s *Pages) CreateShare(r *web.Request) error {
	v := r.Visit
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	if web.First(form["do"]) != "create" {
		return s.sharePage(r, http.StatusOK, form, shareview.Form{})
	}
	o, err := s.toShare(v, r.Param("id"), form)
	if err != nil {
		return err
	}
	p, err := o.publish()
	switch {
	case err != nil:
		return err
	case p.digest != o.form.digest:
		return s.showShare(r, http.StatusConflict, o, p, shareview.Form{Changed: true})
	case len(p.data) > s.Limits.Share:
		return s.showShare(r, http.StatusRequestEntityTooLarge, o, p, shareview.Form{
			Problem: "This recording is larger than a link can hold (" + text.Size(s.Limits.Share) +
				"). Share less of it, or download it as a file instead.",
		})
	}
	if _, _, err := share.Decode(p.data); err != nil {
		s.Logger.Error("a snapshot cannot be read back", "session", o.session.ID, "err", err)
		return s.showShare(r, http.StatusUnprocessableEntity, o, p, shareview.Form{
			Problem: "This recording cannot be published, because a reader could not open it: " +
				err.Error() + ".",
		})
	}
	h, err := s.addShare(v, o, p)
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/shares?made="+h.Token)
}

// addShare stores a link to what was proposed.
func (s *Pages) addShare(v *app.Visit, o proposal, p published) (share.Share, error) {
	h := share.Share{
		Token: s.NewID(), Session: o.session.ID, Other: o.other, Title: p.snapshot.Session.Title,
		Created: s.Now(),
		Expires: s.Now().Add(o.form.duration), Data: p.data,
	}
	if err := s.limitShares(v); err != nil {
		return h, err
	}
	var err error
	if h.Image, err = s.card(p.view, p.snapshot.Session); err != nil {
		return h, err
	}
	return h, s.Write(v, len(h.Data)+len(h.Image), func() error {
		return s.Store.AddShare(v.Context(), v.Workspace(), h)
	})
}

// errTooLarge is the reason that a recording gets no link.
var errTooLarge = app.Refuse(http.StatusRequestEntityTooLarge, "share_too_large",
	"The recording is larger than a link can hold.", "Check less at once, or use a token.")

// ShareAlone makes a link to the board of a check, or to a call, that outlives its
// session, which it deletes: the link is all that is kept. Secrets are masked as they
// are in every link.
func (s *Pages) ShareAlone(v *app.Visit, id, expiry string) (share.Share, error) {
	ctx, workspace := v.Context(), v.Workspace()
	o, err := s.toShare(v, id, url.Values{"expires": {expiry}})
	if err != nil {
		return share.Share{}, err
	}
	p, err := o.publish()
	if err != nil {
		return share.Share{}, err
	}
	if len(p.data) > s.Limits.Share {
		return share.Share{}, errTooLarge
	}
	if _, _, err := share.Decode(p.data); err != nil {
		return share.Share{}, fmt.Errorf("read snapshot back: %w", err)
	}
	o.session.ID = s.NewID() // a session without calls, for the link to belong to
	empty := session.Session{ID: o.session.ID, Created: s.Now(), Changed: s.Now()}
	if err := s.Store.AddSession(ctx, workspace, empty); err != nil {
		return share.Share{}, err
	}
	h, err := s.addShare(v, o, p)
	if err != nil {
		return h, errors.Join(err, s.Store.DeleteSession(ctx, workspace, empty.ID))
	}
	return h, s.Store.DeleteSession(ctx, workspace, id)
}

func readShareForm(form url.Values) shareForm {
	w := shareForm{digest: form.Get("seen"), expiry: form.Get("expires"),
		title: web.Cut(strings.TrimSpace(form.Get("title")), web.MaxTitle),
		note:  web.Cut(strings.TrimSpace(form.Get("note")), maxShareNote)}
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
	w.expiry, w.duration = choices[i].Value, lives()[i]
	return w
}

// secrets returns what no reader of a session may have, whatever its maker picks: the
// user's credentials, and the addresses of flows, which anyone could call.
func (s *Pages) secrets(v *app.Visit, n session.Session) []string {
	return append(s.credentials(v, n), app.FlowTokens(n.Exchanges)...)
}

// credentials returns the user's credentials for the servers of a session, as
// far as this browser can open them. The recording has them masked in the usual
// encodings; share masks them again in all encodings that it knows.
func (s *Pages) credentials(v *app.Visit, n session.Session) []string {
	var values []string
	for _, x := range n.Exchanges {
		open, err := s.UnlockExchange(v, x)
		if err != nil || len(x.Sealed) == 0 {
			continue // no credentials, or lost ones, which are nowhere in clear
		}
		values = append(values, redact.Values(open.Target.Header, open.Target.URL)...)
	}
	return slices.DeleteFunc(values, func(v string) bool { return len(v) < minCredential })
}

// choices returns what the share page has chosen, as values of its form.
func (o proposal) choices() url.Values {
	q := o.form.values()
	q.Set("kind", string(o.kind))
	q["x"] = o.chosen
	for name, value := range map[string]string{"title": o.form.title, "note": o.form.note,
		"panel": string(o.panel)} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if o.round > 0 {
		q.Set("round", fmt.Sprint(o.round))
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

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// limitShares enforces the rate of new links.
func (s *Pages) limitShares(v *app.Visit) error {
	if !s.Mode.Limited() {
		return nil
	}
	if wait := s.Limiters.Shares.Reserve(v.Account(), s.Now()); wait > 0 {
		return app.TooMany(
			wait, "too_many_shares", "Too many links in a short time.", "Existing links still work.",
		)
	}
	return nil
}

// instancesOf returns the topology of an exchange's sample, or "" for other
// servers.
func (s *Pages) instancesOf(x playground.Exchange) string {
	sample, ok := s.Samples.Lookup(x.Target.Sample)
	if !ok {
		return ""
	}
	return server.InstancesOf(x.Target.URL, sample.Instances)
}

func (s *Pages) sharePage(r *web.Request, status int, values url.Values, model shareview.Form) error {
	o, err := s.toShare(r.Visit, r.Param("id"), values)
	if err != nil {
		return err
	}
	p, err := o.publish()
	if err != nil {
		return err
	}
	return s.showShare(r, status, o, p, model)
}

func (s *Pages) showShare(r *web.Request, status int, o proposal, p published, model shareview.Form) error {
	ctx, workspace, n := r.Context(), r.Visit.Workspace(), o.session
	rows, err := s.Store.ExchangeRows(ctx, workspace, n.ID)
	if err != nil {
		return err
	}
	model.ID, model.Title, model.Note, model.Kind = n.ID, p.snapshot.Session.Title, o.form.note, o.kind
	model.Options, model.Expiry, model.Expiries = o.form.options, o.form.expiry, expiryChoices()
	model.Imported = p.snapshot.Session.Imported
	model.Seen, model.Size = p.digest, text.Size(len(p.data))
	model.Findings, model.Texts = p.snapshot.Findings, shareview.NewPublicTexts(p.snapshot.Parts)
	model.Preview = "/sessions/" + url.PathEscape(n.ID) + "/share/preview?" +
		url.Values{"of": {o.choices().Encode()}}.Encode()
	if o.kind == share.KindExchange {
		showed := s.Verdicts.Of(n.ID, rows, n.Exchanges)
		tree := boardview.NewTree(rows, showed, "")
		model.Exchanges, model.Baseline = shareview.ExchangeChoices(tree, o.picked)
	}
	switch o.kind {
	case share.KindExchange:
		x := p.snapshot.Session.Exchanges[p.view.Shown[0]-1]
		if f := x.Fold(); f.Last() != nil {
			model.Rounds = shareview.RoundChoices("Round", f.Last().N, o.round)
			model.Panels = shareview.PanelChoices(o.panel)
		}
	case share.KindDemo:
		model.Rounds = shareview.RoundChoices("Step", o.demo.Newest(), o.round)
	}
	if o.kind != share.KindExchange {
		model.Fixed = fixedWords(o.kind, len(o.picked))
		model.Exchanges = nil
		for _, id := range o.chosen {
			model.Exchanges = append(model.Exchanges, shareview.Choice{Value: id})
		}
	} else if len(o.picked) == 1 {
		model.File, model.Choices = "/x/"+o.picked[0], o.form.query()
	}
	if model.Links, err = s.LinksTo(r, n.ID); err != nil {
		return err
	}
	r.Writer.Header().Set("Content-Security-Policy", web.Policy+"; frame-src 'self'")
	if web.WantsFragment(r) {
		return s.Render(r, status, shareview.Main(model))
	}
	return s.Render(r, status, shareview.Page(s.Page(r, "Share", "/history"), model))
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
