package lab

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	labview "github.com/mrtr-playground/mrtr-playground/views/lab"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Editor is the right request that follows a Round of an exchange, as it can be
// edited.
type Editor struct {
	x     playground.Exchange // unlocked
	from  playground.Round    // whose result the request answers; zero for the first request
	right wire.Request
	real  lab.Edit // parts of right
	Shown lab.Edit // real with the user's secrets masked
	// of the state that the request echoes, laid out; nil if they are not known
	Claims []byte
	lesson *paths.LessonLink // where it comes back to; nil for the exchange's page
	madeUp []string          // keys of questions that the user has not answered
}

// edition is the request as the user has edited it.
type edition struct {
	parts   lab.Edit // with masks; the state may be one with edited claims
	body    string   // as it was entered
	headers string
	claims  string
	changes []lab.Change
	problem *prose.Sentence // why it cannot be sent
	state   bool            // the requestState is not the right one
}

// EditPage shows the request that follows a Round, ready to be edited. One that
// was edited before is shown as it was sent.
func (s *Pages) EditPage(r *web.Request) error {
	x, err := s.App.Load(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	e, err := s.Editor(r, x, r.QueryParam("round"))
	if err != nil {
		return err
	}
	e.lesson = s.App.EditedIn(x, s.App.Progress(r), r.QueryParam("back"))
	made := e.start()
	if sent, ok := lab.EditedRequest(x.Fold(), e.from.N+1); ok {
		made = e.read(url.Values{
			"body": {string(sent.Body)}, "headers": {web.HeaderLines(sent)}, "claims": {made.claims},
		})
	}
	return s.showEditor(r, http.StatusOK, e, made)
}

// Edit shows the changes in a request, resets a part of it, or sends it on a
// branch.
func (s *Pages) Edit(r *web.Request) error {
	x, form, err := s.App.LoadForm(r)
	if err != nil {
		return err
	}
	e, err := s.Editor(r, x, web.First(form["round"]))
	if err != nil {
		return err
	}
	e.lesson = s.App.EditedIn(x, s.App.Progress(r), web.First(form["back"]))
	made := e.read(form)
	do := web.First(form["do"])
	switch part, resets := strings.CutPrefix(do, "reset-"); {
	case resets:
		return s.showEditor(r, http.StatusOK, e, e.reset(made, lab.Part(part)))
	case do == "changes" && web.WantsFragment(r):
		return s.App.Render(r, http.StatusOK, labview.EditChanges(s.editModel(r, e, made)))
	case do != "send":
		return s.showEditor(r, http.StatusOK, e, made)
	case made.problem != nil:
		return s.showEditor(r, http.StatusUnprocessableEntity, e, made)
	}
	err = s.App.Allow(r.Visit, x.Target, web.First(form["mine"]) == "yes")
	var refused *app.Refusal
	if errors.As(err, &refused) {
		made.problem = web.SentenceOf(refused)
		return s.showEditor(r, http.StatusForbidden, e, made)
	}
	if err != nil {
		return err
	}
	return s.sendEdited(r, e, made, web.First(form["fresh"]) == "yes")
}

// Editor returns the right request that follows Round n of x, or the newest
// Round before it that a request answers.
func (s *Pages) Editor(r *web.Request, x playground.Exchange, round string) (Editor, error) {
	f := x.Fold()
	from, ok := lab.EditFrom(f, web.Number(round, playground.MaxRounds))
	switch {
	case x.Target.Era == playground.Legacy || len(f.Rounds) > 0 && f.Rounds[0].Legacy:
		return Editor{}, notEditable("For a server from before 2026-07-28 a library writes the requests. " +
			"A call stays open on one connection. You can change its arguments and make it again.")
	case !ok:
		return Editor{}, notEditable("The call has not been sent, so it has no request yet.")
	}
	open, err := s.App.UnlockExchange(r.Visit, x)
	if err != nil {
		return Editor{}, err
	}
	e := Editor{x: open, from: from}
	right, err := s.App.RightRequest(r.Visit, open, from)
	switch {
	case errors.Is(err, lab.ErrNothingToChange) || errors.Is(err, playground.ErrCapped):
		return e, notEditable(
			"No answer to this round can be sent, or the exchange has reached its limit of rounds. " +
				"Edit an earlier request.")
	case err != nil:
		return e, err
	}
	e.right, e.madeUp = right, madeUp(open.Fold(), from)
	if e.real, err = lab.EditOf(e.right); err != nil {
		return e, err
	}
	e.Shown = masked(e.real, open.Target)
	if s.OpensStates(open) {
		e.Claims = jsontree.Indent(s.App.Explain(from.StateText()).JSON)
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

func notEditable(why string) *app.Refusal {
	return app.Refuse(http.StatusUnprocessableEntity, "no_edit", "This request can't be edited.", why)
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

// OpensStates reports whether the states of an exchange may be opened with the
// keys of the samples: they were issued for the user's own calls. A recording
// that was imported may hold those of others, and so may a call that continued
// with a state of unknown origin.
func (s *Pages) OpensStates(x playground.Exchange) bool {
	_, sample := s.App.Samples.Lookup(x.Target.Sample)
	return sample && !x.Imported && !app.ContinuesForeign(x)
}

// start returns the request before anything is edited.
func (e Editor) start() edition {
	return edition{
		parts: e.Shown, body: string(e.Shown.Body), headers: web.HeaderLines(e.Shown),
		claims: string(e.Claims),
	}
}

// read returns the values of the form. Browsers send line breaks as CR LF.
func (e Editor) read(form url.Values) edition {
	lines := func(name string) string { return strings.ReplaceAll(form.Get(name), "\r\n", "\n") }
	made := edition{body: lines("body"), headers: lines("headers"), claims: lines("claims")}
	made.parts.Body = []byte(made.body)
	var err error
	if made.parts.Header, err = web.ReadFields(made.headers); err != nil {
		problem := doctor.SentenceOf("bad_header")
		problem.Try = web.SentenceCase(text.Visible(err.Error(), 200)) + ". " + problem.Try
		made.problem = &problem
	}
	if len(made.body) > lab.MaxEditBody {
		problem := prose.SentenceCode("body_too_large", "The body is too large.",
			"The limit is "+text.Size(lab.MaxEditBody)+".")
		made.problem = &problem
	}
	return e.compared(made)
}

// compared returns the edition with the state that its claims make, and the
// changes.
func (e Editor) compared(made edition) edition {
	var more []lab.Change
	state, echoed := made.parts.State()
	right, _ := e.Shown.State()
	made.state = state != right
	if e.Claims != nil && strings.TrimSpace(made.claims) != strings.TrimSpace(string(e.Claims)) {
		more = lab.ClaimChanges(e.Claims, []byte(made.claims))
		forged, ok := seal.Forge(right, jsontree.Compact([]byte(made.claims)))
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
	shown := e.Shown
	if made.problem != nil {
		shown.Header = made.parts.Header // they could not be read
	}
	made.changes = append(lab.Changes(shown, made.parts), more...)
	return made
}

// reset returns the edition with one part, or everything, as it was.
func (e Editor) reset(made edition, part lab.Part) edition {
	start := e.start()
	switch part {
	case "all":
		return start
	case lab.PartClaims:
		made.claims = start.claims
	case lab.PartHeader:
		made.headers, made.problem = start.headers, nil
	default:
		made.body = string(lab.Edit{Body: []byte(made.body)}.Reset(part, e.Shown).Body)
		if part == lab.PartState {
			made.claims = start.claims
		}
	}
	return e.read(url.Values{"body": {made.body}, "headers": {made.headers}, "claims": {made.claims}})
}

// sendEdited sends an edited request on a branch and leads to it.
func (s *Pages) sendEdited(r *web.Request, e Editor, made edition, anew bool) error {
	b, err := s.App.SendEdited(r.Visit, app.Edited{
		Exchange: e.x, From: e.from, State: made.state, Fresh: anew,
		Edit: func(right lab.Edit) (lab.Edit, error) {
			return made.parts.Rebase(e.Shown, e.real).Rebase(e.real, right), nil
		},
		Header: lab.SecretFields(e.Shown, made.parts),
	})
	if err != nil {
		return err
	}
	if e.lesson != nil {
		return s.App.ShowInLesson(r, *e.lesson, b)
	}
	return web.SeeOther(r, "/x/"+b.ID)
}

// showEditor shows the page of the editor.
func (s *Pages) showEditor(r *web.Request, status int, e Editor, made edition) error {
	model := s.editModel(r, e, made)
	page := s.App.Page(r, "Edit and send · "+model.Heading, "")
	page.Here = paths.Edit(e.x.ID, e.from.N)
	return s.App.Render(r, status, labview.EditPage(page, model))
}

func (s *Pages) editModel(r *web.Request, e Editor, made edition) labview.Editor {
	expiry := s.App.Expiry(e.x.Target, e.from)
	return labview.NewEditor(labview.EditInput{
		Exchange: e.x.Redacted(), From: e.from, Method: e.right.Method,
		Body: made.body, Headers: made.headers, Claims: made.claims, HasClaims: e.Claims != nil,
		State: string(seal.ModeOf(e.from.StateText())), Changes: made.changes, Problem: made.problem,
		Mine: s.App.Mine(r.Visit, e.x.Target), Masked: e.x.Target.Secrets != nil,
		Expired: !expiry.IsZero() && !s.App.Now().Before(expiry),
		Again:   s.App.OnceOnly(e.x.Target) && e.from.State != nil,
		Lesson:  e.lesson, MadeUp: e.madeUp,
	})
}
