package exercise

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// requirement is a Requirement with what decides it: judge, and then the
// experiments, which must all pass.
type requirement struct {
	Requirement
	// returns what is wrong in one sentence, or "". ok is false if the call has
	// not got so far.
	judge       func(seen) (why string, ok bool)
	experiments []string
}

// The parts of the list.
const (
	partRounds  = "The three rounds"
	partAnswers = "Other answers"
	partState   = "The state and the client"
)

var table = []requirement{
	{Requirement: Requirement{
		ID: "two-questions", Part: partRounds, Lesson: "rounds",
		Text: "Round 1 asks `people` and `time`: two questions in one result.",
	}, judge: twoQuestions},
	{Requirement: Requirement{
		ID: "forms", Part: partRounds, Lesson: "questions",
		Text: "Their forms say what is allowed: a whole number from 1 to 12, and one of `18:00`, `19:00` " +
			"and `20:00`.",
	}, judge: forms},
	{Requirement: Requirement{
		ID: "confirms", Part: partRounds, Lesson: "rounds",
		Text: "Round 2 asks `confirm`, and its message names the restaurant, the day, the number of people " +
			"and the time.",
	}, judge: confirms},
	{Requirement: Requirement{
		ID: "remembers", Part: partRounds, Lesson: "rounds",
		Text: "That result has a `requestState`, because the next retry brings only the answer to `confirm`.",
	}, judge: remembers},
	{Requirement: Requirement{
		ID: "books", Part: partRounds, Lesson: "one-round",
		Text: "Round 3 books. Its text is exactly: " + Booked,
	}, judge: books},
	{Requirement: Requirement{
		ID: "missing", Part: partAnswers, Lesson: "questions",
		Text: "If an answer is missing, the server asks for it again.",
	}, experiments: []string{"skip-answer", "wrong-key"}},
	{Requirement: Requirement{
		ID: "wrong", Part: partAnswers, Lesson: "questions",
		Text: "It does not accept a wrong value, such as 13 people.",
	}, experiments: []string{"wrong-type", "out-of-range"}},
	{Requirement: Requirement{
		ID: "extra", Part: partAnswers, Lesson: "questions",
		Text: "It ignores an answer under a key that it does not know.",
	}, experiments: []string{"extra-key"}},
	{Requirement: Requirement{
		ID: "refused", Part: partAnswers, Lesson: "saying-no",
		Text: "It books nothing if the user declines or cancels a question.",
	}, experiments: []string{"decline-answer", "cancel-answer"}},
	{Requirement: Requirement{
		ID: "cleared", Part: partAnswers, Lesson: "saying-no",
		Text: "It books nothing if the user sends the last form with `confirm` false, and ends the call " +
			"with a normal result.",
	}, judge: cleared},
	{Requirement: Requirement{
		ID: "forged", Part: partState, Lesson: "sealed-state",
		Text: "It rejects a state that was changed.",
	}, experiments: []string{"flip-state", "truncate-state"}},
	{Requirement: Requirement{
		ID: "bound", Part: partState, Lesson: "attacks",
		Text: "It rejects a state that was issued for other arguments.",
	}, experiments: []string{"state-of-another-call"}},
	{Requirement: Requirement{
		ID: "capability", Part: partState, Lesson: "one-round",
		Text: "It does not ask a client that declares no `elicitation`.",
	}, experiments: []string{"omit-capability"}},
}

// seen is what the right call and the other one show.
type seen struct {
	right playground.Transcript
	other playground.Transcript // with the last box empty; no Rounds before it was made
}

// look finds the two calls among the exchanges.
func look(report lab.Report, exchanges []playground.Exchange) seen {
	s := seen{right: report.Control.Fold()}
	want := Others()[0]
	for _, x := range exchanges {
		given := x.Fold().Answers()
		answered := func(key string) bool {
			node, err := jsontree.Parse(given[key], jsontree.Limits{})
			value, wrong := jsontree.Parse(want[key], jsontree.Limits{})
			return err == nil && wrong == nil && jsontree.Equal(node.Get("content"), value)
		}
		if x.Experiment() == "" && x.ID != report.Control.ID && answered(keyPeople) && answered(keyTime) {
			s.other = x.Fold()
		}
	}
	return s
}

// ended returns Round n of a call once it has an outcome.
func ended(t playground.Transcript, n int) (playground.Round, bool) {
	r := t.Round(n)
	if r == nil || r.Kind == playground.OutcomePending {
		return playground.Round{}, false
	}
	return *r, true
}

// keysOf returns the keys of the questions of a Round, sorted.
func keysOf(r playground.Round) []string {
	var keys []string
	for _, q := range r.Questions {
		keys = append(keys, q.Key)
	}
	slices.Sort(keys)
	return keys
}

func twoQuestions(s seen) (string, bool) {
	r, ok := ended(s.right, 1)
	if !ok || slices.Equal(keysOf(r), []string{keyPeople, keyTime}) {
		return "", ok
	}
	return fmt.Sprintf("Round 1 ended with %s.", narrate.Response(r)), true
}

func forms(s seen) (string, bool) {
	r, ok := ended(s.right, 1)
	if !ok {
		return "", false
	}
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

// describe returns what a field accepts in words.
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
	if !ok {
		return "", false
	}
	if !slices.Equal(keysOf(r), []string{keyConfirm}) {
		return fmt.Sprintf("Round 2 ended with %s.", narrate.Response(r)), true
	}
	f, why := fieldOf(r, keyConfirm)
	if why != "" {
		return why, true
	}
	if f.Control != form.Checkbox {
		return "The field `confirm` must be a boolean. It is: " + describe(f) + ".", true
	}
	if why := names(r, "Luigi", "Friday", "4", "19:00"); why != "" {
		return why, true
	}
	r, ok = ended(s.other, 2)
	if !ok {
		return "", false
	}
	return names(r, "Luigi", "Friday", "2", "20:00"), true
}

// names returns which of the words the message of the only question lacks.
func names(r playground.Round, words ...string) string {
	if len(r.Questions) == 0 {
		return fmt.Sprintf("Round %d ended with %s.", r.N, narrate.Response(r))
	}
	message := question.Forms(r)[0].Message()
	for _, w := range words {
		whole := regexp.MustCompile(`(^|\D)` + w + `($|\D)`) // 4 is not in 14
		if !whole.MatchString(message) {
			return fmt.Sprintf("The message does not name %s. It is: %s", w, text.Visible(message, 160))
		}
	}
	return ""
}

func remembers(s seen) (string, bool) {
	r, ok := ended(s.right, 2)
	switch {
	case !ok || r.State != nil:
		return "", ok
	case len(r.Questions) == 0:
		return fmt.Sprintf("Round 2 ended with %s.", narrate.Response(r)), true
	}
	return "The result of round 2 has no `requestState`.", true
}

func books(s seen) (string, bool) {
	r, ok := ended(s.right, 3)
	switch last := s.right.Last(); {
	case !ok && last != nil && !last.Open() && last.Kind != playground.OutcomePending:
		return fmt.Sprintf("The call ended in round %d. %s", last.N, ending(*last)), true
	case !ok:
		return "", false
	case r.Kind != playground.OutcomeComplete || r.IsError || said(r) != Booked:
		return ending(r), true
	}
	return "", true
}

// ending returns one or two sentences about how a Round ended.
func ending(r playground.Round) string {
	how := fmt.Sprintf("Round %d ended with %s.", r.N, narrate.Response(r))
	if words := said(r); words != "" {
		return how + " Its text is: " + text.Visible(words, 160)
	}
	return how
}

// said returns the first text of a tool's result, or "".
func said(r playground.Round) string {
	content := r.Final.Get("content")
	if content == nil || len(content.Elements()) == 0 {
		return ""
	}
	return content.Elements()[0].Get("text").Str()
}

func cleared(s seen) (string, bool) {
	i := slices.IndexFunc(s.other.Rounds, func(r playground.Round) bool {
		return slices.ContainsFunc(r.Decision.Answers,
			func(a playground.Answer) bool { return a.Key == keyConfirm })
	})
	if i < 0 {
		return "", false
	}
	switch r, ok := ended(s.other, i+1); {
	case !ok:
		return "", false
	case r.Open():
		return "The server asked again after `confirm` false.", true
	case r.Kind != playground.OutcomeComplete || r.IsError,
		strings.Contains(strings.ToLower(said(r)), booked):
		return "After `confirm` false: " + ending(r), true
	}
	return "", true
}
