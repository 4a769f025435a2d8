package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	questionview "github.com/mrtr-playground/mrtr-playground/views/question"
)

// answerForm is the open form of a Round: its questions, what will be sent, and
// the buttons that send.
type answerForm struct {
	Path          string          // it is posted to
	Panel         selection.Panel // that is open
	Back          string          // where it leads to once it is sent; empty means the exchange's own page
	Round         int
	Who           string // asks: "Azure DevOps (sample), instance b/v1"
	Questions     []question.Form
	Open          bool // the call is open: the server may ask more or withdraw questions meanwhile
	Preview       Preview
	Instances     []instanceChoice
	Send          string // words of the button that sends
	CanDecline    bool   // the only question can be declined or cancelled
	CanSendAnyway bool
	CanRefuse     bool
	Refuse        string          // words of the button that refuses
	Refusal       string          // what refusing sends
	Problem       *prose.Sentence // why it was not sent, besides its answers; nil if that is not known
	SignedOut     *SignedOut      // why it cannot be sent; nil if it can
	Elsewhere     string          // the instance to which an answer is lost; empty if there is none
}

// newAnswerForm makes the form of the open Round r.
func newAnswerForm(in Input, r playground.Round) *answerForm {
	x, draft := in.Exchange, in.Draft
	if draft.Forms == nil {
		draft = question.NewDraft(r)
	}
	out := &answerForm{
		Back: in.Back, Path: "/x/" + x.ID + "/rounds", Panel: in.Selection.Panel, Round: r.N,
		Who: text.Visible(who(x, r), 120), Questions: draft.Forms, Open: r.Legacy,
		CanSendAnyway: draft.CanSendAnyway(), CanRefuse: draft.CanRefuse(), Refuse: refuseWords(r),
		Refusal: refusalWords(r, draft), Preview: NewPreview(r, in.Next, previewed(draft)),
		Instances: newInstances(in.Instances, in.Instance), Problem: in.Problem,
		Elsewhere: elsewhere(in.Instances, r), Send: sendWords(r),
		CanDecline: len(draft.Forms) == 1 && questionview.Declinable(draft.Forms[0]),
		SignedOut:  in.signedOutFor(len(r.Questions), ""),
	}
	if out.SignedOut != nil && !out.CanRefuse && r.Task == nil && !r.Legacy {
		out.CanRefuse, out.Refuse, out.Refusal = true, "End the call here",
			"Ending the call here sends nothing."
	}
	return out
}

// place returns the class that places the preview: below the buttons if nothing
// is asked or a list takes the whole width, else beside one question or several.
func (f answerForm) place() string {
	switch {
	case len(f.Questions) == 0 || len(f.Questions) == 1 && f.Questions[0].Kind == question.KindRoots:
		return "below"
	case len(f.Questions) == 1:
		return "one"
	}
	return "several"
}

// opensFirst reports whether a question has an address to open before anything is
// sent.
func (f answerForm) opensFirst() bool {
	return slices.ContainsFunc(f.Questions, func(q question.Form) bool {
		return q.Kind == question.KindURL && questionview.NewLink(q.Params.Get("url").Str()).Safe
	})
}

// sendWords returns the words of the button that sends.
func sendWords(r playground.Round) string {
	switch {
	case len(r.Questions) == 0 && r.Task == nil && !r.Legacy:
		return "Retry now"
	case len(r.Questions) > 1:
		return "Send answers"
	}
	return "Send answer"
}

// refuseWords returns the words of the button that refuses.
func refuseWords(r playground.Round) string {
	if r.Legacy {
		return "Refuse with an error"
	}
	return "Refuse and end here"
}

// refusalWords describes the message that refusing sends.
func refusalWords(r playground.Round, d question.Draft) string {
	if !r.Legacy {
		return "Sampling and roots can't be declined. Refusing sends nothing and ends the call here."
	}
	var list []string
	for _, f := range d.Forms {
		if e := question.Refusal(f.Kind); e != nil && !slices.Contains(list, string(e)) {
			list = append(list, string(e))
		}
	}
	return "Sampling and roots can't be declined. Refusing answers with the error " + prose.List(list) +
		", and the server decides how the call goes on."
}

// againWords says why a task's question that was answered is asked again.
func againWords(a playground.Again) string {
	switch a {
	case playground.AgainAsked:
		return "You answered this key before, and the task continued. " +
			"A task must not use a key twice, so this is a new question."
	case playground.AgainUnseen:
		return "The server received an answer to this question. " +
			"The task still asks it after many polls. You can answer again."
	}
	return ""
}

// who returns the server that asks, and which instance of it.
func who(x playground.Exchange, r playground.Round) string {
	if r.Instance == "" {
		return x.Target.Name
	}
	return x.Target.Name + ", instance " + r.Instance
}

// instanceChoice is an instance of a sample that the next request can be sent
// to.
type instanceChoice struct {
	Value, Words string
	Chosen       bool
}

// SendTo begins the value of a button that sends the answers to one instance.
const SendTo = "send to "

// elsewhere returns another instance of a legacy sample than the one that asks
// and holds the session, or "" if there is none.
func elsewhere(topology string, r playground.Round) string {
	name, _ := r.ServedBy()
	if !r.Legacy || name == "" {
		return ""
	}
	return cluster.ParseTopology(topology, "", "").Other(name)
}

// anyInstance leaves the choice of an instance to the load balancer.
const anyInstance = "any"

// newInstances lists the instances of a topology ("a:v1,b:v2") that can get the
// next request, after the choice of the load balancer. It returns nil if there
// are fewer than two.
func newInstances(topology, chosen string) []instanceChoice {
	list := []instanceChoice{{Words: anyInstance, Chosen: chosen == ""}}
	for _, k := range cluster.ParseTopology(topology, "", "").Instances {
		if k.Health == cluster.Dead {
			continue
		}
		var notes []string
		if k.Version != "" {
			notes = append(notes, k.Version)
		}
		if k.Health == cluster.Drain {
			notes = append(notes, "drained")
		}
		words := k.Name
		if len(notes) > 0 {
			words += " (" + strings.Join(notes, ", ") + ")"
		}
		list = append(list, instanceChoice{Value: k.Name, Words: words, Chosen: k.Name == chosen})
	}
	if len(list) < 3 {
		return nil
	}
	return list
}

// Preview is the next request as it differs from the last one.
type Preview struct {
	Lines    []previewLine
	Body     string // the exact body; empty while answers are missing
	Answered []int  // the questions with an answer that nothing is wrong with, from 0
}

// answers reports whether question i has an answer that nothing is wrong with.
func (p Preview) answers(i int) bool { return slices.Contains(p.Answered, i) }

// answeredWords returns the numbers of the answered questions for a script.
func (p Preview) answeredWords() string { return strings.Trim(fmt.Sprint(p.Answered), "[]") }

// previewLine is one line of a Preview. Kind is "same", "id", "add" or "state".
type previewLine struct{ Kind, Text string }

// previewed returns the draft whose answers the preview shows: the input, or
// the defaults that can be sent.
func previewed(d question.Draft) question.Draft {
	left := func(f question.Form) bool { return f.Action == question.Later }
	if len(d.Answers) > 0 || slices.ContainsFunc(d.Forms, left) {
		return d
	}
	d = d.Unchanged()
	for i, f := range d.Forms {
		d.Forms[i].NoAnswer = f.NoAnswer || len(f.Problems) > 0
	}
	return d
}

// NewPreview compares the request that would be sent with the last one. next is
// nil while it cannot be built.
func NewPreview(r playground.Round, next *wire.Request, d question.Draft) Preview {
	p := newPreview(r, next, d)
	for i, f := range d.Forms {
		if _, ok := answerTo(f.Key, d); ok && f.Answered() {
			p.Answered = append(p.Answered, i)
		}
	}
	return p
}

func newPreview(r playground.Round, next *wire.Request, d question.Draft) Preview {
	switch {
	case r.Legacy:
		return legacyPreview(r, d)
	case r.Task != nil:
		return taskPreview(r, next, d)
	}
	p := Preview{Lines: []previewLine{{"same", "retry: same call and arguments"}}}
	p.line("id", fmt.Sprintf(`"id": %s → %d`, r.Sent.Get("id").Raw(), r.N+1))
	p.build(next)
	if len(r.Questions) > 0 {
		p.line("add", `"inputResponses": `+responsesWords(r, d))
	}
	if r.State == nil {
		p.line("same", "no requestState, because the server sent none")
		return p
	}
	state := r.StateText()
	p.line("state", `"requestState": `+prose.ByteCount(len(state))+", unchanged")
	return p
}

// build sets the body of a request, which is nil if it cannot be built yet.
func (p *Preview) build(next *wire.Request) {
	if next == nil {
		return
	}
	if f, err := wire.Encode(*next); err == nil {
		p.Body = string(f.Body)
	}
}

// taskPreview is of the answers to the questions of a task.
func taskPreview(r playground.Round, next *wire.Request, d question.Draft) Preview {
	p := Preview{Lines: []previewLine{{"same", "tasks/update for the task " + text.Visible(r.Task.ID, 80)}}}
	p.build(next)
	p.line("add", `"inputResponses": `+responsesWords(r, d))
	for _, f := range d.Forms {
		if f.Action == question.Later {
			p.line("same", text.Visible(f.Key, 40)+" is left open, and the task goes on waiting for it")
		}
	}
	p.line("same", "no requestState: a task has none")
	return p
}

// legacyPreview is of the answers to a legacy server, whose call is open.
func legacyPreview(r playground.Round, d question.Draft) Preview {
	way := "on a connection of its own"
	if r.OnLine() {
		way = "as a line to the same process"
	}
	p := Preview{Lines: []previewLine{{"same", "the call stays open; the answer goes out " + way}}}
	for _, q := range r.Questions {
		p.line("add", `"id": `+text.Visible(q.Key, 40)+`, "result": `+answerText(q.Key, d))
	}
	if r.Session {
		p.line("same", "the session id, by which the server finds the call")
	}
	return p
}

func (p *Preview) line(kind, text string) { p.Lines = append(p.Lines, previewLine{kind, text}) }

// responsesWords returns the answers to the questions of a Round by key.
func responsesWords(r playground.Round, d question.Draft) string {
	var list []string
	for _, q := range r.Questions {
		if !isLeft(q.Key, d) {
			list = append(list, strconv.Quote(text.Visible(q.Key, 40))+":"+answerText(q.Key, d))
		}
	}
	return "{" + strings.Join(list, ",") + "}"
}

// isLeft reports whether a question is left open while others are answered.
func isLeft(key string, d question.Draft) bool {
	return slices.ContainsFunc(d.Forms, func(f question.Form) bool {
		return f.Key == key && f.Action == question.Later
	})
}

// answerText returns the answer to a key as JSON, or "your answer" while there
// is none that could be sent.
func answerText(key string, d question.Draft) string {
	if answer, ok := answerTo(key, d); ok {
		return answer
	}
	return "your answer"
}

// answerTo returns the answer to a key as JSON, or false while there is none
// that could be sent.
func answerTo(key string, d question.Draft) (string, bool) {
	for _, f := range d.Forms {
		if f.Key == key && f.NoAnswer {
			return "", false
		}
	}
	for _, a := range d.Answers {
		if a.Key == key {
			return text.Visible(string(a.Value), 400), true
		}
	}
	return "", false
}
