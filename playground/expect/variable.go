package expect

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// masked matches a masked value.
var masked = regexp.MustCompile(`\*{8,}`)

// variable names the variables that stand for masked values.
type variable struct{ names []string }

// json returns a JSON text in which a variable stands for each masked part of a string. Other
// strings keep their meaning when variables are replaced.
func (v *variable) json(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	changed, err := jsontree.MapStrings(raw, func(s string) (string, error) {
		return masked.ReplaceAllStringFunc(text.EscapeVariables(s), func(string) string {
			name := fmt.Sprintf("SECRET_%d", len(v.names)+1)
			v.names = append(v.names, name)
			return "${" + name + "}"
		}), nil
	})
	if err != nil {
		return raw
	}
	return changed
}

// Unmasked returns a JSON text in which a variable stands for each masked part of a string,
// and the names of the variables. The other strings are written for text.Expand.
func Unmasked(raw json.RawMessage) (json.RawMessage, []string) {
	v := &variable{}
	return v.json(raw), v.names
}

// Expand replaces the variables in the strings of the call and of the answers. The error
// names a variable without a value.
func (e Expectation) Expand(lookup func(name string) string) (Expectation, error) {
	replace := func(raw json.RawMessage) (json.RawMessage, error) {
		if raw == nil {
			return nil, nil
		}
		return jsontree.MapStrings(raw, func(s string) (string, error) { return text.Expand(s, lookup) })
	}
	var err error
	if e.Call.Params, err = replace(e.Call.Params); err != nil {
		return e, err
	}
	list := make([]Round, len(e.Rounds))
	for i, r := range e.Rounds {
		list[i] = r
		list[i].Asks = append([]Ask(nil), r.Asks...)
		for k := range list[i].Asks {
			if list[i].Asks[k].Answer, err = replace(r.Asks[k].Answer); err != nil {
				return e, err
			}
		}
	}
	e.Rounds = list
	return e, nil
}
