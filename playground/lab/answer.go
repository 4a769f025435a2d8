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

func skipAnswer(req wire.Request, _ Material) (wire.Request, error) {
	return withAnswers(req, func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage) {
		if i == 0 {
			return nil, nil
		}
		return key, value
	})
}

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

func malformedAnswer(req wire.Request, _ Material) (wire.Request, error) {
	return withAnswers(req, func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage) {
		if i == 0 {
			value = json.RawMessage(`"just a string"`)
		}
		return key, value
	})
}

// wrongType gives the first field for which there is one, in the order of the
// questions, a value of the wrong type.
func wrongType(req wire.Request, m Material) (wire.Request, error) {
	return changeField(req, m, wrongTypeValue)
}

// outOfRange gives the first field for which there is one, in the order of the
// questions, a value that its schema does not allow.
func outOfRange(req wire.Request, m Material) (wire.Request, error) {
	return changeField(req, m, outOfRangeValue)
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

// changeField replaces the first value for which wrong returns another.
func changeField(req wire.Request, m Material, wrong func(form.Field) json.RawMessage) (wire.Request, error) {
	answers := answersOf(req)
	for _, p := range question.Forms(m.Round) {
		content := answers.At(p.Key, "content")
		if p.FormErr != nil || content == nil {
			continue
		}
		for _, f := range p.Fields.Fields {
			if value := wrong(f); value != nil {
				return setField(req, p.Key, f.Property, value)
			}
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

// wrongTypeValue returns a value of another JSON type than the field's, or nil
// if the field can have any.
func wrongTypeValue(f form.Field) json.RawMessage {
	switch f.Control {
	case form.Number, form.Checkbox, form.Toggle:
		return json.RawMessage(`"not a number or boolean"`)
	case form.JSON, form.OneOf:
		return nil
	}
	return json.RawMessage("12345.5")
}

// outOfRangeValue returns a value of the right type that the field's schema
// does not allow, or nil if there is none.
func outOfRangeValue(f form.Field) json.RawMessage {
	switch {
	case f.Control == form.Choice:
		return unofferedValue(f)
	case f.Control == form.Choices:
		return json.RawMessage("[" + string(unofferedValue(f)) + "]")
	case f.Control == form.Number:
		return outOfLimitsValue(f)
	case f.Control == form.Text && f.MaxLength > 0 && f.MaxLength < 10_000:
		return jsontree.Quote(strings.Repeat("x", f.MaxLength+1))
	case f.Control == form.Text && f.MinLength > 0:
		return json.RawMessage(`""`)
	case f.Control == form.Text && f.Input != "text":
		return json.RawMessage(`"not a valid ` + f.Input + `"`)
	}
	return nil
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

// outOfLimitsValue returns a number outside the field's limits, or nil if it
// has none.
func outOfLimitsValue(f form.Field) json.RawMessage {
	if high, err := strconv.ParseFloat(f.Max, 64); err == nil {
		return strconv.AppendFloat(nil, high+1, 'f', -1, 64)
	}
	if low, err := strconv.ParseFloat(f.Min, 64); err == nil {
		return strconv.AppendFloat(nil, low-1, 'f', -1, 64)
	}
	return nil
}
