package exercise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// requirement is a Requirement with its judges: judge, and then the
// experiments, whose responses must be right and which must all pass.
type requirement struct {
	Requirement
	// returns the fault in one sentence, or "". ok is false if the call has not
	// got so far.
	judge func(seen) (why string, ok bool)
	// reports whether the right call did not get beyond this requirement, so
	// that others cannot be judged; nil if it always does
	stops       func(seen) bool
	experiments []string
	// further experiments: one that has no place in the call, or no verdict, counts as passed
	also []string
	// returns the fault of the response to a changed request of the experiments
	// in one sentence, or ""; nil if their verdicts decide alone
	response func(seen, playground.Round) string
}

// The parts of the list.
const (
	partRounds  = "The three rounds"
	partAnswers = "Other answers"
	partState   = "The state and the client"
)

var requirements = []requirement{
	{Requirement: Requirement{
		ID: "two-questions", Part: partRounds, Lesson: "rounds",
		Text: "Round 1 asks `people` and `time`: two questions in one result.",
	}, judge: twoQuestions, stops: func(s seen) bool { return !s.asked(1) }},
	{Requirement: Requirement{
		ID: "forms", Part: partRounds, Lesson: "questions",
		Text: "The forms of round 1 allow a whole number from 1 to 12, and `18:00`, `19:00` or `20:00`.",
	}, judge: forms, stops: func(s seen) bool { return s.right.Round(2) == nil }},
	{Requirement: Requirement{
		ID: "confirms", Part: partRounds, Lesson: "rounds",
		Text: "Round 2 asks `confirm`. " +
			"Its message names the restaurant, the day, the number of people and the time.",
	}, judge: confirms, stops: func(s seen) bool { return !s.asked(2) }},
	{Requirement: Requirement{
		ID: "remembers", Part: partRounds, Lesson: "rounds",
		Text: "The result of round 2 has a `requestState`, because the next retry brings only the answer " +
			"to `confirm`.",
	}, judge: remembers, stops: func(seen) bool { return true }},
	{Requirement: Requirement{
		ID: "books", Part: partRounds, Lesson: "one-round",
		Text: "Round 3 books. Its text begins with `" + bookedWords + "` and names the restaurant, the " +
			"day, the number of people and the time, for example: `" + Booked + "`",
		Note: "The other words and their order are free. The calls with other arguments and answers must " +
			"name theirs.",
	}, judge: books},
	{Requirement: Requirement{
		ID: "missing", Part: partAnswers, Lesson: "questions",
		Text: "If one of the two answers is missing, the server asks again for that one only. " +
			"It keeps the other in a `requestState`.",
	}, experiments: []string{"skip-answer", "wrong-key"}, response: asksForTheMissing},
	{Requirement: Requirement{
		ID: "wrong", Part: partAnswers, Lesson: "questions",
		Text: "It does not accept a wrong value, such as 13 people, 0 people or half a person. " +
			"It asks again, or returns an error.",
	}, experiments: []string{"wrong-type", "out-of-range"}},
	{Requirement: Requirement{
		ID: "extra", Part: partAnswers, Lesson: "questions",
		Text: "It ignores an answer under a key that it does not know.",
	}, experiments: []string{"extra-key"}},
	{Requirement: Requirement{
		ID: "early", Part: partAnswers, Lesson: "questions",
		Text: "It ignores an answer to `confirm` until round 2 has asked it, and does not book.",
	}, experiments: []string{"early-answer"}, also: []string{"early-after-gap"}, response: asksFirst},
	{Requirement: Requirement{
		ID: "refused", Part: partAnswers, Lesson: "saying-no",
		Text: "It books nothing if the user declines or cancels a question. " +
			"The call ends with a normal result.",
	}, experiments: []string{"decline-answer", "cancel-answer"}, response: endsUnbooked},
	{Requirement: Requirement{
		ID: "cleared", Part: partAnswers, Lesson: "saying-no",
		Text: "It books nothing if the user sends the last form with `confirm` false. " +
			"The call ends with a normal result, which is not that of a booking.",
		Note: "A result is that of a booking if its text begins with `" + bookedWords + "`, or if it is " +
			"the result of round 3 after `confirm` true but for what was agreed.",
	}, judge: cleared},
	{Requirement: Requirement{
		ID: "forged", Part: partState, Lesson: "sealed-state",
		Text: "It rejects a state that was changed.",
	}, experiments: []string{"flip-state", "truncate-state"}, also: []string{"flip-after-gap"}},
	{Requirement: Requirement{
		ID: "bound", Part: partState, Lesson: "attacks",
		Text: "It rejects a state that was issued for other arguments.",
	}, experiments: []string{"state-of-another-call"}},
	{Requirement: Requirement{
		ID: "capability", Part: partState, Lesson: "questions",
		Text: "If the first request declares no `elicitation`, it asks nothing and books nothing: it " +
			"answers with error -32021 (`data.requiredCapabilities`), or with a text that says why.",
		Note: "Each request declares its own capabilities, and no response may ask for what its request " +
			"does not declare. A retry that brings its answer asks nothing: the server may book then, " +
			"whatever the retry declares.",
	}, also: []string{"omit-capability"}, response: unbooked},
}

func twoQuestions(s seen) (string, bool) {
	r, ok := ended(s.right, 1)
	if !ok || s.asked(1) {
		return "", ok
	}
	return ending(r), true
}

func forms(s seen) (string, bool) {
	if !s.asked(1) {
		return "", false
	}
	r, _ := ended(s.right, 1)
	number, why := fieldOf(r, keyPeople)
	if why != "" {
		return why, true
	}
	if number.Control != form.Number || number.Step != "1" || number.Min != "1" || number.Max != "12" {
		return "The field `people` is: " + describe(number) + ".", true
	}
	choice, why := fieldOf(r, keyTime)
	if why != "" {
		return why, true
	}
	var values []string
	for _, o := range choice.Options {
		values = append(values, o.Value)
	}
	slices.Sort(values)
	if choice.Control != form.Choice || !slices.Equal(values, []string{"18:00", "19:00", "20:00"}) {
		return "The field `time` is: " + describe(choice) + ".", true
	}
	return "", true
}

// describe returns the accepted values of a field in words.
func describe(f form.Field) string {
	switch f.Control {
	case form.Choice, form.Choices:
		var values []string
		for _, o := range f.Options {
			values = append(values, text.Visible(o.Value, 20))
		}
		return "a choice of " + narrate.Names(values)
	case form.Checkbox, form.Toggle:
		return "yes or no"
	case form.Text:
		return strings.TrimSuffix("any text, "+f.Hint, ", ")
	}
	if f.Hint != "" {
		return text.Visible(f.Hint, 80)
	}
	return string(f.Control) + " without limits"
}

// fieldOf returns the only field of the question with a key, which has the name
// of the key, or why there is none.
func fieldOf(r playground.Round, key string) (f form.Field, why string) {
	list := question.Forms(r)
	i := slices.IndexFunc(list, func(f question.Form) bool { return f.Key == key })
	switch {
	case i < 0:
		return f, fmt.Sprintf("Round %d does not ask `%s`.", r.N, key)
	case list[i].Kind != question.KindForm || list[i].FormErr != nil:
		return f, fmt.Sprintf("The question `%s` is not a form.", key)
	}
	fields := list[i].Fields.Fields
	if len(fields) != 1 || fields[0].Property != key {
		return f, fmt.Sprintf("The form of `%s` must have one field, with the name `%s`.", key, key)
	}
	if !fields[0].Required {
		return f, fmt.Sprintf("The field `%s` must be required.", key)
	}
	return fields[0], ""
}

func confirms(s seen) (string, bool) {
	r, ok := ended(s.right, 2)
	if !ok || !s.asked(1) {
		return "", false
	}
	if !s.asked(2) {
		return sent(r) + ending(r), true
	}
	f, why := fieldOf(r, keyConfirm)
	if why != "" {
		return why, true
	}
	if f.Control != form.Checkbox {
		return "The field `confirm` must be a boolean. It is: " + describe(f) + ".", true
	}
	if why := names(r, right.words()...); why != "" {
		return why, true
	}
	for i, t := range others {
		r, ok := ended(s.others[i], 2)
		switch {
		case !ok:
			return "", false
		case !slices.Equal(keysOf(r), asks[1]): // that call did not get so far
		default:
			if why := names(r, t.words()...); why != "" {
				return why, true
			}
		}
	}
	return "", true
}

// names returns which of the words the message of the only question lacks.
func names(r playground.Round, words ...string) string {
	message := question.Forms(r)[0].Message()
	if w := lacks(message, words); w != "" {
		return fmt.Sprintf("The message does not name %s. It is: %s", w, text.Visible(message, 160))
	}
	return ""
}

func remembers(s seen) (string, bool) {
	if !s.asked(2) {
		return "", false
	}
	if r, _ := ended(s.right, 2); r.State == nil {
		return "The result of round 2 has no `requestState`.", true
	}
	return "", true
}

func books(s seen) (string, bool) {
	if r, _ := ended(s.right, 3); r.Kind != playground.OutcomeComplete && !s.asked(2) {
		return "", false // the requirements on the questions say why
	}
	if why, ok := agreed(s.right, right); why != "" || !ok {
		return why, ok
	}
	for i, t := range others {
		if !t.confirm {
			continue
		}
		why, ok := agreed(s.others[i], t)
		if why != "" {
			why = fmt.Sprintf("A table for %d at %s on %s at %s: %s", t.people, t.restaurant, t.day, t.time,
				why)
		}
		if why != "" || !ok {
			return why, ok
		}
	}
	return "", true
}

// agreed returns why round 3 of a call did not book the table.
func agreed(f playground.Transcript, t table) (string, bool) {
	r, ok := ended(f, 3)
	switch last := f.Last(); {
	case !ok && last != nil && !last.Open() && last.Kind != playground.OutcomePending:
		return fmt.Sprintf("The call ended in round %d. %s%s", last.N, sent(*last), ending(*last)), true
	case !ok, r.Open() && f.Round(2).State == nil: // the answers are lost
		return "", false
	case r.Kind != playground.OutcomeComplete || r.IsError:
		return sent(r) + ending(r), true
	case !strings.HasPrefix(r.FirstText(), bookedWords):
		return "The text must begin with " + code(bookedWords) + ". " + ending(r), true
	}
	if w := lacks(r.FirstText(), t.words()); w != "" {
		return "The text must name " + w + ". " + ending(r), true
	}
	return "", true
}

// asksForTheMissing returns why a response to a retry of the first round does not
// ask for just the answer that was missing.
func asksForTheMissing(s seen, r playground.Round) string {
	keys := keysOf(r)
	answered := r.Sent.At("params", "inputResponses").Has
	if next, ok := ended(s.right, 2); ok && slices.ContainsFunc(keysOf(next), answered) {
		return "" // it asks again after the right answers, too, which is another fault
	}
	switch {
	case slices.ContainsFunc(keys, answered):
		return fmt.Sprintf("The server asked for %s, although only one answer was missing.",
			narrate.Names(keys))
	case len(keys) > 0 && r.State == nil && (answered(keyPeople) || answered(keyTime)):
		return fmt.Sprintf("The server asked for %s, without a `requestState`, so the other answer is lost.",
			narrate.Names(keys))
	}
	return ""
}

// asksFirst returns why a response to an answer that came too early is wrong.
func asksFirst(_ seen, r playground.Round) string {
	if r.Kind == playground.OutcomeInputRequired {
		return ""
	}
	return "The server did not ask."
}

// endsUnbooked returns why a response to a refusal is wrong.
func endsUnbooked(s seen, r playground.Round) string {
	switch {
	case s.booked(r, right):
		return "The server booked although the user said no."
	case r.Kind != playground.OutcomeComplete || r.IsError:
		return "The call did not end with a normal result."
	}
	return ""
}

// unbooked returns why a response to a client that cannot be asked is wrong.
func unbooked(s seen, r playground.Round) string {
	if s.booked(r, right) {
		return "The server booked although it could not ask."
	}
	return ""
}

func cleared(s seen) (string, bool) {
	other := s.others[0]
	i := slices.IndexFunc(other.Rounds, func(r playground.Round) bool {
		return slices.ContainsFunc(r.Decision.Answers,
			func(a playground.Answer) bool { return a.Key == keyConfirm })
	})
	if i < 0 {
		return "", false
	}
	switch r, ok := ended(other, i+1); {
	case !ok, r.Open() && other.Round(i).State == nil: // the answers are lost
		return "", false
	case r.Open():
		return "The server asked again after `confirm` false.", true
	case r.Kind != playground.OutcomeComplete || r.IsError || hasBooked(r):
		return "After `confirm` false: " + ending(r), true
	case s.booked(r, others[0]):
		return "After `confirm` false the result is that of a booking. " + ending(r), true
	}
	return "", true
}
