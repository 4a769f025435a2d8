package sampletools_test

import (
	"cmp"
	"encoding/json"
	"strings"
)

// question is an entry of inputRequests as a client reads it.
type question struct {
	Method string `json:"method"`
	Params params `json:"params"`
}

type params struct {
	Mode            string          `json:"mode"`
	Message         string          `json:"message"`
	URL             string          `json:"url"`
	RequestedSchema formSchema      `json:"requestedSchema"`
	Messages        json.RawMessage `json:"messages"`
	Tools           json.RawMessage `json:"tools"`
}

type formSchema struct {
	Properties map[string]formField `json:"properties"`
}

type formField struct {
	Type    string    `json:"type"`
	Format  string    `json:"format"`
	Default any       `json:"default"`
	Enum    []string  `json:"enum"`
	OneOf   []choice  `json:"oneOf"`
	Minimum float64   `json:"minimum"`
	Items   formItems `json:"items"`
}

type formItems struct {
	Enum  []string `json:"enum"`
	AnyOf []choice `json:"anyOf"`
}

type choice struct {
	Const string `json:"const"`
}

// answer accepts any question, with valid values.
func (q question) answer(visit func(string)) any {
	switch {
	case q.Method == "roots/list":
		return json.RawMessage(`{"roots":[{"uri":"file:///home/ada","name":"home"}]}`)
	case q.Method == "sampling/createMessage":
		return q.Params.complete()
	case q.Params.Mode == "url":
		visit(q.Params.URL)
		return json.RawMessage(`{"action":"accept"}`)
	}
	return map[string]any{"action": "accept", "content": q.Params.fill()}
}

// complete answers as a model: with a tool_use if the request offers a tool
// that was not used yet.
func (p params) complete() json.RawMessage {
	if p.Tools != nil && !strings.Contains(string(p.Messages), "tool_result") {
		return json.RawMessage(`{"role":"assistant","model":"test","stopReason":"toolUse",` +
			`"content":[{"type":"tool_use","id":"u1","name":"role_profile","input":{"role":"engineer"}}]}`)
	}
	return json.RawMessage(`{"role":"assistant","model":"test","stopReason":"endTurn",` +
		`"content":{"type":"text","text":"The castle."}}`)
}

func (p params) fill() map[string]any {
	content := map[string]any{}
	for name, f := range p.RequestedSchema.Properties {
		content[name] = f.value(name, p.Message)
	}
	return content
}

func (f formField) value(name, message string) any {
	switch f.Type {
	case "boolean":
		return true
	case "array":
		all := f.Items.Enum
		for _, c := range f.Items.AnyOf {
			all = append(all, c.Const)
		}
		return all[:1]
	case "number", "integer":
		if name == "duplicateOfId" {
			return 4301
		}
		if f.Default != nil {
			return f.Default
		}
		return max(f.Minimum, 1)
	}
	return cmp.Or(f.choice(message), f.example())
}

// choice returns the value that the message names, as the second factor
// requires.
func (f formField) choice(message string) string {
	all := f.Enum
	for _, c := range f.OneOf {
		all = append(all, c.Const)
	}
	for _, c := range all {
		if strings.Contains(message, "shows "+c) {
			return c
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

func (f formField) example() string {
	switch f.Format {
	case "email":
		return "ada@example.com"
	case "uri":
		return "https://example.com/"
	case "date":
		return "1815-12-10"
	case "date-time":
		return "2026-07-28T12:00:00Z"
	}
	return "Ada"
}
