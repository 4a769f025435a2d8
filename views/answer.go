package views

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// AnswerForm is the open form of a Round: its questions, what will be sent, and
// the button that sends.
type AnswerForm struct {
	Path      string // where it is posted
	Back      string // where to go on after it was sent; empty means the exchange's own page
	Round     int
	Who       string // who asks: "Azure DevOps (sample), instance b/v1"
	Questions []question.Form
	Open      bool // the call is open on its connection: more questions may come while these are answered
	Preview   Preview
	Instances []InstanceChoice
	Refuses   bool      // sampling or roots are asked: refusing ends the exchange
	Problem   *Sentence // why it could not be sent, besides its answers; nil when it could
	Hint      string    // what is worth trying; empty for none
	Send      string    // words of the button; empty means the usual ones
}

// CanSendAnyway reports whether every answer could be sent on purpose although
// the schema refuses one.
func (f AnswerForm) CanSendAnyway() bool {
	refused := false
	for _, p := range f.Questions {
		if p.NoAnswer {
			return false
		}
		refused = refused || len(p.Problems) > 0
	}
	return refused
}

// BackOff is how many milliseconds a page waits before it retries by itself:
// half a second at first, doubled each Round, at most 15 seconds.
func (f AnswerForm) BackOff() int { return min(500<<min(f.Round-1, 5), 15_000) }

// SendWords are the words of the button.
func (f AnswerForm) SendWords() string {
	if f.Send != "" {
		return f.Send
	}
	if len(f.Questions) == 0 {
		return "Retry now"
	}
	return "Send the retry"
}

// InstanceChoice is an instance of a sample that the next request can be sent to.
type InstanceChoice struct {
	Value, Words string
	Chosen       bool
}

// NewInstances lists the instances of a topology ("a:v1,b:v2") that can get the
// next request, after the choice of the load balancer. It returns nil if there
// are fewer than two.
func NewInstances(topology, chosen string) []InstanceChoice {
	list := []InstanceChoice{{Words: "let the balancer choose", Chosen: chosen == ""}}
	for _, k := range server.ParseTopology(topology, "", "").Instances {
		if k.Health == server.Dead {
			continue
		}
		var notes []string
		if k.Version != "" {
			notes = append(notes, k.Version)
		}
		if k.Health == server.Drain {
			notes = append(notes, "drained")
		}
		words := k.Name
		if len(notes) > 0 {
			words += " (" + strings.Join(notes, ", ") + ")"
		}
		list = append(list, InstanceChoice{Value: k.Name, Words: words, Chosen: k.Name == chosen})
	}
	if len(list) < 3 {
		return nil
	}
	return list
}

// Preview is what the next request will be, seen from the last one.
type Preview struct {
	Lines []PreviewLine
	Body  string // the exact body, when it can be built already
}

// PreviewLine is one line of a Preview. Kind is same, id, add or state.
type PreviewLine struct{ Kind, Text string }

// NewPreview compares the request that would be sent with the last one. next is
// nil while answers are missing.
func NewPreview(r playground.Round, next *wire.Request) Preview {
	switch {
	case r.Legacy:
		return legacyPreview(r)
	case r.Task != nil:
		return taskPreview(r, next)
	}
	p := Preview{Lines: []PreviewLine{{"same", "the same call, its arguments unchanged"}}}
	p.line("id", fmt.Sprintf(`"id": %s → %d`, r.Sent.Get("id").Raw(), r.N+1))
	var params *jsontree.Node
	if next != nil {
		params, _ = jsontree.Parse(next.Params, jsontree.Limits{})
		if f, err := wire.Encode(*next); err == nil {
			p.Body = string(f.Body)
		}
	}
	if n := len(r.Questions); n > 0 {
		p.line("add", `"inputResponses": `+responsesWords(params.Get("inputResponses"), r))
	}
	if r.State == nil {
		p.line("same", "no requestState, because none was given")
		return p
	}
	state := r.StateText()
	p.line("state", fmt.Sprintf(`"requestState": "%s" %d bytes, echoed untouched`, middle(state), len(state)))
	return p
}

// taskPreview is of the answers to the questions of a task.
func taskPreview(r playground.Round, next *wire.Request) Preview {
	p := Preview{Lines: []PreviewLine{{"same", "tasks/update for the task " + text.Visible(r.Task.ID, 80)}}}
	var params *jsontree.Node
	if next != nil {
		params, _ = jsontree.Parse(next.Params, jsontree.Limits{})
		if f, err := wire.Encode(*next); err == nil {
			p.Body = string(f.Body)
		}
	}
	p.line("add", `"inputResponses": `+responsesWords(params.Get("inputResponses"), r))
	p.line("same", "no requestState: a task has none")
	return p
}

// legacyPreview is of the answers to what an older server asks while its call is
// open.
func legacyPreview(r playground.Round) Preview {
	p := Preview{Lines: []PreviewLine{{"same", "the call stays open; the answer goes out on a connection of its own"}}}
	for _, q := range r.Questions {
		p.line("add", `"id": `+text.Visible(q.Key, 40)+`, "result": your answer`)
	}
	p.line("same", "the session id, so that it finds the machine that waits")
	return p
}

func (p *Preview) line(kind, text string) { p.Lines = append(p.Lines, PreviewLine{kind, text}) }

func responsesWords(n *jsontree.Node, r playground.Round) string {
	if n != nil {
		return text.Visible(string(n.Raw()), 400)
	}
	keys := make([]string, len(r.Questions))
	for i, q := range r.Questions {
		keys[i] = text.Visible(q.Key, 40)
	}
	return "{" + strings.Join(keys, ": your answer, ") + ": your answer}"
}

// middle cuts the middle out of an opaque string.
func middle(s string) string {
	const ends = 10
	if len(s) <= 2*ends+3 {
		return text.Visible(s, 2*ends+3)
	}
	return text.Visible(s[:ends], ends) + "…" + text.Visible(s[len(s)-4:], 4)
}

// problemOf is what is wrong with one field; empty when nothing is.
func problemOf(problems []form.Problem, index int) string {
	for _, p := range problems {
		if p.Index == index {
			return p.Text
		}
	}
	return ""
}

// describedBy is the aria-describedby value of a field's control.
func describedBy(id string, f form.Field, problem string) string {
	var ids []string
	if f.Help != "" || f.Hint != "" {
		ids = append(ids, id+"-help")
	}
	if problem != "" {
		ids = append(ids, id+"-problem")
	}
	return strings.Join(ids, " ")
}

// controlID is the id of a control: its name without the dot.
func controlID(name string) string { return strings.ReplaceAll(name, ".", "-") }

// helpWords joins what the schema says of a field and what we say of its limits.
func helpWords(f form.Field) string {
	parts := make([]string, 0, 3)
	for _, s := range []string{text.Visible(f.Help, 400), f.Hint} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " · ")
}

func chosen(values []string, value string) bool {
	for _, v := range values {
		if v == value {
			return true
		}
	}
	return false
}

func firstValue(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// canSayEmpty reports whether the empty value is worth a checkbox: an address
// or a date that is empty would be refused anyway.
func canSayEmpty(f form.Field) bool {
	return f.CanBeEmpty() && !f.Required && (f.Input == "" || f.Input == "text")
}

// blankWords is the label of the checkbox that sends the empty value.
func blankWords(f form.Field) string {
	if f.Control == form.Choices {
		return "If none is chosen, send an empty list"
	}
	return "If blank, send an empty string"
}
