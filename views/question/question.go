// Package question shows one question of a server beside its controls: the
// messages of a sampling request, the roots, and where a link leads. A link
// that is not safe to follow is shown as text with its warning.
package question

import (
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/control"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Title returns the heading of a question: the server's message, or our
// words if it has none.
func Title(f question.Form) string { return narrate.Question(f.Question) }

// RawText returns JSON of a question as the server wrote it, or its beginning, with hidden
// characters made visible. All bytes are under Wire.
func RawText(n *jsontree.Node) string { return text.Lines(string(n.Raw()), 4000) }

// ID returns the id of an element of question i.
func ID(i int, what string) string { return form.Prefix(i) + "-" + what }

// JSONAttributes returns those of the textarea with the whole answer.
func JSONAttributes(i int, f question.Form, outOfBand bool) templ.OrderedAttributes {
	list := templ.OrderedAttributes{
		templ.KV[string, any]("id", ID(i, "json")), templ.KV[string, any]("name", form.JSONName(i)),
		templ.KV[string, any]("data-answer-json", true), templ.KV[string, any]("spellcheck", "false"),
	}
	if outOfBand {
		return append(list, templ.KV[string, any]("hx-swap-oob", "true"))
	}
	if f.Raw {
		return append(list, invalid(i, f)...)
	}
	return list
}

// invalid ties a control to the problem of its whole question.
func invalid(i int, f question.Form) templ.OrderedAttributes {
	if control.ProblemOf(f.Problems, -1) == "" {
		return nil
	}
	return templ.OrderedAttributes{
		templ.KV[string, any]("aria-invalid", "true"), templ.KV[string, any]("aria-describedby",
			ID(i, "problem")),
	}
}

// rootRows returns the roots and two empty rows.
func rootRows(roots []question.Root) []question.Root {
	return append(roots[:len(roots):len(roots)], question.Root{}, question.Root{})
}

// cannedAnswers returns ready-made answers in a model's place.
func cannedAnswers() []string {
	return []string{"Yes.", "No.", "I don't know.", "Here is a short summary: everything looks fine."}
}

// samplingFacts returns the parts of a request that the server would send to a
// model.
func samplingFacts(f question.Form) []prose.Fact {
	var list []prose.Fact
	add := func(name, value string) {
		if value != "" {
			list = append(list, prose.Fact{Name: name, Value: value})
		}
	}
	add("System prompt", text.Lines(f.Params.Get("systemPrompt").Str(), 4000))
	for _, m := range f.Params.Get("messages").Elements() {
		add(text.Visible(m.Get("role").Str(), 40), contentText(m.Get("content")))
	}
	add("Preferences", text.Visible(string(f.Params.Get("modelPreferences").Raw()), 400))
	add("At most", tokensWords(f.Params.Get("maxTokens")))
	add("Tools", text.Visible(strings.Join(f.Tools(), ", "), 400))
	add("Tool choice", text.Visible(string(f.Params.Get("toolChoice").Raw()), 200))
	return list
}

// contentText returns the text of sampling content, or its JSON if it is no
// text.
func contentText(content *jsontree.Node) string {
	if words := content.Get("text").Str(); words != "" {
		return text.Lines(words, 4000)
	}
	return text.Visible(string(content.Raw()), 2000)
}

func tokensWords(n *jsontree.Node) string {
	if n == nil {
		return ""
	}
	return text.Visible(string(n.Raw()), 20) + " tokens"
}

// Link is the URL of a URL mode question, as the user must see it before
// opening it (client/elicitation, "Safe URL Handling").
type Link struct {
	Full, Host, Warning string
	Safe                bool // it may be offered as a link
}

// long reports whether only the beginning of the URL is shown until the rest is
// unfolded.
func (l Link) long() bool { return len(l.Full) > 80 }

// parts splits a URL with a host into the part before it, the host as it is
// spelled, and the part after it.
func (l Link) parts() (before, host, after string) {
	if !l.Safe {
		return l.Full, "", ""
	}
	at := strings.Index(l.Full, "//") + len("//")
	end := len(l.Full)
	if n := strings.IndexAny(l.Full[at:], "/?#"); n >= 0 {
		end = at + n
	}
	return l.Full[:at], l.Full[at:end], l.Full[end:]
}

// NewLink judges a URL from a server.
func NewLink(raw string) Link {
	l := Link{Full: text.Visible(raw, 2048)}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || l.Full != raw:
		l.Warning = "This is no usable web address, so it is not offered as a link."
		return l
	case u.Scheme != "https" && u.Scheme != "http":
		l.Warning = "Only web addresses are offered as links; this one is " + u.Scheme + "."
		return l
	case u.User != nil:
		l.Warning = "The address hides its host behind a user name, so it is not offered as a link."
		return l
	}
	l.Host, l.Safe = u.Host, true
	_, spelled, _ := l.parts()
	switch {
	case strings.Contains(strings.ToLower(l.Host), "xn--") || !isASCII(l.Host) || spelled != l.Host:
		l.Warning = "The host is written in letters that may look like others. Check it twice."
	case u.Scheme == "http":
		l.Warning = "This address is not encrypted."
	}
	return l
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// AnswerLink returns where the buttons inside the fields of a question lead.
func AnswerLink(path string) control.EditLink {
	return control.EditLink{URL: path, Target: "main", Swap: "outerHTML"}
}

// HaveButtons reports whether fields of the questions have buttons of their own.
func HaveButtons(list []question.Form) bool {
	return slices.ContainsFunc(list, func(q question.Form) bool {
		return q.Fields.Nested() || slices.ContainsFunc(q.Fields.Fields, control.Suggests)
	})
}
