package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// editor is the right request that follows a Round of an exchange, as it can be
// edited.
type editor struct {
	x     playground.Exchange // unlocked
	from  playground.Round    // whose result the request answers; zero for the first request
	right wire.Request
	real  lab.Edit // parts of right
	shown lab.Edit // real with the user's secrets masked
	// of the state that the request echoes, laid out; nil if they are not known
	claims []byte
	lesson *views.LessonLink // where it comes back to; nil for the exchange's page
	madeUp []string          // keys of questions that the user has not answered
}

// edition is what the user made of the request.
type edition struct {
	parts   lab.Edit // with masks; the state may be one with edited claims
	body    string   // as it was entered
	headers string
	claims  string
	changes []lab.Change
	problem *views.Sentence // why it cannot be sent
	state   bool            // the requestState is not the right one
}

// editPage shows the request that follows a Round, ready to be edited. One that
// was edited before is shown as it was sent.
func (s *app) editPage(c echo.Context) error {
	x, err := s.load(c, c.Param("id"))
	if err != nil {
		return err
	}
	e, err := s.editor(c, x, c.QueryParam("round"))
	if err != nil {
		return err
	}
	e.lesson = s.editedIn(x, s.progress(c), c.QueryParam("back"))
	made := e.start()
	if sent, ok := lab.EditedRequest(x.Fold(), e.from.N+1); ok {
		made = e.read(url.Values{
			"body": {string(sent.Body)}, "headers": {headerLines(sent)}, "claims": {made.claims},
		})
	}
	return s.showEditor(c, http.StatusOK, e, made)
}

// edit shows what was changed in a request, resets a part of it, or sends it on
// a branch.
func (s *app) edit(c echo.Context) error {
	x, form, err := s.loadForm(c)
	if err != nil {
		return err
	}
	e, err := s.editor(c, x, first(form["round"]))
	if err != nil {
		return err
	}
	e.lesson = s.editedIn(x, s.progress(c), first(form["back"]))
	made := e.read(form)
	do := first(form["do"])
	switch part, resets := strings.CutPrefix(do, "reset-"); {
	case resets:
		return s.showEditor(c, http.StatusOK, e, e.reset(made, lab.Part(part)))
	case do == "changes" && wantsFragment(c):
		return s.render(c, http.StatusOK, views.EditChanges(s.editModel(c, e, made)))
	case do != "send":
		return s.showEditor(c, http.StatusOK, e, made)
	case made.problem != nil:
		return s.showEditor(c, http.StatusUnprocessableEntity, e, made)
	}
	if err := s.allow(c, x.Target, first(form["mine"]) == "yes"); err != nil {
		return err
	}
	return s.sendEdited(c, e, made, first(form["fresh"]) == "yes")
}

// editor returns the right request that follows Round n of x, or the newest
// Round before it that a request answers.
func (s *app) editor(c echo.Context, x playground.Exchange, round string) (editor, error) {
	from, ok := lab.EditFrom(x.Fold(), number(round, playground.MaxRounds))
	if !ok || x.Target.Era == playground.Legacy {
		return editor{}, notEditable("A call of a server from before 2026-07-28 stays open on one " +
			"connection, so no request of it can be sent again. A call that was not sent has none.")
	}
	open, err := s.unlockExchange(c, x)
	if err != nil {
		return editor{}, err
	}
	e := editor{x: open, from: from}
	t, err := s.repeater(c, open).Plan(branchOf(open, from.N),
		lab.ByHand(false, func(right lab.Edit) (lab.Edit, error) { return right, nil }), lab.Material{})
	switch {
	case errors.Is(err, lab.ErrNothingToChange) || errors.Is(err, playground.ErrCapped):
		return e, notEditable("The questions of this round have no answers that could be sent, or the " +
			"exchange has as many rounds as it may have. Edit an earlier request.")
	case err != nil:
		return e, err
	}
	e.right, e.madeUp = t.Right, madeUp(open.Fold(), from)
	if e.real, err = lab.EditOf(e.right); err != nil {
		return e, err
	}
	e.shown = masked(e.real, open.Target)
	if s.opensStates(open) {
		e.claims = laidOut(s.Explain(from.StateText()).JSON)
	}
	return e, nil
}

// madeUp returns the keys of the questions of a Round whose answers are
// placeholders, because the user gave none.
func madeUp(f playground.Transcript, from playground.Round) []string {
	var keys []string
	answers := f.Answers()
	for _, q := range question.Forms(from) {
		_, err := q.Repeat(answers)
		if placeholder, failed := q.Placeholder(); err != nil && failed == nil &&
			q.IsPlaceholder(placeholder.Value) {
			keys = append(keys, q.Key)
		}
	}
	return keys
}

func notEditable(why string) *refusal {
	return refuse(http.StatusUnprocessableEntity, "no_edit", "This request can't be edited.", why)
}

// masked returns the parts of a request with the user's secrets masked.
func masked(e lab.Edit, t playground.Target) lab.Edit {
	if t.Secrets == nil {
		return e
	}
	out := lab.Edit{Body: t.Secrets.Mask(e.Body)}
	for _, f := range e.Header {
		shown := wire.Field{Name: f.Name, Value: string(t.Secrets.Mask([]byte(f.Value)))}
		for _, own := range t.Header {
			if strings.EqualFold(own.Name, f.Name) {
				shown = redact.MaskField(f)
			}
		}
		out.Header = append(out.Header, shown)
	}
	return out
}

// opensStates reports whether the states of an exchange may be opened with the
// keys of the samples: they were issued for the user's own calls. A recording
// that was imported may hold those of others, and so may a call that continued
// with a state of unknown origin.
func (s *app) opensStates(x playground.Exchange) bool {
	_, sample := s.samples.lookup(x.Target.Sample)
	return sample && !x.Imported && !continuesForeign(x)
}

// continuesForeign reports whether a request was edited to carry a state that
// may be about a call of another user.
func continuesForeign(x playground.Exchange) bool {
	return lab.SendsForeignState(x, func(state string) bool { return seal.ModeOf(state) == seal.Plain })
}

// laidOut returns JSON with one value per line, or nil if there is none.
func laidOut(text []byte) []byte {
	var out bytes.Buffer
	if len(text) == 0 || json.Indent(&out, text, "", "  ") != nil {
		return nil
	}
	return out.Bytes()
}

// start returns the request before anything is edited.
func (e editor) start() edition {
	return edition{
		parts: e.shown, body: string(e.shown.Body), headers: headerLines(e.shown), claims: string(e.claims),
	}
}

// headerLines returns header fields as lines of "Name: value".
func headerLines(e lab.Edit) string {
	var b strings.Builder
	for _, f := range e.Header {
		b.WriteString(f.Name + ": " + f.Value + "\n")
	}
	return b.String()
}

// read returns what the form says. Browsers send line breaks as CR LF.
func (e editor) read(form url.Values) edition {
	lines := func(name string) string { return strings.ReplaceAll(form.Get(name), "\r\n", "\n") }
	made := edition{body: lines("body"), headers: lines("headers"), claims: lines("claims")}
	made.parts.Body = []byte(made.body)
	var err error
	if made.parts.Header, err = readFields(made.headers); err != nil {
		problem := views.SentenceOf("bad_header")
		problem.Try = sentenceCase(text.Visible(err.Error(), 200)) + ". " + problem.Try
		made.problem = &problem
	}
	if len(made.body) > lab.MaxEditBody {
		problem := views.SentenceCode("body_too_large", "The body is too large.",
			"The limit is "+text.Size(lab.MaxEditBody)+".")
		made.problem = &problem
	}
	return e.compared(made)
}

// compared returns the edition with the state that its claims make, and what was
// changed.
func (e editor) compared(made edition) edition {
	var more []lab.Change
	state, echoed := made.parts.State()
	right, _ := e.shown.State()
	made.state = state != right
	if e.claims != nil && strings.TrimSpace(made.claims) != strings.TrimSpace(string(e.claims)) {
		more = lab.ClaimChanges(e.claims, []byte(made.claims))
		forged, ok := seal.Forge(right, compactJSON(made.claims))
		switch {
		case len(more) == 0:
		case !echoed || made.state:
			more = append(more, lab.Change{Part: lab.PartClaims,
				Text: "the edited claims are not sent, because requestState itself was edited"})
		case !ok:
			more = append(more, lab.Change{Part: lab.PartClaims, Text: "there are no claims to send"})
		default:
			made.parts, made.state = made.parts.WithState(forged), true
		}
	}
	shown := e.shown
	if made.problem != nil {
		shown.Header = made.parts.Header // they could not be read
	}
	made.changes = append(lab.Changes(shown, made.parts), more...)
	return made
}

// compactJSON returns JSON without white space, or any other text unchanged.
func compactJSON(s string) []byte {
	var out bytes.Buffer
	if json.Compact(&out, []byte(s)) != nil {
		return []byte(s)
	}
	return out.Bytes()
}

// reset returns the edition with one part, or everything, as it was.
func (e editor) reset(made edition, part lab.Part) edition {
	start := e.start()
	switch part {
	case "all":
		return start
	case lab.PartClaims:
		made.claims = start.claims
	case lab.PartHeader:
		made.headers, made.problem = start.headers, nil
	default:
		made.body = string(lab.Edit{Body: []byte(made.body)}.Reset(part, e.shown).Body)
		if part == lab.PartState {
			made.claims = start.claims
		}
	}
	return e.read(url.Values{"body": {made.body}, "headers": {made.headers}, "claims": {made.claims}})
}

// sendEdited sends an edited request on a branch. With anew, or if the recorded
// state has expired and was not edited, the call is first made again.
func (s *app) sendEdited(c echo.Context, e editor, made edition, anew bool) error {
	ctx, stop := context.WithTimeout(c.Request().Context(), s.Patience)
	defer stop()
	d, x, ofTask := s.repeater(c, e.x), e.x, e.from.Task != nil
	experiment := lab.ByHand(ofTask, func(right lab.Edit) (lab.Edit, error) {
		return made.parts.Rebase(e.shown, e.real).Rebase(e.real, right), nil
	})
	m := lab.Material{Header: lab.SecretFields(e.shown, made.parts)}
	n := e.from.N
	if ofTask {
		n = 0
	} else if n > 0 && !made.state {
		var err error
		anew = anew || s.onceOnly(x.Target)
		if x, err = d.Fresh(ctx, x, n, experiment, anew, nil); err != nil {
			return experimentRefusal(err, experiment, x)
		}
	}
	b, err := s.tryBranch(ctx, c, d, x, n, experiment, m)
	if err != nil {
		return err
	}
	if e.lesson != nil {
		return s.showInLesson(c, *e.lesson, b)
	}
	return seeOther(c, "/x/"+b.ID)
}

// showEditor shows the page of the editor.
func (s *app) showEditor(c echo.Context, status int, e editor, made edition) error {
	model := s.editModel(c, e, made)
	page := s.page(c, "Edit and send · "+model.Heading, "")
	page.Here = views.EditPath(e.x.ID, e.from.N)
	return s.render(c, status, views.EditPage(page, model))
}

func (s *app) editModel(c echo.Context, e editor, made edition) views.Editor {
	expiry := s.expiry(e.x.Target, e.from)
	return views.NewEditor(views.EditInput{
		Exchange: e.x.Redacted(), From: e.from, Method: e.right.Method,
		Body: made.body, Headers: made.headers, Claims: made.claims, HasClaims: e.claims != nil,
		State: string(seal.ModeOf(e.from.StateText())), Changes: made.changes, Problem: made.problem,
		Mine: s.mine(c, e.x.Target), Masked: e.x.Target.Secrets != nil,
		Expired: !expiry.IsZero() && !s.Now().Before(expiry),
		Again:   s.onceOnly(e.x.Target) && e.from.State != nil,
		Lesson:  e.lesson, MadeUp: e.madeUp,
	})
}
