package views

import (
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// promptTitle is the heading of a question: the server's words, or ours when it
// gave none.
func promptTitle(p question.Form) string { return narrate.Question(p.Question) }

// promptID is the id of an element of question i.
func promptID(i int, what string) string { return question.Prefix(i) + "-" + what }

// jsonAttributes are those of the textarea with the whole answer.
func jsonAttributes(i int, p question.Form, outOfBand bool) templ.OrderedAttributes {
	list := templ.OrderedAttributes{
		templ.KV[string, any]("id", promptID(i, "json")), templ.KV[string, any]("name", question.Prefix(i)+".json"),
		templ.KV[string, any]("data-answer-json", true), templ.KV[string, any]("spellcheck", "false"),
	}
	if outOfBand {
		return append(list, templ.KV[string, any]("hx-swap-oob", "true"))
	}
	if p.Raw {
		return append(list, invalid(i, p)...)
	}
	return list
}

// invalid ties a control to the problem of its whole question.
func invalid(i int, p question.Form) templ.OrderedAttributes {
	if problemOf(p.Problems, -1) == "" {
		return nil
	}
	return templ.OrderedAttributes{
		templ.KV[string, any]("aria-invalid", "true"), templ.KV[string, any]("aria-describedby", promptID(i, "problem")),
	}
}

// rootRows are the roots and two empty rows.
func rootRows(roots []question.Root) []question.Root {
	return append(roots[:len(roots):len(roots)], question.Root{}, question.Root{})
}

// cannedAnswers are quick answers in a model's place.
func cannedAnswers() []string {
	return []string{"Yes.", "No.", "I do not know.", "Here is a short summary: everything looks fine."}
}

// samplingFacts are what the server would send to a model.
func samplingFacts(p question.Form) []Fact {
	var list []Fact
	add := func(name, value string) {
		if value != "" {
			list = append(list, Fact{Name: name, Value: value})
		}
	}
	add("System prompt", p.Params.Get("systemPrompt").Str())
	for _, m := range p.Params.Get("messages").Elements() {
		add(text.Visible(m.Get("role").Str(), 40), contentText(m.Get("content")))
	}
	add("Preferences", text.Visible(string(p.Params.Get("modelPreferences").Raw()), 400))
	add("At most", tokensWords(p.Params.Get("maxTokens")))
	add("Tools", text.Visible(strings.Join(p.Tools(), ", "), 400))
	add("Tool choice", text.Visible(string(p.Params.Get("toolChoice").Raw()), 200))
	return list
}

// contentText is the text of sampling content; what is no text is shown as JSON.
func contentText(content *jsontree.Node) string {
	if text := content.Get("text").Str(); text != "" {
		return text
	}
	return text.Visible(string(content.Raw()), 2000)
}

func tokensWords(n *jsontree.Node) string {
	if n == nil {
		return ""
	}
	return text.Visible(string(n.Raw()), 20) + " tokens"
}

// Link is the address of a URL mode question as a person must see it before
// opening it (client/elicitation, "Safe URL Handling").
type Link struct {
	Full, Host, Warning string
	Safe                bool // it may be offered as a link at all
}

// NewLink judges an address given by a server.
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
	switch {
	case strings.Contains(strings.ToLower(l.Host), "xn--") || !isASCII(l.Host):
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
