package gateway

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// decoded returns the value of a header field without its encoding ("Value Encoding").
func decoded(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	if err != nil {
		return value
	}
	return string(b)
}

// isPlain reports whether a header field can hold a value ("Value Encoding").
func isPlain(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r != '\t' && r < ' ' || r > '~' })
}

// bodyValue returns what a header field repeats of the body of a request, or "".
type bodyValue func(*recordings, *request, playground.Round) string

// header judges a field of the requests at the upstream, by its value in the body.
func header(name string, body bodyValue) func(*recordings, *tally) {
	return func(r *recordings, t *tally) {
		for _, q := range r.requests {
			if q.call.Focus == Definitions {
				continue // a gateway asks for lists when it likes
			}
			for _, u := range q.ups {
				if want := body(r, q, u); want != "" && !u.Request.IsLine() {
					t.field(q, u, name, want)
				}
			}
		}
	}
}

// field judges one field of a request at the upstream.
func (t *tally) field(q *request, u playground.Round, name, want string) {
	t.saw(q)
	values := head(u).Values(name)
	shown := text.Visible(want, 60)
	if strings.HasPrefix(u.Method, "tasks/") && name == "Mcp-Name" {
		shown = "the id of the task"
	}
	sentence := fmt.Sprintf("The body has %s, and %s is missing.", shown, name)
	if len(values) > 0 {
		sentence = fmt.Sprintf("The body has %s, %s has %s.", shown, name,
			text.Visible(strings.Join(values, ", "), 60))
	}
	if len(values) != 1 || decoded(values[0]) != want || !isPlain(values[0]) {
		t.found = append(t.found, found{q: q, sentence: sentence, header: name})
	}
}

// accepts judges the Accept field, where a range stands for what is in it.
func accepts(r *recordings, t *tally) {
	for _, q := range r.requests {
		for _, u := range q.ups {
			if u.Request.IsLine() || q.call.Focus == Definitions {
				continue
			}
			field := strings.ToLower(strings.Join(head(u).Values("Accept"), ", "))
			all := strings.Contains(field, "*/*")
			holds := (all || strings.Contains(field, "application/json") ||
				strings.Contains(field, "application/*")) && (all ||
				strings.Contains(field, "text/event-stream") || strings.Contains(field, "text/*"))
			t.saw(q)
			if !holds {
				t.found = append(t.found, found{
					q: q, sentence: "Accept was " + visible(field, 80) + ".", header: "Accept",
				})
			}
		}
	}
}

func nameInBody(r *recordings, q *request, u playground.Round) string {
	member := wire.NameMember(u.Method)
	if member == "" {
		return ""
	}
	if _, same := r.calledAs(q, u); isCall(u.Method) && !same {
		return "" // the line about names has it
	}
	return u.Sent.At("params", member).Str()
}

func versionInBody(_ *recordings, _ *request, u playground.Round) string {
	return u.Sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Str()
}

func headerParams(r *recordings, t *tally) {
	for _, q := range r.requests {
		for _, u := range q.ups {
			tool := r.tool(u.Sent.At("params", "name").Str())
			if tool == nil || u.Request.IsLine() || r.losesUnknown(tool.Get("name").Str()) {
				continue
			}
			sent := playground.MirroredArguments(tool, q.client.Sent.Get("params"))
			for _, m := range playground.MirroredArguments(tool, u.Sent.Get("params")) {
				if slices.ContainsFunc(sent, func(s playground.MirroredArgument) bool {
					return s.Header == m.Header && s.Text == m.Text
				}) { // else the line about arguments has it
					t.field(q, u, m.Header, m.Text)
				}
			}
		}
	}
}

// tool returns a tool as the upstream listed it, or nil.
func (r *recordings) tool(name string) *jsontree.Node {
	for _, u := range r.ups {
		for _, n := range u.Result.Get("tools").Elements() {
			if n.Get("name").Str() == name {
				return n
			}
		}
	}
	return nil
}

// losesUnknown reports whether the client got a tool without its annotations because the gateway
// drops every member that it does not know, which the line about these counts.
func (r *recordings) losesUnknown(tool string) bool {
	has := func(k class, of string) bool {
		return slices.ContainsFunc(r.compared, func(c comparison) bool {
			return (of == "" || c.part == inDefs && c.path[0] == of) &&
				slices.ContainsFunc(c.changes, func(d change) bool { return d.class == k && d.After == nil })
		})
	}
	return has(annotation, tool) && has(unknown, "")
}
