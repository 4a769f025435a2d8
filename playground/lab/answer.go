package lab

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// answersOf returns the inputResponses of a request, or nil if it has none.
func answersOf(req wire.Request) *jsontree.Node {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return nil
	}
	return params.Get("inputResponses")
}

// withParams returns the request with members of its params replaced. A nil
// value removes the member.
func withParams(req wire.Request, pairs ...jsontree.Pair) (wire.Request, error) {
	params, err := jsontree.Set(req.Params, pairs...)
	if err != nil {
		return req, err
	}
	req.Params = params
	return req, nil
}

// edit returns the key and the value to send in place of entry i of
// inputResponses. Keys are quoted; a nil key removes the entry.
type edit func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage)

// withAnswers returns the request with its inputResponses edited. Keys and
// values that edit does not change keep their exact text.
func withAnswers(req wire.Request, edit edit) (wire.Request, error) {
	answers := answersOf(req)
	if answers.Len() == 0 {
		return req, ErrNothingToChange
	}
	var members [][]byte
	for i, m := range answers.Members {
		key, value := edit(i, answers.RawKey(m), m.Value.Raw())
		if key != nil {
			members = append(members, slices.Concat(key, []byte(":"), value))
		}
	}
	object := slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}"))
	return withParams(req, jsontree.Pair{Key: "inputResponses", Value: object})
}

// skipAnswer leaves out one answer.
func skipAnswer(req wire.Request, m Material) (wire.Request, error) {
	if m.Variant >= max(1, answersOf(req).Len()) {
		return req, ErrNothingToChange
	}
	return withAnswers(req, func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage) {
		if i == m.Variant {
			return nil, nil
		}
		return key, value
	})
}

// skipWays counts the ways of skipAnswer.
func skipWays(r playground.Round) int { return min(len(r.Questions), maxWays) }

func wrongKey(req wire.Request, _ Material) (wire.Request, error) {
	first := answersOf(req)
	if first.Len() == 0 {
		return req, ErrNothingToChange
	}
	other := jsontree.Quote(first.Members[0].Key + "-misspelt")
	return withAnswers(req, func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage) {
		if i == 0 {
			return other, value
		}
		return key, value
	})
}

func extraKey(req wire.Request, _ Material) (wire.Request, error) {
	answers := answersOf(req)
	if answers == nil {
		return req, ErrNothingToChange
	}
	extra := jsontree.Pair{Key: "unrequested-key", Value: json.RawMessage(`{"action":"accept","content":{}}`)}
	object, err := jsontree.Set(answers.Raw(), extra)
	if err != nil {
		return req, err
	}
	return withParams(req, jsontree.Pair{Key: "inputResponses", Value: object})
}

func malformedAnswer(req wire.Request, m Material) (wire.Request, error) {
	return withAnswers(req, func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage) {
		switch {
		case i > 0:
		case m.Variant == 0:
			value = json.RawMessage(`"just a string"`)
		default:
			value = ofOtherKind(value)
		}
		return key, value
	})
}

// malformedWays counts the ways of malformedAnswer.
func malformedWays(playground.Round) int { return 2 }

// ofOtherKind returns an answer to another kind of question than that of an answer.
func ofOtherKind(answer json.RawMessage) json.RawMessage {
	if isElicited(answer) {
		return json.RawMessage(`{"roots":[]}`)
	}
	return json.RawMessage(`{"action":"accept","content":{}}`)
}

// isElicited reports whether an answer is one to an elicitation.
func isElicited(answer json.RawMessage) bool {
	node, _ := jsontree.Parse(answer, jsontree.Limits{})
	return node.Has("action")
}

// gapWays counts the ways of flipAfterGap. How many the state has is known only once the
// server has given it.
func gapWays(playground.Round) int { return 2 }

// flipAfterGap changes the requestState of the retry, if there is one.
func flipAfterGap(req wire.Request, m Material) (wire.Request, error) {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return req, err
	}
	list := Tampered(params.Get("requestState").Str())
	switch {
	case m.Variant < len(list):
		return WithState(req, list[m.Variant])
	case m.Variant > 0:
		return req, ErrNothingToChange
	}
	return req, nil
}

// earlyAnswers adds the answers to questions that the server asks only later.
func earlyAnswers(req wire.Request, m Material) (wire.Request, error) {
	answers := answersOf(req)
	var pairs []jsontree.Pair
	for _, a := range m.Later {
		if !answers.Has(a.Key) {
			pairs = append(pairs, jsontree.Pair{Key: a.Key, Value: a.Value})
		}
	}
	if len(pairs) == 0 {
		return req, ErrNothingToChange
	}
	object := json.RawMessage("{}")
	if answers != nil {
		object = answers.Raw()
	}
	object, err := jsontree.Set(object, pairs...)
	if err != nil {
		return req, err
	}
	return withParams(req, jsontree.Pair{Key: "inputResponses", Value: object})
}

// Gap returns the retry without the answer to the first question, which precedes
// the changed request of an experiment AfterGap.
func Gap(req wire.Request) (wire.Request, error) { return skipAnswer(req, Material{}) }

// wrongType gives one field a value of a wrong type.
func wrongType(req wire.Request, m Material) (wire.Request, error) {
	return changeField(req, m, wrongTypeValues)
}

// outOfRange gives one field a value that its schema does not allow.
func outOfRange(req wire.Request, m Material) (wire.Request, error) {
	return changeField(req, m, outOfRangeValues)
}

// maxWays is how many answers are left out, and how many wrong values are sent, in the
// retry of one Round.
const maxWays = 8

// wrongWays returns a function that counts the wrong values for the fields of a
// result.
func wrongWays(wrong func(form.Field) []json.RawMessage) func(playground.Round) int {
	return func(r playground.Round) int {
		n := 0
		for _, p := range question.Forms(r) {
			for _, f := range p.Fields.Fields {
				n += len(wrong(f))
			}
		}
		return min(n, maxWays)
	}
}

// elicitations returns the number of elicitations in a result.
func elicitations(r playground.Round) int { return len(elicited(r)) }

// elicited returns the keys of the elicitations in a result.
func elicited(r playground.Round) []string {
	var keys []string
	for _, q := range r.Questions {
		if q.Mode() != "" {
			keys = append(keys, q.Key)
		}
	}
	return keys
}

// refuse returns a changer that answers one elicitation with another action than
// accept.
func refuse(action string) changer {
	return func(req wire.Request, m Material) (wire.Request, error) {
		keys := elicited(m.Round)
		if m.Variant >= len(keys) || !answersOf(req).Has(keys[m.Variant]) {
			return req, ErrNothingToChange
		}
		answer := jsontree.ObjectOf(jsontree.Pair{Key: "action", Value: jsontree.Quote(action)})
		answers, err := jsontree.Set(answersOf(req).Raw(),
			jsontree.Pair{Key: keys[m.Variant], Value: answer})
		if err != nil {
			return req, err
		}
		return withParams(req, jsontree.Pair{Key: "inputResponses", Value: answers})
	}
}

// boxes returns the number of forms in a result that have a required box and nothing
// else.
func boxes(r playground.Round) int { return len(boxesIn(r)) }

// box is a question whose only field is a required boolean.
type box struct{ key, property string }

func boxesIn(r playground.Round) []box {
	var list []box
	for _, p := range question.Forms(r) {
		if fields := p.Fields.Fields; p.Kind == question.KindForm && p.FormErr == nil && len(fields) == 1 &&
			fields[0].Control == form.Checkbox {
			list = append(list, box{p.Key, fields[0].Property})
		}
	}
	return list
}

// clearBox sends false for a box that the right answer has ticked.
func clearBox(req wire.Request, m Material) (wire.Request, error) {
	list := boxesIn(m.Round)
	if m.Variant >= len(list) {
		return req, ErrNothingToChange
	}
	b := list[m.Variant]
	if !answersOf(req).At(b.key, "content", b.property).True() {
		return req, ErrNothingToChange
	}
	return setField(req, b.key, b.property, json.RawMessage("false"))
}

// changeField replaces one value by a wrong one: the variants are the wrong
// values of all fields, in the order of the questions.
func changeField(
	req wire.Request,
	m Material,
	wrong func(form.Field) []json.RawMessage,
) (wire.Request, error) {
	answers, left := answersOf(req), m.Variant
	for _, p := range question.Forms(m.Round) {
		content := answers.At(p.Key, "content")
		if p.FormErr != nil || content == nil {
			continue
		}
		for _, f := range p.Fields.Fields {
			values := wrong(f)
			if left < len(values) {
				return setField(req, p.Key, f.Property, values[left])
			}
			left -= len(values)
		}
	}
	return req, ErrNothingToChange
}

// setField returns the request with a property of the content of one answer
// replaced.
func setField(req wire.Request, key, property string, value json.RawMessage) (wire.Request, error) {
	answer := answersOf(req).Get(key)
	content, err := jsontree.Set(answer.Get("content").Raw(), jsontree.Pair{Key: property, Value: value})
	if err != nil {
		return req, err
	}
	whole, err := jsontree.Set(answer.Raw(), jsontree.Pair{Key: "content", Value: content})
	if err != nil {
		return req, err
	}
	answers, err := jsontree.Set(answersOf(req).Raw(), jsontree.Pair{Key: key, Value: whole})
	if err != nil {
		return req, err
	}
	return withParams(req, jsontree.Pair{Key: "inputResponses", Value: answers})
}

// wrongTypeValues returns values of other JSON types than the field's. They are
// none if the field can have any. A number with a fraction is no integer.
func wrongTypeValues(f form.Field) []json.RawMessage {
	switch f.Control {
	case form.Number:
		list := []json.RawMessage{json.RawMessage(`"not a number or boolean"`)}
		if half := betweenIntegers(f); half != nil {
			list = append(list, half)
		}
		return list
	case form.Checkbox, form.Toggle:
		return []json.RawMessage{json.RawMessage(`"not a number or boolean"`)}
	case form.JSON, form.OneOf:
		return nil
	}
	return []json.RawMessage{json.RawMessage("12345.5")}
}

// betweenIntegers returns a number with a fraction within the limits of a field
// of type integer, or nil.
func betweenIntegers(f form.Field) json.RawMessage {
	low, noLow := strconv.ParseFloat(f.Min, 64)
	high, noHigh := strconv.ParseFloat(f.Max, 64)
	value := 1.5
	switch {
	case f.Step != "1":
		return nil
	case noLow == nil:
		value = low + 0.5
	case noHigh == nil:
		value = high - 0.5
	}
	return strconv.AppendFloat(nil, value, 'f', -1, 64)
}

// outOfRangeValues returns values of the right type that the field's schema does
// not allow.
func outOfRangeValues(f form.Field) []json.RawMessage {
	switch {
	case f.Control == form.Choice:
		return []json.RawMessage{unofferedValue(f)}
	case f.Control == form.Choices:
		return []json.RawMessage{json.RawMessage("[" + string(unofferedValue(f)) + "]")}
	case f.Control == form.Number:
		return outOfLimitsValues(f)
	case f.Control == form.Text:
		return outOfTextValues(f)
	}
	return nil
}

// outOfTextValues returns texts that are too long, too short, or not in the
// field's format.
func outOfTextValues(f form.Field) []json.RawMessage {
	var list []json.RawMessage
	if f.MaxLength > 0 && f.MaxLength < 10_000 {
		list = append(list, jsontree.Quote(strings.Repeat("x", f.MaxLength+1)))
	}
	if f.MinLength > 0 {
		list = append(list, json.RawMessage(`""`))
	}
	if f.Input != "text" {
		list = append(list, json.RawMessage(`"not a valid `+f.Input+`"`))
	}
	return list
}

// unofferedValue returns a value that is not among the field's options.
func unofferedValue(f form.Field) json.RawMessage {
	for _, o := range f.Options {
		if _, err := strconv.ParseFloat(o.Value, 64); err != nil {
			return json.RawMessage(`"not offered"`)
		}
	}
	return json.RawMessage("-987654321")
}

// outOfLimitsValues returns the numbers beyond the field's limits.
func outOfLimitsValues(f form.Field) []json.RawMessage {
	var list []json.RawMessage
	if high, err := strconv.ParseFloat(f.Max, 64); err == nil {
		list = append(list, strconv.AppendFloat(nil, high+1, 'f', -1, 64))
	}
	if low, err := strconv.ParseFloat(f.Min, 64); err == nil {
		list = append(list, strconv.AppendFloat(nil, low-1, 'f', -1, 64))
	}
	return list
}
