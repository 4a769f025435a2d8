package server

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/yosida95/uritemplate/v3"
)

// Form returns the form for a prompt's arguments, which are strings
// (server/prompts).
func (p Prompt) Form() (form.Form, error) {
	var fields []stringField
	for _, a := range p.Arguments {
		fields = append(fields, stringField(a))
	}
	return form.Arguments(stringSchema(fields))
}

// TemplateForm returns the form for the variables of a URI template (RFC 6570),
// or an error if the template is invalid.
func (r Resource) TemplateForm() (form.Form, error) {
	t, err := uritemplate.New(r.URI)
	if err != nil {
		return form.Form{}, fmt.Errorf("read URI template: %w", err)
	}
	var fields []stringField
	for _, name := range t.Varnames() {
		fields = append(fields, stringField{Name: name})
	}
	return form.Arguments(stringSchema(fields))
}

// Expand returns the URI of the template for values, a JSON object of strings.
// It returns an error if the template or the values are invalid.
func (r Resource) Expand(values json.RawMessage) (string, error) {
	if _, err := uritemplate.New(r.URI); err != nil {
		return "", fmt.Errorf("read URI template: %w", err)
	}
	n, err := jsontree.Parse(values, jsontree.Limits{})
	if err != nil {
		return "", fmt.Errorf("read values: %w", err)
	}
	variables := map[string]string{}
	for _, m := range n.Members {
		variables[m.Key] = m.Value.Str()
	}
	return expandTemplate(r.URI, variables), nil
}

// stringField is a field of a form whose value is a string.
type stringField PromptArgument

// stringSchema returns the JSON Schema of an object with these fields.
func stringSchema(fields []stringField) json.RawMessage {
	var properties, required []string
	for _, f := range fields {
		schema := fmt.Sprintf(`%s:{"type":"string","title":%s,"description":%s}`,
			jsontree.Quote(f.Name), jsontree.Quote(f.Title), jsontree.Quote(f.Description))
		properties = append(properties, schema)
		if f.Required {
			required = append(required, string(jsontree.Quote(f.Name)))
		}
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") +
		`},"required":[` + strings.Join(required, ",") + `]}`)
}

// Completable reports whether the server offers completion of arguments.
func (c Connection) Completable() bool { return c.Capabilities.Has("completions") }

// Completion returns the params of completion/complete
// (server/utilities/completion) for one argument of a prompt (kind "prompt") or
// of a URI template. others, a JSON object, holds the other arguments. It
// returns an error if others is not an object.
func Completion(kind, name, argument, value string, others json.RawMessage) (json.RawMessage, error) {
	ref := `{"type":"ref/prompt","name":` + string(jsontree.Quote(name)) + `}`
	if kind != "prompt" {
		ref = `{"type":"ref/resource","uri":` + string(jsontree.Quote(name)) + `}`
	}
	context, err := jsontree.Set(others, jsontree.Pair{Key: argument})
	if err != nil {
		return nil, fmt.Errorf("build context of completion: %w", err)
	}
	completed := jsontree.ObjectOf(
		jsontree.Pair{Key: "name", Value: jsontree.Quote(argument)}, jsontree.Pair{Key: "value",
			Value: jsontree.Quote(value)})
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "ref", Value: json.RawMessage(ref)},
		jsontree.Pair{Key: "argument", Value: completed},
		jsontree.Pair{Key: "context",
			Value: jsontree.ObjectOf(jsontree.Pair{Key: "arguments", Value: context})},
	), nil
}

// maxCompletions is the largest number of values that are read from one result.
const maxCompletions = 100

// CompletionValues returns the values of a CompleteResult.
func CompletionValues(r playground.Round) []string {
	var list []string
	for _, v := range r.Result.At("completion", "values").Elements() {
		if text, ok := v.Text(); ok && len(list) < maxCompletions {
			list = append(list, text)
		}
	}
	return list
}

// LogLevels returns the log levels that a client can ask for, least severe
// first (server/utilities/logging).
func LogLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}
