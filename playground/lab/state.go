package lab

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// stateOf returns the requestState of a request, and false if it has none.
func stateOf(req wire.Request) (string, bool) {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return "", false
	}
	return params.Get("requestState").Text()
}

// WithState returns the request with another requestState.
func WithState(req wire.Request, text string) (wire.Request, error) {
	return withParams(req, jsontree.Pair{Key: "requestState", Value: jsontree.Quote(text)})
}

func truncateState(req wire.Request, _ Material) (wire.Request, error) {
	text, ok := stateOf(req)
	runes := []rune(text)
	if !ok || len(runes) < 2 {
		return req, ErrNothingToChange
	}
	return WithState(req, string(runes[:len(runes)/2]))
}

func dropState(req wire.Request, _ Material) (wire.Request, error) {
	return withParams(req, jsontree.Pair{Key: "requestState"})
}

// otherCall combines a state and a call that do not belong together: it
// replaces the state if the material has one, or else the name and the
// arguments.
func otherCall(req wire.Request, m Material) (wire.Request, error) {
	switch {
	case m.State != nil:
		return withParams(req, jsontree.Pair{Key: "requestState", Value: m.State})
	case m.Call == nil:
		return req, ErrNothingToChange
	}
	other, err := jsontree.Parse(m.Call.Params, jsontree.Limits{})
	if err != nil {
		return req, err
	}
	var pairs []jsontree.Pair
	for _, name := range []string{"name", "arguments", "uri"} {
		if value := other.Get(name); value != nil {
			pairs = append(pairs, jsontree.Pair{Key: name, Value: value.Raw()})
		}
	}
	req, err = withParams(req, pairs...)
	req.Header = slices.DeleteFunc(slices.Clone(req.Header), isHeaderParam)
	req.Header = append(req.Header, playground.HeaderParams(m.Call.Tool, req.Params)...)
	return req, err
}

// isHeaderParam reports whether a header field repeats an argument of the call.
func isHeaderParam(f wire.Field) bool {
	const prefix = "Mcp-Param-"
	return len(f.Name) > len(prefix) && strings.EqualFold(f.Name[:len(prefix)], prefix)
}

// otherPerson combines a state and credentials that do not belong together: it
// replaces the state if the material has one, or else the credentials.
func otherPerson(req wire.Request, m Material) (wire.Request, error) {
	switch {
	case m.State != nil:
		return withParams(req, jsontree.Pair{Key: "requestState", Value: m.State})
	case len(m.Header) == 0:
		return req, ErrNothingToChange
	}
	req.Header = replaceFields(req.Header, m.Header)
	return req, nil
}

// OtherArguments returns the call with one of its arguments changed, which is
// another call that needs no knowledge of the tool. It returns false if there
// is no argument to change.
func OtherArguments(c playground.Call) (playground.Call, bool) {
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil {
		return c, false
	}
	arguments := params.Get("arguments").Raw()
	changed, ok := changeJSON(arguments, jsontree.Number)
	if !ok {
		changed, ok = changeJSON(arguments, jsontree.String)
	}
	if !ok {
		return c, false
	}
	c.Params, err = jsontree.Set(c.Params, jsontree.Pair{Key: "arguments", Value: json.RawMessage(changed)})
	return c, err == nil
}
