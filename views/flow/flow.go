// Package flow shows flows: the list, the editor with its outline and its
// preview, the programs that a flow is exported as, and a flow that is shared.
package flow

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/code"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/edit"
	flowpreview "github.com/mrtr-playground/mrtr-playground/playground/flow/preview"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/recorded"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Flows is the page that lists flows and makes new ones.
type Flows struct {
	Mine     []flow.Saved
	Served   []mock.Saved // recordings
	Examples []flow.Example
	Problem  *prose.Sentence // why none was made; nil if one was or none was wanted
	Now      time.Time
	Expires  bool // an address ends when it was not used for long
}

// Editor is the page on which a flow is written.
type Editor struct {
	Saved    flow.Saved
	Text     string
	Problems []document.Problem
	Warnings []document.Problem
	Outline  *edit.Outline // nil if the text is no document
	Large    bool          // the form does not show it
	Preview  *Preview      // nil if the text is no flow
	Editions []flow.Edition
	Address  string          // of the server
	Open     bool            // the address serves
	Expires  bool            // an address ends when it was not used for long
	Unsaved  bool            // the text is not what the address runs
	Note     *prose.Sentence // the action that was taken, or why none was
	Unseen   []string        // what the recording does not show that the flow was made of
	Focus    string          // path of the step or field that gets the focus, or form; may be empty
}

// fresh reports whether the flow is as it was made.
func (e Editor) fresh() bool { return e.Saved.Number <= 1 && !e.Unsaved }

// maxOutlined is how many controls a form has at most. A larger flow is edited in
// its text.
const maxOutlined = 600

// NewEditor returns the editor of a flow.
func NewEditor(saved flow.Saved, in flowpreview.Input, version string) Editor {
	e := Editor{Saved: saved, Text: saved.Edited(), Unsaved: saved.Draft != ""}
	e.Unseen = recorded.Notes(e.Text)
	root, problems := document.Parse([]byte(e.Text))
	if e.Problems = problems; root == nil {
		return e
	}
	if root.Kind == document.Map {
		o := edit.NewOutline(root)
		if e.Large = o.Controls() > maxOutlined; !e.Large {
			e.Outline = &o
		}
	}
	f, problems := review.Parse([]byte(e.Text))
	if e.Problems = problems; f == nil {
		return e
	}
	e.Warnings = f.Warnings
	in.Flow = f
	if in.Version = f.Version(version); in.Version == nil {
		in.Version = &f.Versions[0]
	}
	in.Answers = in.Version.ExampleAnswers()
	p := newFlowPreview(in)
	e.Preview = &p
	return e
}

// Preview is the behavior of a flow with its examples.
type Preview struct {
	Versions []string // more than one if there is a choice
	Version  string
	Picture  string          // SVG
	Words    []string        // the picture in words
	First    int             // the round that asks first; 0 if none asks
	Asks     []question.Form // in it
	Rounds   []wireview.Round
	Ending   string // how the call ends; empty if it does not
	IsError  bool
	Sentence string // how many rounds, and who asks
}

func newFlowPreview(in flowpreview.Input) Preview {
	x := flowpreview.Exchange(in)
	f := x.Fold()
	p := Preview{Version: in.Version.Name}
	for i := range in.Flow.Versions {
		p.Versions = append(p.Versions, in.Flow.Versions[i].Name)
	}
	drawn := drawFlow(x)
	p.Picture, p.Words = string(drawn.Narrow().SVG()), drawn.Text()
	questions := 0
	for _, r := range f.Rounds {
		if p.First == 0 && len(r.Questions) > 0 {
			p.First, p.Asks = r.N, question.NewDraft(r).Forms
		}
		questions += len(r.Questions)
		p.Rounds = append(p.Rounds, wireview.NewRound(r, false, "", nil))
	}
	if last := f.Last(); last != nil && last.Kind == playground.OutcomeComplete {
		p.Ending, p.IsError = text.Lines(last.Final.At("content", "0", "text").Str(), 4000), last.IsError
	}
	p.Sentence = fmt.Sprintf("With the examples: %s, %s.", text.Plural(len(f.Rounds), "round"),
		text.Plural(questions, "question"))
	return p
}

// line returns the preview in one line, its result first.
func (p Preview) line() string {
	if p.Ending == "" {
		return p.Sentence
	}
	return "Result: " + text.Visible(p.Ending, 200) + " " + p.Sentence
}

// Source is the page of a flow as the source of a server.
type Source struct {
	ID, Title string
	Languages []code.Language
	Chosen    code.Language
	Files     []code.File
}

// path returns the path of the source in a language.
func (f Source) path(l code.Language) string { return paths.Flow(f.ID) + "/code/" + l.Slug }

// SharedFlow is a flow that is read by link.
type SharedFlow struct {
	Head    shareview.Head
	Text    string
	Picture string // SVG
	Words   []string
}

// NewSharedFlow returns the page of a shared flow.
func NewSharedFlow(in readerview.Input) SharedFlow {
	x := in.Session.Exchanges[in.View.Shown[0]-1]
	p := drawFlow(x)
	f := SharedFlow{
		Head:    readerview.NewHead(in, x),
		Text:    in.Session.Flow,
		Picture: string(p.Narrow().SVG()),
		Words:   p.Text(),
	}
	f.Head.Server = ""
	return f
}

// drawFlow draws the exchange that a flow leads to. The size of a state is known
// only when a server has made it.
func drawFlow(x playground.Exchange) picture.Picture {
	_, version := x.Fold().Last().ServedBy()
	p := picture.Of(x, x.Fold(), picture.Options{
		Instances: picture.ParseInstances(fmt.Sprintf("a:%[1]s,b:%[1]s", version)),
	})
	for i := range p.Steps {
		if strings.HasPrefix(p.Steps[i].State, "requestState") {
			p.Steps[i].State = "requestState"
		}
	}
	return p
}

// live returns the attributes of a part of the editor whose changes are followed.
func (e Editor) live(trigger, do string) templ.OrderedAttributes {
	list := templ.OrderedAttributes{}
	for _, a := range [][2]string{
		{"hx-post", e.path()}, {"hx-trigger", trigger}, {"hx-include", "#flow-form"},
		{"hx-vals", `{"do":"` + do + `"}`}, {"hx-target", "#flow-problems"}, {"hx-swap", "outerHTML"},
		{"hx-sync", "#flow-form:replace"},
	} {
		list = append(list, templ.KV[string, any](a[0], a[1]))
	}
	return list
}

// Base returns a short digest that identifies a text of the editor.
func Base(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:8])
}

func (e Editor) path() string { return paths.Flow(e.Saved.ID) }

// server returns the id of the flow as a server.
func (e Editor) server() string { return sampletools.FlowSlug(e.Saved.Token) }

func (e Editor) serverPath() string { return "/servers/" + e.server() }

// state says in a few words what the address runs.
func (e Editor) state() string {
	draft := e.Unsaved || len(e.Problems) > 0
	switch {
	case draft && e.Open:
		return fmt.Sprintf("Draft kept. Edition %d still runs.", e.Saved.Number)
	case draft:
		return "Draft kept. The address has ended."
	case !e.Open:
		return fmt.Sprintf("Saved as edition %d. The address has ended.", e.Saved.Number)
	}
	return fmt.Sprintf("Saved as edition %d.", e.Saved.Number)
}

// card returns the verdict on the text. Its problems stand below the text, each with its line.
func (e Editor) card() judged.Card {
	c := judged.Card{Verdict: verdict.Passed, Words: "This flow is valid."}
	if n := len(e.Problems); n > 0 {
		c.Verdict, c.Words = verdict.Failed, text.Plural(n, "problem")+"."
	}
	c.Counts = judged.Counts(verdict.Counts{Advisory: len(e.Warnings)})
	return c
}

// addable are the kinds of steps that the form adds, with their words.
var addable = []struct {
	Kind  flow.StepKind
	Words string
}{
	{flow.Form, "A form"}, {flow.URL, "A page to open"}, {flow.Sampling, "A question to the model"},
	{flow.Roots, "The client's folders"}, {flow.Shed, "Shed the work"}, {flow.Progress, "Progress"},
	{flow.End, "End early"},
}

// protections are how a requestState can be protected, with their words.
var protections = []struct{ Value, Words string }{
	{"", "Sealed (default)"},
	{"sealed", "Sealed: only the server can read it"},
	{"signed", "Signed: the client can read it, but not change it"},
	{"plain", "Plain: the client can read and change it"},
}

// isProtection reports whether a value is one of them.
func isProtection(value string) bool {
	for _, p := range protections {
		if p.Value == value {
			return true
		}
	}
	return false
}

// stepHint describes a step.
func stepHint(k flow.StepKind) string {
	switch k {
	case flow.URL:
		return "Sends the user to a page of the server. The call goes on once its button was pressed."
	case flow.Sampling:
		return "Asks the client's model. Its text is answers.KEY.text."
	case flow.Roots:
		return "Asks for the folders that the client shares. Their names are answers.KEY.names."
	case flow.Shed:
		return "Returns the work so far in the requestState, without a question. " +
			"The client retries, and any instance can continue."
	case flow.End:
		return "Ends the call here if the condition is true."
	}
	return ""
}

// numberLabel names a number of a step.
func numberLabel(c edit.Control) string {
	switch c.Name[strings.LastIndex(c.Name, ".")+1:] {
	case "done":
		return "Done"
	case "of":
		return "Total"
	}
	return "Seconds"
}

// problemAt returns the problem of the value of a control, or "".
func (e Editor) problemAt(c edit.Control) string {
	for _, p := range e.Problems {
		if p.Path != "" && p.Path == c.Place() {
			return text.Visible(p.Text, 300)
		}
	}
	return ""
}

// stepWords names a step of the form.
func stepWords(s edit.Step) string {
	for _, a := range addable {
		if a.Kind == s.Kind {
			return a.Words
		}
	}
	return "A step without a kind"
}

// messageLabel names the message of a step.
func messageLabel(k flow.StepKind) string {
	if k == flow.Sampling {
		return "Prompt"
	}
	return "Message"
}

// keyLabel names the first value of a step.
func keyLabel(k flow.StepKind) string {
	switch k {
	case flow.Progress, flow.End:
		return "Text"
	case flow.Shed:
		return "Name"
	}
	return "Key"
}

// ExampleID returns the id of a starting point on the page of flows.
func ExampleID(x flow.Example) string { return "example-" + x.Slug }
