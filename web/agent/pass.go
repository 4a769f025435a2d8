package agent

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// passed is a question of a server under test as it is asked here. Consent is asked in
// the same round, before a question that cannot say whose it is; its Key is empty if it
// is not needed.
type passed struct {
	key     string // of the server
	ask     serve.Question
	consent serve.Question
}

// maxMessage is the longest message of a server that is passed on, in characters.
const maxMessage = 2000

// pass returns a question of a server as it is asked here, or why it cannot be. Its key
// tells the round, because a server may use a key again.
func pass(t playground.Target, q question.Form, round, i int) (p passed, problem string) {
	p.key = q.Key
	key := fmt.Sprintf("round-%d-%d", round, i+1)
	from := "The server " + placeOf(t)
	message := from + " asks: " + text.Visible(q.Message(), maxMessage)
	switch q.Kind {
	case question.KindForm:
		schema, problem := schemaOf(q)
		p.ask = serve.Form(key, message, schema)
		return p, problem
	case question.KindURL:
		address := q.Params.Get("url").Str()
		if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" {
			return p, "its URL is not one of a page"
		}
		p.ask = serve.Link(key, message, address)
	case question.KindSampling:
		if len(q.Params.Get("messages").Elements()) == 0 {
			return p, "it has no messages"
		}
		p.ask = serve.Sampling(key, string(namedSampling(q.Params, from)))
	case question.KindRoots:
		p.ask = serve.Roots(key)
		p.consent = serve.Form(key+"-consent", from+" asks for your roots: the folders that you work "+
			"in. Send them?",
			`{"type":"object","properties":{"send":{"type":"boolean","title":"Send them"}},`+
				`"required":["send"]}`)
	default:
		return p, "its method is not one of the protocol"
	}
	return p, ""
}

// placeOf returns where a server is, as a part of a sentence, in a form that no client
// makes a link of: a form should have none (client/elicitation, "Safe URL Handling").
func placeOf(t playground.Target) string {
	if t.IsCommand() {
		return text.Visible(t.Name, 300)
	}
	_, place, _ := strings.Cut(t.Redacted().URL, "://")
	return "at " + text.Visible(place, 300)
}

// addressOf returns what a tool takes as the URL of a server.
func addressOf(t playground.Target) string {
	if t.IsCommand() {
		return text.Visible(t.Name, maxFound)
	}
	return text.Visible(t.Redacted().URL, maxFound)
}

// canAsk reports whether the client can be asked.
func (p passed) canAsk(t *serve.Turn) bool {
	return t.CanAsk(p.ask) && (p.consent.Key == "" || t.CanAsk(p.consent))
}

// answer returns the answer for the server, or what must be asked first. It has an error
// in place of a value if the user refused what cannot be declined.
func (p passed) answer(t *serve.Turn) (a playground.Answer, missing []serve.Question, err error) {
	a.Key = p.key
	questions := []serve.Question{p.ask}
	if p.consent.Key != "" {
		questions = append(questions, p.consent)
	}
	for _, q := range questions {
		got, problem, err := t.Answer(q)
		switch {
		case err != nil:
			return a, nil, err
		case got.Action == "":
			missing = append(missing, q.WithProblem(problem))
		case q.Key == p.ask.Key:
			a.Value = t.Raw(q)
		case !got.Accepted() || !got.Bool("send"):
			a.Error = question.Refusal(question.KindRoots)
		}
	}
	if a.Error != nil {
		a.Value = nil
	}
	return a, missing, nil
}

// namedSampling returns the params of a sampling request whose system prompt names the
// server.
func namedSampling(params *jsontree.Node, from string) json.RawMessage {
	system := from + " asks for this, through MRTR Playground."
	pairs := []jsontree.Pair{}
	for _, m := range params.Members {
		if m.Key == "systemPrompt" {
			system += " Its system prompt: " + text.Visible(m.Value.Str(), maxMessage)
			continue
		}
		pairs = append(pairs, jsontree.Pair{Key: m.Key, Value: m.Value.Raw()})
	}
	named := jsontree.Pair{Key: "systemPrompt", Value: jsontree.Quote(system)}
	return jsontree.ObjectOf(append(pairs, named)...)
}

// schemaOf returns the schema of a form in the subset that a question may use: a server
// may have written more, and what is asked here must not.
func schemaOf(q question.Form) (schema, problem string) {
	if q.FormErr != nil {
		return "", "its schema gives no form"
	}
	required, properties := []string{}, []jsontree.Pair{}
	for _, f := range q.Fields.Fields {
		p := propertyOf(f)
		if f.Outside != "" || p == nil {
			return "", "the field " + quoted(f.Property) + " is not one that a form may have"
		}
		value, err := json.Marshal(p)
		if err != nil {
			return "", "its schema gives no form"
		}
		properties = append(properties, jsontree.Pair{Key: f.Property, Value: value})
		if f.Required {
			required = append(required, f.Property)
		}
	}
	names, _ := json.Marshal(required) // strings always marshal
	return string(jsontree.ObjectOf(
		jsontree.Pair{Key: "type", Value: json.RawMessage(`"object"`)},
		jsontree.Pair{Key: "properties", Value: jsontree.ObjectOf(properties...)},
		jsontree.Pair{Key: "required", Value: names},
	)), ""
}

// formats are the formats of text fields, by the type of their control.
var formats = map[string]string{"email": "email", "url": "uri", "date": "date", "datetime-local": "date-time"}

// propertyOf returns the schema of a field, or nil if a form cannot have it.
func propertyOf(f form.Field) map[string]any {
	p := map[string]any{"title": text.Visible(f.Label, 200)}
	if f.Help != "" {
		p["description"] = text.Prose(f.Help, maxMessage)
	}
	put := func(key string, value any, yes bool) {
		if yes {
			p[key] = value
		}
	}
	one := ""
	if len(f.Value) > 0 {
		one = f.Value[0]
	}
	switch f.Control {
	case form.Text:
		p["type"] = "string"
		put("format", formats[f.Input], formats[f.Input] != "")
		put("minLength", f.MinLength, f.MinLength > 0)
		put("maxLength", f.MaxLength, f.MaxLength > 0)
		put("default", one, one != "")
	case form.Number:
		p["type"] = map[bool]string{true: "integer", false: "number"}[f.Step == "1"]
		put("minimum", json.RawMessage(f.Min), f.Min != "")
		put("maximum", json.RawMessage(f.Max), f.Max != "")
		put("default", json.RawMessage(one), one != "")
	case form.Checkbox, form.Toggle:
		p["type"] = "boolean"
		yes, err := strconv.ParseBool(one)
		put("default", yes, err == nil)
	case form.Choice:
		p["type"] = "string"
		putOptions(p, "oneOf", f)
		put("default", one, one != "")
	case form.Choices:
		items := map[string]any{}
		if putOptions(items, "anyOf", f) {
			items["type"] = "string"
		}
		p["type"], p["items"] = "array", items
		put("minItems", f.MinItems, f.MinItems > 0)
		put("maxItems", f.MaxItems, f.MaxItems > 0)
		put("default", f.Value, len(f.Value) > 0)
	default:
		return nil
	}
	return p
}

// putOptions adds the values of a choice to a schema: in an enum, or with their titles
// under a key if they have any. It reports whether it was an enum.
func putOptions(schema map[string]any, titled string, f form.Field) (plain bool) {
	values, options := []string{}, []map[string]string{}
	plain = true
	for _, o := range f.Options {
		values = append(values, o.Value)
		options = append(options, map[string]string{"const": o.Value, "title": text.Visible(o.Label, 200)})
		plain = plain && o.Label == o.Value && text.Visible(o.Value, 200) == o.Value
	}
	if plain {
		schema["enum"] = values
	} else {
		schema[titled] = options
	}
	return plain
}

// quoted returns a word of a server in quotation marks.
func quoted(word string) string { return strconv.Quote(text.Visible(word, 80)) }
