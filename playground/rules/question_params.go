package rules

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// asked returns the questions with that method.
func (s *subject) asked(method string) []jsontree.Member {
	return slices.DeleteFunc(slices.Clone(s.inputRequests()),
		func(m jsontree.Member) bool { return m.Value.Get("method").Str() != method })
}

// completeSampling is sampling-params.
func completeSampling(s *subject) ruling {
	questions := s.asked(playground.CreateMessage)
	found := na()
	for _, q := range questions {
		params := q.Value.Get("params")
		if fault := samplingFault(params); fault != "" {
			return fail("The sampling request %s %s.", quoted(q.Key), fault)
		}
		if limit := params.Get("maxTokens"); !isWhole(limit) {
			found = hint("The sampling request %s has maxTokens %s, which is no number of tokens.",
				quoted(q.Key), raw(limit))
		} else if found.verdict != verdict.Advisory {
			found = pass()
		}
	}
	return found
}

func samplingFault(params *jsontree.Node) string {
	messages, limit := params.Get("messages"), params.Get("maxTokens")
	switch {
	case messages == nil || messages.Kind != jsontree.Array:
		return faultOf("messages", messages, "an array")
	case limit == nil || limit.Kind != jsontree.Number:
		return faultOf("maxTokens", limit, "a number")
	}
	for _, t := range params.Get("tools").Elements() {
		if schema := t.Get("inputSchema"); missingText(t, "name") != "" || schema == nil ||
			schema.Kind != jsontree.Object {
			return "has a tool without name or inputSchema"
		}
	}
	for _, name := range []string{"costPriority", "speedPriority", "intelligencePriority"} {
		if p := params.At("modelPreferences", name); p != nil && !isPriority(p) {
			return "has a " + name + " that is not from 0 to 1"
		}
	}
	for i, m := range messages.Items {
		if fault := samplingMessageFault(m); fault != "" {
			return fault
		}
		if !usesBalanced(messages.Items, i) {
			return "has a tool use that the next message does not answer"
		}
	}
	return ""
}

func samplingMessageFault(m *jsontree.Node) string {
	blocks := contentBlocks(m)
	results := 0
	for _, b := range blocks {
		if fault := blockFault(b); fault != "" {
			return "has " + fault
		}
		if b.Get("type").Str() == "tool_result" {
			results++
		}
	}
	switch {
	case !slices.Contains(roles, m.Get("role").Str()):
		return "has a message whose role is neither user nor assistant"
	case m.Get("content") == nil:
		return "has a message without content"
	case results > 0 && results < len(blocks):
		return "mixes tool results with other content in one message"
	}
	return ""
}

// contentBlocks returns the content of a message, which is one block or
// several.
func contentBlocks(m *jsontree.Node) []*jsontree.Node {
	content := m.Get("content")
	if content == nil || content.Kind == jsontree.Array {
		return content.Elements()
	}
	return []*jsontree.Node{content}
}

// usesBalanced reports whether the message after messages[i] has a result for
// each of its tool uses.
func usesBalanced(messages []*jsontree.Node, i int) bool {
	for _, b := range contentBlocks(messages[i]) {
		if b.Get("type").Str() != "tool_use" {
			continue
		}
		answers := func(r *jsontree.Node) bool { return jsontree.Equal(r.Get("toolUseId"), b.Get("id")) }
		if i+1 == len(messages) || !slices.ContainsFunc(contentBlocks(messages[i+1]), answers) {
			return false
		}
	}
	return true
}

// noDeprecatedContext is sampling-context.
func noDeprecatedContext(s *subject) ruling {
	questions := s.asked(playground.CreateMessage)
	for _, q := range questions {
		value := q.Value.At("params", "includeContext").Str()
		if value != "thisServer" && value != "allServers" {
			continue
		}
		if !s.clientCapabilities().Get("sampling").Has("context") {
			return hint("The sampling request %s has includeContext %s, which the client did not declare.",
				quoted(q.Key), quoted(value))
		}
		return hint("The sampling request %s has includeContext %s, which is deprecated.",
			quoted(q.Key), quoted(value))
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

// completeRoots is roots-params.
func completeRoots(s *subject) ruling {
	questions := s.asked(playground.RootsList)
	for _, q := range questions {
		if params := q.Value.Get("params"); params != nil && params.Kind != jsontree.Object {
			return fail("The roots request %s has params that are %s.", quoted(q.Key), article(params))
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

// satisfiableSchemas is schema-satisfiable: a form that no answer can fit makes
// the call a dead end.
func satisfiableSchemas(s *subject) ruling {
	questions := s.elicitations("form")
	found := na()
	for _, q := range questions {
		schema := q.Value.At("params", "requestedSchema")
		if schema == nil || schema.Kind != jsontree.Object {
			continue // elicitation-params reports it
		}
		if name := fieldless(schema); name != "" {
			return hint("The form %s requires %s, which none of its fields gives.", quoted(q.Key),
				quoted(name))
		}
		switch property, fault := unsatisfiable(schema); {
		case fault == "":
			found = pass()
		case requires(schema, property):
			return hint("No answer fits the form %s: %s.", quoted(q.Key), fault)
		default:
			return hint("No value fits the property %s of the form %s: %s.", quoted(property), quoted(q.Key),
				fault)
		}
	}
	return found
}

// fieldless returns a required name for which a form has no property, or "".
func fieldless(schema *jsontree.Node) string {
	for _, name := range schema.Get("required").Elements() {
		if text, ok := name.Text(); ok && !schema.Get("properties").Has(text) {
			return text
		}
	}
	return ""
}

// requires reports whether a form requires a property.
func requires(schema *jsontree.Node, property string) bool {
	return slices.ContainsFunc(schema.Get("required").Elements(),
		func(name *jsontree.Node) bool { return name.Str() == property })
}

// unsatisfiable returns a property of a schema of the form subset that no value
// fits, and why, or "".
func unsatisfiable(schema *jsontree.Node) (property, fault string) {
	for _, p := range schema.Get("properties").Entries() {
		for _, pair := range [][2]string{
			{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"},
		} {
			low, ok := p.Value.Get(pair[0]).Decimal()
			high, bounded := p.Value.Get(pair[1]).Decimal()
			if ok && bounded && low.Cmp(high) > 0 {
				return p.Key, pair[0] + " of " + quoted(p.Key) + " is above its " + pair[1]
			}
		}
		if choices := p.Value.Get("enum"); choices != nil && choices.Len() == 0 {
			return p.Key, quoted(p.Key) + " has no choices"
		}
	}
	return "", ""
}

// personal are names of query parameters that carry personal data or
// credentials.
var personal = []string{
	"email", "mail", "phone", "ssn", "password", "token", "access_token", "apikey", "api_key", "secret",
	"name", "username", "user",
}

// emailPattern matches an email address.
var emailPattern = regexp.MustCompile(`[A-Za-z0-9._%+-]+(@|%40)[A-Za-z0-9-]+\.[A-Za-z]{2,}`)

// noPersonalData is url-personal. It compares names, so it can only give hints.
func noPersonalData(s *subject) ruling {
	questions := s.elicitations("url")
	for _, q := range questions {
		text := q.Value.At("params", "url").Str()
		u, err := url.Parse(text)
		if err != nil {
			continue // elicitation-params reports it
		}
		for name := range u.Query() {
			if slices.Contains(personal, strings.ToLower(name)) {
				return hint("The link of %s has %s in its query. "+
					"A link must not contain personal data or credentials.", quoted(q.Key), quoted(name))
			}
		}
		if u.User != nil || emailPattern.MatchString(text) {
			return hint("The link of %s seems to name the user. "+
				"A link must not contain personal data or credentials.", quoted(q.Key))
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

// noLinksInForms is form-links.
func noLinksInForms(s *subject) ruling {
	questions := s.elicitations("form")
	for _, q := range questions {
		params := q.Value.Get("params")
		texts := []string{params.Get("message").Str()}
		for _, p := range params.At("requestedSchema", "properties").Entries() {
			texts = append(texts, p.Value.Get("title").Str(), p.Value.Get("description").Str())
		}
		for _, text := range texts {
			if strings.Contains(text, "https://") || strings.Contains(text, "http://") {
				return hint("The form %s contains a link; links belong in URL mode.", quoted(q.Key))
			}
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}
