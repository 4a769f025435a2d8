package flow

import "encoding/json"

// Arguments returns arguments to call the flow with, made of the examples and
// defaults of its arguments.
func (f *Flow) Arguments() json.RawMessage { return encode(exampleOf(f.arguments)) }

// Answers returns an answer to the content of each form of a version, by key, made of
// the examples and defaults of its fields.
func (v *Version) Answers() json.RawMessage {
	all := map[string]any{}
	for _, list := range [][]step{v.steps, v.task} {
		for _, s := range list {
			if s.kind == Form {
				all[s.key] = exampleOf(s.fields)
			}
		}
	}
	return encode(all)
}

// encode returns what came from JSON as JSON.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // cannot happen
		return json.RawMessage(`{}`)
	}
	return b
}
