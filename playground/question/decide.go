package question

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// ErrIncomplete is for a reply with an answer that is missing, or that its
// schema refuses and that is not sent on purpose.
var ErrIncomplete = errors.New("an answer is missing or refused by its schema")

// Draft is the user's reply to the questions of a Round before it is sent.
type Draft struct {
	Forms   []Form              // as filled in, with their Problems
	Answers []playground.Answer // to the questions that the page had
}

// NewDraft returns the questions of a Round with their defaults filled in.
// roots are the user's own.
func NewDraft(r playground.Round, roots ...Root) Draft {
	d := Draft{Forms: Forms(r, roots...)}
	if r.Task != nil && len(d.Forms) > 1 {
		for i := range d.Forms {
			d.Forms[i].CanWait = true
		}
	}
	return d
}

// Later is the action of a question that is left open while others of the same task are
// answered (ext-tasks, "tasks/update").
const Later = "later"

// Fill returns the draft with the values of the page's form. A question that
// the page did not have stays as it is, and open.
func (d Draft) Fill(in form.Inputs) Draft {
	filled := Draft{Forms: make([]Form, len(d.Forms))}
	for i, f := range d.Forms {
		filled.Forms[i] = f
		input, ok := in.For(i, f.Key)
		if !ok {
			continue
		}
		later := f.CanWait && input.Action == Later
		if later {
			input.Action = "accept" // the input stays in the form
		}
		read, answer := f.Read(input)
		if later {
			read.Action, read.Problems, read.NoAnswer = Later, nil, false
			filled.Forms[i] = read
			continue
		}
		filled.Forms[i] = read
		filled.Answers = append(filled.Answers, answer)
	}
	answered := func(f Form) bool { return f.Action != Later }
	if len(filled.Forms) > 0 && !slices.ContainsFunc(filled.Forms, answered) {
		filled.Forms[0].problem("Every question is left for later. Answer at least one.")
	}
	return filled
}

// Unchanged returns the draft as the page would send it if nothing were filled
// in: with the defaults as answers, and the problems that they have.
func (d Draft) Unchanged() Draft {
	unchanged := Draft{Forms: make([]Form, len(d.Forms))}
	for i, f := range d.Forms {
		in := f.input()
		in.Raw, in.JSON = f.Raw, f.JSON
		read, answer := f.Read(in)
		unchanged.Forms[i], unchanged.Answers = read, append(unchanged.Answers, answer)
	}
	return unchanged
}

// Refused returns the draft with every question that a form or a link asks
// refused by an action, decline or cancel, whatever was filled in
// (client/elicitation, "Response Actions").
func (d Draft) Refused(action string) Draft {
	refused := Draft{Forms: slices.Clone(d.Forms), Answers: slices.Clone(d.Answers)}
	for i, f := range refused.Forms {
		if f.Kind != KindForm && f.Kind != KindURL {
			continue
		}
		k := slices.IndexFunc(refused.Answers, func(a playground.Answer) bool { return a.Key == f.Key })
		if k < 0 {
			continue // the page did not have the question
		}
		answer := json.RawMessage(`{"action":"` + action + `"}`)
		f.Action, f.Raw, f.NoAnswer, f.Problems, f.JSON = action, false, false, nil, string(answer)
		refused.Forms[i], refused.Answers[k].Value = f, answer
	}
	return refused
}

// Edited returns the draft after a button inside its fields was pressed, which
// adds or removes a row or enters a value; see form.Edited. Nothing is sent by
// it.
func (d Draft) Edited(edit string) Draft {
	forms := slices.Clone(d.Forms)
	for i := range forms {
		if forms[i].Kind != KindForm || forms[i].FormErr != nil {
			continue
		}
		if made, ok := forms[i].Fields.Edited(edit, form.Prefix(i)); ok {
			read, answer := forms[i].edited(made)
			forms[i] = read
			if k := slices.IndexFunc(d.Answers,
				func(a playground.Answer) bool { return a.Key == read.Key }); k >= 0 {
				d.Answers = slices.Clone(d.Answers)
				d.Answers[k] = answer
			}
		}
	}
	d.Forms = forms
	return d
}

// WithoutProblems returns the draft as a preview shows it: nothing is called a
// problem before it is sent.
func (d Draft) WithoutProblems() Draft {
	forms := make([]Form, len(d.Forms))
	for i, f := range d.Forms {
		f.Refused, f.Problems = !f.Answered(), nil
		forms[i] = f
	}
	d.Forms = forms
	return d
}

// CanSendAnyway reports whether every question has an answer, but a schema
// refuses one, so that they can be sent on purpose.
func (d Draft) CanSendAnyway() bool { return d.refused() && !d.missing() }

// CanRefuse reports whether a question cannot be declined, such as sampling or
// roots: refusing it ends the call.
func (d Draft) CanRefuse() bool {
	for _, f := range d.Forms {
		if Refusal(f.Kind) != nil {
			return true
		}
	}
	return false
}

// refusals returns the errors that refuse what cannot be declined on a legacy
// server. Its other questions stay open.
func (d Draft) refusals() []playground.Answer {
	var list []playground.Answer
	for _, f := range d.Forms {
		if e := Refusal(f.Kind); e != nil {
			list = append(list, playground.Answer{Key: f.Key, Error: e})
		}
	}
	return list
}

// Refusal returns the JSON-RPC error that refuses a question of this kind on a
// legacy server, or nil if such a question is declined instead. The error for
// sampling is that of 2025-11-25 (client/sampling, "Error Handling"); for roots
// the revision has none, so it is worded alike.
func Refusal(k Kind) json.RawMessage {
	switch k {
	case KindSampling:
		return json.RawMessage(`{"code":-1,"message":"User rejected sampling request"}`)
	case KindRoots:
		return json.RawMessage(`{"code":-1,"message":"User rejected roots request"}`)
	}
	return nil
}

// Roots returns the user's roots as filled in, and false if no question asks
// for them.
func (d Draft) Roots() ([]Root, bool) {
	for _, f := range d.Forms {
		if f.Kind == KindRoots {
			return f.Roots, true
		}
	}
	return nil, false
}

// missing reports whether a question of the page has no answer, or whether all
// of them have been withdrawn by the server.
func (d Draft) missing() bool {
	for _, f := range d.Forms {
		if f.NoAnswer {
			return true
		}
	}
	return len(d.Answers) == 0 && len(d.Forms) > 0
}

// refused reports whether the schema or the protocol refuses an answer.
func (d Draft) refused() bool {
	for _, f := range d.Forms {
		if len(f.Problems) > 0 {
			return true
		}
	}
	return false
}

// Choice is the action that the user chose for the newest Round.
type Choice string

// The choices.
const (
	Send    Choice = "send"    // send the answers, or the retry if nothing is asked
	Anyway  Choice = "anyway"  // Send, also if the schema refuses an answer
	Decline Choice = "decline" // send that every form and link is declined
	Cancel  Choice = "cancel"  // send that every form and link is cancelled
	Auto    Choice = "auto"    // retry automatically as long as nothing is asked
	Refuse  Choice = "refuse"  // end the call instead of answering
	Resend  Choice = "resend"  // send the same request again
)

// Decide returns the decision that the choice makes of the draft; unknown
// choices are Send. instance names the instance of a sample that gets the
// request; a name that cannot be chosen in t leaves it to the load balancer.
//
// The error is ErrIncomplete if the draft cannot be sent as it is; the decision
// then still serves for a preview. If the newest Round is not open for the
// choice it is one of Transcript.Allows.
func (d Draft) Decide(
	f playground.Transcript, c Choice, t cluster.Topology, instance string,
) (playground.Decision, error) {
	last := f.Last()
	if last == nil {
		return playground.Decision{}, playground.ErrNotOpen
	}
	decision := playground.Decision{Round: last.N + 1, Instance: choosable(t, instance)}
	if c == Decline || c == Cancel {
		d = d.Refused(string(c))
	}
	switch {
	case c == Refuse && last.Legacy:
		decision.Action, decision.Answers = playground.ActionAnswer, d.refusals()
	case c == Refuse:
		decision.Action = playground.ActionRefuse
		if !last.Open() || f.Status != playground.StatusWaiting {
			return decision, playground.ErrNotOpen
		}
		return decision, nil
	case c == Resend:
		decision.Action = playground.ActionResend
	case last.Kind == playground.OutcomeRetry:
		decision.Action, decision.Auto = playground.ActionRetry, c == Auto
	default:
		return d.answer(decision, f, c == Anyway)
	}
	return decision, f.Allows(decision)
}

func (d Draft) answer(
	decision playground.Decision, f playground.Transcript, anyway bool,
) (playground.Decision, error) {
	decision.Action, decision.Answers = playground.ActionAnswer, d.Answers
	decision.Anyway = anyway && d.refused()
	err := f.Allows(decision)
	switch {
	case err != nil && !errors.Is(err, playground.ErrAnswers):
		return decision, err
	case d.missing() || d.refused() && !anyway:
		return decision, ErrIncomplete
	}
	return decision, err
}

// choosable returns the name of an instance that can get a request, or "".
func choosable(t cluster.Topology, name string) string {
	if k, ok := t.Find(name); !ok || k.Health == cluster.Dead {
		return ""
	}
	return name
}
