package question

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// sampled is a CreateMessageResult written by a person: a text, or the use of
// one of the tools that the server offers, which leads to another round
// (client/sampling).
func (p *Form) sampled(prefix string, values url.Values) json.RawMessage {
	p.Text, p.Tool, p.Input = values.Get(prefix+".text"), values.Get(prefix+".tool"), values.Get(prefix+".input")
	if canned := values.Get(prefix + ".canned"); p.Text == "" && canned != "" {
		p.Text = canned
	}
	content, stop := p.textContent(), "endTurn"
	if p.Tool != "" {
		content, stop = p.toolUse(), "toolUse"
	} else if p.Text == "" {
		p.problem("Write what the model says, or choose an answer.")
	}
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "role", Value: json.RawMessage(`"assistant"`)},
		jsontree.Pair{Key: "content", Value: content},
		jsontree.Pair{Key: "model", Value: json.RawMessage(`"a-person"`)},
		jsontree.Pair{Key: "stopReason", Value: jsontree.Quote(stop)},
	)
}

func (p *Form) textContent() json.RawMessage {
	return jsontree.ObjectOf(jsontree.Pair{Key: "type", Value: json.RawMessage(`"text"`)}, jsontree.Pair{Key: "text", Value: jsontree.Quote(p.Text)})
}

func (p *Form) toolUse() json.RawMessage {
	input := json.RawMessage(p.Input)
	if node, err := jsontree.Parse(input, jsontree.Limits{}); err != nil || node.Kind != jsontree.Object {
		p.problem("The arguments of the tool must be a JSON object.")
		input = json.RawMessage("{}")
	}
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "type", Value: json.RawMessage(`"tool_use"`)},
		jsontree.Pair{Key: "id", Value: json.RawMessage(`"call-1"`)},
		jsontree.Pair{Key: "name", Value: jsontree.Quote(p.Tool)},
		jsontree.Pair{Key: "input", Value: input},
	)
}

// rooted is a ListRootsResult: rows of URI and name, empty rows left out.
func (p *Form) rooted(prefix string, values url.Values) json.RawMessage {
	names := values[prefix+".name"]
	p.Roots = []Root{}
	for i, uri := range values[prefix+".uri"] {
		uri = strings.TrimSpace(uri)
		if uri == "" {
			continue
		}
		root := Root{URI: uri}
		if i < len(names) {
			root.Name = names[i]
		}
		p.Roots = append(p.Roots, root)
		if !strings.HasPrefix(uri, "file://") {
			p.problem("A root is a file:// URI; " + uri + " is not.")
		}
	}
	return jsontree.ObjectOf(jsontree.Pair{Key: "roots", Value: rootList(p.Roots)})
}

func rootList(roots []Root) json.RawMessage {
	list, err := json.Marshal(roots)
	if err != nil { // a Root is two strings
		panic("encode roots: " + err.Error())
	}
	return list
}

// written is the answer written as JSON; the fields follow it as far as they
// can show it.
func (p *Form) written() json.RawMessage {
	node, err := jsontree.Parse([]byte(p.JSON), jsontree.Limits{})
	if err != nil {
		p.NoAnswer = true
		p.problem("This is not JSON: " + err.Error() + ".")
		return nil
	}
	switch p.Kind {
	case KindForm, KindURL:
		p.follow(node)
	case KindSampling:
		if !node.Has("role") || !node.Has("content") {
			p.problem("The answer of a model has a role and content.")
		}
		p.Text = node.At("content", "text").Str()
		p.Tool, p.Input = node.At("content", "name").Str(), string(node.At("content", "input").Raw())
	case KindRoots:
		p.Roots = nil
		if err := json.Unmarshal(node.Get("roots").Raw(), &p.Roots); err != nil {
			p.problem(`The answer has "roots", a list of {"uri":"file:///…"}.`)
		}
	}
	return json.RawMessage(p.JSON)
}

// follow lets the fields of an elicitation follow its JSON.
func (p *Form) follow(node *jsontree.Node) {
	p.Action = node.Get("action").Str()
	content := node.Get("content").Raw()
	switch {
	case p.Action != "accept" && p.Action != "decline" && p.Action != "cancel":
		p.problem(`"action" must be accept, decline or cancel.`)
	case p.Action == "accept" && p.Kind == KindForm && content == nil:
		p.problem("An accepted form has content.")
	case p.Action == "accept" && p.Kind == KindForm && p.FormErr == nil:
		p.Fields = p.Fields.Fill(content)
		p.Problems = p.Fields.Validate(content)
	}
}
