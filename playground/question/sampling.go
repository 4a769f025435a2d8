package question

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Tools returns the names of the tools that a sampling request lets the model
// use. With the tool choice "none" there are none.
func (f Form) Tools() []string {
	if f.toolChoice() == "none" {
		return nil
	}
	var names []string
	for _, t := range f.Params.Get("tools").Elements() {
		names = append(names, t.Get("name").Str())
	}
	return names
}

// samplingResult returns a CreateMessageResult from a person: a text, or the
// use of one of the tools that the server offers, after which the server asks
// again (client/sampling).
func (f *Form) samplingResult(in form.Input) json.RawMessage {
	f.Text, f.Tool, f.Arguments = in.Text, in.Tool, in.Arguments
	if f.Text == "" {
		f.Text = in.Canned
	}
	content, stop := f.textContent(), "endTurn"
	if f.Tool != "" {
		content, stop = f.toolUse(), "toolUse"
	}
	if problem := f.samplingProblem(); problem != "" {
		f.problem(problem)
	}
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "role", Value: json.RawMessage(`"assistant"`)},
		jsontree.Pair{Key: "content", Value: content},
		jsontree.Pair{Key: "model", Value: json.RawMessage(`"a-person"`)},
		jsontree.Pair{Key: "stopReason", Value: jsontree.Quote(stop)},
	)
}

// samplingProblem returns the conflict of the answer with the request
// (client/sampling, "Tool Choice Modes" and maxTokens), or "".
func (f *Form) samplingProblem() string {
	most, limited := f.maxTokens()
	words := len(strings.Fields(f.Text))
	switch choice := f.toolChoice(); {
	case f.Tool != "" && choice == "none":
		return "The server does not let the model use a tool here (tool choice none)."
	case f.Tool == "" && choice == "required":
		return "The server requires that the model uses a tool: choose one."
	case f.Tool == "" && f.Text == "":
		return "Write what the model says, or choose an answer."
	case f.Tool == "" && limited && words > most:
		return fmt.Sprintf("The server allows %s, and each word is at least one; this has %s.",
			text.Plural(most, "token"), text.Plural(words, "word"))
	}
	return ""
}

func (f Form) toolChoice() string { return f.Params.At("toolChoice", "mode").Str() }

// maxTokens returns the limit of the answer, if the request has a usable one.
func (f Form) maxTokens() (n int, ok bool) {
	n, err := strconv.Atoi(string(f.Params.Get("maxTokens").Raw()))
	return n, err == nil && n > 0
}

// standIn fills in the answer of a model that is not there, within the limits
// of the request.
func (f Form) standIn(in *form.Input) {
	tools := f.Tools()
	if f.toolChoice() == "required" && len(tools) > 0 {
		schema := f.Params.Get("tools").Elements()[0].Get("inputSchema")
		in.Tool, in.Arguments = tools[0], string(PlaceholderArguments(schema.Raw()))
		return
	}
	in.Text = "No model is connected here; this text takes its place."
	if most, limited := f.maxTokens(); limited {
		words := strings.Fields(in.Text)
		in.Text = strings.Join(words[:min(most, len(words))], " ")
	}
}

func (f *Form) textContent() json.RawMessage {
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "type", Value: json.RawMessage(`"text"`)},
		jsontree.Pair{Key: "text", Value: jsontree.Quote(f.Text)},
	)
}

func (f *Form) toolUse() json.RawMessage {
	input := json.RawMessage(f.Arguments)
	if node, err := jsontree.Parse(input, jsontree.Limits{}); err != nil || node.Kind != jsontree.Object {
		f.problem("The arguments of the tool must be a JSON object.")
		input = json.RawMessage("{}")
	}
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "type", Value: json.RawMessage(`"tool_use"`)},
		jsontree.Pair{Key: "id", Value: json.RawMessage(`"call-1"`)},
		jsontree.Pair{Key: "name", Value: jsontree.Quote(f.Tool)},
		jsontree.Pair{Key: "input", Value: input},
	)
}
