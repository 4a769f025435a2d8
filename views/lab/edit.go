// Package lab shows deliberate changes of a request: the page on which one is
// edited before it is sent, and the parts that differ.
package lab

import (
	"fmt"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// EditInput has the parts that NewEditor needs.
type EditInput struct {
	Exchange  playground.Exchange // redacted
	From      playground.Round    // whose result the request answers; zero for the first request
	Method    string              // of the right request
	Body      string
	Headers   string
	Claims    string
	HasClaims bool   // the state can be edited as its claims
	State     string // how a sample protects the state: plain, signed or sealed
	Changes   []lab.Change
	Problem   *prose.Sentence   // why it was not sent
	Mine      bool              // the user confirmed that the server may be tested
	Masked    bool              // the user's secrets are masked
	Expired   bool              // the state has expired
	Again     bool              // the sample accepts each state once
	Lesson    *paths.LessonLink // where it comes back to; nil for the exchange's page
	MadeUp    []string          // keys of questions that the user has not answered
}

// Editor is the page on which a request is edited before it is sent.
type Editor struct {
	Path, Back string
	Heading    string
	Lesson     string // path of the lesson to come back to; empty for none
	About      string // which request it is, in one sentence
	Round      int    // whose successor it is; 0 for the first request
	Body       string
	Headers    string
	Claims     string
	ClaimsNote string // effect of edited claims; empty if there are none
	Masked     bool
	Imported   bool // the recorded call came from a file or a link
	Mine       bool
	Again      string // why the call is made again first; empty if it is not
	CanRerun   bool   // the user may have the call made again first
	MadeUp     string // says which answers are made up; empty if none is
	Problem    *prose.Sentence
	Changes    []ChangedPart
}

// ChangedPart holds the changes in one part of a request.
type ChangedPart struct {
	Part  lab.Part
	Title string
	Lines []string
}

// partTitles name the parts of a request.
var partTitles = map[lab.Part]string{
	lab.PartHeader: "HTTP header fields", lab.PartMethod: "Method", lab.PartID: "JSON-RPC id",
	lab.PartParams: "Params", lab.PartAnswers: "Answers", lab.PartMeta: "_meta",
	lab.PartState: "requestState", lab.PartClaims: "Claims of the state", lab.PartBody: "Body",
}

// NewChangedParts returns changes by parts.
func NewChangedParts(changes []lab.Change) []ChangedPart {
	var list []ChangedPart
	for _, part := range lab.Parts() {
		p := ChangedPart{Part: part, Title: partTitles[part]}
		for _, c := range changes {
			if c.Part == part {
				p.Lines = append(p.Lines, text.Visible(c.Text, 600))
			}
		}
		if len(p.Lines) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// NewEditor returns the page of a request that is edited.
func NewEditor(in EditInput) Editor {
	x := in.Exchange
	e := Editor{
		Path: "/x/" + url.PathEscape(x.ID) + "/edit", Back: paths.Round(x.ID, max(in.From.N, 1)),
		Heading: text.Visible(prose.Heading(x.Call), 80), Round: in.From.N,
		Body: in.Body, Headers: in.Headers,
		Claims: in.Claims, Masked: in.Masked, Mine: in.Mine || x.Target.Sample != "", Problem: in.Problem,
		Changes: NewChangedParts(in.Changes), Imported: x.Imported,
	}
	if in.Lesson != nil {
		e.Lesson, e.Back, e.Heading = in.Lesson.Path, in.Lesson.Path, in.Lesson.Words
	}
	method := text.Visible(in.Method, 40)
	switch {
	case in.From.N == 0:
		e.About = fmt.Sprintf("This is the first request of the call (%s).", method)
	case in.From.Task != nil:
		e.About = fmt.Sprintf("This %s answers the task's question of round %d. "+
			"The call is made again to get a task of its own.", method, in.From.N)
	default:
		e.About = fmt.Sprintf("This %s is the retry that answers round %d.", method, in.From.N)
		e.CanRerun = in.From.State != nil
	}
	switch {
	case !e.CanRerun:
	case in.Expired:
		e.Again = "The recorded state has expired. " +
			"Unless you edit it, the call is made again first to get a fresh one."
	case in.Again:
		e.Again = "This sample accepts each state once. " +
			"Unless you edit it, the call is made again first to get a fresh one."
	}
	if len(in.MadeUp) > 0 {
		e.MadeUp = fmt.Sprintf("You have not answered %s yet, so the value there is made up. "+
			"Change it, or answer first.", narrate.Names(in.MadeUp))
	}
	if in.HasClaims {
		e.ClaimsNote = claimsNotes[in.State]
	}
	return e
}

// Count says how much was changed.
func (e Editor) Count() string {
	n := 0
	for _, c := range e.Changes {
		n += len(c.Lines)
	}
	if n == 0 {
		return "No changes yet."
	}
	return text.Plural(n, "change")
}

// claimsNotes describe the effect of the edited claims of a state.
var claimsNotes = map[string]string{
	"plain": "This state is not protected. The sample cannot tell that the claims were edited.",
	"signed": "This site never signs for you. " +
		"Edited claims are sent with the old signature, so the sample refuses them.",
	"sealed": "This site never seals for you. " +
		"Edited claims are sent unencrypted with the old tag, so the sample refuses them.",
}
