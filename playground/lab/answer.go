package lab

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// answersOf is the inputResponses of a request, as it is about to be sent.
func answersOf(req wire.Request) *jsontree.Node {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return nil
	}
	return params.Get("inputResponses")
}

// withParams is the request with members of its params replaced; a nil value
// removes one.
func withParams(req wire.Request, pairs ...jsontree.Pair) (wire.Request, error) {
	params, err := jsontree.Set(req.Params, pairs...)
	if err != nil {
		return req, err
	}
	req.Params = params
	return req, nil
}

// withAnswers rebuilds inputResponses member by member: keys and values keep
// their exact text unless edit changes them. edit sees the quoted key.
func withAnswers(req wire.Request, edit func(i int, key, value json.RawMessage) (json.RawMessage, json.RawMessage)) (wire.Request, error) {
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
	object, err := jsontree.Set(answers.Raw(), jsontree.Pair{Key: "nobody-asked-for-this", Value: json.RawMessage(`{"action":"accept","content":{}}`)})
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

// wrongType and outOfRange change the first field, in the order of the
// questions, that can be wrong in that way.
func wrongType(req wire.Request, m Material) (wire.Request, error) {
	return changeField(req, m, wrongTypeValue)
}

func outOfRange(req wire.Request, m Material) (wire.Request, error) {
	return changeField(req, m, outOfRangeValue)
}

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

// setField puts a value into the content of one answer.
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

// wrongTypeValue is a value of another JSON type than the field's.
func wrongTypeValue(f form.Field) json.RawMessage {
	switch f.Control {
	case form.Number, form.Checkbox, form.Toggle:
		return json.RawMessage(`"not what was asked for"`)
	case form.JSON:
		return nil
	}
	return json.RawMessage("12345.5")
}

// outOfRangeValue is a value of the right type that the field's schema refuses; nil
// when it refuses none.
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
		return json.RawMessage(`"no ` + f.Input + ` at all"`)
	}
	return nil
}

func unofferedValue(f form.Field) json.RawMessage {
	for _, o := range f.Options {
		if _, err := strconv.ParseFloat(o.Value, 64); err != nil {
			return json.RawMessage(`"nobody offered this"`)
		}
	}
	return json.RawMessage("-987654321")
}

func outOfLimitsValue(f form.Field) json.RawMessage {
	if high, err := strconv.ParseFloat(f.Max, 64); err == nil {
		return strconv.AppendFloat(nil, high+1, 'f', -1, 64)
	}
	if low, err := strconv.ParseFloat(f.Min, 64); err == nil {
		return strconv.AppendFloat(nil, low-1, 'f', -1, 64)
	}
	return nil
}
