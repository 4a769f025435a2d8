package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// shareStore keeps shares. A share that has expired is not found.
type shareStore interface {
	AddShare(ctx context.Context, workspace string, h share.Share) error
	Share(ctx context.Context, token string, now time.Time) (share.Share, error)
	Shares(ctx context.Context, workspace string, now time.Time) ([]share.Share, error)
	CountView(ctx context.Context, token string) error
	DeleteShare(ctx context.Context, workspace, token string) error
}

// minCredential is the shortest credential to search for, in bytes; shorter
// values cause false positives.
const minCredential = 8

// maxShareNote is the longest note for the readers of a link, in characters.
const maxShareNote = 500

// lives returns how long a link may work; the last is the default.
func lives() []time.Duration {
	return []time.Duration{time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}
}

func expiryChoices() []views.ExpiryChoice {
	return []views.ExpiryChoice{
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

// sharePreview shows what a link would make public: the exchange, the board, the
// compare or the demo that ?kind= and ?x= name, with ?round= and ?panel=.
func (s *app) sharePreview(c echo.Context) error {
	return s.sharePage(c, http.StatusOK, c.QueryParams(), views.ShareForm{})
}

// createShare publishes exactly what the preview showed. If the session has
// changed since, it shows the new preview instead.
func (s *app) createShare(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	if first(form["do"]) != "create" {
		return s.sharePage(c, http.StatusOK, form, views.ShareForm{})
	}
	o, err := s.toShare(c, form)
	if err != nil {
		return err
	}
	p, err := o.publish()
	switch {
	case err != nil:
		return err
	case p.digest != o.form.digest:
		return s.showShare(c, http.StatusConflict, o, p, views.ShareForm{Changed: true})
	case len(p.data) > s.Limits.Share:
		return s.showShare(c, http.StatusRequestEntityTooLarge, o, p, views.ShareForm{
			Problem: "This recording is larger than a link can hold (" + text.Size(s.Limits.Share) +
				"). Share less of it, or download it as a file instead.",
		})
	}
	if _, _, err := share.Decode(p.data); err != nil {
		s.Logger.Error("a snapshot cannot be read back", "session", o.session.ID, "err", err)
		return s.showShare(c, http.StatusUnprocessableEntity, o, p, views.ShareForm{
			Problem: "This recording cannot be published, because a reader could not open it: " +
				err.Error() + ".",
		})
	}
	if err := s.limitShares(c); err != nil {
		return err
	}
	h := share.Share{
		Token: s.NewID(), Session: o.session.ID, Other: o.other, Title: p.snapshot.Session.Title,
		Created: s.Now(),
		Expires: s.Now().Add(o.form.duration), Data: p.data,
	}
	if h.Image, err = s.card(p.view, p.snapshot.Session); err != nil {
		return err
	}
	err = s.store(c, len(h.Data)+len(h.Image), func() error {
		return s.Store.AddShare(c.Request().Context(), s.owners.reading(c), h)
	})
	if err != nil {
		return err
	}
	return seeOther(c, "/shares?made="+h.Token)
}

// proposal is what the owner of a session may share, with the choices that were
// made.
type proposal struct {
	session session.Session // with all exchanges that secrets are searched in
	other   string          // id of a second session, whose exchanges are in session too; or empty
	kind    share.Kind
	picked  []string // ids of the exchanges that become public
	chosen  []string // ids in the form: those that were picked, or of a board that whose Lab it is
	round   int
	panel   views.Panel
	demo    *demoSession // of share.KindDemo
	form    shareForm
}

// toShare returns what the session of the path, and a form or a query, offer to
// share, and takes a turn to work on it.
func (s *app) toShare(c echo.Context, values url.Values) (proposal, error) {
	o := proposal{kind: share.Kind(values.Get("kind")), form: readShareForm(values)}
	n, err := s.Store.Session(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err != nil {
		return o, err
	}
	o.session = n
	selection, ok := views.ReadSelection(url.Values{"round": nonEmpty(values.Get("round")),
		"panel": nonEmpty(values.Get("panel"))})
	if !ok || len(n.Exchanges) == 0 {
		return o, notFound()
	}
	o.round, o.panel = selection.Round, selection.Panel
	if o.panel == views.PanelLab {
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
		err = s.pickCompared(c, &o, values["x"])
	case share.KindDemo:
		err = s.pickDemo(c, &o)
	default:
		err = notFound()
	}
	if err != nil {
		return o, err
	}
	if err := s.takeTurn(c, o.session); err != nil {
		return o, err
	}
	if o.form.options.Pick = o.picked; o.chosen == nil {
		o.chosen = o.picked
	}
	o.form.options.Credentials = s.credentials(c, o.session)
	return o, nil
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
func (s *app) pickCompared(c echo.Context, o *proposal, ids []string) error {
	if len(ids) != 2 || ids[0] == ids[1] || !o.has(ids[0]) {
		return notFound()
	}
	o.picked = ids
	if o.has(ids[1]) {
		return nil
	}
	x, err := s.load(c, ids[1])
	if err != nil {
		return err
	}
	other, err := s.Store.Session(c.Request().Context(), s.owners.reading(c), x.Session)
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
func (s *app) pickDemo(c echo.Context, o *proposal) error {
	stage, err := s.Store.Stage(c.Request().Context(), s.owners.reading(c), o.session.ID)
	if err != nil {
		return err
	}
	t, err := s.stageOf(c, stage)
	if err != nil {
		return err
	}
	o.demo, o.picked = &t, []string{t.stage.Own}
	if t.legacy != nil {
		o.picked = append(o.picked, t.stage.Legacy)
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
	p := published{snapshot: share.NewSnapshot(n, o.form.options)}
	p.view = share.View{Kind: o.kind, Shown: p.snapshot.Shown, Round: o.round, Panel: string(o.panel),
		Check: o.kind == share.KindBoard && n.Kind == session.KindCheck}
	p.view.Verdicts = o.verdicts(n, p.snapshot.Shown)
	if o.kind == share.KindBoard {
		p.view.Of = p.snapshot.Shown[slices.Index(o.picked, o.chosen[0])]
	}
	if o.kind == share.KindDemo {
		p.view.Demo = o.demo.shared(p.snapshot.Shown)
	}
	var err error
	if p.data, err = share.Encode(p.view, p.snapshot.Session); err != nil {
		return p, err
	}
	plain := p.snapshot.Session
	plain.Title, plain.Note = "", ""
	recording, err := export.JSON(plain)
	p.digest = digestOf(append(recording, fmt.Sprint(o.kind, p.view.Shown, p.view.Of)...))
	return p, err
}

// verdicts returns what the picked experiments showed, judged with the whole
// session n. Their sentences come from a redacted copy of it; a sentence that
// says something else there is left out. shown are the numbers of the picked
// exchanges in the snapshot.
func (o proposal) verdicts(n session.Session, shown []int) []share.Verdict {
	var list []share.Verdict
	var redacted []playground.Exchange
	for i, id := range o.picked {
		at := slices.IndexFunc(n.Exchanges, func(x playground.Exchange) bool { return x.ID == id })
		own, ok := lab.JudgeBranch(n.Exchanges[at], n.Exchanges)
		if !ok || !own.Ended() {
			continue
		}
		if redacted == nil {
			all := o.form.options
			all.Pick = nil
			redacted = share.NewSnapshot(n, all).Session.Exchanges
		}
		v := share.Verdict{Exchange: shown[i], Verdict: string(own.Verdict)}
		if public, ok := lab.JudgeBranch(redacted[at], redacted); ok && public.Verdict == own.Verdict {
			v.Text = public.Text
		}
		list = append(list, v)
	}
	return list
}

// title returns the title of a link if the user enters none. That of the session
// may tell of more than the link shows.
func (o proposal) title() string {
	first := o.session.Exchanges[0]
	switch o.kind {
	case share.KindBoard:
		return "Results board of " + title(first.Call)
	case share.KindCompare:
		return "Comparison of " + title(first.Call)
	case share.KindDemo:
		return o.demo.story.Title
	}
	if len(o.picked) == len(o.session.Exchanges) && o.session.Title != "" {
		return o.session.Title
	}
	i := slices.IndexFunc(o.session.Exchanges,
		func(x playground.Exchange) bool { return x.ID == o.picked[0] })
	return title(o.session.Exchanges[i].Call)
}

func readShareForm(form url.Values) shareForm {
	w := shareForm{digest: form.Get("seen"), expiry: form.Get("expires"),
		title: cut(strings.TrimSpace(form.Get("title")), maxTitle),
		note:  cut(strings.TrimSpace(form.Get("note")), maxShareNote)}
	leave := form["leave"]
	w.options = share.Options{
		OmitNote: slices.Contains(leave, "note"), OmitAnswers: slices.Contains(leave,
			"answers"), OmitHeaders: slices.Contains(leave, "headers"),
		Show: form["keep"],
	}
	choices := expiryChoices()
	i := slices.IndexFunc(choices, func(e views.ExpiryChoice) bool { return e.Value == w.expiry })
	if i < 0 {
		i = len(choices) - 1
	}
	w.expiry, w.duration = choices[i].Value, lives()[i]
	return w
}

// credentials returns the user's credentials for the servers of a session, as
// far as this browser can open them. The recording has them masked in the usual
// encodings; share masks them again in all encodings that it knows.
func (s *app) credentials(c echo.Context, n session.Session) []string {
	var values []string
	for _, x := range n.Exchanges {
		open, err := s.unlockExchange(c, x)
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

// limitShares enforces the rate of new links in public mode.
func (s *app) limitShares(c echo.Context) error {
	if s.Mode != Public {
		return nil
	}
	if wait := s.limiters.shares.reserve(s.visitor(c), s.Now()); wait > 0 {
		return tooMany(
			wait, "too_many_shares", "Too many links in a short time.", "Existing links still work.",
		)
	}
	return nil
}

// instancesOf returns the topology of an exchange's sample, or "" for other
// servers.
func (s *app) instancesOf(x playground.Exchange) string {
	sample, ok := s.samples.lookup(x.Target.Sample)
	if !ok {
		return ""
	}
	return server.InstancesOf(x.Target.URL, sample.Instances)
}

func (s *app) sharePage(c echo.Context, status int, values url.Values, model views.ShareForm) error {
	o, err := s.toShare(c, values)
	if err != nil {
		return err
	}
	p, err := o.publish()
	if err != nil {
		return err
	}
	return s.showShare(c, status, o, p, model)
}

func (s *app) showShare(c echo.Context, status int, o proposal, p published, model views.ShareForm) error {
	ctx, workspace, n := c.Request().Context(), s.owners.reading(c), o.session
	rows, err := s.Store.ExchangeRows(ctx, workspace, n.ID)
	if err != nil {
		return err
	}
	model.ID, model.Title, model.Note, model.Kind = n.ID, p.snapshot.Session.Title, o.form.note, o.kind
	model.Options, model.Expiry, model.Expiries = o.form.options, o.form.expiry, expiryChoices()
	model.Imported = p.snapshot.Session.Imported
	model.Seen, model.Size = p.digest, text.Size(len(p.data))
	model.Findings, model.Texts = p.snapshot.Findings, views.NewPublicTexts(p.snapshot.Parts)
	model.Preview = "/sessions/" + url.PathEscape(n.ID) + "/share/preview?" +
		url.Values{"of": {o.choices().Encode()}}.Encode()
	model.Exchanges = views.ExchangeChoices(rows, o.picked)
	switch o.kind {
	case share.KindExchange:
		x := p.snapshot.Session.Exchanges[p.view.Shown[0]-1]
		if f := x.Fold(); f.Last() != nil {
			model.Rounds = views.RoundChoices("Round", f.Last().N, o.round)
			model.Panels = views.PanelChoices(o.panel)
		}
	case share.KindDemo:
		model.Rounds = views.RoundChoices("Step", o.demo.newest(), o.round)
	}
	if o.kind != share.KindExchange {
		model.Fixed = fixedWords(o.kind, len(o.picked))
		model.Exchanges = nil
		for _, id := range o.chosen {
			model.Exchanges = append(model.Exchanges, views.ShareChoice{Value: id})
		}
	} else if len(o.picked) == 1 {
		model.File, model.Choices = "/x/"+o.picked[0], o.form.query()
	}
	if model.Links, err = s.linksTo(c, n.ID); err != nil {
		return err
	}
	c.Response().Header().Set("Content-Security-Policy", policy+"; frame-src 'self'")
	if wantsFragment(c) {
		return s.render(c, status, views.ShareMain(model))
	}
	return s.render(c, status, views.SharePage(s.page(c, "Share", "/history"), model))
}

// fixedWords says what a board, a compare or a demo makes public.
func fixedWords(k share.Kind, exchanges int) string {
	switch k {
	case share.KindBoard:
		return "The board with the " + text.Plural(exchanges, "call") + " that it is made from. Other " +
			"branches stay private."
	case share.KindCompare:
		return "The two calls of this comparison. Other branches stay private."
	}
	return "The steps of this demo that were reached, with its recorded calls."
}

// linksTo returns the user's links that show something of a session.
func (s *app) linksTo(c echo.Context, session string) ([]views.ShareLine, error) {
	links, err := s.links(c)
	return links[session], err
}

// links returns the user's links by the session that they show something of.
func (s *app) links(c echo.Context) (map[string][]views.ShareLine, error) {
	list, err := s.Store.Shares(c.Request().Context(), s.owners.reading(c), s.Now())
	bySession := map[string][]views.ShareLine{}
	for _, h := range list {
		bySession[h.Session] = append(bySession[h.Session], views.NewShareLine(h, s.BaseURL))
	}
	return bySession, err
}

// shares lists the user's links; ?made= shows one that was just created.
func (s *app) shares(c echo.Context) error {
	list, err := s.Store.Shares(c.Request().Context(), s.owners.reading(c), s.Now())
	if err != nil {
		return err
	}
	model := views.Shares{}
	for _, h := range list {
		line := views.NewShareLine(h, s.BaseURL)
		if h.Token == c.QueryParam("made") {
			if line.QR, err = views.QR(line.URL); err != nil {
				return err
			}
			line.OwnMachine = isLoopbackOrigin(s.BaseURL)
			model.Made = &line
		}
		model.Lines = append(model.Lines, line)
	}
	return s.render(c, http.StatusOK, views.SharesPage(s.page(c, "Your links", "/history"), model))
}

// deleteShare revokes a link at once, and leads back to the page that the form
// was on.
func (s *app) deleteShare(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	if err := s.Store.DeleteShare(c.Request().Context(), s.owners.reading(c), c.Param("token")); err != nil {
		return err
	}
	id := url.PathEscape(form.Get("id"))
	switch form.Get("from") {
	case "share":
		return seeOther(c, "/sessions/"+id+"/share")
	case "exchange":
		return seeOther(c, "/x/"+id)
	case "history":
		return seeOther(c, "/history")
	}
	return seeOther(c, "/shares")
}
