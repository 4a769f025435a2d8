package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
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
	options  share.Options
	expiry   string
	duration time.Duration
	digest   string
}

// sharePreview shows what a link would make public. The note is left out unless
// the user includes it, because it may be private.
func (s *app) sharePreview(c echo.Context) error {
	n, err := s.sessionToShare(c)
	if err != nil {
		return err
	}
	w := readShareForm(url.Values{"leave": {"note"}})
	w.options.Credentials = s.credentials(c, n)
	return s.showShare(c, http.StatusOK, n, w, views.ShareForm{})
}

// createShare publishes exactly what the preview showed. If the session has
// changed since, it shows the new preview instead.
func (s *app) createShare(c echo.Context) error {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	n, err := s.sessionToShare(c)
	if err != nil {
		return err
	}
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	w := readShareForm(form)
	w.options.Credentials = s.credentials(c, n)
	if first(form["do"]) != "create" {
		return s.showShare(c, http.StatusOK, n, w, views.ShareForm{})
	}
	snapshot := share.NewSnapshot(n, w.options)
	data, err := export.JSON(snapshot.Session)
	switch {
	case err != nil:
		return err
	case digestOf(data) != w.digest:
		return s.showShare(c, http.StatusConflict, n, w, views.ShareForm{Changed: true})
	case len(data) > s.Limits.Share:
		return s.showShare(c, http.StatusRequestEntityTooLarge, n, w, views.ShareForm{
			Problem: "This recording is larger than a link can hold (" + text.Size(s.Limits.Share) +
				"). Download it as a file instead.",
		})
	}
	if _, err := export.Import(data); err != nil {
		s.Logger.Error("a snapshot cannot be read back", "session", n.ID, "err", err)
		return s.showShare(c, http.StatusUnprocessableEntity, n, w, views.ShareForm{
			Problem: "This recording cannot be published, because a reader could not open it: " +
				err.Error() + ".",
		})
	}
	if err := s.limitShares(c); err != nil {
		return err
	}
	h := share.Share{
		Token: s.NewID(), Session: n.ID, Title: snapshot.Session.Title, Created: s.Now(),
		Expires: s.Now().Add(w.duration), Data: data,
	}
	if h.Image, err = s.card(snapshot.Session); err != nil {
		return err
	}
	err = s.store(c, len(h.Data)+len(h.Image), func() error { return s.Store.AddShare(ctx, workspace, h) })
	if err != nil {
		return err
	}
	return seeOther(c, "/shares?made="+h.Token)
}

// sessionToShare returns the session in the path, and a turn to work on it.
func (s *app) sessionToShare(c echo.Context) (session.Session, error) {
	n, err := s.Store.Session(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err == nil {
		err = s.takeTurn(c, n)
	}
	return n, err
}

func readShareForm(form url.Values) shareForm {
	w := shareForm{digest: form.Get("seen"), expiry: form.Get("expires")}
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

// query returns the choices that also apply to a file, as a URL query.
func (w shareForm) query() string {
	q := url.Values{"keep": w.options.Show}
	for i, out := range []bool{w.options.OmitNote, w.options.OmitAnswers, w.options.OmitHeaders} {
		if out {
			q.Add("leave", []string{"note", "answers", "headers"}[i])
		}
	}
	if text := q.Encode(); text != "" {
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

// card returns the preview image of a snapshot.
func (s *app) card(n session.Session) ([]byte, error) {
	c := picture.Card{Title: n.Title, Line: session.Describe(n), Foot: "Step through the recording"}
	if len(n.Exchanges) > 0 {
		c.Picture = s.pictureOf(n, 0)
	}
	return c.PNG()
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

func (s *app) showShare(c echo.Context, status int, n session.Session, w shareForm,
	model views.ShareForm) error {
	snapshot := share.NewSnapshot(n, w.options)
	data, err := export.JSON(snapshot.Session)
	if err != nil {
		return err
	}
	model.ID, model.Title, model.HasNote = n.ID, snapshot.Session.Title, n.Note != ""
	model.Options, model.Expiry, model.Expiries = w.options, w.expiry, expiryChoices()
	model.Seen, model.Size = digestOf(data), text.Size(len(data))
	model.Findings, model.Groups = snapshot.Findings, views.NewPublicGroups(snapshot.Parts)
	if len(snapshot.Session.Exchanges) > 0 {
		p := s.pictureOf(snapshot.Session, 0)
		model.Picture = string(p.SVG())
		model.Narrow = string(p.Narrow().SVG())
	}
	if len(n.Exchanges) == 1 {
		model.File, model.Choices = "/x/"+n.Exchanges[0].ID, w.query()
	}
	if wantsFragment(c) {
		return s.render(c, status, views.ShareMain(model))
	}
	return s.render(c, status, views.SharePage(s.page(c, "Share", "/history"), model))
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

// deleteShare revokes a link at once.
func (s *app) deleteShare(c echo.Context) error {
	if err := s.Store.DeleteShare(c.Request().Context(), s.owners.reading(c), c.Param("token")); err != nil {
		return err
	}
	return seeOther(c, "/shares")
}
